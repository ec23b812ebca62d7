package probes

import (
	"testing"
	"time"

	"oranet_exporter/link"
)

const ms = time.Millisecond

func TestElapsedTimeIsTakenApart(t *testing.T) {
	for _, c := range []struct {
		name    string
		elapsed time.Duration
		counts  link.Counts
		ping    time.Duration
		want    components
	}{
		{"waiting beyond the round trips is the server's",
			100 * ms, link.Counts{RoundTrips: 5, Waiting: 70 * ms, Receiving: 20 * ms, Received: 1000}, 10 * ms,
			components{network: 50 * ms, server: 20 * ms, transfer: 20 * ms, client: 10 * ms}},
		{"a ping that was slower than the query leaves the server nothing",
			100 * ms, link.Counts{RoundTrips: 5, Waiting: 70 * ms}, 15 * ms,
			components{network: 70 * ms, client: 30 * ms}},
		{"first segments arrive at the pace of the others",
			100 * ms, link.Counts{RoundTrips: 5, Waiting: 70 * ms, Receiving: 30 * ms, Received: 7000, FirstSegments: 1000}, 10 * ms,
			components{network: 50 * ms, server: 15 * ms, transfer: 35 * ms}},
		{"first segments take nothing from the network",
			100 * ms, link.Counts{RoundTrips: 5, Waiting: 52 * ms, Receiving: 40 * ms, Received: 2000, FirstSegments: 1000}, 10 * ms,
			components{network: 50 * ms, transfer: 42 * ms, client: 8 * ms}},
		{"answers of one segment have no pace",
			100 * ms, link.Counts{RoundTrips: 5, Waiting: 70 * ms, Received: 1000, FirstSegments: 1000}, 10 * ms,
			components{network: 50 * ms, server: 20 * ms, client: 30 * ms}},
	} {
		got := takeApart(c.elapsed, c.counts, c.ping)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if sum := got.network + got.server + got.transfer + got.client; sum != c.elapsed {
			t.Errorf("%s: the sum is %v, elapsed %v", c.name, sum, c.elapsed)
		}
	}
}

func TestTheServerDecidesHowMuchOfTheWaitingWasItsOwn(t *testing.T) {
	before := components{network: 50 * ms, server: 20 * ms, transfer: 20 * ms, client: 10 * ms}
	counts := link.Counts{RoundTrips: 5}
	for _, c := range []struct {
		name          string
		busy, connect time.Duration
		want          components
		refused       bool
	}{
		{"less than the rest: the network was slower than its ping", 5 * ms, 9 * ms,
			components{network: 65 * ms, server: 5 * ms, transfer: 20 * ms, client: 10 * ms}, false},
		{"more than the rest: the ping had the server's handling in it", 23 * ms, 9 * ms,
			components{network: 47 * ms, server: 23 * ms, transfer: 20 * ms, client: 10 * ms}, false},
		{"more than the network leaves: it was busy while rows were received, too", 60 * ms, 9 * ms, before, true},
		{"more than a slow handshake leaves, but not more than pings leave", 20 * ms, 14 * ms, before, false},
		{"a handshake with a proxy says little of the network", 60 * ms, ms / 10,
			components{network: 10 * ms, server: 60 * ms, transfer: 20 * ms, client: 10 * ms}, false},
		{"more than all of the waiting, although the handshake was with a proxy", 75 * ms, ms / 10, before, true},
	} {
		got, ok := before.toldByServer(c.busy, counts, tripTimes{ping: 10 * ms, connect: c.connect})
		if got != c.want || ok == c.refused {
			t.Errorf("%s: %+v, taken %v; want %+v", c.name, got, ok, c.want)
		}
	}
}
