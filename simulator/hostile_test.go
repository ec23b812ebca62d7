// Clients that send nonsense end their own session and nothing else.
package simulator

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"oranet_exporter/simulator/tns"
	"oranet_exporter/simulator/ttc"
)

// calls are valid calls of go-ora behind the log-on, by name: those of capture 43, and one with binds.
var calls = map[string]string{
	"execute": "035e00 028021 00 01 0112 01 010d 0000 00 0119 043fffffff 0000 0000000000 0000 000001 0000000000 000000 0000000000 0000" +
		"12 53454c45435420312046524f4d204455414c 0101 00 00 00 00 00 00 0101 00 028000 00 00 00",
	"execute with a bind": "035e00 028029 00 01 0113 01 010d 0000 00 0119 043fffffff 01 0101 0000000000 0000 000001 0000000000 000000 0000000000 0000" +
		"13 53454c454354203a312046524f4d204455414c 0101 00 00 00 00 00 00 0101 00 028000 00 00 00" +
		"01 03 00 00 0120 00 00 00 00 020369 01 0120 00 07 03 616263",
	"fetch":             "030500 0101 0164",
	"re-execute":        "034e00 0101 0119 0120 00",
	"version":           "033b00 01 020100 01 01 0101",
	"close and ping":    "116900 01 0101 0101 039300",
	"end to end":        "118700 00 00 0112 01 0103 000000000000 0000 0000 0000 0000 0000 03 616263 039300",
	"ping":              "039300",
	"logoff":            "030900",
	"unknown function":  "03ff00",
	"protocol again":    "010600 6f00",
	"data types again":  "0269036903",
	"services too late": "deadbeef0006",
}

func payload(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// startSession starts a session that is logged on over a pipe, whose ACCEPT nobody has read yet. ended says how it ended; a panic of the
// session ends the test.
func startSession(t *testing.T, server *Server) (near net.Conn, ended <-chan error) {
	t.Helper()
	near, far := net.Pipe()
	m := server.ledger.started(false, time.Now())
	s := newSession(server, newTransport(m, far), nil)
	s.phase, s.agreement, s.id, s.user = phaseReady, ttc.Agreement{FieldVersion: 11, UniversalSB1: true}, sessionBase, "PROBE"
	done := make(chan error, 1)
	go func() {
		err := errors.Join(s.conn.WriteAccept(tns.AcceptReply{Version: 318, SDU: 8192, TDU: 8192}), s.flush("connect"))
		if err == nil {
			err = s.run()
		}
		server.ledger.finished(m, "", false)
		done <- errors.Join(err, far.Close())
	}()
	return near, done
}

// dataPacket wraps a payload.
func dataPacket(payload []byte) []byte {
	packet := append(make([]byte, 10), payload...)
	binary.BigEndian.PutUint32(packet, uint32(len(packet)))
	packet[4] = byte(tns.Data)
	return packet
}

// loggedOn returns what a session that is logged on answers to a payload, when the client then closes the connection.
func loggedOn(t *testing.T, server *Server, payload []byte) (answer []byte) {
	t.Helper()
	near, ended := startSession(t, server)
	var answered bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&answered, near)
	}()
	_, _ = near.Write(dataPacket(payload)) // an error means that the session has ended already
	select {
	case <-ended:
	case <-time.After(5 * time.Millisecond): // enough to answer; a session that is slower is cut off in the middle, which is no harm
		_ = near.Close()
		<-ended
	}
	_ = near.Close()
	<-read
	return answered.Bytes()
}

func TestNoByteOfACallBreaksAnythingButItsSession(t *testing.T) {
	server := startServer(t, Options{})
	for name, text := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			valid := payload(t, text)
			for i := range valid {
				for _, b := range []byte{0, 1, 0x7f, 0xfd, 0xfe, 0xff, valid[i] + 1, valid[i] - 1} {
					mutated := bytes.Clone(valid)
					mutated[i] = b
					_ = loggedOn(t, server, mutated)
				}
				_ = loggedOn(t, server, valid[:i])
			}
		})
	}
}

