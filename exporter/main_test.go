package exporter

import (
	"testing"

	"github.com/go-kit/log"
	"go.uber.org/goleak"
)

var nopLogger = log.NewNopLogger()

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
