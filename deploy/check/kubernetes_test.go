// The Kubernetes base as kustomize builds it, against the API's own types and
// the policy that its namespace enforces.

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const kubernetes = "../kubernetes"

// base is what kubectl apply -k would send.
type base struct {
	namespace     core.Namespace
	deployment    apps.Deployment
	networkPolicy networking.NetworkPolicy
	podMonitor    monitoring.PodMonitor
	rule          monitoring.PrometheusRule
	configMaps    map[string]core.ConfigMap
}

// build decodes every resource strictly: an unknown key is an error, as it is
// to the API server with server-side validation.
func build(t *testing.T, folder string) *base {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		t.Fatal(err)
	}
	b := &base{configMaps: map[string]core.ConfigMap{}}
	known := map[string]any{
		"Namespace": &b.namespace, "Deployment": &b.deployment, "NetworkPolicy": &b.networkPolicy,
		"PodMonitor": &b.podMonitor, "PrometheusRule": &b.rule,
	}
	for _, r := range resources.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		var configMap core.ConfigMap
		into, ok := known[r.GetKind()]
		switch {
		case r.GetKind() == "ConfigMap":
			into = &configMap
		case !ok:
			t.Fatalf("%s %s: this test does not know that kind", r.GetKind(), r.GetName())
		}
		if err := yaml.UnmarshalStrict(text, into); err != nil {
			t.Errorf("%s %s: %v", r.GetKind(), r.GetName(), err)
		}
		if r.GetKind() == "ConfigMap" {
			b.configMaps[r.GetName()] = configMap
		}
	}
	return b
}

func TestPodMeetsTheRestrictedStandardThatItsNamespaceEnforces(t *testing.T) {
	b := build(t, kubernetes)
	if got := b.namespace.Labels[api.EnforceLevelLabel]; got != string(api.LevelRestricted) {
		t.Errorf("the namespace enforces %q, want %q", got, api.LevelRestricted)
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pod := b.deployment.Spec.Template
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	if got := policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &pod.ObjectMeta, &pod.Spec)); !got.Allowed {
		t.Errorf("forbidden: %s", got.ForbiddenDetail())
	}
}

// The standard does not ask for these.
func TestPodHasNoTokenAndNothingToWriteTo(t *testing.T) {
	pod := build(t, kubernetes).deployment.Spec.Template.Spec
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Error("a service account token is mounted")
	}
	for _, c := range pod.Containers {
		if s := c.SecurityContext; s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem {
			t.Errorf("container %s can write to its root file system", c.Name)
		}
		for _, m := range c.VolumeMounts {
			if !m.ReadOnly {
				t.Errorf("container %s can write to %s", c.Name, m.MountPath)
			}
			if m.SubPath != "" {
				t.Errorf("%s is mounted by subPath and would never change", m.MountPath)
			}
		}
		if _, limited := c.Resources.Limits[core.ResourceCPU]; limited {
			t.Errorf("container %s has a limit of CPU time and would measure its own throttling", c.Name)
		}
	}
}

func TestEverythingThatIsSelectedIsThere(t *testing.T) {
	b := build(t, kubernetes)
	labels := b.deployment.Spec.Template.Labels
	for name, selector := range map[string]map[string]string{
		"Deployment":    b.deployment.Spec.Selector.MatchLabels,
		"NetworkPolicy": b.networkPolicy.Spec.PodSelector.MatchLabels,
		"PodMonitor":    b.podMonitor.Spec.Selector.MatchLabels,
	} {
		if len(selector) == 0 {
			t.Errorf("%s selects everything", name)
		}
		for k, v := range selector {
			if labels[k] != v {
				t.Errorf("%s selects %s=%s, the pod has %q", name, k, v, labels[k])
			}
		}
	}
	pod := b.deployment.Spec.Template.Spec
	port := pod.Containers[0].Ports[0].Name
	if got := b.networkPolicy.Spec.Ingress[0].Ports[0].Port.String(); got != port {
		t.Errorf("NetworkPolicy lets port %s in, the pod has %s", got, port)
	}
	if got := b.podMonitor.Spec.PodMetricsEndpoints[0].Port; got == nil || *got != port {
		t.Errorf("PodMonitor scrapes port %v, the pod has %s", got, port)
	}
	for _, v := range pod.Volumes {
		if v.ConfigMap == nil {
			continue
		}
		if _, ok := b.configMaps[v.ConfigMap.Name]; !ok {
			t.Errorf("volume %s: there is no ConfigMap %s", v.Name, v.ConfigMap.Name)
		}
	}
}

