// Two hosts in one machine: network namespaces that have nothing but a TUN
// device each, whose other end this test holds. No packet leaves them.

package netproof

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The hosts' addresses are of those that belong to nobody (RFC 5737).
const (
	clientAddress = "192.0.2.1"
	serverAddress = "192.0.2.2"
)

// host is one network namespace.
type host struct {
	namespace string
	device    *os.File // its only link
}

// newHost makes a namespace in which address reaches peer over a device of
// which it holds the other end. It ends with the test. Where the machine does
// not allow it, the test is skipped.
func newHost(t *testing.T, name, address, peer string) *host {
	t.Helper()
	h := &host{namespace: fmt.Sprintf("oranet-%s-%d", name, os.Getpid())}
	if err := ip("netns", "add", h.namespace); err != nil {
		t.Skipf("no network namespaces here: %v", err)
	}
	t.Cleanup(func() {
		if err := ip("netns", "delete", h.namespace); err != nil {
			t.Errorf("a namespace is left over: %v", err)
		}
	})
	device, deviceName, err := openTUN()
	if err != nil {
		t.Skipf("no TUN devices here: %v", err)
	}
	t.Cleanup(func() { _ = device.Close() })
	h.device = device
	for _, args := range [][]string{
		{"link", "set", deviceName, "netns", h.namespace},
		{"-n", h.namespace, "address", "add", address, "peer", peer, "dev", deviceName},
		{"-n", h.namespace, "link", "set", deviceName, "txqueuelen", strconv.Itoa(queued), "up"},
	} {
		if err := ip(args...); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func ip(args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ip", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// openTUN makes a device that carries IP packets, one a read and one a write.
func openTUN() (*os.File, string, error) {
	const control = "/dev/net/tun"
	fd, err := unix.Open(control, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, "", fmt.Errorf("cannot open %s: %w", control, err)
	}
	request, err := unix.NewIfreq("oranet%d") // the kernel numbers it
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, "", fmt.Errorf("cannot make a TUN device: %w", err)
	}
	return os.NewFile(uintptr(fd), control), request.Name(), nil
}

// command runs a program on the host. It ends with ctx, and with this process,
// whatever ends that.
func (h *host) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", h.namespace, program}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	return cmd
}

// database is what a simulated database announces on its first line.
type database struct {
	DSN      string `json:"dsn"`
	User     string `json:"user"`
	Password string `json:"password"`
}

// simulate runs a simulated database on the host until the test ends.
func (h *host) simulate(ctx context.Context, t *testing.T, program string, emulatedRTT time.Duration) database {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	cmd := h.command(ctx, program, "simulate", "--listen-address", serverAddress+":1521", "--rtt", emulatedRTT.String())
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // killed, and says so
	})
	var announced database
	if err := json.NewDecoder(stdout).Decode(&announced); err != nil {
		t.Fatalf("the simulated database did not start: %v", err)
	}
	return announced
}

// retransmitted is how many segments the host's kernel has sent again.
func (h *host) retransmitted(ctx context.Context, t *testing.T) int {
	t.Helper()
	out, err := h.command(ctx, "cat", "/proc/net/snmp").Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string // the first of the two lines of TCP
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if fields[0] != "Tcp:" {
			continue
		}
		if i := slices.Index(names, "RetransSegs"); i >= 0 {
			n, err := strconv.Atoi(fields[i])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		names = fields
	}
	t.Fatalf("/proc/net/snmp has no RetransSegs: %s", out)
	return 0
}
