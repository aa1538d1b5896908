// Package stats has the statistics of the reports: seeded, so that the same
// input gives the same figures on every platform.
package stats

import (
	"math/rand/v2"
	"sort"
)

// Resamples is how many bootstrap resamples an interval rests on.
const Resamples = 1000

// Bootstrap gives the percentile interval of the mean of values at a level in
// (0, 1), from Resamples resamples drawn with a PCG generator of that seed. One
// value gives itself twice; none gives zeros. O(Resamples · n).
func Bootstrap(values []float64, level float64, seed uint64) (low, high float64) {
	n := len(values)
	if n == 0 {
		return 0, 0
	}
	// Uint32N, unlike IntN, draws the same on 32 and 64 bit machines.
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	means := make([]float64, Resamples)
	for i := range means {
		sum := 0.0
		for range n {
			sum += values[random.Uint32N(uint32(n))]
		}
		means[i] = sum / float64(n)
	}
	sort.Float64s(means)
	tail := (1 - level) / 2
	return quantile(means, tail), quantile(means, 1-tail)
}

// quantile interpolates between the order statistics around q of sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	step := sorted[i+1] - sorted[i]
	share := at - float64(i)
	rise := share * step // its own statement: no fused multiply-add, same bits everywhere
	return sorted[i] + float64(rise)
}
