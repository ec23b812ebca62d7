package link_test

import (
	"context"
	"net"
	"testing"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
)

func TestTheKernelsViewIsThereOnLinuxAloneAndEndsWithTheSession(t *testing.T) {
	_, cfg := database(t, simulator.Options{})
	s := open(t, newLink(t, cfg), 100)
	if _, ok := s.Kernel(); ok != link.HasKernelView {
		t.Errorf("a view of a live session: %v, want %v", ok, link.HasKernelView)
	}
	if err := s.Close(minute(t)); err != nil {
		t.Fatal(err)
	}
	if view, ok := s.Kernel(); ok {
		t.Errorf("a view of a closed session: %+v", view)
	}
}

func TestAConnectionThatIsNotTheKernelsHasNoView(t *testing.T) {
	_, cfg := database(t, simulator.Options{})
	dial := cfg.Dial
	cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return struct{ net.Conn }{conn}, err
	}
	if view, ok := open(t, newLink(t, cfg), 100).Kernel(); ok {
		t.Errorf("a view of a connection that is none of the kernel's: %+v", view)
	}
}
