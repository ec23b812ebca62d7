// The compose file as compose itself loads it, and the files it names.

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// load returns the services that come up with a profile.
func load(t *testing.T, profile string) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../compose/compose.yaml"}, cli.WithProfiles([]string{profile}))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return project
}

var profiles = []string{"simulate", "oracle"}

func TestEachProfileHasOneDatabaseByTheNameThatTheExporterKnows(t *testing.T) {
	for _, profile := range profiles {
		var databases []string
		for name, s := range load(t, profile).Services {
			if network := s.Networks["default"]; network != nil && slices.Contains(network.Aliases, "database") {
				databases = append(databases, name)
			}
		}
		if !slices.Equal(databases, []string{profile}) {
			t.Errorf("profile %s: the database is %v", profile, databases)
		}
	}
}

// Oracle is healthy when its script has made the probe's user; a logon before
// that is refused, and refusals hold further ones back.
func TestExporterWaitsForTheProbesUser(t *testing.T) {
	waits := load(t, "oracle").Services["exporter"].DependsOn["oracle"]
	if waits.Condition != types.ServiceConditionHealthy {
		t.Errorf("the exporter waits for %q, want %q", waits.Condition, types.ServiceConditionHealthy)
	}
}

// Oracle's init script answers what create_user.sql asks, line by line.
func TestInitScriptAnswersEveryQuestion(t *testing.T) {
	script, err := os.ReadFile("../compose/oracle/probe_user.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, answers, _ := strings.Cut(string(script), "@/sql/create_user.sql\n")
	answers, _, _ = strings.Cut(answers, "SQL\n")
	if answers != "\n\n\n$(</run/secrets/probe_password)\n" {
		t.Fatalf("the answers are %q", answers)
	}
	text, err := os.ReadFile("../sql/create_user.sql")
	if err != nil {
		t.Fatal(err)
	}
	var questions []string
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "accept" {
			questions = append(questions, words[1])
		}
	}
	if want := []string{"probe_user", "probe_profile", "probe_sessions", "probe_password"}; !slices.Equal(questions, want) {
		t.Errorf("create_user.sql asks for %v, the init script answers %v", questions, want)
	}
}

func TestEveryServiceTellsItsHealth(t *testing.T) {
	for _, profile := range profiles {
		for name, s := range load(t, profile).Services {
			if s.HealthCheck == nil || name != "simulate" && (s.HealthCheck.Disable || len(s.HealthCheck.Test) == 0) {
				t.Errorf("%s has no health check", name)
			}
		}
	}
}

// What runs beside the database can write to its volumes alone, and no port
// leaves this machine.
func TestServicesAreConfined(t *testing.T) {
	for name, s := range load(t, "simulate").Services {
		if !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s: read_only %v, cap_drop %v, security_opt %v", name, s.ReadOnly, s.CapDrop, s.SecurityOpt)
		}
		for _, p := range s.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes port %s on %q", name, p.Published, p.HostIP)
			}
		}
	}
}

// A bind mount whose source is missing becomes an empty folder, and the service
// starts all the same.
func TestEveryBindMountIsThere(t *testing.T) {
	for _, profile := range profiles {
		for name, s := range load(t, profile).Services {
			for _, v := range s.Volumes {
				if v.Type != types.VolumeTypeBind {
					continue
				}
				if _, err := os.Stat(v.Source); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if !v.ReadOnly {
					t.Errorf("%s can write to %s", name, v.Source)
				}
			}
		}
	}
}

func TestSecretsAreFilesThatGitIgnores(t *testing.T) {
	ignored, err := os.ReadFile("../compose/.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range load(t, "oracle").Secrets {
		folder := filepath.Base(filepath.Dir(s.File))
		if !strings.Contains(string(ignored), folder+"/\n") {
			t.Errorf("secret %s is %q, which git would take", name, s.File)
		}
	}
}
