// check: every probe once, and a report.

package command

import (
	"context"
	"fmt"
	"io"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/exporter"
	"oranet_exporter/probes"
	"oranet_exporter/report"
)

type check struct {
	log        logFlags
	configFile string
	output     string
	targets    []string
}

// Check registers the command.
func Check(cmd *kingpin.CmdClause) Run {
	c := new(check)
	c.log.register(cmd, "error")
	cmd.Flag("config.file", "Configuration file.").Default("oranet.yml").StringVar(&c.configFile)
	cmd.Flag("output", "Form of the report: text or json.").Default("text").EnumVar(&c.output, "text", "json")
	cmd.Arg("target", "Targets to check; all of the configuration if none is named.").StringsVar(&c.targets)
	return c.run
}

func (c *check) run(ctx context.Context, stdout, stderr io.Writer) int {
	logger, err := c.log.logger(stderr)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	cfg, err := exporter.LoadConfig(c.configFile, probes.All)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	var watcher exporter.Watcher
	if isTerminal(stderr) {
		watcher = &progress{out: stderr}
	}
	results, err := exporter.RunOnce(ctx, cfg, c.targets, watcher, logger)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	r := report.New(cfg, results)
	write := r.Text
	if c.output == "json" {
		write = r.JSON
	}
	if err := write(stdout); err != nil {
		return Complain(stderr, Failed, fmt.Errorf("cannot write the report: %w", err))
	}
	if !r.OK() {
		return Failed
	}
	return OK
}
