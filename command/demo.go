// demo: the whole product on this machine, with no Oracle anywhere.

package command

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/demo"
	"oranet_exporter/exporter"
)

type demoCommand struct {
	log    logFlags
	listen string
}

// Demo registers the command.
func Demo(cmd *kingpin.CmdClause) Run {
	d := new(demoCommand)
	d.log.register(cmd, "warn")
	cmd.Flag("web.listen-address", "Address to listen on.").Default("127.0.0.1:9522").StringVar(&d.listen)
	return d.run
}

func (d *demoCommand) run(ctx context.Context, stdout, stderr io.Writer) int {
	logger, err := d.log.logger(stderr)
	if err != nil {
		return complain(stderr, Usage, err)
	}
	dir, err := os.MkdirTemp("", "oranet-demo-")
	if err != nil {
		return complain(stderr, Failed, err)
	}
	defer os.RemoveAll(dir)
	world, err := demo.Start(dir)
	if err != nil {
		return complain(stderr, Failed, err)
	}
	defer world.Close()
	e, err := exporter.New(exporter.Options{
		Config:          world.Config,
		ListenAddresses: []string{d.listen},
		Logger:          logger,
	})
	if err != nil {
		return complain(stderr, Usage, err)
	}
	page := "http://" + e.Addresses()[0].String()
	fmt.Fprintf(stdout, "Two simulated links are being probed; every figure is measured for real.\n\n%s\n"+
		"  status page  %s/\n  metrics      %s/metrics\n\nCtrl-C ends it.\n", world.Describe(), page, page)
	if err := e.Run(ctx); err != nil {
		return complain(stderr, Failed, err)
	}
	return OK
}
