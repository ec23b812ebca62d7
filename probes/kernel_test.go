package probes

import (
	"context"
	"slices"
	"testing"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/simulator/emulink"
)

func TestRetransmitsGrowByWhatTheSessionAddedSinceTheLastLook(t *testing.T) {
	look := func(w *kernelWatch, retransmits int64) float64 {
		var out Samples
		w.add(link.KernelView{Retransmits: retransmits}, &out)
		return value(t, &out, tcpRetransmitsTotal)
	}
	var first, second kernelWatch
	for _, c := range []struct {
		session *kernelWatch
		total   int64
		want    float64
	}{
		{&first, 2, 2}, // during the logon
		{&first, 2, 0},
		{&first, 5, 3},
		{&second, 1, 1}, // another session starts at 0
		{&second, 4, 3},
	} {
		if got := look(c.session, c.total); got != c.want {
			t.Errorf("at %d retransmits the counter grew by %v, want %v", c.total, got, c.want)
		}
	}
}

func TestALeastRTTThatTheKernelDoesNotHaveIsAbsent(t *testing.T) {
	has := func(view link.KernelView) bool {
		var out Samples
		new(kernelWatch).add(view, &out)
		return slices.ContainsFunc(out.List(), func(s Sample) bool { return s.Metric == tcpMinRTTSeconds })
	}
	if has(link.KernelView{RTT: time.Millisecond}) {
		t.Error("a least RTT of 0 was exported")
	}
	if !has(link.KernelView{RTT: time.Millisecond, MinRTT: time.Microsecond}) {
		t.Error("a least RTT was not exported")
	}
}

func TestKernelMetricsAreDeclaredOnlyWhereTheKernelTells(t *testing.T) {
	for definition, metrics := range map[*Definition][]*Metric{
		RoundTrip: {tcpRTTSeconds, tcpRTTVarianceSeconds, tcpMinRTTSeconds, tcpRetransmitsTotal},
		Fetch:     {socketBufferBytes},
	} {
		for _, m := range metrics {
			if declared := slices.Contains(definition.Metrics, m); declared != link.HasKernelView {
				t.Errorf("%s declares %s: %v, want %v", definition.Name, m.Name, declared, link.HasKernelView)
			}
		}
	}
}

func TestProbesTellWhatTheKernelTells(t *testing.T) {
	if !link.HasKernelView {
		t.Skip("this operating system tells nothing of its sockets")
	}
	_, l := target(t, emulink.Path{})
	ping := run(t, start(t, RoundTrip, l, nil))
	for _, m := range []*Metric{tcpRTTSeconds, tcpRTTVarianceSeconds, tcpMinRTTSeconds} {
		if got := value(t, ping, m); got <= 0 || got > 1 {
			t.Errorf("%s is %v on loopback", m.Name, got)
		}
	}
	fetch := run(t, start(t, Fetch, l, &FetchOptions{Arraysize: []Arraysize{1000}, Rows: 20_000, RowBytes: 200}))
	for _, direction := range []string{bufferReceive, bufferSend} {
		atConnect := value(t, fetch, socketBufferBytes, direction, momentConnect)
		atFetch := value(t, fetch, socketBufferBytes, direction, momentFetch)
		if atConnect <= 0 || atFetch < atConnect {
			t.Errorf("%s buffer: %v bytes after connecting, %v after a fetch", direction, atConnect, atFetch)
		}
	}
}

func TestAFailedPingTellsItsRetransmits(t *testing.T) {
	if !link.HasKernelView {
		t.Skip("this operating system tells nothing of its sockets")
	}
	server, l := target(t, emulink.Path{})
	p := start(t, RoundTrip, l, nil)
	run(t, p)
	_ = server.Close()
	var out Samples
	if err := p.Run(context.Background(), &out); err == nil {
		t.Fatal("a ping succeeded without a database")
	}
	value(t, &out, tcpRetransmitsTotal)
}
