package link

import (
	"testing"
	"time"
)

func TestTheMeterDividesTimeBetweenWaitingAndReceiving(t *testing.T) {
	start := time.Now()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	var m meter
	m.wrote(100, at(0))
	m.wrote(50, at(5))          // the request goes on: waiting starts at its end
	m.read(0, at(6), at(7))     // nothing came
	m.read(3000, at(8), at(15)) // the driver came to read late; it waited since 5
	m.read(2000, at(17), at(20))
	m.wrote(10, at(30))
	m.read(40, at(30), at(34))
	want := Counts{
		Sent: 160, Received: 5040, RoundTrips: 2,
		Waiting:       14 * time.Millisecond,
		Receiving:     3 * time.Millisecond,
		FirstSegments: segmentBytes + 40,
	}
	if got := m.Counts(); got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	later := m.Counts()
	later.Waiting, later.FirstSegments = later.Waiting+time.Second, later.FirstSegments+7
	if got := later.Sub(want); got != (Counts{Waiting: time.Second, FirstSegments: 7}) {
		t.Errorf("the difference is %+v", got)
	}
}
