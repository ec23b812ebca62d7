package emulink

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/nettest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair connects two ends over the link; the test's end closes them.
func pair(t testing.TB, l *Link) (client *net.TCPConn, server *conn) {
	t.Helper()
	ln, err := l.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); s.Close() })
	return c.(*net.TCPConn), s.(*conn)
}

func echo(s net.Conn) {
	// The peer's close is how an echo ends.
	_, _ = io.Copy(s, struct{ io.Reader }{s})
}

// pingPong makes trips round trips of size bytes each.
func pingPong(t testing.TB, c net.Conn, trips, size int) {
	t.Helper()
	msg := make([]byte, size)
	for range trips {
		if _, err := c.Write(msg); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(c, msg); err != nil {
			t.Fatal(err)
		}
	}
}

// elapsed is the shortest of some tries: what a busy machine adds is not the link's.
func elapsed(tries int, f func()) time.Duration {
	best := time.Duration(1<<63 - 1)
	for range tries {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// typical is what a quarter of the tries did not exceed: an overshoot of the
// link's own is in every try, what a busy machine adds is not.
func typical(tries int, f func()) time.Duration {
	var took []time.Duration
	for range tries {
		took = append(took, elapsed(1, f))
	}
	slices.Sort(took)
	return took[tries/4]
}

// settles measures again, at most twenty times, until the ratio lies within
// its bounds. A busy machine spoils a measurement now and then; a link that is
// wrong spoils every one.
func settles(t *testing.T, what string, low, high float64, measure func() float64) {
	t.Helper()
	var ratio float64
	for range 20 {
		if ratio = measure(); low <= ratio && ratio <= high {
			return
		}
	}
	t.Errorf("%s = %.3f in the last of twenty measurements, want %v … %v", what, ratio, low, high)
}

func TestConnectionsBehaveAsNetConnDemands(t *testing.T) {
	for name, path := range map[string]Path{
		"perfect wire": {},
		"delay":        {RTT: 2 * time.Millisecond},
		"everything":   {RTT: time.Millisecond, Jitter: time.Millisecond, BitsPerSecond: 4e9},
	} {
		t.Run(name, func(t *testing.T) {
			nettest.TestConn(t, func() (client, server net.Conn, stop func(), err error) {
				c, s := pair(t, New(path))
				return c, s, func() { c.Close(); s.Close() }, nil
			})
		})
	}
}

// Elapsed time against the RTT is a line whose slope is the number of round trips.
func TestSlopeOfElapsedTimeIsTheNumberOfRoundTrips(t *testing.T) {
	const batch, near, far = 4, 2 * time.Millisecond, 8 * time.Millisecond
	l := New(Path{})
	c, s := pair(t, l)
	go echo(s)
	at := func(rtt time.Duration) time.Duration {
		l.Set(Path{RTT: rtt})
		return typical(80, func() { pingPong(t, c, batch, 100) })
	}
	settles(t, "slope ÷ round trips", 0.95, 1.05, func() float64 {
		return float64(at(far)-at(near)) / float64(far-near) / batch
	})
}

func TestNoRoundTripIsShorterThanThePath(t *testing.T) {
	l := New(Path{})
	c, s := pair(t, l)
	go echo(s)
	for _, rtt := range []time.Duration{500 * time.Microsecond, 4 * time.Millisecond, 8 * time.Millisecond} {
		l.Set(Path{RTT: rtt})
		pingPong(t, c, 1, 100) // what was under way on the path before
		for range 50 {
			if took := elapsed(1, func() { pingPong(t, c, 1, 100) }); took < rtt {
				t.Errorf("a round trip took %v on a path of %v", took, rtt)
			}
		}
	}
}

// What a machine is late with makes no later round trip shorter.
func TestLatenessIsTakenOffTheAnswerAndNoMore(t *testing.T) {
	const rtt = 100 * time.Millisecond
	type read struct {
		late   time.Duration // after the instant at which it was due
		waited bool          // for it
	}
	for _, c := range []struct {
		name  string
		reads []read // of the request's parts
		want  time.Duration
	}{
		{"a request read on time", []read{{0, true}}, 0},
		{"a request read late", []read{{3 * time.Millisecond, true}}, 3 * time.Millisecond},
		{"its second half read as late", []read{{3 * time.Millisecond, true}, {3 * time.Millisecond, false}}, 3 * time.Millisecond},
		{"its second half due only just before", []read{{3 * time.Millisecond, true}, {time.Millisecond, false}}, time.Millisecond},
		{"its second half waited for", []read{{3 * time.Millisecond, true}, {0, true}}, 0},
		{"a server that was busy elsewhere", []read{{0, true}, {9 * time.Millisecond, false}}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, s := pair(t, New(Path{RTT: rtt}))
			for _, r := range c.reads {
				s.inbound.overslept(r.late, r.waited)
			}
			before := time.Now()
			sendByte(t, s.outbound)
			if taken := before.Add(rtt / 2).Sub(dueOf(t, s.outbound)); taken > c.want {
				t.Errorf("%v were taken off the answer's way, want at most %v", taken, c.want)
			}
			if due := dueOf(t, s.outbound); due.After(time.Now().Add(rtt/2 - c.want)) {
				t.Errorf("less than %v was taken off the answer's way", c.want)
			}
			s.outbound.overslept(time.Millisecond, true)
			before = time.Now()
			sendByte(t, s.inbound)
			if due := dueOf(t, s.inbound); due.Before(before.Add(rtt / 2)) {
				t.Errorf("the next request travels for %v of %v because the answer was read late", due.Sub(before), rtt/2)
			}
		})
	}
}

func sendByte(t *testing.T, l *lane) {
	t.Helper()
	if _, err := l.send(make([]byte, 1), stop{}); err != nil {
		t.Fatal(err)
	}
}

// dueOf is when what is under way first arrives.
func dueOf(t *testing.T, l *lane) time.Time {
	t.Helper()
	head, any := l.head()
	if !any {
		t.Fatal("nothing is under way")
	}
	return head.due
}

// On a slow link, data comes in as it goes over the wire, a segment at a time.
func TestSegmentsArriveWhenTheyHaveLeftTheWire(t *testing.T) {
	_, s := pair(t, New(Path{RTT: 200 * time.Millisecond, BitsPerSecond: 80e6}))
	if _, err := s.Write(make([]byte, 10*segmentSize+1)); err != nil {
		t.Fatal(err)
	}
	s.outbound.mu.Lock()
	defer s.outbound.mu.Unlock()
	queue := s.outbound.queue
	if len(queue) != 11 || len(queue[10].data) != 1 {
		t.Fatalf("%d segments, want ten full ones and one of a byte", len(queue))
	}
	const each = segmentSize * 8 * time.Second / 80e6
	if gap := queue[9].due.Sub(queue[0].due); gap < 9*each-time.Microsecond {
		t.Errorf("ten segments arrive within %v, want at least %v between the first and the last", gap, 9*each)
	}
}

// Each direction is a wire of its own.
func TestTransferTakesItsBytesOverTheBandwidth(t *testing.T) {
	const rate = 80e6
	l := New(Path{BitsPerSecond: rate})
	for name, run := range map[string]func(from, to net.Conn) (net.Conn, net.Conn){
		"to the listener":   func(c, s net.Conn) (net.Conn, net.Conn) { return c, s },
		"from the listener": func(c, s net.Conn) (net.Conn, net.Conn) { return s, c },
	} {
		t.Run(name, func(t *testing.T) {
			c, s := pair(t, l)
			from, to := run(c, s)
			transfer := func(n int64) time.Duration {
				return elapsed(10, func() {
					go func() { _, _ = from.Write(make([]byte, n)) }() // a failure shows at the other end
					if _, err := io.CopyN(io.Discard, to, n); err != nil {
						t.Fatal(err)
					}
				})
			}
			const size = 640 << 10
			settles(t, "measured ÷ configured bandwidth", 0.9, 1.05, func() float64 {
				return size * 8 / transfer(size).Seconds() / rate
			})
		})
	}
}

func TestConnectionsShareTheBandwidth(t *testing.T) {
	const rate, size, streams = 80e6, 256 << 10, 4
	l := New(Path{BitsPerSecond: rate})
	done := make(chan error, streams)
	start := time.Now()
	for range streams {
		c, s := pair(t, l)
		go func() { _, _ = s.Write(make([]byte, size)) }() // a failure shows at the other end
		go func() {
			_, err := io.CopyN(io.Discard, c, size)
			done <- err
		}()
	}
	for range streams {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if total := streams * size * 8 / time.Since(start).Seconds(); total > 1.05*rate {
		t.Errorf("%d connections got %.2f times the link's bandwidth together", streams, total/rate)
	}
}

func TestOrderIsKeptUnderJitter(t *testing.T) {
	const writes = 2000
	c, s := pair(t, New(Path{RTT: time.Millisecond, Jitter: 4 * time.Millisecond}))
	for name, ends := range map[string][2]net.Conn{"up": {c, s}, "down": {s, c}} {
		t.Run(name, func(t *testing.T) {
			from, to := ends[0], ends[1]
			go func() {
				for i := range writes {
					if _, err := from.Write(binary.BigEndian.AppendUint32(nil, uint32(i))); err != nil {
						return // the reader sees it
					}
				}
			}()
			var word [4]byte
			for i := range writes {
				if _, err := io.ReadFull(to, word[:]); err != nil {
					t.Fatal(err)
				}
				if got := int(binary.BigEndian.Uint32(word[:])); got != i {
					t.Fatalf("write %d arrived where %d was due", got, i)
				}
			}
		})
	}
}

func TestJitterIsEvenlyDistributed(t *testing.T) {
	const draws, most = 10_000, 6 * time.Millisecond
	l := New(Path{})
	var sum time.Duration
	for range draws {
		d := l.share(most)
		if d < 0 || d > most {
			t.Fatalf("drew %v, want 0 … %v", d, most)
		}
		sum += d
	}
	if ratio := float64(sum) / float64(draws*most/2); ratio < 0.97 || ratio > 1.03 {
		t.Errorf("the mean is %.2f of half the jitter", ratio)
	}
}

func TestPathChangesUnderWay(t *testing.T) {
	l := New(Path{RTT: time.Hour})
	c, s := pair(t, l)
	if _, err := c.Write([]byte("a")); err != nil {
		t.Fatal(err)
	}
	for {
		if _, sent := s.inbound.head(); sent {
			break
		}
		time.Sleep(time.Millisecond)
	}
	l.Set(Path{})
	if _, err := c.Write([]byte("b")); err != nil {
		t.Fatal(err)
	}
	// The first byte keeps its hour, and the second must not overtake it.
	s.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	if n, err := s.Read(make([]byte, 2)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("Read = %d, %v before the first byte is due, want a timeout", n, err)
	}
	if _, err := s.Write([]byte("c")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Fatalf("what was sent after the change: %v", err)
	}
}

func TestOneWriteArrivesInOneRead(t *testing.T) {
	c, s := pair(t, New(Path{RTT: 2 * time.Millisecond, Jitter: time.Millisecond}))
	want := bytes.Repeat([]byte("0123456789abcde\n"), 8111/16)
	for range 20 {
		if _, err := s.Write(want); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 2*len(want))
		n, err := c.Read(got)
		if err != nil || !bytes.Equal(got[:n], want) {
			t.Fatalf("first Read got %d bytes, %v; want all %d", n, err, len(want))
		}
	}
}

func TestWhatWasWrittenBeforeCloseArrives(t *testing.T) {
	c, s := pair(t, New(Path{RTT: 10 * time.Millisecond}))
	want := bytes.Repeat([]byte("x"), 1<<20)
	start := time.Now()
	if _, err := s.Write(want); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("got %d bytes, %v; want %d and the end", len(got), err, len(want))
	}
	if took := time.Since(start); took < 5*time.Millisecond {
		t.Errorf("the end arrived after %v, before half an RTT", took)
	}
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Read after Close: %v, want net.ErrClosed", err)
	}
	if err := s.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("second Close: %v, want net.ErrClosed", err)
	}
}

