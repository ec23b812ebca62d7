package main

import (
	"os"
	"strings"
	"testing"
)

func TestHelpIsAllThatHappens(t *testing.T) {
	args, stdout := os.Args, os.Stdout
	defer func() { os.Args, os.Stdout = args, stdout }()
	for _, line := range []string{"--help", "demo --help", "simulate --listen-address=127.0.0.1:0 --help", "healthcheck --help", "version --help"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		os.Args, os.Stdout = append([]string{"oranet_exporter"}, strings.Fields(line)...), w
		code := run()
		_ = w.Close()
		text := make([]byte, 64<<10)
		n, _ := r.Read(text)
		_ = r.Close()
		if code != 0 || !strings.Contains(string(text[:n]), "usage: oranet_exporter") {
			t.Errorf("%s: exit code %d, stdout %q", line, code, text[:n])
		}
	}
}
