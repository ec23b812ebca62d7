// What may be told of a panic.

package link

import (
	"errors"
	"fmt"
	"runtime"
)

// PanicText is a panic's value, unless it might hold a secret: only the
// runtime's own panics are known to quote no data.
func PanicText(value any) string {
	var known runtime.Error
	if err, ok := value.(error); ok && errors.As(err, &known) {
		return known.Error()
	}
	return fmt.Sprintf("a value of type %T", value)
}