func TestHalfCloseReachesTheOtherEnd(t *testing.T) {
	c, s := pair(t, New(Path{RTT: 6 * time.Millisecond}))
	go func() {
		// What fails here shows at the other end.
		request, _ := io.ReadAll(s)
		_, _ = s.Write(request)
		_ = s.CloseWrite()
	}()
	start := time.Now()
	if _, err := c.Write([]byte("request")); err != nil {
		t.Fatal(err)
	}
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil || string(got) != "request" {
		t.Fatalf("got %q, %v", got, err)
	}
	if took := time.Since(start); took < 6*time.Millisecond {
		t.Errorf("the answer arrived after %v, before one RTT", took)
	}
}

func TestCloseWithLingerZeroResetsThePeer(t *testing.T) {
	c, s := pair(t, New(Path{RTT: time.Millisecond}))
	if err := s.SetLinger(0); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := c.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("Read = %v, want a reset", err)
	}
}

func TestResetOfThePeerIsAnError(t *testing.T) {
	c, s := pair(t, New(Path{RTT: time.Millisecond}))
	if err := c.SetLinger(0); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if _, err := s.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("Read = %v, want a reset", err)
	}
	for {
		if _, err := s.Write([]byte("x")); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
}

func TestSenderWaitsForAReceiverThatDoesNotRead(t *testing.T) {
	c, s := pair(t, New(Path{}))
	for name, from := range map[string]net.Conn{"to the listener": c, "from the listener": s} {
		t.Run(name, func(t *testing.T) {
			from.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
			n, err := from.Write(make([]byte, 256<<20))
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("Write = %d, %v, want a timeout", n, err)
			}
		})
	}
	for _, l := range []*lane{s.inbound, s.outbound} {
		l.mu.Lock()
		if l.size > window {
			t.Errorf("%d bytes under way, want at most %d", l.size, window)
		}
		l.mu.Unlock()
	}
}

