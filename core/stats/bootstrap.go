// Package stats has the statistics of the reports: seeded, so that the same
// input gives the same figures on every platform.
package stats

import (
	"math/rand/v2"
	"slices"
)

// Resamples is the number of bootstrap resamples for an interval.
const Resamples = 1000

// Bootstrap returns the percentile interval of the mean of values at a level in (0, 1),
// from Resamples resamples drawn with a PCG generator of that seed. For one value both
// ends are that value; for none they are zero. O(Resamples · n).
func Bootstrap(values []float64, level float64, seed uint64) (low, high float64) {
	i := Bootstraps([][]float64{values}, level, seed)[0]
	return i.Low, i.High
}

// Interval is a percentile interval.
type Interval struct{ Low, High float64 }

// Bootstraps returns Bootstrap's interval for each of several columns of one
// length. The draws depend on seed and length alone, so they are made once for
// all columns. O(Resamples · n · columns), and one draw for each row.
func Bootstraps(columns [][]float64, level float64, seed uint64) []Interval {
	out := make([]Interval, len(columns))
	if len(columns) == 0 || len(columns[0]) == 0 {
		return out
	}
	n := len(columns[0])
	// Uint32N, unlike IntN, draws the same on 32 and 64 bit machines.
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

// transpose lays columns of one length out row by row: a draw reads one place.
func transpose(columns [][]float64) []float64 {
	rows := make([]float64, 0, len(columns)*len(columns[0]))
	for i := range columns[0] {
		for _, values := range columns {
			rows = append(rows, values[i])
		}
	}
	return rows
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
