// Package stats computes the statistics of the reports. Random draws are seeded, so that
// equal input gives equal figures on all platforms.
package stats

import (
	"math/rand/v2"
	"slices"
)

// Resamples is the number of bootstrap resamples for an interval.
const Resamples = 1000

// Bootstrap returns the percentile interval of the mean of values at a level in (0, 1),
// from Resamples resamples. The draws come from a PCG generator with the given seed. For
// one value, both ends are equal to it. For no values, they are zero. O(Resamples · n).
func Bootstrap(values []float64, level float64, seed uint64) (low, high float64) {
	i := Bootstraps([][]float64{values}, level, seed)[0]
	return i.Low, i.High
}

// Interval is a percentile interval.
type Interval struct{ Low, High float64 }

// Bootstraps returns the result of Bootstrap for each of several columns of the same
// length. The draws depend only on the seed and the length, so all columns share them.
// O(Resamples · n · columns), with Resamples · n draws.
func Bootstraps(columns [][]float64, level float64, seed uint64) []Interval {
	out := make([]Interval, len(columns))
	if len(columns) == 0 || len(columns[0]) == 0 {
		return out
	}
	n := len(columns[0])
	// Uint32N, unlike IntN, draws the same numbers on 32 and 64 bit machines.
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	means := make([][]float64, len(columns))
	for c := range means {
		means[c] = make([]float64, Resamples)
	}
	sums := make([]float64, len(columns))
	rows := transpose(columns)
	for i := range Resamples {
		clear(sums)
		for range n {
			row := int(random.Uint32N(uint32(n))) * len(sums)
			for c, value := range rows[row : row+len(sums)] {
				sums[c] += value
			}
		}
		for c := range sums {
			means[c][i] = sums[c] / float64(n)
		}
	}
	tail := (1 - level) / 2
	for c, m := range means {
		slices.Sort(m)
		out[c] = Interval{quantile(m, tail), quantile(m, 1-tail)}
	}
	return out
}

// transpose returns the values of columns of the same length row by row, so that each
// draw reads adjacent memory.
func transpose(columns [][]float64) []float64 {
	rows := make([]float64, 0, len(columns)*len(columns[0]))
	for i := range columns[0] {
		for _, values := range columns {
			rows = append(rows, values[i])
		}
	}
	return rows
}

// quantile returns the q-quantile of sorted values. It interpolates between the two
// values around q.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	step := sorted[i+1] - sorted[i]
	share := at - float64(i)
	rise := share * step // a separate statement prevents a fused multiply-add: same bits everywhere
	return sorted[i] + float64(rise)
}