func TestDiallingCostsOneRoundTrip(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	l := New(Path{})
	dials := func(rtt time.Duration) time.Duration {
		l.Set(Path{RTT: rtt})
		return typical(30, func() {
			c, err := l.DialContext(t.Context(), "tcp", ln.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			if _, plain := c.(*net.TCPConn); !plain {
				t.Fatalf("dialled a %T, want the operating system's connection", c)
			}
			c.Close()
		})
	}
	settles(t, "round trips of a dial", 0.9, 1.1, func() float64 {
		return float64(dials(6*time.Millisecond)-dials(time.Millisecond)) / float64(5*time.Millisecond)
	})
}

func TestDiallingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := New(Path{RTT: time.Hour}).DialContext(ctx, "tcp", "127.0.0.1:1")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestOnlyTCPIsCarried(t *testing.T) {
	if _, err := New(Path{}).Listen("unix", t.TempDir()+"/s"); err == nil {
		t.Error("a Unix socket was accepted")
	}
}

func BenchmarkThroughput(b *testing.B) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer plain.Close()
	perfect, err := New(Path{}).Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer perfect.Close()
	far, err := New(Path{RTT: 10 * time.Millisecond}).Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer far.Close()
	for _, bench := range []struct {
		name string
		ln   net.Listener
	}{{"plain", plain}, {"perfect wire", perfect}, {"RTT 10ms", far}} {
		b.Run(bench.name, func(b *testing.B) {
			c, err := net.Dial("tcp", bench.ln.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			s, err := bench.ln.Accept()
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			packet := make([]byte, 8192)
			b.SetBytes(int64(len(packet)))
			go func() {
				for {
					if _, err := s.Write(packet); err != nil {
						return // the benchmark is over
					}
				}
			}()
			for b.Loop() {
				if _, err := io.ReadFull(c, packet); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
