package stats

import "math"

// Wilson gives the 95 % interval of a share of k in n, which stays inside 0 to 1 and
// has a width at 0 and at n, too. n must be above 0.
func Wilson(k, n int) (low, high float64) {
	const z = 1.959963984540054
	p, m := float64(k)/float64(n), float64(n)
	middle, spread := p+z*z/(2*m), z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return math.Max(0, (middle-spread)/(1+z*z/m)), math.Min(1, (middle+spread)/(1+z*z/m))
}
