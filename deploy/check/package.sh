#!/usr/bin/env bash
# Builds the deb and the rpm into dist/, installs the deb into an empty root,
# upgrades it, and verifies the unit where the package has put it.
# NFPM (a command and its version), GOARCH and VERSION come from the Makefile. It
# needs root, rpm and systemd.
set -euo pipefail
cd "$(dirname "$0")/../.."

unit=oranet_exporter.service
# Of 100; what is left over is the network, which is what it is for.
most_exposure=11

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
tools=$scratch/tools

fail() {
	echo "package: $*" >&2
	exit 1
}

# pack builds one package: deb or rpm, of a version, into a folder.
pack() {
	VERSION=$2 "$tools/nfpm" package --config deploy/package/nfpm.yaml --packager "$1" --target "$3"
}

dpkg_() { dpkg --root="$root" --force-not-root "$@" </dev/null; }

# prepare makes a root with what dpkg and the package's scripts need: a shell.
prepare() {
	local file
	mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
	touch "$root/var/lib/dpkg/status"
	for file in /bin/sh $(ldd /bin/sh | grep -o '/[^ ]*'); do
		mkdir -p "$root$(dirname "$file")"
		cp -L "$file" "$root$file"
	done
}

# An upgrade leaves alone what an administrator wrote.
check_upgrade() {
	mkdir "$scratch/next"
	pack deb 999.0.0 "$scratch/next/"
	dpkg_ --install dist/*.deb
	echo '# mine' >"$root/etc/oranet_exporter/oranet.yml"
	echo secret >"$root/etc/oranet_exporter/secrets/probe"
	dpkg_ --install "$scratch"/next/*.deb
	grep -qx '# mine' "$root/etc/oranet_exporter/oranet.yml" || fail "an upgrade overwrites the configuration"
	[ -e "$root/etc/oranet_exporter/secrets/probe" ] || fail "an upgrade removes a secret"
	[ "$(stat -c %a "$root/etc/oranet_exporter/secrets")" = 700 ] || fail "others than root can list the secrets"
}

check_rpm() {
	rpm -qp --nosignature --qf '[%{FILENAMES} %{FILEFLAGS:fflags}\n]' dist/*.rpm | grep -qx '/etc/oranet_exporter/oranet.yml cn' ||
		fail "the rpm would replace the configuration"
}

# The unit's neighbours are this machine's.
check_unit() {
	cp -nr /usr/lib/systemd/system/. "$root/usr/lib/systemd/system/"
	# a Go program that crashes ends with 2, as a mistake in the configuration does
	! grep -q '^RestartPreventExitStatus' "$root/usr/lib/systemd/system/$unit" || fail "the unit is not started again after a crash"
	systemd-analyze verify --man=no --root="$root" "$unit"
	systemd-analyze security --offline=true --no-pager --threshold="$most_exposure" --root="$root" "$unit" | tail -n 1
}

GOBIN=$tools go install "$NFPM"
rm -f dist/*.deb dist/*.rpm
mkdir -p dist
pack deb "$VERSION" dist/
pack rpm "$VERSION" dist/
prepare
check_upgrade
check_rpm
check_unit
