package stats

import (
	"math"
	"testing"
)

// TestWilson checks the formula of the score interval, computed by hand with z = 1.96.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{17, 19, 0.686, 0.971}, {83, 145, 0.491, 0.650}, {0, 10, 0, 0.278}, {10, 10, 0.722, 1}} {
		if low, high := Wilson(c.k, c.n); math.Abs(low-c.low) > 5e-4 || math.Abs(high-c.high) > 5e-4 {
			t.Errorf("%d of %d: %.4f to %.4f, want %v to %v", c.k, c.n, low, high, c.low, c.high)
		}
	}
}
