package exporter

import (
	"errors"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-kit/log"
	"github.com/go-kit/log/level"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

func TestScrapesThatOverlapGatherOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gathered := 0
		g := &sharedGatherer{Gatherer: prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
			gathered++
			time.Sleep(time.Second)
			return []*dto.MetricFamily{{}}, errors.New("one of them is odd")
		})}
		var scrapes sync.WaitGroup
		for range 5 {
			scrapes.Go(func() {
				if families, err := g.Gather(); len(families) != 1 || err == nil {
					t.Errorf("gathered %v, %v", families, err)
				}
			})
		}
		scrapes.Wait()
		_, _ = g.Gather()
		if gathered != 2 {
			t.Errorf("five scrapes at once and one after them gathered %d times, want 2", gathered)
		}
	})
}

// A scraper that gives up breaks the writing of every family that is left. It
// knows that it did.
func TestAScraperThatGaveUpIsNoError(t *testing.T) {
	var logged strings.Builder
	errs := scrapeErrors{level.NewFilter(log.NewLogfmtLogger(&logged), level.AllowInfo())}
	errs.Println("error encoding and sending metric family:", &net.OpError{Op: "write", Err: syscall.EPIPE})
	if logged.Len() > 0 {
		t.Errorf("logged %q", logged.String())
	}
	errs.Println("error gathering metrics:", errors.New("collected before with the same name"))
	if !strings.Contains(logged.String(), "same name") {
		t.Errorf("logged %q, want what went wrong", logged.String())
	}
}
