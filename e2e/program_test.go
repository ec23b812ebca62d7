// Other people's programs that a test runs beside ours.

package e2e

import (
	"bytes"
	"net/http"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program finds a program or skips the test, saying so.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// background runs a program until it is stopped or the test ends, and returns
// when ready answers.
func background(t *testing.T, ready, program string, args ...string) (stop func()) {
	t.Helper()
	command := exec.Command(program, args...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	stop = sync.OnceFunc(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = command.Process.Kill()
			<-ended
		}
	})
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("%s said:\n%s", program, output.String())
		}
		http.DefaultClient.CloseIdleConnections()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		response, err := http.Get(ready)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return stop
			}
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended by %v", program, err)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is not ready after a minute", program)
		}
	}
}
