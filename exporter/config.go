// What runs: targets, each with its link and its probes. A Config comes from a
// file (load.go) or is built in Go, as the demo does.

package exporter

import (
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// Config is everything that the exporter probes.
type Config struct {
	Targets []*Target
}

// Target is one database link and what is measured on it.
type Target struct {
	Name    string
	Link    link.Config
	Labels  map[string]string // added to every series of the target
	Probes  []ProbeConfig     // one for each probe, also where it is switched off
	Budgets []Budget

	Allowance   Allowance // of its heavy probes
	MaxSessions int       // that may be open at once; 0: one for each probe that logs on
}

// ProbeConfig is one probe of one target.
type ProbeConfig struct {
	Definition *probes.Definition
	probes.Schedule
	Options probes.Options // nil if the probe has none
}

// Budget is what an application's query shape may cost.
type Budget struct {
	Name      string        `yaml:"name"`
	Rows      int           `yaml:"rows"`
	Arraysize int           `yaml:"arraysize"` // rows asked for per fetch round trip
	Max       time.Duration `yaml:"max"`
}

// NewTarget returns a target with every probe at its defaults.
func NewTarget(name string, cfg link.Config, defs []*probes.Definition) *Target {
	t := &Target{Name: name, Link: cfg, Allowance: defaultAllowance}
	for _, def := range defs {
		t.Probes = append(t.Probes, defaults(def))
	}
	return t
}

// Probe returns the target's settings of the probe of that name, nil if the
// target does not know it.
func (t *Target) Probe(name string) *ProbeConfig {
	for i := range t.Probes {
		if t.Probes[i].Definition.Name == name {
			return &t.Probes[i]
		}
	}
	return nil
}

// Target returns the target of that name, nil if there is none.
func (c *Config) Target(name string) *Target {
	for _, t := range c.Targets {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func defaults(def *probes.Definition) ProbeConfig {
	p := ProbeConfig{Definition: def, Schedule: def.Default}
	if def.Options != nil {
		p.Options = def.Options()
	}
	return p
}
