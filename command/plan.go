// plan: what queries take at a round-trip time, and which arraysize they need.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/budget"
	"oranet_exporter/exporter"
	"oranet_exporter/probes"
)

type plan struct {
	configFile string
	target     string
	rtt        time.Duration
	connect    time.Duration
	rows       int64
	arraysize  sizes
	max        time.Duration
	serverTime time.Duration
	rowBytes   int64
	bandwidth  int64
	measured   points
	output     string
}

// Plan registers the command.
func Plan(cmd *kingpin.CmdClause) Run {
	p := new(plan)
	cmd.Flag("config.file", "Configuration file; read only for --target.").Default("oranet.yml").StringVar(&p.configFile)
	cmd.Flag("target", fmt.Sprintf("Target to plan for. Its link is measured %d times over, with three log-ons each; its budgets are looked at unless --rows is given.", rounds)).StringVar(&p.target)
	cmd.Flag("rtt", "Round-trip time to plan for; nothing is measured then.").DurationVar(&p.rtt)
	cmd.Flag("connect", "Time of a cold connect at --rtt.").DurationVar(&p.connect)
	cmd.Flag("rows", "Rows that the query returns.").Int64Var(&p.rows)
	cmd.Flag("arraysize", "Rows asked for per round trip, separated by commas: those in use, and each must keep --max. "+
		"Unless given, 100,1000,10000 are compared, and it is enough if any arraysize keeps it.").SetValue(&p.arraysize)
	cmd.Flag("max", "Longest that the query may take.").DurationVar(&p.max)
	cmd.Flag("server-time", "What the database takes for the whole query.").DurationVar(&p.serverTime)
	cmd.Flag("row-bytes", "Bytes of a row; needs --bandwidth.").Int64Var(&p.rowBytes)
	cmd.Flag("bandwidth", "Bits per second of the link; needs --row-bytes. Unless both are given, receiving takes no time.").Int64Var(&p.bandwidth)
	cmd.Flag("measured", "What the query took at its one --arraysize, as ELAPSED@RTT, such as 3.911s@3.79ms. "+
		"Given twice, for two RTTs, the slope between them stands for the round trips.").SetValue(&p.measured)
	cmd.Flag("output", "Form of the plan: text or json.").Default("text").EnumVar(&p.output, "text", "json")
	return p.run
}

func (p *plan) run(ctx context.Context, stdout, stderr io.Writer) int {
	if err := p.validate(); err != nil {
		return Complain(stderr, Usage, err)
	}
	cfg, err := p.config()
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	queries, err := p.queries(cfg)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	cost := linkCost{rtt: p.rtt, connect: budget.Line{Fixed: p.connect}}
	if p.rtt == 0 {
		if cost, err = measureLink(ctx, cfg, p.target, stderr); err != nil {
			return Complain(stderr, Failed, err)
		}
	}
	for _, q := range queries {
		if err := q.validate(cost); err != nil {
			return Complain(stderr, Usage, err)
		}
	}
	f := newForecast(p.target, cost, queries)
	write := f.Text
	if p.output == "json" {
		write = f.JSON
	}
	if err := write(stdout); err != nil {
		return Complain(stderr, Failed, fmt.Errorf("cannot write the plan: %w", err))
	}
	if !f.OK {
		return Failed
	}
	return OK
}

// most is more rows, and more bytes a row, than anybody plans for.
const most = 1_000_000_000

func (p *plan) validate() error {
	switch {
	case p.rtt < 0 || p.connect < 0 || p.max < 0 || p.serverTime < 0 || p.bandwidth < 0:
		return errors.New("--rtt, --connect, --max, --server-time and --bandwidth must not be negative")
	case p.rows < 0 || p.rows > most:
		return fmt.Errorf("--rows: %d is out of range, 1 to %d are possible", p.rows, most)
	case p.rowBytes < 0 || p.rowBytes > most:
		return fmt.Errorf("--row-bytes: %d is out of range, 1 to %d are possible", p.rowBytes, most)
	case p.target == "" && p.rtt == 0:
		return errors.New("there is no round-trip time; give --target to measure a configured link, or --rtt")
	case p.connect > 0 && p.rtt == 0:
		return errors.New("--connect goes with --rtt; without it the connect is measured")
	case (p.rowBytes == 0) != (p.bandwidth == 0):
		return errors.New("--row-bytes and --bandwidth need each other; receiving takes bytes ÷ bandwidth")
	case p.rows == 0 && (p.max > 0 || len(p.arraysize) > 0 || len(p.measured) > 0):
		return errors.New("--arraysize, --max and --measured are of one query; give its --rows, too")
	case len(p.measured) > 0 && len(p.arraysize) != 1:
		return errors.New("--measured needs the one --arraysize that it was measured at")
	case len(p.measured) > 0 && (p.serverTime > 0 || p.bandwidth > 0):
		return errors.New("--measured holds what --server-time, --row-bytes and --bandwidth would add; leave them out")
	}
	return nil
}

// config is the configuration, ready to measure the target's link if that is
// wanted; nil where no target is named.
func (p *plan) config() (*exporter.Config, error) {
	if p.target == "" {
		return nil, nil
	}
	cfg, err := exporter.LoadConfig(p.configFile, probes.All)
	if err != nil {
		return nil, err
	}
	t := cfg.Target(p.target)
	if t == nil {
		return nil, fmt.Errorf("there is no target %q in %s", p.target, p.configFile)
	}
	if p.rtt > 0 {
		return cfg, nil
	}
	enableLinkProbes(t)
	return cfg, cfg.Validate() // a probe that was off may need a user
}
