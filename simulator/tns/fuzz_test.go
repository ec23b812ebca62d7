package tns

import (
	"bytes"
	"testing"
	"time"
)

// FuzzConn reads any bytes as a client's CONNECT and the packets behind it.
func FuzzConn(f *testing.F) {
	data := []byte{0, 0, 0, 12, byte(Data), 0, 0, 0, 0, 0, 3, 147}
	marker := []byte{0, 0, 0, 11, byte(Marker), 0, 0, 0, 1, 0, 3}
	f.Add(bytes.Join([][]byte{connectPacket(318, "(DESCRIPTION=)", 0), data, marker}, nil))
	f.Add(connectPacket(318, string(make([]byte, 300)), 100))
	f.Add(connectPacket(314, "x", 1))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, byte(Connect), 0, 0, 0})
	f.Fuzz(func(t *testing.T, stream []byte) {
		c := NewConn(&recorder{received: bytes.NewReader(stream)}, new(Traffic))
		request, err := c.ReadConnect(time.Minute)
		if err != nil {
			return
		}
		if len(request.Data) > longestConnectData {
			t.Fatalf("%d bytes of connect data got through", len(request.Data))
		}
		granted := request.Grant(318, 32768)
		if err := c.WriteAccept(granted); err != nil {
			t.Fatal(err)
		}
		for {
			packet, err := c.ReadPacket(time.Minute)
			if err != nil {
				break
			}
			if len(packet.Body)+headerSize > int(granted.SDU) {
				t.Fatalf("a packet of %d bytes got through an SDU of %d", len(packet.Body)+headerSize, granted.SDU)
			}
			_, _, _ = packet.Payload()
			_, _ = packet.MarkerKind()
		}
		if got := c.traffic.BytesReceived.Load(); got > int64(len(stream)) {
			t.Fatalf("%d bytes were counted of %d", got, len(stream))
		}
	})
}
