// Command check writes those files of deploy/ that repeat others: the alert
// rules as a Kubernetes resource, and the list of the dashboards. Its tests
// hold every manifest against the types and policies of what reads it. It is a
// module of its own, so that the exporter does not depend on Kubernetes.
package main

import (
	"fmt"
	"os"
)

//go:generate go run .

// generated is a file that repeats others.
type generated struct {
	path   string // from this folder
	render func() ([]byte, error)
}

var all = []generated{
	{"../kubernetes/prometheusrule.yaml", prometheusRule},
	{"../../dashboards/kustomization.yaml", dashboards},
}

func main() {
	for _, g := range all {
		text, err := g.render()
		if err == nil {
			err = os.WriteFile(g.path, text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", g.path, err)
			os.Exit(1)
		}
	}
}
