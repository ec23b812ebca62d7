// oranet_exporter probes the Oracle Net link between the place where it runs
// and an Oracle database, and exports what a round trip costs.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/command"
)

func main() { os.Exit(run()) }

func run() int {
	app := kingpin.New("oranet_exporter", "Probes Oracle Net links and exports what a round trip costs.")
	app.HelpFlag.Short('h')
	var usage bytes.Buffer // kingpin panics where a write fails
	app.UsageWriter(&usage)
	helped := false // then Parse goes on as if nothing had been asked for
	app.Terminate(func(int) { helped = true })
	commands := map[string]command.Run{
		"serve":       command.Serve(app.Command("serve", "Probe the configured targets for ever.").Default()),
		"check":       command.Check(app.Command("check", "Run every probe once and print a report.")),
		"plan":        command.Plan(app.Command("plan", "Say what queries take at a round-trip time, and which arraysize they need.")),
		"demo":        command.Demo(app.Command("demo", "Show the whole product on this machine, with no Oracle anywhere.")),
		"simulate":    command.Simulate(app.Command("simulate", "Run the simulated database alone, for other clients.")),
		"healthcheck": command.Healthcheck(app.Command("healthcheck", "Ask a running exporter whether it is alive.")),
		"version":     command.Version,
	}
	app.Command("version", "Print build information.")
	name, err := app.Parse(os.Args[1:])
	stdout, stderr := &printed{Writer: os.Stdout}, os.Stderr
	if helped {
		_, _ = stdout.Write(usage.Bytes())
		return stdout.verdict(stderr, command.OK)
	}
	if err != nil {
		return command.Complain(stderr, command.Usage, fmt.Errorf("%w, try --help", command.Misuse(app, os.Args[1:], err)))
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if name != "serve" { // which reloads on SIGHUP
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	defer silenceTheDriver()()
	return stdout.verdict(stderr, commands[name](ctx, stdout, stderr))
}

// printed keeps the first error of a write: what nobody could read is no success.
type printed struct {
	io.Writer
	err error
}

func (p *printed) Write(text []byte) (int, error) {
	n, err := p.Writer.Write(text)
	if p.err == nil {
		p.err = err
	}
	return n, err
}

// verdict is the exit code of a command that ended with that code.
func (p *printed) verdict(stderr io.Writer, code int) int {
	if code != command.OK || p.err == nil {
		return code
	}
	return command.Complain(stderr, command.Failed, fmt.Errorf("cannot print: %w", p.err))
}

// silenceTheDriver takes os.Stderr away, where go-ora prints the warning of
// each logon whose password will expire, between the lines of a log. A metric
// and an alert tell of it. What a crash prints does not go that way.
func silenceTheDriver() (restore func()) {
	stderr := os.Stderr
	nothing, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return func() {}
	}
	os.Stderr = nothing
	return func() {
		os.Stderr = stderr
		_ = nothing.Close()
	}
}
