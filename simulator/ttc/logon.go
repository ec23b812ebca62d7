// The two calls of a log-on and their answers.
package ttc

// longestPairs is far more key-value pairs than any driver sends.
const longestPairs = 1024

// Pair is a key with its value in a log-on. Number says more about the value: the verifier type of AUTH_VFR_DATA.
type Pair struct {
	Key, Value string
	Number     int
}

// AuthCall reads either phase of a log-on behind its header: the user and what the client says of itself.
func (r *Reader) AuthCall() (user string, pairs map[string]string) {
	hasUser := r.Byte() != 0
	length := r.Int(longestMessage)
	r.UB() // mode
	r.Skip(1)
	n := r.Int(longestPairs)
	r.Skip(2)
	if hasUser && length > 0 {
		user = string(r.CLR())
	}
	pairs = make(map[string]string)
	for range n {
		key, value, _ := r.Pair()
		if r.err != nil {
			return "", nil
		}
		pairs[key] = value
	}
	return user, pairs
}

// Pairs writes the answer to either phase of a log-on.
func (w *Writer) Pairs(pairs []Pair) {
	w.Byte(byte(MessageParameter))
	w.Int(len(pairs))
	for _, p := range pairs {
		w.Pair(p.Key, p.Value, p.Number)
	}
}

// nlsKeywords are the session's national language settings as a server pushes them behind a successful log-on, by keyword number
// (captures 43, 44 and 46).
var nlsKeywords = []struct {
	value  string
	number int
}{
	{"AMERICAN", 16}, {"AMERICA", 9}, {"$", 0}, {"AMERICA", 1}, {".,", 2}, {"AL32UTF8", 10}, {"GREGORIAN", 12}, {"DD-MON-RR", 7},
	{"AMERICAN", 8}, {"BINARY", 11}, {"HH.MI.SSXFF AM", 57}, {"DD-MON-RR HH.MI.SSXFF AM", 58}, {"HH.MI.SSXFF AM TZR", 59},
	{"DD-MON-RR HH.MI.SSXFF AM TZR", 60}, {"$", 52}, {"BINARY", 50}, {"BYTE", 61}, {"FALSE", 62},
}

// timeZoneKeyword is the number of the session's time zone.
const timeZoneKeyword = 163

// pushSession is the server-side piggyback that carries a session's state.
const pushSession = 5

// PushNLS writes the server-side piggyback with the national language settings and the time zone of the session, which is UTC.
func (w *Writer) PushNLS() {
	w.Byte(byte(MessageServerPiggy), pushSession)
	w.Int(1)
	w.Byte(0x10)
	w.Int(len(nlsKeywords) + 1)
	w.Byte(0x16)
	for _, k := range nlsKeywords {
		w.Pair("", k.value, k.number)
	}
	w.Pair("", "\x80\x00\x00\x00\x3c\x3c\x3c\x80\x00\x00\x00", timeZoneKeyword)
	w.Byte(0)
}

// Version writes the answer to a version call: the banner and the packed version number.
func (w *Writer) Version(banner string, number uint32) {
	w.Byte(byte(MessageParameter))
	w.DLC(banner)
	w.UB(uint64(number))
}
