// M1: what the listener grants of the session data unit that is asked for.

package main

import (
	"strconv"
	"time"

	"oranet_exporter/link"
	"oranet_exporter/probes"
	"oranet_exporter/simulator"
	"oranet_exporter/simulator/emulink"
)

// Published: the negotiated SDU and the biggest data packet received, bytes.
var publishedSDU = []struct{ requested, negotiated, biggest int }{
	{2048, 2048, 1967},
	{8192, 8192, 8111},
	{65536, 32768, 32687},
	{2097152, 32768, 32687},
}

// Rows at an arraysize of 1,000, which fill the biggest packets and make
// sduTrips round trips with the close of the cursor.
const (
	sduRows  = 20_000
	sduTrips = 22
)

func reproduceSDU(l *lab) ([]section, error) {
	db, err := l.start(emulink.Path{RTT: 3700 * time.Microsecond}, simulator.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	granted, err := l.negotiate(db)
	if err != nil {
		return nil, err
	}
	s := section{title: "M1 Negotiated SDU", text: "What the client asks for, what the listener grants, and the biggest data packet that comes. " +
		groups(strconv.Itoa(sduRows)) + " rows at an arraysize of 1,000 make the same round trips with all of them, as published."}
	for _, want := range publishedSDU {
		db.cfg.SDU = want.requested
		got, err := l.fetch(l.ctx, db, fetch{rows: sduRows, arraysize: 1000})
		if err != nil {
			return nil, err
		}
		asked := "asked for " + groups(strconv.Itoa(want.requested))
		s.add(
			figure{name: asked + ": granted", unit: "B", published: count(want.negotiated), ours: granted[want.requested]},
			figure{name: asked + ": biggest data packet", unit: "B", published: count(want.biggest), ours: float64(got.biggest)},
			figure{name: asked + ": round trips", published: count(sduTrips), ours: float64(got.trips)},
		)
	}
	return []section{s}, nil
}

// negotiate runs the sdu probe: what was granted, by what was asked for.
func (l *lab) negotiate(db *database) (map[int]float64, error) {
	to, err := link.New(db.cfg)
	if err != nil {
		return nil, err
	}
	probe := probes.SDU.New(to, probes.SDU.Options())
	defer probe.Close(l.ctx)
	var out probes.Samples
	if err := probe.Run(l.ctx, &out); err != nil {
		return nil, err
	}
	granted := make(map[int]float64)
	for _, s := range out.List() {
		asked, err := strconv.Atoi(s.Values[0])
		if err != nil {
			return nil, err
		}
		granted[asked] = s.Value
	}
	return granted, nil
}
