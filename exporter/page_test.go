package exporter

import (
	"testing"

	"oranet_exporter/probes"
)

func TestHeadlineShowsTheProbesFirstMetricAlone(t *testing.T) {
	fetch := &probes.Metric{Name: "fetch_seconds", Labels: []string{"arraysize"}}
	buffer := &probes.Metric{Name: "socket_buffer_bytes"}
	for _, c := range []struct {
		leading *probes.Metric
		want    string
	}{
		{fetch, "100: 1203 ms; 1000: 20.5 ms"},
		{buffer, "131072 B"},
		{&probes.Metric{Name: "other"}, ""},
	} {
		got := headline(c.leading, []probes.Sample{
			{Metric: buffer, Value: 131072},
			{Metric: fetch, Values: []string{"100"}, Value: 1.203},
			{Metric: fetch, Values: []string{"1000"}, Value: 0.0205},
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.leading.Name, got, c.want)
		}
	}
}
