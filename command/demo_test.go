package command

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/alecthomas/kingpin/v2"
)

func TestDemoPrintsAControlThatWorks(t *testing.T) {
	app := kingpin.New("test", "")
	run := Demo(app.Command("demo", ""))
	if _, err := app.Parse([]string{"demo", "--web.listen-address", "127.0.0.1:0", "--control.listen-address", "127.0.0.1:0"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stdout, printed := io.Pipe()
	done := make(chan int)
	go func() {
		code := run(ctx, printed, io.Discard)
		_ = printed.Close()
		done <- code
	}()
	lines := bufio.NewScanner(stdout)
	control := ""
	for control == "" && lines.Scan() {
		if _, command, found := strings.Cut(lines.Text(), "curl -X POST '"); found {
			control = strings.TrimSuffix(command, "'")
		}
	}
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	response, err := http.Post(control, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(answer), "cross_region 20ms") {
		t.Errorf("%s answered %s: %q, %v", control, response.Status, answer, err)
	}
	cancel()
	if code := <-done; code != OK {
		t.Errorf("exit code %d", code)
	}
}

func TestDemoSaysWhichAddressIsTaken(t *testing.T) {
	taken := httptest.NewServer(nil)
	defer taken.Close()
	address := taken.Listener.Addr().String()
	code, _, errs := execute(t, Demo, "--web.listen-address", "127.0.0.1:0", "--control.listen-address", address)
	if code != Usage || !strings.Contains(errs, "--control.listen-address") {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
}
