package align

// value is the worth of an alignment under rules 1 and 2 as one integer. It is the score,
// relative to the alignment without pairs, times a factor larger than any sum of
// similarities, plus the similarities of the pairs.
type value int64

// never is the weight of a pair that may not be aligned. A sum with it is always
// negative.
const never value = -1 << 62

// weights holds the value of a match and the value of a substitution, without their
// similarities. Neither is negative.
type weights struct {
	match, sub value
	coarse     int32 // similarity steps of the grid per unit of value
}

// chooseWeights returns weights with which the value of n pairs stays below 2⁶¹. It
// divides the scores by their greatest common divisor, so the papers' scores become 1 and
// 0. With the papers' scores, similarities keep their precision of 1e-9 for up to 47,000
// pairs. If the values become too large, similarities get as many decimals as fit (rule 2
// of the package documentation).
func (r rule) chooseWeights(n int) weights {
	unit := gcd(max(r.match, 0), max(r.sub, 0))
	if unit == 0 {
		unit = 1
	}
	match, sub := max(r.match, 0)/unit, max(r.sub, 0)/unit
	for coarse := int64(1); coarse <= grid; coarse *= 10 {
		above := grid/coarse*int64(n) + 1 // more than n similarities
		// Products alone: their floating point results cannot differ between platforms
		// here.
		if float64(max(match, sub, 1))*float64(above)*float64(n) < 1<<61 {
			return weights{value(match * above), value(sub * above), int32(coarse)}
		}
	}
	return r.scoreWeights()
}

// scoreWeights returns weights that ignore similarities.
func (r rule) scoreWeights() weights {
	return weights{value(max(r.match, 0)), value(max(r.sub, 0)), grid + 1}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// pairValue returns the value of a pair with the similarity sim.
func (t *task) pairValue(sim int32) value {
	base := t.weights.sub
	if sim > t.threshold {
		base = t.weights.match
	}
	if t.coarse == 1 { // saves the division in nearly all cases
		return base + value(sim)
	}
	return base + value(sim/t.coarse)
}
