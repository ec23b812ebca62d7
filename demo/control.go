// The demo's own control: it moves a database farther away, or back, while
// everything runs.

package demo

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// longestRTT is more than any link on Earth has, and short enough to wait for.
const longestRTT = time.Second

// SetRTT changes the round trip time of a link for whatever is sent from now
// on. Its error says what would be right.
func (w *World) SetRTT(link string, rtt time.Duration) error {
	l, ok := w.links[link]
	if !ok {
		return fmt.Errorf("there is no link %q; there are %s", link, strings.Join(w.names(), " and "))
	}
	if rtt < 0 || rtt > longestRTT {
		return fmt.Errorf("a round trip of %v is out of range, 0s to %v are possible", rtt, longestRTT)
	}
	l.Set(path(rtt))
	return nil
}

func (w *World) names() []string { return slices.Sorted(maps.Keys(w.links)) }

// Control answers POST /rtt?link=NAME&rtt=DURATION, and GET / with the round
// trip time of every link.
func (w *World) Control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", w.showRTTs)
	mux.HandleFunc("POST /rtt", w.changeRTT)
	return http.NewCrossOriginProtection().Handler(mux)
}

func (w *World) showRTTs(out http.ResponseWriter, _ *http.Request) {
	for _, name := range w.names() {
		fmt.Fprintf(out, "%s %v\n", name, w.links[name].Path().RTT)
	}
}

func (w *World) changeRTT(out http.ResponseWriter, r *http.Request) {
	rtt, err := time.ParseDuration(r.FormValue("rtt"))
	if err != nil {
		http.Error(out, "rtt is no duration; give one such as 20ms", http.StatusBadRequest)
		return
	}
	if err := w.SetRTT(r.FormValue("link"), rtt); err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	w.showRTTs(out, r)
}
