// oranet_exporter probes the Oracle Net link between the place where it runs
// and an Oracle database, and exports what a round trip costs.
package main

import (
	"context"
	"fmt"
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
	app.UsageWriter(os.Stdout)
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
	if helped {
		return command.OK
	}
	if err != nil {
		return command.Complain(os.Stderr, command.Usage, fmt.Errorf("%w, try --help", command.Misuse(app, os.Args[1:], err)))
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if name != "serve" { // which reloads on SIGHUP
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	stderr := os.Stderr
	defer silenceTheDriver()()
	return commands[name](ctx, os.Stdout, stderr)
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
