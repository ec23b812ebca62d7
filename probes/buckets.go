// Classic bucket bounds on a 1-2-5 grid.

package probes

import "math"

// grid returns 1-2-5 steps from at least min to at most max.
func grid(min, max float64) []float64 {
	var bounds []float64
	for exp := math.Floor(math.Log10(min)); ; exp++ {
		for _, step := range []float64{1, 2, 5} {
			bound := round(step*math.Pow(10, exp), exp)
			if bound > max*(1+1e-9) {
				return bounds
			}
			if bound >= min*(1-1e-9) {
				bounds = append(bounds, bound)
			}
		}
	}
}

// round removes the binary noise of a power of ten, so that a bucket's label
// reads 0.0005 and not 0.0005000000000000001.
func round(v, exp float64) float64 {
	if exp >= 0 {
		return math.Round(v)
	}
	scale := math.Pow(10, -exp)
	return math.Round(v*scale) / scale
}

// powersOfTwo returns min, 2·min, 4·min … max.
func powersOfTwo(min, max float64) []float64 {
	var bounds []float64
	for b := min; b <= max; b *= 2 {
		bounds = append(bounds, b)
	}
	return bounds
}
