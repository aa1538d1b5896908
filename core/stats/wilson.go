package stats

import "math"

// Wilson returns the 95 % Wilson interval of the share k/n. The interval stays inside 0
// to 1, and has a positive width for k = 0 and k = n, too. n must be above 0.
func Wilson(k, n int) (low, high float64) {
	return WilsonShare(float64(k)/float64(n), float64(n))
}

// WilsonShare returns the 95 % Wilson interval of a share p of n observations. n may be a
// fraction, such as the effective size of a weighted sample. n must be above 0.
func WilsonShare(p, n float64) (low, high float64) {
	const z = 1.959963984540054
	middle := p + z*z/(2*n)
	spread := z * math.Sqrt(float64(p*(1-p)/n)+float64(z*z/(4*n*n)))
	whole := 1 + z*z/n
	return math.Max(0, (middle-spread)/whole), math.Min(1, (middle+spread)/whole)
}

// Normal returns the interval mean ± z·SD/√n at a level in (0, 1), by the normal
// approximation. sd is the standard deviation of the n values (divisor n − 1). n must be
// above 0.
func Normal(mean, sd float64, n int, level float64) Interval {
	half := math.Sqrt2 * math.Erfinv(level) * sd / math.Sqrt(float64(n))
	return Interval{mean - half, mean + half}
}
