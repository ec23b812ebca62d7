// How much of this process a client of the web endpoint can take up.

package exporter

import (
	"net/http"
	"time"
)

const (
	readTimeout    = 10 * time.Second // of a whole request
	writeTimeout   = 30 * time.Second // of a whole answer, once it is known
	idleTimeout    = 2 * time.Minute  // longer than a usual scrape interval
	maxHeaderBytes = 16 << 10
	maxConnections = 256                    // of each listener; more wait to be accepted
	maxScrapes     = 10                     // at the same time
	drainTime      = 500 * time.Millisecond // for requests that are on when the exporter stops
)

// inTime gives an answer its time. Without a limit, ten clients that scrape
// and do not read would keep everybody else from scraping.
func inTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answerWithin(w, writeTimeout)
		next.ServeHTTP(w, r)
	})
}

// answerWithin sets the time that is left for the answer.
func answerWithin(w http.ResponseWriter, d time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(d)) // it cannot fail on a connection
}

// unlimited is for what works long before it answers, and ends by itself.
func unlimited(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
		next(w, r)
	}
}
