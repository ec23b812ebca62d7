// The flags of plan that have a notation of their own.

package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"oranet_exporter/budget"
	"oranet_exporter/link"
)

// sizes are arraysizes, separated by commas.
type sizes []int

// Set adds those of a flag.
func (s *sizes) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 || n > link.MaxArraysize {
			return fmt.Errorf("%q is not an arraysize, want 1 to %d rows", word, link.MaxArraysize)
		}
		*s = append(*s, n)
	}
	return nil
}

// String is asked for by the command line's parser.
func (s *sizes) String() string { return strings.Trim(fmt.Sprint(*s), "[]") }

// points are one or two measured elapsed times.
type points []budget.Point

// Set adds that of a flag.
func (p *points) Set(text string) error {
	elapsed, rtt, _ := strings.Cut(text, "@")
	var point budget.Point
	var err error
	if point.Elapsed, err = time.ParseDuration(elapsed); err == nil {
		point.RTT, err = time.ParseDuration(rtt)
	}
	if err != nil || point.Elapsed <= 0 || point.RTT <= 0 {
		return fmt.Errorf("%q is not ELAPSED@RTT, such as 3.911s@3.79ms", text)
	}
	if len(*p) == 2 {
		return fmt.Errorf("%q is one too many; two points give the slope", text)
	}
	*p = append(*p, point)
	return nil
}

// String is asked for by the command line's parser.
func (p *points) String() string { return strings.Trim(fmt.Sprint(*p), "[]") }

// IsCumulative lets the flag be repeated.
func (p *points) IsCumulative() bool { return true }
