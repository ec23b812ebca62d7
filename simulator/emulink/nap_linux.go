// A nap on Linux: the kernel's own sleep, which is late by some 0.1 ms.

package emulink

import (
	"syscall"
	"time"
)

// nap sleeps for about d; a signal may end it early.
func nap(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	// The only error is the interruption by a signal; the caller looks at the clock anyway.
	_ = syscall.Nanosleep(&ts, nil)
}
