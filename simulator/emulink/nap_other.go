// A nap where Go's timers are as precise as the operating system's.

//go:build !linux

package emulink

import "time"

func nap(d time.Duration) { time.Sleep(d) }
