package metric

import (
	"math"
	"math/bits"
)

// sum adds numbers exactly, so that their order does not matter. It is a fixed-point
// number in two's complement, with 32 bits before the point and 96 after it. Digits of an
// addend below 2⁻⁹⁶ are cut off. A quotient of counts below 2³² loses nothing.
type sum struct{ hi, lo uint64 }

// add adds a number between −2³¹ and 2³¹. It ignores any other number.
func (s *sum) add(v float64) {
	fraction, exponent := math.Frexp(math.Abs(v))
	if v == 0 || exponent > 31 { // no figure is larger
		return
	}
	mantissa := uint64(fraction * (1 << 53)) // v = mantissa · 2^(exponent − 53)
	n := shiftedSum(mantissa, exponent-53+96)
	if v < 0 {
		n = n.negatedSum()
	}
	s.addInt(n)
}

func (s sum) negatedSum() sum {
	n := sum{^s.hi, ^s.lo}
	n.addInt(sum{lo: 1})
	return n
}

func (s *sum) addInt(o sum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.hi, _ = bits.Add64(s.hi, o.hi, carry)
}

// shiftedSum returns m · 2^by, rounded down to a whole number.
func shiftedSum(m uint64, by int) sum {
	switch {
	case by <= -64:
		return sum{}
	case by < 0:
		return sum{lo: m >> -by}
	case by < 64:
		return sum{hi: m >> (64 - by), lo: m << by}
	}
	return sum{hi: m << (by - 64)}
}

// toFloat64 returns the float64 that is nearest to s. If two floats are equally near, it
// returns the float whose last bit is 0.
func (s sum) toFloat64() float64 {
	if s.hi>>63 == 1 {
		return -s.negatedSum().toFloat64()
	}
	if s.hi == 0 {
		return math.Ldexp(float64(s.lo), -96)
	}
	// The lowest bit records whether any of the bits shifted out is set, so that the
	// conversion rounds once.
	shift := 64 - bits.LeadingZeros64(s.hi)
	top := s.lo>>shift | s.hi<<(64-shift)
	if s.lo<<(64-shift) != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), shift-96)
}