// Two clusters whose series come together must not call their exporters alike.
func TestTheRegionIsPartOfTheInstance(t *testing.T) {
	region := false // is known to what follows
	for _, r := range build(t, kubernetes).podMonitor.Spec.PodMetricsEndpoints[0].RelabelConfigs {
		switch r.TargetLabel {
		case "from_region":
			region = r.Replacement != nil && *r.Replacement != ""
		case "instance":
			if !region || !slices.Contains(r.SourceLabels, "from_region") {
				t.Errorf("instance is made of %v, the region known before it: %t", r.SourceLabels, region)
			}
			return
		}
	}
	t.Error("the PodMonitor sets no instance: every pod would be a new one")
}

// The paths in the example configuration must be those of the mounts.
func TestExampleConfigurationNamesMountedPaths(t *testing.T) {
	b := build(t, kubernetes)
	pod := b.deployment.Spec.Template.Spec
	var mounts []string
	for _, m := range pod.Containers[0].VolumeMounts {
		mounts = append(mounts, m.MountPath)
	}
	text, err := os.ReadFile(kubernetes + "/oranet.yml")
	if err != nil {
		t.Fatal(err)
	}
	paths := 0
	for _, word := range strings.Fields(string(text)) {
		if !strings.HasPrefix(word, "/run/") {
			continue
		}
		paths++
		if !under(word, mounts) {
			t.Errorf("%s is not in any of %v", word, mounts)
		}
	}
	if paths == 0 {
		t.Error("the example names no path, this test sees nothing")
	}
}

func under(path string, folders []string) bool {
	for _, folder := range folders {
		if path == folder || strings.HasPrefix(path, folder+"/") {
			return true
		}
	}
	return false
}

// 1 MiB is the most that Kubernetes stores in a ConfigMap.
func TestEveryDashboardIsAConfigMapThatGrafanaFinds(t *testing.T) {
	b := build(t, kubernetes)
	files, err := filepath.Glob(dashboardFiles)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		m, ok := b.configMaps["oranet-dashboard-"+strings.TrimSuffix(name, ".json")]
		if !ok {
			t.Errorf("%s is in no ConfigMap: run make manifests", name)
			continue
		}
		if m.Labels["grafana_dashboard"] != "1" || m.Namespace != b.namespace.Name {
			t.Errorf("%s: labels %v, namespace %q", name, m.Labels, m.Namespace)
		}
		if size := len(m.Data[name]); size == 0 || size > 1<<20-4096 {
			t.Errorf("%s has %d bytes", name, size)
		}
	}
}

// As README.md tells to write one.
func TestAnOverlayPutsItsOwnImageAndConfigurationInPlace(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(kubernetes)
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Rel(folder, here)
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"oranet.yml": "targets: []\n",
		"kustomization.yaml": "resources: [" + path + "]\n" +
			"images: [{name: oranet_exporter, newName: registry.example.com/oranet_exporter, newTag: \"1.0\"}]\n" +
			"configMapGenerator: [{name: oranet-exporter, namespace: oranet, behavior: replace, files: [oranet.yml]}]\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, folder)
	pod := b.deployment.Spec.Template.Spec
	if got := pod.Containers[0].Image; got != "registry.example.com/oranet_exporter:1.0" {
		t.Errorf("image %s", got)
	}
	if got := b.configMaps[pod.Volumes[0].ConfigMap.Name].Data["oranet.yml"]; got != "targets: []\n" {
		t.Errorf("the configuration is %q", got)
	}
}
