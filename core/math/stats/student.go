package stats

import "math"

// studentP returns the probability that Student's t with df degrees of freedom has an
// absolute value of at least |t|. This is the two-sided p of a t test. df must be above
// 0. The relative error is about 1e-12.
func studentP(t, df float64) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	return betaRegularized(df/2, 0.5, df/(df+t*t))
}

// studentQuantile returns the p-quantile of Student's t with df degrees of freedom, p in
// (0, 1).
func studentQuantile(p, df float64) float64 {
	if p == 0.5 {
		return 0
	}
	tail := 2 * math.Min(p, 1-p) // of both tails
	low, high := 0.0, 1.0
	for studentP(high, df) > tail {
		high *= 2
	}
	for range 200 {
		middle := (low + high) / 2
		if middle == low || middle == high {
			break
		}
		if studentP(middle, df) > tail {
			low = middle
		} else {
			high = middle
		}
	}
	if p < 0.5 {
		return -high
	}
	return high
}

// betaRegularized returns the regularised incomplete beta function I_x(a, b), 0 ≤ x ≤ 1,
// by its continued fraction (Lentz's method).
func betaRegularized(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - betaRegularized(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab - la - lb + a*math.Log(x) + b*math.Log1p(-x))
	const tiny = 1e-300
	bounded := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/bounded(1-(a+b)*x/(a+1))
	sum := d
	for m := 1.0; m < 1000; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / bounded(1+even*d)
		c = bounded(1 + even/c)
		sum *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / bounded(1+odd*d)
		c = bounded(1 + odd/c)
		step := d * c
		sum *= step
		if math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return front * sum / a
}

// ExpandedLevel returns the level for a percentile bootstrap of the mean of n values
// (Hesterberg's expanded percentile interval). At this level, the bootstrap has the same
// coverage as a t interval at the given level. For n < 2 it returns level.
func ExpandedLevel(level float64, n int) float64 {
	if n < 2 {
		return level
	}
	z := math.Sqrt(float64(n)/float64(n-1)) * studentQuantile((1+level)/2, float64(n-1))
	return 1 - twoSided(z)
}
