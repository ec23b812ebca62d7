// Command reproduction measures again, on emulated links, what was published
// of real ones, and writes the page that holds both beside each other.
//
// It is run from the module's root: go run ./reproduction
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

const (
	pageFile = "docs/reproduction.md"
	chartDir = "docs/reproduction"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := reproduce(ctx, os.Stderr); err != nil {
		stop()
		fmt.Fprintf(os.Stderr, "reproduction: %v; %s is left as it was\n", err, pageFile)
		os.Exit(1)
	}
}

// reproduce measures everything, and writes only if everything was measured.
// What needs most of the machine comes first, so that a machine which lacks it
// is told so at once.
func reproduce(ctx context.Context, progress io.Writer) error {
	dir, err := os.MkdirTemp("", "oranet-reproduction")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := newLab(ctx, dir, progress, 12)
	if err != nil {
		return err
	}
	var p page
	for _, step := range []struct {
		name string
		do   func(*lab) ([]section, error)
	}{
		{"M5, socket buffers", reproduceBuffers},
		{"M1, session data unit", reproduceSDU},
		{"M4, connecting and pooling", reproduceConnect},
		{"M2 and M3, fetches", reproduceFetches},
	} {
		l.say("%s", step.name)
		sections, err := step.do(l)
		if err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		p = append(p, sections...)
	}
	if err := p.write(pageFile, chartDir); err != nil {
		return err
	}
	l.say("%s and %s are written; %d figures compared, %d outside their tolerance",
		pageFile, filepath.Join(chartDir, "*.svg"), p.compared(), p.outside())
	return nil
}
