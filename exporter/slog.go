// A slog.Handler that writes to a go-kit logger, for the libraries that log by
// slog.

package exporter

import (
	"context"
	"log/slog"
	"slices"

	"github.com/go-kit/log"
	"github.com/go-kit/log/level"
)

// slogHandler hands events on; the level filter is the go-kit logger's.
type slogHandler struct {
	logger log.Logger
	prefix string // of the keys, from groups
	attrs  []any  // keys and values
}

func newSlogHandler(logger log.Logger) slog.Handler { return slogHandler{logger: logger} }

// Enabled leaves the decision to the go-kit logger.
func (h slogHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle writes one event.
func (h slogHandler) Handle(_ context.Context, r slog.Record) error {
	pairs := append([]any{"msg", r.Message}, h.attrs...)
	r.Attrs(func(a slog.Attr) bool {
		pairs = appendAttr(pairs, h.prefix, a)
		return true
	})
	return h.at(r.Level).Log(pairs...)
}

// WithAttrs adds attributes to every later event.
func (h slogHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.attrs = slices.Clone(h.attrs)
	for _, a := range attrs {
		h.attrs = appendAttr(h.attrs, h.prefix, a)
	}
	return h
}

// WithGroup puts a name before every later key.
func (h slogHandler) WithGroup(name string) slog.Handler {
	if name != "" {
		h.prefix += name + "."
	}
	return h
}

func (h slogHandler) at(l slog.Level) log.Logger {
	switch {
	case l >= slog.LevelError:
		return level.Error(h.logger)
	case l >= slog.LevelWarn:
		return level.Warn(h.logger)
	case l >= slog.LevelInfo:
		return level.Info(h.logger)
	}
	return level.Debug(h.logger)
}

// appendAttr adds an attribute, a group as its members.
func appendAttr(pairs []any, prefix string, a slog.Attr) []any {
	value := a.Value.Resolve()
	if value.Kind() != slog.KindGroup {
		if a.Equal(slog.Attr{}) {
			return pairs
		}
		return append(pairs, prefix+a.Key, value.Any())
	}
	if a.Key != "" {
		prefix += a.Key + "."
	}
	for _, member := range value.Group() {
		pairs = appendAttr(pairs, prefix, member)
	}
	return pairs
}
