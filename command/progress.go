// What check says while it runs, to whoever sits in front of it: heavy probes
// take up to a minute.

package command

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"oranet_exporter/exporter"
	"oranet_exporter/link/text"
)

// progress writes a line for each probe that ends, and one for each that may
// take long as it begins.
type progress struct {
	mu  sync.Mutex
	out io.Writer
}

// Begun announces a heavy probe.
func (p *progress) Begun(target string, probe *exporter.ProbeConfig) {
	if probe.Definition.Heavy {
		p.say("%s: %s begins, it may take up to %s", target, probe.Definition.Name, probe.Timeout)
	}
}

// Ended says how a probe went.
func (p *progress) Ended(r *exporter.Result) {
	took := r.Duration.Round(time.Millisecond)
	if f := r.Failure; f != nil {
		p.say("%s: %s failed after %s: %v", r.Target, r.Probe, took, f)
		return
	}
	p.say("%s: %s took %s", r.Target, r.Probe, took)
}

func (p *progress) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintln(p.out, text.Printable(fmt.Sprintf(format, args...)))
}

// isTerminal tells whether a person reads what is written to w.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
