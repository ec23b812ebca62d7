package status

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"oranet_exporter/link"
	"oranet_exporter/probes"
)

// hostile is what a peer or a configuration may try in a text.
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;{{.}}` + "\u202e"

// configured are targets as the exporter tells of them.
type configured []Target

func (c configured) Targets() []Target { return c }

func (c configured) Target(name string) (Target, bool) {
	for _, t := range c {
		if t.Name == name {
			return t, true
		}
	}
	return Target{}, false
}

// ask returns the status and the parsed page.
func ask(t *testing.T, targets configured, at string) (int, *html.Node) {
	t.Helper()
	p := &Pages{Exporter: targets, Namespace: "oranet_", Version: hostile, TelemetryPath: "/metrics",
		Failed: func(err error) { t.Error(err) }}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.Fleet)
	mux.HandleFunc("GET "+TargetPath, p.Target)
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest("GET", at, nil))
	root, err := html.Parse(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Code, root
}

// elements are all the elements of a page.
func elements(root *html.Node) (list []*html.Node) {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			list = append(list, n)
		}
	}
	return list
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(root *html.Node) string {
	var all strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			all.WriteString(n.Data)
		}
	}
	return all.String()
}

// attacked is a target every text of which is hostile.
func attacked(t *testing.T) Target {
	one := complete(t, hostile)
	one.Labels = map[string]string{"to_region": hostile}
	one.Budgets[0].Name = hostile
	one.Probes[5].Exhausted, one.Probes[5].Renewed = hostile, noon.Add(time.Hour)
	one.Past.Add(Run{Probe: probes.Pool.Name, Start: noon, Failure: &link.Failure{Phase: link.PhaseTCP, Reason: link.ReasonRefused, Peer: hostile,
		Err: errorText(hostile)}})
	one.Past.Add(good(probes.Connect, noon, sample(t, connectSeconds, .1, hostile), sample(t, connectPhaseSeconds, .1, hostile),
		sample(t, sessionInfo, 1, hostile, hostile, hostile, hostile, hostile), sample(t, certificateExpiry, 0, hostile, hostile)))
	one.Past.Add(good(probes.Fetch, noon, sample(t, fetchSeconds, .1, hostile), sample(t, fetchComponent, .1, hostile, hostile)))
	one.Past.Add(Run{Probe: probes.TCP.Name, Start: noon, Late: time.Second, Cause: hostile})
	return one
}

type errorText string

func (e errorText) Error() string { return string(e) }

func TestEveryInputIsText(t *testing.T) {
	targets := configured{attacked(t)}
	name := url.QueryEscape(hostile)
	for _, at := range []string{"/", "/?q=" + name, "/?q=alert&sort=" + name + "&state=" + name + "&page=" + name + "&" + name,
		TargetPath + "?name=" + name, TargetPath + "?name=other" + name, TargetPath + "?name=" + name + "&refresh=" + name} {
		_, root := ask(t, targets, at)
		for _, e := range elements(root) {
			if e.Data == "script" || e.Data == "img" {
				t.Errorf("%s: the page holds <%s>", at, e.Data)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" {
					t.Errorf("%s: <%s> has the attribute %s=%q", at, e.Data, a.Key, a.Val)
				}
			}
			if href := attribute(e, "href"); e.Data == "a" && !strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "#") {
				t.Errorf("%s: a link to %q", at, href)
			}
		}
		if !strings.Contains(text(root), "<script>alert(1)</script>") && at != "/?q=alert" {
			t.Errorf("%s: the text is not shown as it is", at)
		}
	}
}

// A page asks for nothing but itself, and needs no script.
func TestPageIsOneAnswer(t *testing.T) {
	for _, at := range []string{"/", TargetPath + "?name=orders", TargetPath + "?name=nobody"} {
		_, root := ask(t, configured{complete(t, "orders")}, at)
		for _, e := range elements(root) {
			switch e.Data {
			case "script", "link", "img", "iframe", "object", "video", "audio", "base":
				t.Errorf("%s: the page holds <%s>", at, e.Data)
			}
			if strings.Contains(attribute(e, "style"), "url(") {
				t.Errorf("%s: a style asks for %s", at, attribute(e, "style"))
			}
		}
	}
}

func TestEveryDrawingIsToldInWords(t *testing.T) {
	_, root := ask(t, configured{complete(t, "orders")}, TargetPath+"?name=orders")
	drawings := 0
	for _, e := range elements(root) {
		if e.Data != "svg" {
			continue
		}
		drawings++
		if attribute(e, "role") != "img" || attribute(e, "aria-label")+attribute(e, "aria-labelledby") == "" {
			t.Errorf("a drawing has neither name nor role: %v", e.Attr)
		}
	}
	if drawings < 8 {
		t.Errorf("%d drawings, want those of the budget, the round trips, each phase, each arraysize and each probe", drawings)
	}
}

func TestLinkOfATargetLeadsToItsPage(t *testing.T) {
	for _, name := range []string{"orders", "a b", "a/b", "ü&=?#%", "..", hostile} {
		_, root := ask(t, configured{complete(t, name)}, "/")
		var link string
		for _, e := range elements(root) {
			if e.Data == "a" && e.Parent.Data == "th" {
				link = attribute(e, "href")
			}
		}
		code, root := ask(t, configured{complete(t, name)}, link)
		if code != http.StatusOK || !strings.Contains(text(root), name) {
			t.Errorf("%s leads to a page of status %d", link, code)
		}
	}
}

func TestUnknownTargetIsNotFound(t *testing.T) {
	for at, want := range map[string]string{
		TargetPath + "?name=nobody": "There is no target nobody in the configuration in force.",
		TargetPath:                  "The address names no target",
	} {
		code, root := ask(t, configured{complete(t, "orders")}, at)
		if code != http.StatusNotFound || !strings.Contains(text(root), want) {
			t.Errorf("%s: status %d, want 404 and %q", at, code, want)
		}
	}
}

// A page that loads itself again takes the place from under a screen reader.
func TestPageRefreshesOnlyForWhoAsks(t *testing.T) {
	for at, want := range map[string]string{"/": "", "/?refresh=on": "10", "/?refresh=1": "", TargetPath + "?name=orders&refresh=on": "10"} {
		_, root := ask(t, configured{complete(t, "orders")}, at)
		got := ""
		for _, e := range elements(root) {
			if e.Data == "meta" && attribute(e, "http-equiv") == "refresh" {
				got = attribute(e, "content")
			}
		}
		if got != want {
			t.Errorf("%s: refresh %q, want %q", at, got, want)
		}
	}
}

func BenchmarkFleetOfAThousand(b *testing.B) {
	var targets configured
	for range 1000 {
		targets = append(targets, complete(&testing.T{}, "orders"))
	}
	p := &Pages{Exporter: targets, Failed: func(err error) { b.Error(err) }}
	for b.Loop() {
		p.Fleet(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}
}
