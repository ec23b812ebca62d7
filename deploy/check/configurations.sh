#!/usr/bin/env bash
# Holds every example configuration of deploy/ against the exporter, with secrets
# and a wallet where it expects them, below a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

scratch=$(mktemp -d)
simulator=
finish() {
	[ -z "$simulator" ] || kill "$simulator" 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT

# A simulated database writes a wallet, and its first line when that is done.
make_wallet() {
	./oranet_exporter simulate --listen-address= --tls-listen-address=127.0.0.1:0 \
		--wallet-dir="$scratch/run/secrets/wallet" >"$scratch/simulate" &
	simulator=$!
	for _ in $(seq 100); do
		[ -s "$scratch/simulate" ] && return
		sleep 0.1
	done
	echo "configurations: the simulated database wrote no wallet within 10 s" >&2
	exit 1
}

# check takes a configuration from stdin.
check() {
	sed "s#/run/#$scratch/run/#" >"$scratch/oranet.yml"
	./oranet_exporter --config.check --config.file="$scratch/oranet.yml"
}

mkdir -p "$scratch/run/secrets/oranet" "$scratch/run/credentials/oranet_exporter.service"
for secret in secrets/probe_password secrets/oranet/probe secrets/oranet/wallet credentials/oranet_exporter.service/secret_probe; do
	echo Wallet_1234 >"$scratch/run/$secret"
done
make_wallet
check <deploy/compose/oranet.yml
check <deploy/kubernetes/oranet.yml
sed '/^#targets/,$s/^#//' deploy/package/oranet.yml | check # whose example is a comment
