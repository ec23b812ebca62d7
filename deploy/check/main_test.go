package main

import (
	"os"
	"testing"
)

func TestGeneratedFilesAreInStepWithTheirSources(t *testing.T) {
	for _, g := range all {
		want, err := g.render()
		if err != nil {
			t.Fatalf("%s: %v", g.path, err)
		}
		if got, err := os.ReadFile(g.path); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what its sources say (%v): run make manifests", g.path, err)
		}
	}
}
