// Package command holds what each subcommand does, one file a command.
package command

import (
	"context"
	"fmt"
	"io"

	"github.com/alecthomas/kingpin/v2"
	"github.com/go-kit/log"

	"oranet_exporter/exporter"
	"oranet_exporter/link/text"
)

// The exit codes of every command.
const (
	OK     = 0
	Failed = 1 // something did not work
	Usage  = 2 // the command line or the configuration is wrong
)

// Run carries a command out and returns the exit code.
type Run func(ctx context.Context, stdout, stderr io.Writer) int

// Complain writes one line to stderr, whatever the error quotes, and returns code.
func Complain(stderr io.Writer, code int, err error) int {
	fmt.Fprintf(stderr, "oranet_exporter: %s\n", text.Printable(err.Error()))
	return code
}

// logFlags are the flags of every command that logs.
type logFlags struct {
	level, format string
}

func (f *logFlags) register(cmd *kingpin.CmdClause, level string) {
	cmd.Flag("log.level", "Least severe events to log: debug, info, warn, error.").Default(level).EnumVar(&f.level, exporter.LogLevels...)
	cmd.Flag("log.format", "Format of the log: logfmt or json.").Default("logfmt").EnumVar(&f.format, exporter.LogFormats...)
}

func (f *logFlags) logger(w io.Writer) (log.Logger, error) {
	return exporter.NewLogger(w, f.format, f.level)
}
