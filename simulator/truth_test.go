package simulator

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestTruthIsServedAsJSON(t *testing.T) {
	server := startServer(t, Options{})
	if err := openPool(t, newClient(server)).Ping(); err != nil {
		t.Fatal(err)
	}
	response := httptest.NewRecorder()
	server.Handler().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/truth", nil))
	var got map[string]any
	if err := json.Unmarshal(response.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"sessions_open", "sessions_total", "round_trips", "bytes_sent", "bytes_received", "biggest_packet_sent", "rows_sent"} {
		if n, ok := got[key].(float64); !ok || n <= 0 {
			t.Errorf("%s is %v", key, got[key])
		}
	}
	if connections, ok := got["connections"].([]any); !ok || len(connections) != 1 {
		t.Errorf("connections: %v", got["connections"])
	}
}

func TestTotalsHoldWhatHasEnded(t *testing.T) {
	l := newLedger()
	for range keptSessions + 10 {
		m := l.started(false, time.Time{})
		m.roundTrip("ping")
		m.socketSent.Add(5)
		l.finished(m, loggedOff, false)
	}
	truth := l.truth()
	if truth.RoundTrips != keptSessions+10 || truth.RoundTripsByCall["ping"] != keptSessions+10 || truth.BytesSent != 5*(keptSessions+10) {
		t.Errorf("totals: %+v", truth.Work)
	}
	if len(truth.Connections) != keptSessions || truth.Connections[0].Number != 11 {
		t.Errorf("%d connections from number %d are listed", len(truth.Connections), truth.Connections[0].Number)
	}
	truth.RoundTripsByCall["ping"] = 0
	if again := l.truth(); again.RoundTripsByCall["ping"] != keptSessions+10 {
		t.Error("a caller can change the totals")
	}
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	tests := map[string]struct {
		options Options
		says    string
	}{
		"no address":              {Options{}, "address"},
		"TLS without a key":       {Options{TLSListenAddress: "127.0.0.1:0"}, "TLS"},
		"a small SDU":             {Options{ListenAddress: "127.0.0.1:0", SDU: 100}, "SDU"},
		"a version too new":       {Options{ListenAddress: "127.0.0.1:0", Version: 400}, "version 400"},
		"a version too old":       {Options{ListenAddress: "127.0.0.1:0", Version: 300}, "version 300"},
		"a view there is not":     {Options{ListenAddress: "127.0.0.1:0", Withheld: []string{"V$MYSTAT"}}, "V_$MYSTAT"},
		"an address that is none": {Options{ListenAddress: "256.0.0.1:0"}, "256.0.0.1"},
	}
	for name, test := range tests {
		server, err := Start(test.options)
		if err == nil {
			_ = server.Close()
			t.Errorf("%s: started", name)
			continue
		}
		if !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
