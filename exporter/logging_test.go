package exporter

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-kit/log"
	"github.com/go-kit/log/level"
)

func TestLogKeepsToItsFormatAndLevel(t *testing.T) {
	for _, c := range []struct {
		format, level, want, not string
	}{
		{"logfmt", "info", `msg="it works"`, "level=debug"},
		{"logfmt", "debug", "level=debug", "{"},
		{"json", "info", `"msg":"it works"`, `"debug"`},
		{"logfmt", "error", "", "level=info"},
	} {
		var out bytes.Buffer
		logger, err := NewLogger(&out, c.format, c.level)
		if err != nil {
			t.Fatal(err)
		}
		level.Info(logger).Log("msg", "it works")
		level.Debug(logger).Log("msg", "in detail")
		text := out.String()
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%s at %s: got %q, want %q and not %q", c.format, c.level, text, c.want, c.not)
		}
		if c.want != "" && !strings.Contains(text, "logging_test.go") {
			t.Errorf("%s: the log does not say where: %q", c.format, text)
		}
	}
}

func TestUnknownLogFormatAndLevelAreRefused(t *testing.T) {
	for _, c := range [][2]string{{"xml", "info"}, {"json", "loud"}} {
		if _, err := NewLogger(new(bytes.Buffer), c[0], c[1]); err == nil {
			t.Errorf("%v were taken", c)
		}
	}
}

func TestSlogEventsReachTheGoKitLogger(t *testing.T) {
	for _, c := range []struct {
		name string
		log  func(*slog.Logger)
		want string
	}{
		{"level", func(l *slog.Logger) { l.Error("x") }, "level=error msg=x"},
		{"warning", func(l *slog.Logger) { l.Warn("x") }, "level=warn msg=x"},
		{"below info", func(l *slog.Logger) { l.Debug("x") }, "level=debug msg=x"},
		{"attributes", func(l *slog.Logger) { l.Info("x", "n", 1, "err", errors.New("bad")) }, "level=info msg=x n=1 err=bad"},
		{"added attributes", func(l *slog.Logger) { l.With("a", "b").Info("x", "n", 1) }, "level=info msg=x a=b n=1"},
		{"group", func(l *slog.Logger) { l.WithGroup("g").With("a", 1).Info("x", "n", 2) }, "level=info msg=x g.a=1 g.n=2"},
		{"group as a value", func(l *slog.Logger) { l.Info("x", slog.Group("g", "a", 1, slog.Group("h", "b", 2))) }, "level=info msg=x g.a=1 g.h.b=2"},
		{"empty attribute", func(l *slog.Logger) { l.Info("x", slog.Attr{}) }, "level=info msg=x"},
	} {
		var out bytes.Buffer
		c.log(slog.New(newSlogHandler(log.NewLogfmtLogger(&out))))
		if got := strings.TrimSpace(out.String()); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestSlogLoggersDoNotShareTheirAttributes(t *testing.T) {
	var out bytes.Buffer
	base := slog.New(newSlogHandler(log.NewJSONLogger(&out))).With("a", 1)
	_ = base.With("b", 2)
	base.With("c", 3).Info("x")
	var event map[string]any
	if err := json.Unmarshal(out.Bytes(), &event); err != nil {
		t.Fatal(err)
	}
	if _, there := event["b"]; there || event["a"] != 1.0 || event["c"] != 3.0 {
		t.Errorf("got %v, want a and c", event)
	}
}
