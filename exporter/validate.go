// What a configuration must be before anything runs on it.

package exporter

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/prometheus/common/model"

	"oranet_exporter/link"
	"oranet_exporter/link/tns"
	"oranet_exporter/probes"
)

// shortestInterval keeps a slip of the pen from becoming a flood.
const shortestInterval = 10 * time.Millisecond

// Validate checks all that can be checked without the network; its error is a
// *ConfigError whose key says where, as a configuration file would be read.
func (c *Config) Validate() error {
	if len(c.Targets) == 0 {
		return wrong("targets", "there are none; give at least one link to probe")
	}
	names := map[string]bool{}
	for i, t := range c.Targets {
		key := fmt.Sprintf("targets[%d]", i)
		if names[t.Name] {
			return wrong(key+".name", "another target is named %s, too; names must differ", t.Name)
		}
		names[t.Name] = true
		if err := t.validate(key); err != nil {
			return err
		}
	}
	return nil
}

func (t *Target) validate(key string) error {
	checks := []func(string) error{
		t.validateName, t.validateNoSecrets, t.validateLabels, t.validateProbes, t.validateLogon, t.validateNumbers, t.validateBudgets, t.validateAllowance, t.validateLink,
	}
	for _, check := range checks {
		if err := check(key); err != nil {
			return err
		}
	}
	return nil
}

func (t *Target) validateName(key string) error {
	if t.Name == "" {
		return wrong(key+".name", "missing; it becomes the label target")
	}
	if strings.IndexFunc(t.Name, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return wrong(key+".name", "holds characters that cannot be printed")
	}
	return nil
}

func (t *Target) validateLabels(key string) error {
	reserved := t.reservedLabels()
	for _, name := range slices.Sorted(maps.Keys(t.Labels)) {
		at := key + ".labels." + name
		switch {
		case !model.LegacyValidation.IsValidLabelName(name) || strings.HasPrefix(name, "__"):
			return wrong(at, "not a label name; use letters, digits and _, and do not begin with a digit or __")
		case reserved[name]:
			return wrong(at, "the exporter or Prometheus sets this label itself; choose another name")
		case !model.LabelValue(t.Labels[name]).IsValid():
			return wrong(at, "the value is not UTF-8")
		}
	}
	return nil
}

// reservedLabels are those that the target's series may get from elsewhere.
func (t *Target) reservedLabels() map[string]bool {
	reserved := map[string]bool{"target": true, "le": true, "quantile": true, "job": true, "instance": true}
	for _, m := range metricsOf(t.Probes) {
		for _, name := range m.Labels {
			reserved[name] = true
		}
	}
	return reserved
}

func (t *Target) validateProbes(key string) error {
	enabled := 0
	for i := range t.Probes {
		p := &t.Probes[i]
		if err := p.validate(key + ".probes." + p.Definition.Name); err != nil {
			return err
		}
		if p.Enabled {
			enabled++
		}
	}
	if enabled == 0 {
		return wrong(key+".probes", "all are switched off; enable one or remove the target")
	}
	return nil
}

func (p *ProbeConfig) validate(key string) error {
	switch {
	case p.Enabled && p.Interval < shortestInterval:
		return wrong(key+".interval", "want at least %s", shortestInterval)
	case p.Enabled && p.Timeout <= 0:
		return wrong(key+".timeout", "must be longer than 0s")
	case p.Enabled && p.Timeout > p.Interval:
		return wrong(key+".timeout", "%s is longer than the interval of %s; a run must end before the next begins",
			model.Duration(p.Timeout), model.Duration(p.Interval))
	case p.Options == nil:
		return nil
	}
	return asConfigError(key, p.Options.Validate())
}

// validateLogon checks what the probes that log on need.
func (t *Target) validateLogon(key string) error {
	if err := validateSecret(key, "wallet_password", t.Link.WalletPassword); err != nil {
		return err
	}
	if err := validateSecret(key, "password", t.Link.Password); err != nil {
		return err
	}
	var logons []string
	for _, p := range t.Probes {
		if p.Enabled && p.Definition.Logon {
			logons = append(logons, p.Definition.Name)
		}
	}
	if len(logons) == 0 {
		return nil
	}
	who := strings.Join(logons, ", ")
	if t.Link.User == "" {
		return wrong(key+".user", "missing; these probes log on: %s (disable them to do without)", who)
	}
	if t.Link.Password.IsZero() {
		return wrong(key+".password_file", "missing, and so is password_env; these probes log on: %s", who)
	}
	return nil
}

