// Scrapes that overlap share what was gathered.

package exporter

import (
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"golang.org/x/sync/singleflight"
)

// sharedGatherer gathers once for all scrapes that ask meanwhile. A thousand
// targets are hundreds of megabytes while they are gathered, and more than one
// Prometheus scrapes an exporter.
type sharedGatherer struct {
	prometheus.Gatherer
	gathering singleflight.Group
}

// Gather returns families that other scrapes may be reading as well: nobody
// may change them.
func (g *sharedGatherer) Gather() ([]*dto.MetricFamily, error) {
	families, err, _ := g.gathering.Do("", func() (any, error) { return g.Gatherer.Gather() })
	return families.([]*dto.MetricFamily), err
}
