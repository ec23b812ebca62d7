#!/usr/bin/env bash
# Builds the image's final stage from the binary in the checkout and runs it as
# a container: as nobody, without a capability, with nothing to write to.
# It needs root, buildah and crun, and no registry: the stage that would compile
# inside golang's image is replaced by a folder with what the final stage copies.
set -euo pipefail
cd "$(dirname "$0")/../.."

# In a mount namespace of its own: mounts end with it, and crun, which refuses
# a machine that mounts both versions of cgroups, sees the second alone.
if [ "${1:-}" != inside ]; then
	exec unshare --mount --propagation private "deploy/check/$(basename "$0")" inside
fi
mount -t cgroup2 none /sys/fs/cgroup

scratch=$(mktemp -d)
simulator=
finish() {
	[ -z "$simulator" ] || kill "$simulator" 2>/dev/null || true
	crun delete --force oranet_exporter_check 2>/dev/null || true
	buildah_ rm --all >/dev/null 2>&1 || true
	rm -rf "$scratch"
}
trap finish EXIT

fail() {
	echo "image: $*" >&2
	exit 1
}

buildah_() { buildah --root "$scratch/storage" --runroot "$scratch/run" --storage-driver vfs "$@"; }

# build makes the image and mounts its file system.
build() {
	local stage=$scratch/stage
	mkdir -p "$stage/src" "$stage/etc/ssl/certs"
	cp oranet_exporter "$stage/src/"
	cp -L /etc/ssl/certs/ca-certificates.crt "$stage/etc/ssl/certs/"
	# HEALTHCHECK is of Docker's format alone.
	buildah_ build --quiet --format docker --isolation chroot --build-context "build=$stage" --tag oranet_exporter . >/dev/null
	container=$(buildah_ from --pull-never oranet_exporter)
	rootfs=$(buildah_ mount "$container")
	buildah_ inspect --type image oranet_exporter | jq .Docker.config >"$scratch/image.json"
	echo "the image holds: $(find "$rootfs" -type f | sed "s#^$rootfs##" | sort | tr '\n' ' ')"
}

# bundle writes what crun needs to run the image with those arguments in place
# of its CMD, or with its CMD if there are none.
bundle() {
	local args
	mkdir -p "$scratch/bundle" "$scratch/oranet"
	rm -f "$scratch/bundle/config.json"
	args=$(printf '%s\n' "$@" | jq -R . | jq -s 'map(select(. != ""))')
	(cd "$scratch/bundle" && crun spec)
	jq --slurpfile image "$scratch/image.json" --argjson args "$args" --arg rootfs "$rootfs" --arg oranet "$scratch/oranet" '
		($image[0].User | split(":") | map(tonumber)) as $user |
		.root = {path: $rootfs, readonly: true} |
		.process.terminal = false |
		.process.user = {uid: $user[0], gid: $user[1]} |
		.process.args = $image[0].Entrypoint + (if $args == [] then $image[0].Cmd else $args end) |
		.process.noNewPrivileges = true |
		.process.capabilities = {} |
		.linux.namespaces |= map(select(.type != "network")) |
		.mounts += [{destination: "/etc/oranet", type: "bind", source: $oranet, options: ["bind", "ro"]}]
	' "$scratch/bundle/config.json" >"$scratch/bundle/new.json"
	mv "$scratch/bundle/new.json" "$scratch/bundle/config.json"
}

run() {
	bundle "$@"
	crun --cgroup-manager=disabled run --bundle "$scratch/bundle" oranet_exporter_check
}

# probe_simulated probes a simulated database from inside the container and
# asks the image's own health check.
probe_simulated() {
	local address
	./oranet_exporter simulate --listen-address=127.0.0.1:0 >"$scratch/simulate" &
	simulator=$!
	for _ in $(seq 50); do
		[ -s "$scratch/simulate" ] && break
		sleep 0.1
	done
	address=$(jq -r .dsn "$scratch/simulate")
	mkdir -p "$scratch/oranet"
	jq -r .password "$scratch/simulate" >"$scratch/oranet/probe"
	printf 'targets:\n  - {name: orders, dsn: //%s, user: PROBE, password_file: probe}\n' "$address" >"$scratch/oranet/oranet.yml"
	chmod -R a+rX "$scratch/oranet"
	run check --config.file=/etc/oranet/oranet.yml orders
}

# serve starts the image as its ENTRYPOINT and CMD say and looks at the process.
serve() {
	local pid
	bundle
	crun --cgroup-manager=disabled run --detach --bundle "$scratch/bundle" oranet_exporter_check >"$scratch/serve.log" 2>&1 </dev/null
	pid=$(crun state oranet_exporter_check | jq .pid)
	for _ in $(seq 50); do
		healthy && break
		sleep 0.1
	done
	healthy || { cat "$scratch/serve.log"; fail "the image's HEALTHCHECK does not succeed"; }
	grep -q '^Uid:	65534	65534	65534	65534$' "/proc/$pid/status" || fail "it does not run as nobody"
	grep -q '^CapEff:	0000000000000000$' "/proc/$pid/status" || fail "it has capabilities"
	awk '$5 == "/" { print $6 }' "/proc/$pid/mountinfo" | grep -q '^ro' || fail "its root file system can be written to"
	echo "served as uid 65534, without capabilities, on a read-only root file system"
	crun kill oranet_exporter_check TERM
}

# healthy runs the image's HEALTHCHECK in the running container.
healthy() {
	local check
	mapfile -t check < <(jq -r '.Healthcheck.Test[1:][]' "$scratch/image.json")
	crun exec oranet_exporter_check "${check[@]}" 2>/dev/null
}

build
run version
probe_simulated
serve
