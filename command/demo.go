// demo: the whole product on this machine, with no Oracle anywhere.

package command

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/demo"
	"oranet_exporter/exporter"
)

type demoCommand struct {
	log     logFlags
	listen  string
	control string
}

// Demo registers the command.
func Demo(cmd *kingpin.CmdClause) Run {
	d := new(demoCommand)
	d.log.register(cmd, "warn")
	cmd.Flag("web.listen-address", "Address to listen on.").Default("127.0.0.1:9522").StringVar(&d.listen)
	cmd.Flag("control.listen-address", "Address at which the links can be made longer and shorter.").Default("127.0.0.1:9523").StringVar(&d.control)
	return d.run
}

func (d *demoCommand) run(ctx context.Context, stdout, stderr io.Writer) int {
	logger, err := d.log.logger(stderr)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	dir, err := os.MkdirTemp("", "oranet-demo-")
	if err != nil {
		return Complain(stderr, Failed, err)
	}
	defer os.RemoveAll(dir)
	world, err := demo.Start(dir)
	if err != nil {
		return Complain(stderr, Failed, err)
	}
	defer world.Close()
	control, err := d.serveControl(world)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	defer control.Close()
	e, err := exporter.New(exporter.Options{
		Config:          world.Config,
		ListenAddresses: []string{d.listen},
		Logger:          logger,
	})
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	page := "http://" + e.Addresses()[0].String()
	if _, err := fmt.Fprintf(stdout, "Two simulated links are being probed; every figure is measured for real.\n\n%s\n"+
		"  status page  %s/\n  metrics      %s/metrics\n\n"+
		"Move a database away meanwhile, and see oranet_budget_breaches_total grow:\n\n"+
		"  curl -X POST 'http://%s/rtt?link=cross_region&rtt=20ms'\n\nCtrl-C ends it.\n",
		world.Describe(), page, page, control.Addr); err != nil {
		return Complain(stderr, Failed, err)
	}
	if err := e.Run(ctx); err != nil {
		return Complain(stderr, Failed, err)
	}
	return OK
}

// serveControl answers at the control's address, which the server names, until
// it is closed.
func (d *demoCommand) serveControl(world *demo.World) (*http.Server, error) {
	l, err := net.Listen("tcp", d.control)
	if err != nil {
		return nil, fmt.Errorf("cannot serve the demo's control: %w; give another --control.listen-address", err)
	}
	server := &http.Server{
		Addr:         l.Addr().String(),
		Handler:      world.Control(),
		ReadTimeout:  5 * time.Second,
		WriteTimeout: 5 * time.Second,
	}
	go server.Serve(l) // returns when the server is closed
	return server, nil
}
