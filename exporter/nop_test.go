package exporter

import "github.com/go-kit/log"

var nopLogger = log.NewNopLogger()