// validateSecret checks that the secret can be read, without keeping it.
func validateSecret(key, name string, s link.Secret) error {
	if s.File != "" && s.Env != "" {
		return wrong(key+"."+name+"_env", "there is a %s_file, too; give one of them", name)
	}
	if s.Env != "" {
		if _, ok := os.LookupEnv(s.Env); !ok {
			if !environmentName.MatchString(s.Env) { // maybe the password itself
				return wrong(key+"."+name+"_env", "this is no name of an environment variable; give the variable's name, not the password")
			}
			return wrong(key+"."+name+"_env", "the environment variable %s is not set", s.Env)
		}
	}
	place := name + "_file"
	if s.Env != "" {
		place = name + "_env"
	}
	if _, err := s.Reveal(); err != nil {
		return wrong(key+"."+place, "%v", err)
	}
	return nil
}

// inlineSecret finds a password written into an address, where error messages
// and reports would show it.
var inlineSecret = regexp.MustCompile(`(?i)pass(word|wd)?\s*=`)

// validateNoSecrets refuses passwords where they do not belong. It quotes nothing.
func (t *Target) validateNoSecrets(key string) error {
	switch {
	case inlineSecret.MatchString(t.Link.DSN):
		return wrong(key+".dsn", "holds a password; put it into a file and name that in password_file or wallet_password_file")
	case strings.ContainsAny(t.Link.HTTPSProxy, "/@"):
		return wrong(key+".https_proxy", "want a host name alone; the port goes into https_proxy_port, and a proxy that wants a password is not supported")
	case strings.ContainsAny(t.Link.User, "/@"):
		return wrong(key+".user", "want a user name alone; the password goes into password_file or password_env")
	}
	return nil
}

func (t *Target) validateNumbers(key string) error {
	l := t.Link
	switch {
	case l.SDU != 0 && (l.SDU < tns.MinSDU || l.SDU > tns.MaxSDU):
		return wrong(key+".sdu", "want %d to %d bytes", tns.MinSDU, tns.MaxSDU)
	case l.HTTPSProxyPort < 0 || l.HTTPSProxyPort > 65535:
		return wrong(key+".https_proxy_port", "want 1 to 65535")
	case t.MaxSessions < 0:
		return wrong(key+".max_sessions", "want how many sessions may be open at once, at least 1")
	case l.TCPConnectTimeout < 0:
		return wrong(key+".tcp_connect_timeout", "must not be negative")
	}
	return nil
}

func (t *Target) validateBudgets(key string) error {
	if p := t.Probe(probes.RoundTrip.Name); p != nil && !p.Enabled && len(t.Budgets) > 0 {
		return wrong(key+".budgets", "the probe that checks them, %s, is switched off; enable it or remove the budgets", probes.RoundTrip.Name)
	}
	names := map[string]bool{}
	for i, b := range t.Budgets {
		at := fmt.Sprintf("%s.budgets[%d]", key, i)
		switch {
		case b.Name == "":
			return wrong(at+".name", "missing; it becomes the label budget")
		case names[b.Name]:
			return wrong(at+".name", "another budget of this target is named %s, too", b.Name)
		case b.Rows < 1:
			return wrong(at+".rows", "want the number of rows that the query returns, at least 1")
		case b.Arraysize < 1 || b.Arraysize > link.MaxArraysize:
			return wrong(at+".arraysize", "want 1 to %d rows per round trip", link.MaxArraysize)
		case b.Max <= 0:
			return wrong(at+".max", "want the time that the query may take, such as 3s")
		}
		names[b.Name] = true
	}
	return nil
}

func (t *Target) validateAllowance(key string) error {
	switch {
	case t.Allowance.Bytes < 1:
		return wrong(key+".allowance.bytes", "want how much heavy probes may move in an hour, at least 1; disable the probes to move nothing")
	case t.Allowance.Logons < 1:
		return wrong(key+".allowance.logons", "want how often heavy probes may log on in an hour, at least 1; disable the probes to log on never")
	}
	return nil
}

// validateLink resolves the dsn.
func (t *Target) validateLink(key string) error {
	if t.Link.DSN == "" {
		return wrong(key+".dsn", "missing; give an alias of tnsnames.ora, an easy connect string or a descriptor")
	}
	if _, err := link.New(t.Link); err != nil {
		return t.wrongLink(key+".dsn", err)
	}
	return nil
}

func (t *Target) wrongLink(key string, err error) error {
	var failure *link.Failure
	if errors.As(err, &failure) {
		err = failure.Err
	}
	return wrong(key, "target %s: %v", t.Name, err)
}

// validateWallets reads the wallets of a configuration that is valid without.
func (c *Config) validateWallets() error {
	for i, t := range c.Targets {
		key := fmt.Sprintf("targets[%d].wallet_location", i)
		l, err := link.New(t.Link)
		if err == nil {
			err = l.CheckWallet()
		}
		if err != nil {
			return t.wrongLink(key, err)
		}
	}
	return nil
}

// environmentName is what a variable may be called (POSIX, 8.1, and lower case).
var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
