package exporter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oranet_exporter/probes"
)

// webInMemory serves an exporter's handler in a bubble, with the limits of the
// real endpoint, and returns how to connect to it.
func webInMemory(t *testing.T, e *Exporter) (connect func() net.Conn) {
	path := memoryPath{make(chan net.Conn), make(chan struct{})}
	server := e.server(t.Context())
	done := make(chan error)
	go func() { done <- server.Serve(path) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return func() net.Conn {
		near, far := net.Pipe()
		path.dialled <- far
		t.Cleanup(func() { _ = near.Close() })
		return near
	}
}

func TestARunOnDemandMayTakeAsLongAsItsProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error {
			pause(ctx, 50*time.Second)
			return ctx.Err()
		}}
		e := running(t, fakeTarget("orders", f.definition("fetch", time.Hour, time.Minute)))
		conn := webInMemory(t, e)()
		fmt.Fprint(conn, "GET /probe?target=orders&probe=fetch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		body, _ := io.ReadAll(conn)
		if !strings.Contains(string(body), `oranet_probe_success{probe="fetch",target="orders"} 1`) {
			t.Errorf("a run of 50 s was not waited for:\n%s", body)
		}
	})
}

func TestClientsThatTakeTooLongAreCutOff(t *testing.T) {
	for _, c := range []struct {
		name    string
		request string
		within  time.Duration
	}{
		{"says nothing", "", readTimeout},
		{"headers without end", "GET /metrics HTTP/1.1\r\nHost: x\r\n", readTimeout},
		{"a body that does not come", "POST /-/reload HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx", readTimeout},
		{"does not read the answer", "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", writeTimeout},
		{"asks once and stays", "GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n", idleTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := running(t, fakeTarget("orders", new(fake).definition("a", time.Hour, time.Second)))
				conn := webInMemory(t, e)()
				_, _ = io.WriteString(conn, c.request)
				if c.name != "does not read the answer" {
					go func() { _, _ = io.Copy(io.Discard, conn) }()
				}
				time.Sleep(c.within + time.Second)
				synctest.Wait()
				if _, err := conn.Write([]byte("x")); err == nil {
					t.Errorf("after %s the connection is still there", c.within)
				}
			})
		})
	}
}

func TestHeadersThatAreTooBigAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, fakeTarget("orders", new(fake).definition("a", time.Hour, time.Second)))
		conn := webInMemory(t, e)()
		go func() {
			_, _ = fmt.Fprintf(conn, "GET /metrics HTTP/1.1\r\nHost: x\r\nX-Big: %s\r\n\r\n", strings.Repeat("x", 2*maxHeaderBytes))
		}()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("status %s, want 431", answer.Status)
		}
	})
}

// Connections beyond the limit wait; once one ends, the next is served.
func TestConnectionsAreLimited(t *testing.T) {
	address := startWeb(t, Options{})
	var held []net.Conn
	for range maxConnections {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n")
		if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
			t.Fatal(err)
		}
		held = append(held, conn)
	}
	late, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	fmt.Fprint(late, "GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n")
	_ = late.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
	if _, err := late.Read(make([]byte, 1)); err == nil {
		t.Error("one connection more than the limit was served")
	}
	_ = held[0].Close()
	_ = late.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := late.Read(make([]byte, 1)); err != nil {
		t.Errorf("after another one's end it was not served: %v", err)
	}
}

func TestManyRunsOnDemandAtOnceAreOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{run: func(ctx context.Context, _ *probeCalls, _ *probes.Samples) error {
			pause(ctx, time.Second)
			return nil
		}}
		e := running(t, fakeTarget("orders", f.definition("a", time.Hour, time.Minute)))
		codes := make(chan int)
		for range 100 {
			go func() { codes <- get(e, "GET", "/probe?target=orders&probe=a").Code }()
		}
		count := map[int]int{}
		for range 100 {
			count[<-codes]++
		}
		if count[200] != 1 || count[503] != 99 || len(f.runs()) != 1 {
			t.Errorf("%d runs, answers %v; want one run, and 503 for the others", len(f.runs()), count)
		}
	})
}
