// What every page has around its content, and the templates.

package status

import (
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"time"
)

//go:embed *.html style.css
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"style": style}).ParseFS(files, "*.html"))

// style is the style sheet. It is part of the page, so that a page is one
// answer and the browser asks for nothing else.
func style() (template.CSS, error) {
	text, err := files.ReadFile("style.css")
	return template.CSS(text), err
}

// refreshSeconds is how often a page loads itself again, for whoever asks for
// it. Unasked it does not: it would take the place from under a screen reader
// and the text from under whoever is typing.
const refreshSeconds = 10

// on is the value of ?refresh= that asks for it.
const on = "on"

// chrome is what every page shows.
type chrome struct {
	Namespace     string
	Version       string
	TelemetryPath string
	Now           string // when the page was made
	Refresh       int    // seconds, 0: it stays as it is
	Toggle        string // this page with the refresh on or off
}

func (p *Pages) chrome(r *http.Request, now time.Time) chrome {
	c := chrome{Namespace: p.Namespace, Version: p.Version, TelemetryPath: p.TelemetryPath, Now: clock(now)}
	query := r.URL.Query()
	if query.Get("refresh") == on {
		c.Refresh = refreshSeconds
		query.Del("refresh")
	} else {
		query.Set("refresh", on)
	}
	c.Toggle = (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String()
	return c
}
