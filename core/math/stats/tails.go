package stats

import "math"

// twoSided returns the probability that a standard normal variable has an absolute value
// of at least |z|. This is the p of a Wald test.
func twoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// chiSquared1 returns the upper tail of the chi-squared distribution with one degree of
// freedom. This is the p of a likelihood ratio test of one coefficient. An x below zero,
// which is a rounding error, counts as zero.
func chiSquared1(x float64) float64 { return math.Erfc(math.Sqrt(math.Max(x, 0) / 2)) }
