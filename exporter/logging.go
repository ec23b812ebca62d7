// The log: go-kit, one line an event, in logfmt or JSON.

package exporter

import (
	"fmt"
	"io"

	"github.com/go-kit/log"
	"github.com/go-kit/log/level"
)

// LogFormats and LogLevels are what NewLogger knows.
var (
	LogFormats = []string{"logfmt", "json"}
	LogLevels  = []string{"debug", "info", "warn", "error"}
)

// NewLogger returns a logger that writes events of that level and above, with
// their time and the place in the source.
func NewLogger(w io.Writer, format, lowest string) (log.Logger, error) {
	var logger log.Logger
	switch format {
	case "logfmt":
		logger = log.NewLogfmtLogger(log.NewSyncWriter(w))
	case "json":
		logger = log.NewJSONLogger(log.NewSyncWriter(w))
	default:
		return nil, fmt.Errorf("log format %q is unknown, want one of %v", format, LogFormats)
	}
	value, err := level.Parse(lowest)
	if err != nil {
		return nil, fmt.Errorf("log level %q is unknown, want one of %v", lowest, LogLevels)
	}
	logger = level.NewFilter(logger, level.Allow(value))
	return log.With(logger, "ts", log.DefaultTimestampUTC, "caller", log.DefaultCaller), nil
}
