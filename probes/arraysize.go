// Arraysize: the rows that one fetch round trip asks for.

package probes

import (
	"fmt"
	"strconv"

	"oranet_exporter/link"
)

// Arraysize is rows per fetch round trip, or Auto.
type Arraysize int

// Auto leaves the choice to the driver: 25 rows with the execute, then as
// many as fit 128 KiB. It is the driver's own default.
const Auto Arraysize = link.DriverChooses

// String is the value of the label arraysize.
func (a Arraysize) String() string {
	if a == Auto {
		return "auto"
	}
	return strconv.Itoa(int(a))
}

// UnmarshalYAML accepts a number of rows or the word auto. 25 is refused: the
// driver takes it for "choose for me", and a label must say what was on the wire.
func (a *Arraysize) UnmarshalYAML(unmarshal func(any) error) error {
	var text string
	if err := unmarshal(&text); err != nil {
		return err
	}
	if text == "auto" {
		*a = Auto
		return nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return fmt.Errorf("arraysize: %q is neither a number of rows nor auto", text)
	case n == link.DriverChooses:
		return fmt.Errorf("arraysize: the driver takes %d for auto and would ask for another number of rows; use 24, 26 or auto", n)
	case n < 1 || n > link.MaxArraysize:
		return fmt.Errorf("arraysize: %d is out of range, 1 to %d rows can be asked for at a time", n, link.MaxArraysize)
	}
	*a = Arraysize(n)
	return nil
}
