// The last values of something, in a slice that grows only as far as needed.

package status

import "slices"

// ring keeps the last size values.
type ring[T any] struct {
	size   int
	kept   []T
	oldest int
}

func (r *ring[T]) add(v T) {
	if len(r.kept) < r.size {
		r.kept = append(r.kept, v)
		return
	}
	r.kept[r.oldest] = v
	r.oldest = (r.oldest + 1) % r.size
}

// last points to the newest value, nil if there is none.
func (r *ring[T]) last() *T {
	if len(r.kept) == 0 {
		return nil
	}
	return &r.kept[(r.oldest+len(r.kept)-1)%len(r.kept)]
}

// list copies the values, oldest first.
func (r *ring[T]) list() []T {
	return slices.Concat(r.kept[r.oldest:], r.kept[:r.oldest])
}
