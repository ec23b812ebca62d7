// The configuration in force, for people to read: secrets show as their place.

package exporter

import (
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/common/model"
)

// Redacted returns the configuration as YAML with every default written out.
// There is no secret in a Config to begin with, only where each is; passwords
// that someone put into a dsn or a proxy's address are masked.
func (c *Config) Redacted() string {
	var targets []any
	for _, t := range c.Targets {
		targets = append(targets, t.redacted())
	}
	text, err := yaml.Marshal(yaml.MapSlice{{Key: "targets", Value: targets}})
	if err != nil {
		return "# cannot be shown: " + err.Error() + "\n"
	}
	return string(text)
}

func (t *Target) redacted() yaml.MapSlice {
	l := t.Link
	out := yaml.MapSlice{{Key: "name", Value: t.Name}}
	add := func(key string, value any, given bool) {
		if given {
			out = append(out, yaml.MapItem{Key: key, Value: value})
		}
	}
	add("dsn", maskUser(l.DSN), true)
	add("config_dir", l.ConfigDir, l.ConfigDir != "")
	add("wallet_location", l.WalletLocation, l.WalletLocation != "")
	add("wallet_password_file", l.WalletPassword.File, l.WalletPassword.File != "")
	add("wallet_password_env", l.WalletPassword.Env, l.WalletPassword.Env != "")
	add("user", l.User, l.User != "")
	add("password_file", l.Password.File, l.Password.File != "")
	add("password_env", l.Password.Env, l.Password.Env != "")
	add("sdu", l.SDU, l.SDU != 0)
	if l.SSLServerDNMatch != nil {
		add("ssl_server_dn_match", *l.SSLServerDNMatch, true)
	}
	add("ssl_server_cert_dn", l.SSLServerCertDN, l.SSLServerCertDN != "")
	add("https_proxy", maskUser(l.HTTPSProxy), l.HTTPSProxy != "")
	add("https_proxy_port", l.HTTPSProxyPort, l.HTTPSProxyPort != 0)
	add("tcp_connect_timeout", model.Duration(l.TCPConnectTimeout).String(), l.TCPConnectTimeout != 0)
	add("labels", t.Labels, len(t.Labels) > 0)
	var list yaml.MapSlice
	for _, p := range t.Probes {
		list = append(list, yaml.MapItem{Key: p.Definition.Name, Value: p.redacted()})
	}
	add("probes", list, true)
	add("budgets", t.Budgets, len(t.Budgets) > 0)
	add("allowance", t.Allowance, true)
	add("max_sessions", t.sessionLimit(), true)
	return out
}

func (p *ProbeConfig) redacted() yaml.MapSlice {
	out := yaml.MapSlice{
		{Key: "enabled", Value: p.Enabled},
		{Key: "interval", Value: p.Interval.String()},
		{Key: "timeout", Value: p.Timeout.String()},
	}
	if p.Options == nil {
		return out
	}
	var own yaml.MapSlice
	text, err := yaml.Marshal(p.Options)
	if err == nil {
		err = yaml.Unmarshal(text, &own)
	}
	if err != nil {
		own = yaml.MapSlice{{Key: "options", Value: "cannot be shown"}}
	}
	return append(out, own...)
}

// maskUser removes whatever stands before an @, where other programs take
// user:password or user/password.
func maskUser(address string) string {
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return "***" + address[at:]
	}
	return address
}
