package align

import (
	"fmt"
	"math"
)

// The papers' scores and threshold: α = 1, −β = −1, −γ = −0.5 and τ = 0.85.
const (
	DefaultMatch     = 1.0
	DefaultMismatch  = -1.0
	DefaultGap       = -0.5
	DefaultThreshold = 0.85
)

// Params holds the scores of the three sorts of steps, and the similarity that a pair
// must exceed to be a match. If all three scores are zero, the papers' scores are used; a
// zero Threshold means the papers' threshold. (Scores that are all zero could not
// distinguish alignments. For "any similarity above zero" use a Threshold below 1e-9.)
//
// Scores lie in [-1000, 1000] and are rounded to 1e-9. Threshold lies in [0, 1].
type Params struct {
	Match, Mismatch, Gap, Threshold float64
}

const (
	grid     = 1e9  // fixed-point steps per unit, for scores and similarities
	maxScore = 1000 // keeps every sum within 63 bits, see maxLen
)

// rule is Params on the fixed-point grid. The scores match and sub are relative to the
// alignment without pairs, in which every action costs Gap: a pair avoids two gaps.
type rule struct {
	gap       int64 // of one unpaired action
	match     int64 // Match − 2·Gap
	sub       int64 // Mismatch − 2·Gap
	threshold int32
}

// toRule replaces zeros by the papers' values, checks all values, and converts them to
// integers in units of 1e-9.
func (p Params) toRule() (rule, error) {
	if p.Match == 0 && p.Mismatch == 0 && p.Gap == 0 {
		p.Match, p.Mismatch, p.Gap = DefaultMatch, DefaultMismatch, DefaultGap
	}
	if p.Threshold == 0 {
		p.Threshold = DefaultThreshold
	}
	// This form rejects NaN, too.
	if !(p.Threshold >= 0 && p.Threshold <= 1) {
		return rule{}, fmt.Errorf("invalid threshold %v: outside [0, 1]", p.Threshold)
	}
	scores := [...]struct {
		name  string
		value float64
	}{{"match", p.Match}, {"mismatch", p.Mismatch}, {"gap", p.Gap}}
	var fixed [len(scores)]int64
	for i, s := range scores {
		if !(math.Abs(s.value) <= maxScore) {
			return rule{}, fmt.Errorf("invalid %s score %v: outside [-%d, %d]", s.name, s.value, maxScore, maxScore)
		}
		fixed[i] = int64(math.Round(s.value * grid))
	}
	gap := fixed[2]
	return rule{
		gap:       gap,
		match:     fixed[0] - 2*gap,
		sub:       fixed[1] - 2*gap,
		threshold: int32(math.Round(p.Threshold * grid)),
	}, nil
}

// matchFirst reports whether a match scores at least as much as two gaps, and more than a
// substitution. If so, and if the first actions of two runs are equal, a best alignment
// contains their pair. Rule 3 of the package documentation prefers this alignment.
func (r rule) matchFirst() bool { return r.match >= 0 && r.match > r.sub }
