package faults

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/goccy/go-yaml"

	"oranet_exporter/link"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
)

// scene is what one fault of one database does not make: a network that fails,
// a port of the other kind, redirects between listeners.
type scene struct {
	name    string
	over    transport
	probe   *probes.Definition
	phase   link.Phase
	reason  link.Reason // empty: success
	says    string      // in the error
	arrange func(*testing.T, *room) (mend func())
}

// elsewhere is where a redirect leads.
const elsewhere = "127.0.0.1:1522"

func scenes() []scene {
	at := func(port string) string { return "(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=" + port + "))" }
	list := []scene{
		{"nothing listens", plain, probes.TCP, link.PhaseTCP, link.ReasonRefused, "", dialling(refused).arrange},
		{"no route", plain, probes.TCP, link.PhaseTCP, link.ReasonUnreachable, "", dialling(unreachable).arrange},
		{"SYN dropped", plain, probes.TCP, link.PhaseTCP, link.ReasonTimeout, "", dialling(dropped).arrange},
		{"nothing listens", plain, probes.Connect, link.PhaseTCP, link.ReasonRefused, "", dialling(refused).arrange},
		{"SYN dropped", overTLS, probes.Pool, link.PhaseTCP, link.ReasonTimeout, "", dialling(dropped).arrange},
		{"SYN dropped", plain, probes.RoundTrip, link.PhaseTCP, link.ReasonTimeout, "deadline exceeded", dialling(dropped).arrange},

		{"TCP to a TLS port that closes", plain, probes.SDU, link.PhaseTNS, link.ReasonPeerClosed, "use PROTOCOL=TCPS", otherKind},
		{"TCP to a TLS port that closes", plain, probes.Connect, link.PhaseTNS, link.ReasonPeerClosed, "use PROTOCOL=TCPS", otherKind},
		{"TCP to a TLS port that resets", plain, probes.Connect, link.PhaseTNS, link.ReasonReset, "use PROTOCOL=TCPS", fault("connect:reset")},
		{"TCP to a TLS port with an alert", plain, probes.Connect, link.PhaseTNS, link.ReasonProtocol, "use PROTOCOL=TCPS", fault("connect:answer=1503010002020a")},
		{"TLS to a port that waits for more", overTLS, probes.Connect, link.PhaseTLS, link.ReasonTimeout, "use PROTOCOL=TCP", otherKind},
		{"TLS to a port that waits for more", overTLS, probes.RoundTrip, link.PhaseTLS, link.ReasonTimeout, "use PROTOCOL=TCP", otherKind},
		{"TLS to a port that closes", overTLS, probes.Connect, link.PhaseTLS, link.ReasonPeerClosed, "use PROTOCOL=TCP", fault("tls:close")},
		{"TLS to a port that refuses", overTLS, probes.Connect, link.PhaseTLS, link.ReasonTLSHandshake, "use PROTOCOL=TCP", fault("tls:answer=000c00000400000022000000")},

		{"redirect", plain, probes.Connect, "", "", "", leads(at("1522"), false)},
		{"redirect", overTLS, probes.Connect, "", "", "", leads(at("1522"), false)},
		{"redirect, text behind", plain, probes.Fetch, "", "", "", leads(at("1522"), true)},
		{"redirect, text behind", overTLS, probes.Fetch, "", "", "", leads(at("1522"), true)},
		{"redirect to itself", plain, probes.Connect, link.PhaseTNS, link.ReasonRedirectLoop, "", leads(at("1521"), false)},
		{"redirect to itself", overTLS, probes.SDU, link.PhaseTNS, link.ReasonRedirectLoop, "", leads(at("1521"), true)},
		{"redirect in a circle", plain, probes.Connect, link.PhaseTNS, link.ReasonRedirectLoop, "", circle(at)},
		{"redirect in a circle", overTLS, probes.RoundTrip, link.PhaseTNS, link.ReasonRedirectLoop, "", circle(at)},
		{"redirect to where nothing listens", plain, probes.Connect, link.PhaseTCP, link.ReasonRefused, "", nowhere(at("1523"), refused)},
		{"redirect to where no route leads", plain, probes.Pool, link.PhaseTCP, link.ReasonUnreachable, "", nowhere(at("1523"), unreachable)},
		{"redirect to where SYNs are dropped", overTLS, probes.Connect, link.PhaseTCP, link.ReasonTimeout, "", nowhere(at("1523"), dropped)},
	}
	return list
}