func TestTheCallsOfTheTestAboveAreValid(t *testing.T) {
	server := startServer(t, Options{})
	for name, want := range map[string]ttc.Message{
		"execute": ttc.MessageDescribe, "execute with a bind": ttc.MessageDescribe, "version": ttc.MessageParameter,
		"close and ping": ttc.MessageStatus, "end to end": ttc.MessageStatus, "ping": ttc.MessageStatus, "logoff": ttc.MessageStatus,
	} {
		answer := loggedOn(t, server, payload(t, calls[name]))
		answer = answer[min(len(answer), 45):] // the ACCEPT
		if len(answer) < 11 || ttc.Message(answer[10]) != want {
			t.Errorf("%s was answered by % x", name, answer)
		}
	}
}

func TestBeforeTheLogonNonsenseEndsTheConnection(t *testing.T) {
	connect := func(data string) []byte {
		packet := make([]byte, 70, 70+len(data))
		binary.BigEndian.PutUint16(packet, uint16(70+len(data)))
		packet[4] = byte(tns.Connect)
		binary.BigEndian.PutUint16(packet[8:], 318)
		binary.BigEndian.PutUint16(packet[10:], 300)
		binary.BigEndian.PutUint16(packet[24:], uint16(len(data)))
		binary.BigEndian.PutUint16(packet[26:], 70)
		return append(packet, data...)
	}
	accepted := connect("(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=freepdb1)))")
	then := func(payload string) []byte {
		packet := append(make([]byte, 10), payload...)
		binary.BigEndian.PutUint32(packet, uint32(len(packet)))
		packet[4] = byte(tns.Data)
		return append(bytes.Clone(accepted), packet...)
	}
	tests := []struct {
		name   string
		sent   []byte
		ending string
	}{
		{"nothing", nil, "EOF"},
		{"HTTP", []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "cut off"},
		{"a length of 7", []byte{0, 7, 0, 0, 1, 0, 0, 0}, "7 bytes long"},
		{"a DATA packet first", []byte{0, 12, 0, 0, 6, 0, 0, 0, 0, 0, 1, 6}, "expected CONNECT"},
		{"a CONNECT of 8 bytes", []byte{0, 8, 0, 0, 1, 0, 0, 0}, "expected CONNECT"},
		{"connect data that never come", connect("")[:70], "refused"},
		{"no service", connect("(DESCRIPTION=(CONNECT_DATA=))"), "refused"},
		{"a SID", connect("(DESCRIPTION=(CONNECT_DATA=(SID=FREE)))"), "refused"},
		{"a log-on before the negotiation", then("\x03\x76\x00\x01"), "not expected"},
		{"a protocol version list without an end", then("\x01" + strings.Repeat("\x06", 200)), "without an end"},
		{"a packet longer than the SDU", append(bytes.Clone(accepted), 0, 1, 0, 0, 6, 0, 0, 0), "65536 bytes long"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := startServer(t, Options{})
			socket, err := net.Dial("tcp", server.Addr())
			if err != nil {
				t.Fatal(err)
			}
			defer socket.Close()
			if _, err := socket.Write(test.sent); err != nil {
				t.Fatal(err)
			}
			if err := socket.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the connection to end", func() bool {
				truth := server.Truth()
				return truth.ConnectionsTotal == 1 && truth.ConnectionsOpen == 0
			})
			if ended := server.Truth().Connections[0].Ended; !strings.Contains(ended, test.ending) {
				t.Errorf("ended by %q, want %q", ended, test.ending)
			}
		})
	}
}

func TestCloseEndsIdleSessionsAndHandshakes(t *testing.T) {
	server := startServer(t, Options{})
	db := sql.OpenDB(newClient(server))
	defer func() { _ = db.Close() }() // its session is gone by then
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	silent, err := net.Dial("tcp", server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	eventually(t, "both connections", func() bool { return server.Truth().ConnectionsOpen == 2 })
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if open := server.Truth().ConnectionsOpen; open != 0 {
		t.Errorf("%d connections are open after Close", open)
	}
	if err := server.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
}
