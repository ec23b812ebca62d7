// serve: probe the configured targets for ever.

package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/exporter"
	"oranet_exporter/probes"
)

type serve struct {
	log       logFlags
	opts      exporter.Options
	checkOnly bool
}

// Serve registers the command that runs when none is named.
func Serve(cmd *kingpin.CmdClause) Run {
	s := new(serve)
	s.log.register(cmd, "info")
	cmd.Flag("config.file", "Configuration file.").Default("oranet.yml").StringVar(&s.opts.ConfigFile)
	cmd.Flag("config.check", "Check the configuration and its wallets and exit.").BoolVar(&s.checkOnly)
	cmd.Flag("web.listen-address", "Address to listen on; may be repeated.").Default(":9522").StringsVar(&s.opts.ListenAddresses)
	cmd.Flag("web.config.file", "TLS and basic auth, in the form of the Prometheus exporter toolkit.").StringVar(&s.opts.WebConfigFile)
	cmd.Flag("web.telemetry-path", "Path of the metrics.").Default("/metrics").StringVar(&s.opts.TelemetryPath)
	cmd.Flag("web.enable-lifecycle", "Let POST /-/reload reload the configuration.").BoolVar(&s.opts.EnableLifecycle)
	cmd.Flag("web.enable-pprof", "Serve /debug/pprof.").BoolVar(&s.opts.EnablePprof)
	return s.run
}

func (s *serve) run(ctx context.Context, stdout, stderr io.Writer) int {
	if s.checkOnly {
		return s.check(stdout, stderr)
	}
	logger, err := s.log.logger(stderr)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	s.opts.Logger, s.opts.Hangup = logger, hangup
	e, err := exporter.New(s.opts)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	if err := e.Run(ctx); err != nil {
		return Complain(stderr, Failed, err)
	}
	return OK
}

func (s *serve) check(stdout, stderr io.Writer) int {
	cfg, err := exporter.CheckConfig(s.opts.ConfigFile, probes.All)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	fmt.Fprintf(stdout, "%s is valid, targets: %d\n", s.opts.ConfigFile, len(cfg.Targets))
	return OK
}
