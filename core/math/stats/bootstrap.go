// Package stats computes the statistics of the reports. Random draws are seeded, so that
// equal input gives equal figures on all platforms.
package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Resamples is the number of bootstrap resamples for an interval.
const Resamples = 1000

// Bootstrap returns the percentile interval of the mean of values at a level in (0, 1),
// from Resamples resamples. The draws come from a PCG generator with the given seed. If
// there is one value, both ends are equal to this value. Without values, both ends are 0. If one is
// NaN, both ends are.
// O(Resamples · n).
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
	random := rand.NewPCG(seed, uint64(n))
	means := make([][]float64, len(columns)) // nil for columns that need no resamples
	same := make([]int, len(columns))        // an earlier column with the same values, or -1
	for c, values := range columns {
		same[c] = slices.IndexFunc(columns[:c], func(earlier []float64) bool { return slices.Equal(earlier, values) })
		switch {
		case same[c] >= 0:
		case allEqual(values):
			out[c] = Interval{values[0], values[0]}
		case slices.ContainsFunc(values, math.IsNaN):
			out[c] = Interval{math.NaN(), math.NaN()}
		default:
			means[c] = make([]float64, Resamples)
		}
	}
	rows := make([]uint32, n)
	for i := range Resamples {
		drawRows(rows, random)
		for c, values := range columns {
			if m := means[c]; m != nil {
				m[i] = sumOf(values, rows) / float64(n)
			}
		}
	}
	tail := (1 - level) / 2
	for c, m := range means {
		switch {
		case same[c] >= 0:
			out[c] = out[same[c]]
		case m != nil:
			out[c] = Interval{quantile(m, tail), quantile(m, 1-tail)}
		}
	}
	return out
}

// drawRows fills rows with random indices of rows: the numbers that Uint32N of a rand.Rand
// draws, which are the same on 32 and 64 bit machines.
func drawRows(rows []uint32, random *rand.PCG) {
	n := uint64(len(rows))
	if n&(n-1) == 0 {
		for k := range rows {
			rows[k] = uint32(random.Uint64() & (n - 1))
		}
		return
	}
	least := -n % n // the least low half with which all indices are equally likely
	for k := range rows {
		high, low := bits.Mul64(random.Uint64(), n)
		for low < least {
			high, low = bits.Mul64(random.Uint64(), n)
		}
		rows[k] = uint32(high)
	}
}

// sumOf returns the sum of the values at the given indices, in their order. As part of a
// larger function its loop would keep its operands in memory, and take twice as long.
//
//go:noinline
func sumOf(values []float64, indices []uint32) float64 {
	sum := 0.0
	for ; len(indices) >= 4; indices = indices[4:] {
		sum += values[indices[0]]
		sum += values[indices[1]]
		sum += values[indices[2]]
		sum += values[indices[3]]
	}
	for _, i := range indices {
		sum += values[i]
	}
	return sum
}

// allEqual reports whether all values are equal. The mean of each resample is then the
// same, too.
func allEqual(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// quantile returns the q-quantile of values, whose order it changes. It interpolates between the two
// values around q. O(n).
func quantile(values []float64, q float64) float64 {
	at := q * float64(len(values)-1)
	i := int(at)
	placeAt(values, i)
	if i+1 >= len(values) {
		return values[i]
	}
	step := slices.Min(values[i+1:]) - values[i]
	share := at - float64(i)
	rise := share * step // a separate statement prevents a fused multiply-add: same bits everywhere
	return values[i] + float64(rise)
}

// placeAt reorders values, none of which is NaN, so that values[k] is what it would be if they were
// sorted, and no value behind it is smaller. Means of a few numbers are often equal, so it keeps
// what is equal to the pivot together. O(n) on the average.
func placeAt(values []float64, k int) {
	for from, to := 0, len(values); to-from > 1; {
		pivot := values[from+(to-from)/2]
		below, i, above := from, from, to
		for i < above {
			switch v := values[i]; {
			case v < pivot:
				values[i], values[below] = values[below], v
				below, i = below+1, i+1
			case v > pivot:
				above--
				values[i], values[above] = values[above], v
			default:
				i++
			}
		}
		switch {
		case k < below:
			to = below
		case k >= above:
			from = above
		default:
			return
		}
	}
}