// refusals are what real listeners said; none where the cases are not there.
func refusals(t *testing.T) (list []scene) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "cases", "refuse.yaml"))
	if err != nil {
		t.Logf("no real-life refusals beside this checkout: %v", err)
		return nil
	}
	var cases []struct {
		Payload string
		Phase   link.Phase
		Reason  link.Reason
	}
	if err := yaml.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		list = append(list, scene{"refusal " + c.Payload, plain, probes.Connect, c.Phase, c.Reason, "", fault("connect:refuse=" + c.Payload)})
	}
	return list
}

// TestEverySceneHasAPhaseAndAReasonAndLeavesNothing is the rest of the fault
// table.
func TestEverySceneHasAPhaseAndAReasonAndLeavesNothing(t *testing.T) {
	list := append(scenes(), refusals(t)...)
	lines := make([]string, len(list))
	t.Run("scenes", func(t *testing.T) {
		for i, s := range list {
			t.Run(strings.ReplaceAll(s.title(), "/", "_")+"/"+s.probe.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { lines[i] = s.play(t) })
			})
		}
	})
	t.Logf("%d rows\n%s", len(list), tabulated(lines))
}

func (s scene) title() string {
	if s.over == overTLS {
		return s.name + ", over TLS"
	}
	return s.name
}

func (s scene) play(t *testing.T) string {
	room := enter(t, s.probe, s.over, simulator.Options{})
	mend := s.arrange(t, room)
	o := room.run()
	o.want(t, s.phase, s.reason, room.timeout)
	if o.failure != nil && !strings.Contains(o.failure.Error(), s.says) {
		t.Errorf("the error does not say %q: %v", s.says, o.failure)
	}
	mend()
	if next := room.run(); next.failure != nil {
		t.Errorf("the next run, with all mended: %v", next.failure)
	}
	room.leave(t)
	return o.line(s.title(), s.probe.Name)
}

// arrange makes SYNs meet with that.
func (d dialling) arrange(_ *testing.T, r *room) (mend func()) {
	r.network.dial = d
	return func() { r.network.dial = answered }
}

// fault makes the database play a fault.
func fault(text string) func(*testing.T, *room) (mend func()) {
	return func(t *testing.T, r *room) (mend func()) {
		play(t, r.server, text)
		return r.server.ClearFault
	}
}

func play(t *testing.T, server *simulator.Server, text string) {
	t.Helper()
	f, err := simulator.ParseFault(text)
	if err == nil {
		err = server.SetFault(f)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// otherKind puts a database of the other kind, TLS or plain, at the address.
func otherKind(t *testing.T, r *room) (mend func()) {
	other := newNetwork()
	server := start(t, other, !r.over, simulator.Options{})
	r.network.others = map[string]*network{"127.0.0.1:1521": other}
	return func() {
		r.network.others = nil
		synctest.Wait()
		other.empty(t)
		_ = server.Close()
	}
}

// leads makes the database redirect to an address; a second one listens at
// elsewhere.
func leads(to string, behind bool) func(*testing.T, *room) (mend func()) {
	return func(t *testing.T, r *room) (mend func()) {
		_, mend = second(t, r)
		redirect(t, r.server, to, behind)
		return mend
	}
}

// circle makes two databases redirect to each other.
func circle(at func(port string) string) func(*testing.T, *room) (mend func()) {
	return func(t *testing.T, r *room) (mend func()) {
		other, mend := second(t, r)
		redirect(t, r.server, at("1522"), false)
		redirect(t, other, at("1521"), true)
		return mend
	}
}

// nowhere makes the database redirect to an address where SYNs meet with that.
func nowhere(to string, d dialling) func(*testing.T, *room) (mend func()) {
	return func(t *testing.T, r *room) (mend func()) {
		void := newNetwork()
		void.dial = d
		r.network.others = map[string]*network{"127.0.0.1:1523": void}
		redirect(t, r.server, to, false)
		return r.server.ClearFault
	}
}

// second starts a second database at elsewhere. mend ends it and the redirects.
func second(t *testing.T, r *room) (server *simulator.Server, mend func()) {
	other := newNetwork()
	server = start(t, other, r.over, simulator.Options{})
	r.network.others = map[string]*network{elsewhere: other}
	return server, func() {
		r.server.ClearFault()
		synctest.Wait()
		other.empty(t)
		_ = server.Close()
	}
}

func redirect(t *testing.T, server *simulator.Server, to string, behind bool) {
	t.Helper()
	do := simulator.Redirect
	if behind {
		do = simulator.RedirectBehind
	}
	if err := server.SetFault(simulator.Fault{At: simulator.StepConnect, Do: do(to)}); err != nil {
		t.Fatal(err)
	}
}
