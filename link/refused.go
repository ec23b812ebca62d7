// A listener's REFUSE as a sentence: what it would not do, and for which
// service.

package link

import (
	"fmt"

	"oranet_exporter/link/dsn"
)

// refusedError is a listener's REFUSE.
type refusedError struct {
	code  int    // ORA- code, 0 if the listener gave none
	text  string // as it came
	asked string // for: `service "X"`
}

// asked names what a description asks a listener for.
func asked(d dsn.Description) string {
	if d.SID != "" && d.ServiceName == "" {
		return fmt.Sprintf("SID %q", d.SID)
	}
	return fmt.Sprintf("service %q", d.ServiceName)
}

func (e *refusedError) Error() string {
	if e.code == 0 {
		return "the listener refused the connection and gave no ORA- code: " + e.text
	}
	if what := e.meaning(); what != "" {
		return fmt.Sprintf("the listener %s (ORA-%05d)", what, e.code)
	}
	return fmt.Sprintf("the listener refused the connection with ORA-%05d: %s", e.code, e.text)
}

// meaning says what a code means, empty if it is not among those that people
// meet. Source: "Oracle Database Error Messages".
func (e *refusedError) meaning() string {
	switch e.code {
	case 12504:
		return "was told no service"
	case 12505, 12514:
		return "does not know the " + e.asked
	case 12521:
		return "does not know the instance asked for of the " + e.asked
	case 12506, 12529:
		return "does not let this host in: an access control list protects the " + e.asked
	case 12516, 12519:
		return "has no handler free for the " + e.asked + ": its processes or sessions may be used up"
	case 12518:
		return "could not hand the connection over to the " + e.asked + ": the host may be out of processes or memory"
	case 12520, 12523:
		return "has no handler of the kind of server asked for, for the " + e.asked
	case 12525:
		return "waited too long for our CONNECT"
	case 12526:
		return "knows the " + e.asked + ", but all its instances are in restricted mode"
	case 12527:
		return "knows the " + e.asked + ", but its instances are in restricted mode or block new connections"
	case 12528:
		return "knows the " + e.asked + ", but all its instances block new connections: they are starting, mounted or stopping"
	case 12537:
		return "closed the connection"
	case 12541:
		return "leads to a listener that does not answer"
	}
	return ""
}
