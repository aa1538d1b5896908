package stats

import "math"

// z95 is the quantile of the normal distribution for a two-sided level of 95 %.
const z95 = 1.959963984540054

// Wilson returns the 95 % Wilson interval of the share k/n. The interval stays inside 0
// to 1, and has a positive width for k = 0 and k = n, too. n must be above 0.
func Wilson(k, n int) (low, high float64) {
	return WilsonShare(float64(k)/float64(n), float64(n))
}

// WilsonShare returns the 95 % Wilson interval of a share p of n observations. n may be a
// fraction, such as the effective size of a weighted sample. n must be above 0.
func WilsonShare(p, n float64) (low, high float64) {
	middle := p + z95*z95/(2*n)
	spread := z95 * math.Sqrt(float64(p*(1-p)/n)+float64(z95*z95/(4*n*n)))
	whole := 1 + z95*z95/n
	return math.Max(0, (middle-spread)/whole), math.Min(1, (middle+spread)/whole)
}

// Normal returns the interval mean ± z·SD/√n at a level in (0, 1), by the normal
// approximation. sd is the standard deviation of the n values (divisor n − 1). n must be
// above 0.
func Normal(mean, sd float64, n int, level float64) Interval {
	half := math.Sqrt2 * math.Erfinv(level) * sd / math.Sqrt(float64(n))
	return Interval{mean - half, mean + half}
}

// Extreme returns Wilson's 95 % interval for figures in 0 to 1 of which all are 0 or all
// are 1, where a bootstrap has no width. It is the interval of the share of tasks with
// the extreme value, and so bounds the mean, too. ok is false for other values.
func Extreme(values []float64) (i Interval, ok bool) {
	if len(values) == 0 || !allEqual(values) || values[0] != 0 && values[0] != 1 {
		return i, false
	}
	i.Low, i.High = WilsonShare(values[0], float64(len(values)))
	return i, true
}

// Varies reports whether the values are not all equal.
func Varies(values []float64) bool { return len(values) > 0 && !allEqual(values) }

// MeansT returns the 95 % t interval of each of several means of n values. sds are the
// standard deviations of the values (divisor n − 1). n must be at least 2.
func MeansT(means, sds []float64, n int) []Interval {
	width := studentQuantile(0.975, float64(n-1)) / math.Sqrt(float64(n))
	out := make([]Interval, len(means))
	for i, m := range means {
		half := width * sds[i]
		out[i] = Interval{m - half, m + half}
	}
	return out
}
