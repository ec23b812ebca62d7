// ORA- codes that the driver drops when it declares a connection bad.

package link

import (
	"fmt"
	"regexp"
	"strconv"
)

// lostError stands for an Oracle error of which the driver tells only that
// the connection is bad. Its number stands in the last packet's message.
type lostError struct{ code int }

func (e *lostError) Error() string { return fmt.Sprintf("ORA-%05d: the session was lost", e.code) }

var oraMessage = regexp.MustCompile(`ORA-(\d{5})`)

func codeInMessage(payload []byte) int {
	m := oraMessage.FindSubmatch(payload)
	if m == nil {
		return 0
	}
	code, _ := strconv.Atoi(string(m[1])) // five digits always fit
	return code
}
