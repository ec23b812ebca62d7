#!/usr/bin/env bash
# What so many targets at the default configuration cost: series, the size and
# time of a scrape, memory, CPU. docs/scale.md says what came of it.
#
# usage: bench/scale.sh TARGETS MINUTES
set -euo pipefail
cd "$(dirname "$0")/.."
targets=${1:?how many targets} minutes=${2:?how many minutes}

dir=$(mktemp -d)
pids=()
finish() {
	[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
	wait
	rm -rf "$dir"
}
trap finish EXIT

url=127.0.0.1:19522
go build -o "$dir/oranet_exporter" .
"$dir/oranet_exporter" simulate --listen-address=127.0.0.1:19521 >"$dir/simulate.log" 2>&1 &
pids+=($!)
printf probe >"$dir/password"
{
	echo "targets:"
	for i in $(seq "$targets"); do
		echo "  - {name: db-$i, dsn: 127.0.0.1:19521/FREEPDB1, user: PROBE, password_file: password, labels: {to_region: tokyo}," \
			"budgets: [{name: page, rows: 1000, arraysize: 100, max: 300ms}]}"
	done
} >"$dir/oranet.yml"
"$dir/oranet_exporter" --config.file="$dir/oranet.yml" --web.listen-address=$url --web.enable-pprof >"$dir/exporter.log" 2>&1 &
pids+=($!)

# figure reads one of the process's own gauges.
figure() { awk -v name="$1" '$1 == name { print $2 }' "$dir/text"; }

echo "minute  series   text: bytes seconds   protobuf: bytes seconds   RSS MB   heap MB   goroutines   CPU s   missed"
for minute in $(seq "$minutes"); do
	sleep 60
	classic=$(curl -fsS --compressed -o "$dir/text" -w '%{size_download} %{time_total}' "$url/metrics")
	native=$(curl -fsS --compressed -H 'Accept: application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited' \
		-o "$dir/protobuf" -w '%{size_download} %{time_total}' "$url/metrics")
	printf '%s  %s   %s   %s   %.0f   %.0f   %s   %.0f   %s\n' "$minute" "$(grep -vc '^#' "$dir/text")" "$classic" "$native" \
		"$(figure process_resident_memory_bytes | awk '{ print $1 / 1e6 }')" "$(figure go_memstats_heap_inuse_bytes | awk '{ print $1 / 1e6 }')" \
		"$(figure go_goroutines)" "$(figure process_cpu_seconds_total)" \
		"$(awk '/^oranet_probe_missed_total/ { n += $NF } END { print n + 0 }' "$dir/text")"
done
echo "series of one target, histograms in classic form: $(grep -c 'target="db-1"' "$dir/text")"
echo "of which are no histogram's: $(grep 'target="db-1"' "$dir/text" | grep -vcE '_(bucket|sum|count)\{')"
echo "histograms of one target: $(grep 'target="db-1"' "$dir/text" | grep -cE '_count\{')"
echo "live heap by who holds it:"
curl -fsS -o "$dir/heap" "$url/debug/pprof/heap?gc=1"
go tool pprof -sample_index=inuse_space -top -nodecount=12 "$dir/oranet_exporter" "$dir/heap" 2>/dev/null | tail -n +4
