package probes

import (
	"context"
	"errors"
	"math"
	"net"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"oranet_exporter/link"
	"oranet_exporter/link/linktest"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// target starts a simulated database behind path and returns a link to it.
func target(t *testing.T, path emulink.Path) (*simulator.Server, *link.Link) {
	t.Helper()
	server, cfg := linktest.Simulated(t, simulator.Options{}, emulink.New(path))
	return server, newLink(t, cfg)
}

func newLink(t *testing.T, cfg link.Config) *link.Link {
	t.Helper()
	l, err := link.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// run runs a probe of that definition once more and returns its samples.
func run(t *testing.T, p Probe) *Samples {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out := new(Samples)
	if err := p.Run(ctx, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func start(t *testing.T, d *Definition, l *link.Link, o Options) Probe {
	t.Helper()
	if o == nil && d.Options != nil {
		o = d.Options()
	}
	p := d.New(l, o)
	t.Cleanup(func() { _ = p.Close(context.Background()) })
	return p
}

// value returns the only sample of that metric with those label values.
func value(t *testing.T, s *Samples, m *Metric, labels ...string) float64 {
	t.Helper()
	var found []float64
	for _, sample := range s.List() {
		if sample.Metric == m && slices.Equal(sample.Values, labels) {
			found = append(found, sample.Value)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d samples of %s%v, want 1", len(found), m.Name, labels)
	}
	return found[0]
}

func TestEveryProbeFillsOnlyMetricsThatItDeclares(t *testing.T) {
	l := newLink(t, linktest.Any(t))
	for _, d := range All {
		t.Run(d.Name, func(t *testing.T) {
			samples := run(t, start(t, d, l, nil)).List()
			if len(samples) == 0 {
				t.Error("a successful run measured nothing")
			}
			for _, s := range samples {
				if !slices.Contains(d.Metrics, s.Metric) {
					t.Errorf("%s is not among the probe's metrics", s.Metric.Name)
				}
				if len(s.Values) != len(s.Metric.Labels) {
					t.Errorf("%s has labels %v, got %v", s.Metric.Name, s.Metric.Labels, s.Values)
				}
			}
		})
	}
}

func TestEveryLatencyLiesWithinItsBuckets(t *testing.T) {
	_, l := target(t, emulink.Path{RTT: 2 * time.Millisecond})
	for _, d := range All {
		for _, s := range run(t, start(t, d, l, nil)).List() {
			if s.Metric.Kind != Histogram {
				continue
			}
			if top := s.Metric.Buckets[len(s.Metric.Buckets)-1]; s.Value > top {
				t.Errorf("%s measured %v, its highest bucket is %v", s.Metric.Name, s.Value, top)
			}
		}
	}
}

func TestRoundTripHoldsOneSessionAndLogsItOff(t *testing.T) {
	server, l := target(t, emulink.Path{})
	p := start(t, RoundTrip, l, nil)
	for range 3 {
		run(t, p)
	}
	if truth := server.Truth(); truth.SessionsTotal != 1 || truth.RoundTripsByCall["ping"] != 3 {
		t.Errorf("%d sessions and %d pings, want 1 and 3", truth.SessionsTotal, truth.RoundTripsByCall["ping"])
	}
	if err := p.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); server.Truth().Connections[0].Open && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if ended := server.Truth().Connections[0].Ended; ended != "logoff" {
		t.Errorf("the session ended by %q, want logoff", ended)
	}
}

func TestRoundTripTellsIdleFromBulk(t *testing.T) {
	_, l := target(t, emulink.Path{})
	p := start(t, RoundTrip, l, nil)
	value(t, run(t, p), roundTripSeconds, loadIdle)
	end := l.BeginBulk()
	value(t, run(t, p), roundTripSeconds, loadBulk)
	end()
	value(t, run(t, p), roundTripSeconds, loadIdle)
}

func TestPoolLeavesTheLogonOutOfItsFiguresAndCountsALostSession(t *testing.T) {
	server, l := target(t, emulink.Path{RTT: 20 * time.Millisecond})
	p := start(t, Pool, l, nil)
	first := run(t, p)
	// The logon alone is eight round trips; an acquire from a warm pool is none.
	if acquire := value(t, first, poolAcquireSeconds); acquire > 0.020 {
		t.Errorf("the first acquire took %v s: the logon is in it", acquire)
	}
	if query := value(t, first, poolQuerySeconds); query < 0.038 {
		t.Errorf("acquire, one row and close took %v s on a link of 20 ms, they are two round trips", query)
	}
	if total := server.Truth().SessionsTotal; total != 1 {
		t.Errorf("%d sessions, want 1", total)
	}
}

func TestSDUReportsWhatIsGrantedWithoutLoggingOn(t *testing.T) {
	server, l := target(t, emulink.Path{})
	samples := run(t, start(t, SDU, l, nil))
	// MEASUREMENTS M1.
	for requested, want := range map[string]float64{"2048": 2048, "8192": 8192, "65536": 32768, "2097152": 32768} {
		if got := value(t, samples, sduNegotiatedBytes, requested); got != want {
			t.Errorf("asked for %s, granted %v, want %v", requested, got, want)
		}
	}
	if total := server.Truth().SessionsTotal; total != 0 {
		t.Errorf("%d sessions were opened to negotiate", total)
	}
}

func TestConnectTakesItsPhasesApart(t *testing.T) {
	const rtt = 10 * time.Millisecond
	_, l := target(t, emulink.Path{RTT: rtt})
	samples := run(t, start(t, Connect, l, nil))
	var sum float64
	for _, phase := range []string{"tcp", "tns", "auth", "session"} {
		seconds := value(t, samples, connectPhaseSeconds, phase)
		if seconds <= 0 {
			t.Errorf("%s took no time", phase)
		}
		sum += seconds
	}
	if least := 8 * rtt.Seconds() * 0.95; sum < least {
		t.Errorf("the phases sum to %v s, eight round trips of %v are more", sum, rtt)
	}
	if total := value(t, samples, connectSeconds, "default"); total < sum*0.999 || total > sum*1.001 {
		t.Errorf("the phases sum to %v s, the connect took %v s", sum, total)
	}
	if trips := value(t, samples, connectRoundTrips); trips != 8 {
		t.Errorf("%v round trips, want 8", trips)
	}
}

func TestFetchComponentsSumToItsElapsedTime(t *testing.T) {
	_, l := target(t, emulink.Path{RTT: 2 * time.Millisecond, BitsPerSecond: 200_000_000})
	samples := run(t, start(t, Fetch, l, &FetchOptions{Arraysize: []Arraysize{100, 1000, Auto}, Rows: 5000, RowBytes: 200}))
	for _, size := range []string{"100", "1000", "auto"} {
		var sum float64
		for _, component := range componentNames {
			seconds := value(t, samples, fetchComponentSeconds, size, component)
			if seconds < 0 {
				t.Errorf("arraysize %s: %s took %v s", size, component, seconds)
			}
			sum += seconds
		}
		if elapsed := value(t, samples, fetchSeconds, size); sum < elapsed-1e-6 || sum > elapsed+1e-6 {
			t.Errorf("arraysize %s: the components sum to %v s, elapsed is %v s", size, sum, elapsed)
		}
	}
}

// MEASUREMENTS M3: time grows by waiting, so the slope of elapsed time against
// RTT equals the round trips. A busy machine stretches a run at will but never
// shortens it, so the fastest of several counts, and more are run as long as
// the slope is not yet what it must be.
func TestFetchTimeGrowsByItsRoundTrips(t *testing.T) {
	const low, attempts = 2 * time.Millisecond, 10
	for _, c := range []struct {
		size Arraysize
		rows int
		high time.Duration
	}{{100, 5_000, 50 * time.Millisecond}, {1000, 20_000, 100 * time.Millisecond}} {
		t.Run(c.size.String(), func(t *testing.T) {
			emulated := emulink.New(emulink.Path{})
			_, cfg := linktest.Simulated(t, simulator.Options{}, emulated)
			p := start(t, Fetch, newLink(t, cfg), &FetchOptions{Arraysize: []Arraysize{c.size}, Rows: c.rows, RowBytes: 64})
			fastest := map[time.Duration]float64{low: math.Inf(1), c.high: math.Inf(1)}
			var ratio float64
			for range attempts {
				var trips float64
				for rtt, best := range fastest {
					emulated.Set(emulink.Path{RTT: rtt})
					samples := run(t, p)
					trips = value(t, samples, fetchRoundTrips, c.size.String())
					fastest[rtt] = min(best, value(t, samples, fetchSeconds, c.size.String()))
				}
				slope := (fastest[c.high] - fastest[low]) / (c.high - low).Seconds()
				if ratio = slope / trips; ratio >= 0.95 && ratio <= 1.05 {
					t.Logf("slope %.1f, %v round trips, ratio %.3f", slope, trips, ratio)
					return
				}
			}
			t.Errorf("the slope is %.3f of the round trips, want 0.95 to 1.05", ratio)
		})
	}
}

func TestASilentListenerEndsEveryProbeThatSpeaksToIt(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	l := newLink(t, link.Config{DSN: silent.Addr().String() + "/svc", User: "PROBE", Password: linktest.Secret(t, "Plain_1234")})
	for _, d := range []*Definition{RoundTrip, Pool, Connect, SDU, Fetch} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		err := start(t, d, l, nil).Run(ctx, new(Samples))
		cancel()
		var f *link.Failure
		if !errors.As(err, &f) || f.Phase != link.PhaseTNS || f.Reason != link.ReasonTimeout {
			t.Errorf("%s: %v, want tns and timeout", d.Name, err)
		}
	}
}

// nearlyOver is a run whose deadline comes near once a session is open.
type nearlyOver struct {
	context.Context
	server *simulator.Server
}

func (c nearlyOver) Deadline() (time.Time, bool) {
	if c.server.Truth().SessionsTotal > 0 {
		return time.Now(), true
	}
	return time.Now().Add(time.Minute), true
}

func TestRoundTripKeepsASessionWhoseLogonTookTheWholeRun(t *testing.T) {
	server, l := target(t, emulink.Path{})
	p := start(t, RoundTrip, l, nil)
	out := new(Samples)
	if err := p.Run(nearlyOver{context.Background(), server}, out); err != nil || len(out.List()) != 0 {
		t.Fatalf("the run that logged on: %d samples, error %v, want none and none", len(out.List()), err)
	}
	value(t, run(t, p), roundTripSeconds, loadIdle)
	if truth := server.Truth(); truth.SessionsTotal != 1 {
		t.Errorf("%d sessions were opened, want the first to be kept", truth.SessionsTotal)
	}
}
