// The alert rules as a resource of the Prometheus operator.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const ruleFiles = "../prometheus/rules/*.yml"

// prometheusRule puts the groups of every rule file, in the files' order, into
// one PrometheusRule.
func prometheusRule() ([]byte, error) {
	files, err := filepath.Glob(ruleFiles)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no rules match " + ruleFiles)
	}
	rule := monitoring.PrometheusRule{
		TypeMeta:   meta.TypeMeta{APIVersion: "monitoring.coreos.com/v1", Kind: monitoring.PrometheusRuleKind},
		ObjectMeta: meta.ObjectMeta{Name: "oranet-exporter"},
	}
	for _, file := range files {
		groups, err := ruleGroups(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		rule.Spec.Groups = append(rule.Spec.Groups, groups...)
	}
	text, err := yaml.Marshal(rule)
	return append([]byte("# Generated from deploy/prometheus/rules by make manifests; change it there.\n"), text...), err
}

// ruleGroups reads a rule file. A key that the operator's type does not have is
// an error: it would be lost on the way.
func ruleGroups(file string) ([]monitoring.RuleGroup, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec monitoring.PrometheusRuleSpec
	if err := yaml.UnmarshalStrict(bytes.TrimSpace(text), &spec); err != nil {
		return nil, err
	}
	return spec.Groups, nil
}
