// From a YAML file to a Config.

package exporter

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"oranet_exporter/link"
	"oranet_exporter/link/file"
	"oranet_exporter/probes"
)

// fileSchema is the file.
type fileSchema struct {
	Probes  section        `yaml:"probes"`
	Targets []targetSchema `yaml:"targets"`
}

// targetSchema is one target as written. The names are the Oracle thin drivers'.
type targetSchema struct {
	Name               string            `yaml:"name"`
	DSN                string            `yaml:"dsn"`
	ConfigDir          string            `yaml:"config_dir"`
	WalletLocation     string            `yaml:"wallet_location"`
	WalletPasswordFile string            `yaml:"wallet_password_file"`
	WalletPasswordEnv  string            `yaml:"wallet_password_env"`
	User               string            `yaml:"user"`
	PasswordFile       string            `yaml:"password_file"`
	PasswordEnv        string            `yaml:"password_env"`
	SDU                int               `yaml:"sdu"`
	SSLServerDNMatch   *bool             `yaml:"ssl_server_dn_match"`
	SSLServerCertDN    string            `yaml:"ssl_server_cert_dn"`
	HTTPSProxy         string            `yaml:"https_proxy"`
	HTTPSProxyPort     int               `yaml:"https_proxy_port"`
	TCPConnectTimeout  time.Duration     `yaml:"tcp_connect_timeout"`
	Labels             map[string]string `yaml:"labels"`
	Probes             section           `yaml:"probes"`
	Budgets            []Budget          `yaml:"budgets"`
	Allowance          section           `yaml:"allowance"`
	MaxSessions        int               `yaml:"max_sessions"`
}

// LoadConfig reads and checks a configuration file. Every mistake is a
// *ConfigError with the file, the line and the key; the first one is returned.
func LoadConfig(path string, defs []*probes.Definition) (*Config, error) {
	return load(path, defs, (*Config).Validate)
}

// CheckConfig is LoadConfig and reads the wallets as well. Where a wallet is
// missing or damaged the runs of its target fail, and the configuration is
// valid all the same, since wallets rotate; who is about to deploy one wants
// to know before.
func CheckConfig(path string, defs []*probes.Definition) (*Config, error) {
	return load(path, defs, (*Config).Validate, (*Config).validateWallets)
}

func load(path string, defs []*probes.Definition, checks ...func(*Config) error) (*Config, error) {
	text, err := file.Read(path, maxConfigSize)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	l := &loader{dir: filepath.Dir(path), defs: defs, decoder: decoder{lines: map[string]int{}}}
	cfg, err := l.load(text)
	if err != nil {
		return nil, l.place(path, err)
	}
	for _, check := range checks {
		if err := check(cfg); err != nil {
			return nil, l.place(path, err)
		}
	}
	return cfg, nil
}

// maxConfigSize is room for some ten thousand targets.
const maxConfigSize = 8 << 20

type loader struct {
	decoder
	dir  string // relative paths begin here
	defs []*probes.Definition
}

func (l *loader) load(text []byte) (*Config, error) {
	text, err := readable(text)
	if err != nil {
		return nil, err
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	var schema fileSchema
	if err := l.mapping(root, "", &schema); err != nil {
		return nil, err
	}
	// Checked by itself first, so that a mistake in it is reported there and
	// not at the first target.
	if _, err := l.probes(schema.Probes); err != nil {
		return nil, err
	}
	cfg := new(Config)
	for _, t := range schema.Targets {
		list, err := l.probes(schema.Probes, t.Probes)
		if err != nil {
			return nil, err
		}
		target := l.target(t)
		target.Probes = list
		if err := l.mapping(t.Allowance.node, t.Allowance.key, &target.Allowance); err != nil {
			return nil, err
		}
		cfg.Targets = append(cfg.Targets, target)
	}
	return cfg, nil
}

// parse returns the one document of a file. Whatever the bytes are, the
// parser must not take the exporter down.
func parse(text []byte) (root ast.Node, err error) {
	defer func() {
		if recover() != nil {
			err = wrong("", "not readable as YAML")
		}
	}()
	file, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) {
			return nil, &ConfigError{Line: syntax.Token.Position.Line, Problem: "not YAML: " + syntax.Message}
		}
		return nil, wrong("", "not readable as YAML")
	}
	switch {
	case len(file.Docs) > 1:
		return nil, wrong("", "holds %d YAML documents, want one", len(file.Docs))
	case len(file.Docs) == 0:
		return nil, nil
	}
	return file.Docs[0].Body, nil
}

// probes decodes sections onto every probe's defaults, one after the other.
func (l *loader) probes(sections ...section) ([]ProbeConfig, error) {
	var list []ProbeConfig
	var names []string
	for _, def := range l.defs {
		list = append(list, defaults(def))
		names = append(names, def.Name)
	}
	target := &Target{Probes: list}
	for _, s := range sections {
		entries, err := l.entries(s.node, s.key)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			p := target.Probe(e.name)
			if p == nil {
				return nil, wrong(e.key, "unknown probe%s; there are %s", didYouMean(e.name, names), strings.Join(names, ", "))
			}
			if err := l.probe(e, p); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// probe decodes one probe's settings and checks them.
func (l *loader) probe(e entry, p *ProbeConfig) error {
	structs := []any{&p.Schedule}
	if p.Options != nil {
		structs = append(structs, p.Options)
	}
	if err := l.mapping(e.value, e.key, structs...); err != nil {
		return err
	}
	return p.validate(e.key)
}

func (l *loader) target(t targetSchema) *Target {
	return &Target{
		Name: t.Name,
		Link: link.Config{
			DSN:               t.DSN,
			ConfigDir:         l.path(t.ConfigDir),
			WalletLocation:    l.path(t.WalletLocation),
			WalletPassword:    link.Secret{File: l.path(t.WalletPasswordFile), Env: t.WalletPasswordEnv},
			User:              t.User,
			Password:          link.Secret{File: l.path(t.PasswordFile), Env: t.PasswordEnv},
			SDU:               t.SDU,
			SSLServerDNMatch:  t.SSLServerDNMatch,
			SSLServerCertDN:   t.SSLServerCertDN,
			HTTPSProxy:        t.HTTPSProxy,
			HTTPSProxyPort:    t.HTTPSProxyPort,
			TCPConnectTimeout: t.TCPConnectTimeout,
		},
		Labels:      t.Labels,
		Budgets:     t.Budgets,
		Allowance:   defaultAllowance,
		MaxSessions: t.MaxSessions,
	}
}

// path is relative to the configuration file.
func (l *loader) path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(l.dir, p)
}

// place adds the file, and the line of the key or of what the key is in.
func (l *loader) place(file string, err error) error {
	var e *ConfigError
	if !errors.As(err, &e) {
		return err
	}
	placed := *e
	placed.File = file
	for key := e.Key; placed.Line == 0 && key != ""; {
		placed.Line = l.lines[key]
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return &placed
}
