// When a probe's turn is.

package exporter

import (
	"hash/fnv"
	"time"
)

// firstSlot is the first time after now at which this probe of this target
// runs. Slots are aligned to the epoch and shifted by a hash of the two names:
// the same after a restart, and spread evenly over many targets.
func firstSlot(target, probe string, interval time.Duration, now time.Time) time.Time {
	h := fnv.New64a()
	h.Write([]byte(target))
	h.Write([]byte{0})
	h.Write([]byte(probe))
	phase := int64(mix(h.Sum64()) % uint64(interval))
	since := (now.UnixNano() - phase) % int64(interval)
	if since < 0 {
		since += int64(interval)
	}
	return now.Add(interval - time.Duration(since))
}

// mix spreads the bits of a hash, as FNV leaves names that differ in their last
// letter alone close together (finalizer of MurmurHash3, by Austin Appleby).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}

// passed is how many slots, of which the first was next, have come by now, and
// when the one after them is.
func passed(next time.Time, interval time.Duration, now time.Time) (slots int, after time.Time) {
	if now.Before(next) {
		return 0, next
	}
	slots = int(now.Sub(next)/interval) + 1
	return slots, next.Add(time.Duration(slots) * interval)
}
