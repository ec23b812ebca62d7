// simulate: the simulated database alone, for other clients.

package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"oranet_exporter/link"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
	"oranet_exporter/simulator/wallet"
)

// walletPassword opens the generated wallet's ewallet.pem. It protects a
// throw-away key of a simulated database and is printed with the rest.
const walletPassword = "Wallet_1234"

// walletAlias is the simulated database's name in the generated wallet.
const walletAlias = "orders_low"

type simulate struct {
	opts       simulator.Options
	path       emulink.Path
	walletDir  string
	password   link.Secret // in place of the option, if given
	admin      string
	serverTime time.Duration
	sdu        uint32
	version    uint16
	fault      string
}

// Simulate registers the command.
func Simulate(cmd *kingpin.CmdClause) Run {
	s := new(simulate)
	cmd.Flag("listen-address", "Address for plain TCP; empty: none.").Default("127.0.0.1:1521").StringVar(&s.opts.ListenAddress)
	cmd.Flag("tls-listen-address", "Address for TCPS with client certificates; needs --wallet-dir.").StringVar(&s.opts.TLSListenAddress)
	cmd.Flag("wallet-dir", "Directory to write a wallet for clients into.").StringVar(&s.walletDir)
	cmd.Flag("admin-address", "Address that tells the ground truth as JSON on /truth; empty: none.").StringVar(&s.admin)
	cmd.Flag("service", "Service name the listener knows; may be repeated.").Default("FREEPDB1").StringsVar(&s.opts.Services)
	cmd.Flag("user", "The only user.").Default("PROBE").StringVar(&s.opts.User)
	cmd.Flag("password", "The user's password.").Default("probe").StringVar(&s.opts.Password)
	cmd.Flag("password-file", "File that holds the user's password, in place of --password.").StringVar(&s.password.File)
	cmd.Flag("sdu", "Biggest session data unit granted, bytes.").Default("32768").Uint32Var(&s.sdu)
	cmd.Flag("tns-version", "Highest Oracle Net protocol version accepted.").Default("318").Uint16Var(&s.version)
	cmd.Flag("resend", "Ask every client once to send its CONNECT again.").BoolVar(&s.opts.Resend)
	cmd.Flag("withhold", "View of the dictionary that the user may not read, such as V_$MYSTAT; may be repeated.").StringsVar(&s.opts.Withheld)
	cmd.Flag("fault", "Misbehave as STEP:ACTION says, such as connect:silence or fetch:error=3113; docs/simulator.md lists both.").StringVar(&s.fault)
	cmd.Flag("server-time", "Time that every statement takes.").DurationVar(&s.serverTime)
	cmd.Flag("rtt", "Round-trip time of the emulated link. The SYN of another process cannot be delayed: its handshake is free.").DurationVar(&s.path.RTT)
	cmd.Flag("jitter", "Most that is added to each direction's delay at random.").DurationVar(&s.path.Jitter)
	cmd.Flag("bandwidth", "Bits per second of the emulated link; 0: unlimited.").Int64Var(&s.path.BitsPerSecond)
	return s.run
}

// announcement is the first line on stdout.
type announcement struct {
	DSN            string `json:"dsn,omitempty"`
	TLSDSN         string `json:"tls_dsn,omitempty"`
	TLSAlias       string `json:"tls_alias,omitempty"` // in the wallet's tnsnames.ora
	User           string `json:"user"`
	Password       string `json:"password,omitempty"`
	PasswordFile   string `json:"password_file,omitempty"`
	WalletLocation string `json:"wallet_location,omitempty"`
	WalletPassword string `json:"wallet_password,omitempty"`
	Admin          string `json:"admin,omitempty"`
}

func (s *simulate) run(ctx context.Context, stdout, stderr io.Writer) int {
	server, err := s.start()
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	defer server.Close()
	a := announcement{User: s.opts.User, Password: s.opts.Password, PasswordFile: s.password.File}
	if !s.password.IsZero() {
		a.Password = "" // whoever kept it in a file does not want it in a log
	}
	if server.Addr() != "" {
		a.DSN = server.Addr() + "/" + s.opts.Services[0]
	}
	if server.TLSAddr() != "" {
		a.TLSDSN = "tcps://" + server.TLSAddr() + "/" + s.opts.Services[0]
		a.WalletLocation, a.WalletPassword, a.TLSAlias = s.walletDir, walletPassword, walletAlias
		if err := s.nameInWallet(server.TLSAddr()); err != nil {
			return Complain(stderr, Failed, err)
		}
	}
	admin, err := s.serveAdmin(server, &a)
	if err != nil {
		return Complain(stderr, Usage, err)
	}
	defer admin.Close()
	if err := json.NewEncoder(stdout).Encode(a); err != nil {
		return Complain(stderr, Failed, err)
	}
	<-ctx.Done()
	return OK
}

func (s *simulate) start() (*simulator.Server, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	o := s.opts
	if s.fault != "" {
		fault, err := simulator.ParseFault(s.fault)
		if err != nil {
			return nil, err
		}
		o.Fault = &fault
	}
	o.SDU, o.Version = s.sdu, s.version
	if !s.password.IsZero() {
		password, err := s.password.Reveal()
		if err != nil {
			return nil, fmt.Errorf("--password-file: %w", err)
		}
		o.Password = password
	}
	o.Listen = emulink.New(s.path).Listen
	if s.serverTime > 0 {
		o.ServerTime = func(string) time.Duration { return s.serverTime }
	}
	if o.TLSListenAddress != "" {
		w, err := wallet.Generate(s.walletDir, wallet.Options{Hosts: certifiedHosts(), Password: walletPassword})
		if err != nil {
			return nil, err
		}
		o.TLSConfig = w.Server
	}
	return simulator.Start(o)
}

// nameInWallet writes the alias by which the wallet's clients call the database.
func (s *simulate) nameInWallet(address string) error {
	w := wallet.Wallet{Dir: s.walletDir}
	return w.WriteNames(address, s.opts.Services[0], walletAlias)
}

// validate checks what the flags' types do not.
func (s *simulate) validate() error {
	switch {
	case s.path.RTT < 0 || s.path.Jitter < 0 || s.path.BitsPerSecond < 0 || s.serverTime < 0:
		return errors.New("--rtt, --jitter, --bandwidth and --server-time must not be negative")
	case s.opts.User == "" || s.opts.Password == "":
		return errors.New("--user and --password must not be empty")
	case (s.opts.TLSListenAddress == "") != (s.walletDir == ""):
		return errors.New("--tls-listen-address and --wallet-dir go together: clients of TCPS need a wallet")
	}
	for _, service := range s.opts.Services {
		if !serviceName.MatchString(service) {
			return fmt.Errorf("--service=%q is no service name: use letters, digits, _, . and -", service)
		}
	}
	return nil
}

var serviceName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// certifiedHosts are the names by which a client on this machine, or one that
// knows its name, may call the simulated database.
func certifiedHosts() []string {
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	return hosts
}

// serveAdmin tells the ground truth over HTTP, if asked to.
func (s *simulate) serveAdmin(server *simulator.Server, a *announcement) (io.Closer, error) {
	admin := &http.Server{Handler: server.Handler(), ReadHeaderTimeout: 5 * time.Second}
	if s.admin == "" {
		return admin, nil
	}
	l, err := net.Listen("tcp", s.admin)
	if err != nil {
		return nil, fmt.Errorf("cannot serve the ground truth: %w", err)
	}
	a.Admin = "http://" + l.Addr().String()
	go admin.Serve(l)
	return admin, nil
}
