package align

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sample is a complete problem: it lists every similarity and every same-type answer.
type sample struct {
	obs, ref []int
	sim      [][]float64
	same     [][]bool
	params   Params
}

func (s sample) toProblem() Problem {
	return Problem{
		Obs: s.obs, Ref: s.ref,
		Similarity: func(a, b int) float64 { return s.sim[a][b] },
		SameType:   func(a, b int) bool { return s.same[a][b] },
	}
}

func (s sample) swapSides() sample {
	t := sample{obs: s.ref, ref: s.obs, params: s.params}
	for b := range s.sim[0] {
		t.sim = append(t.sim, make([]float64, len(s.sim)))
		t.same = append(t.same, make([]bool, len(s.sim)))
		for a := range s.sim {
			t.sim[b][a], t.same[b][a] = s.sim[a][b], s.same[a][b]
		}
	}
	return t
}

// similarities holds ties, sums that tie (0.3 + 0.3 = 0.6), zeros and the threshold
// itself.
var similarities = []float64{0, 0, 0.2, 0.3, 0.3, 0.5, 0.6, 0.85, 0.86, 1, 1}

// rules holds the papers' parameters, and others for which a substitution is worth more
// than, as much as and less than two gaps, or a match is worth less than two gaps.
var rules = []Params{
	{}, {}, {},
	{Match: 1, Mismatch: -0.5, Gap: -0.5},
	{Match: 1, Mismatch: -0.7, Gap: -0.45, Threshold: 0.5},
	{Match: 2, Mismatch: -3, Gap: -1},
	{Match: 1, Mismatch: 1, Gap: 0},
	{Match: -1, Mismatch: -1, Gap: -0.5},
	{Match: -2, Mismatch: -0.25, Gap: -0.5},
	{Match: -2, Mismatch: -2, Gap: -0.5},
	{Match: -2, Mismatch: -3, Gap: -0.5},
	{Match: 0.1234567, Mismatch: -0.7654321, Gap: -0.3333333, Threshold: 1e-12},
}

func randomSample(r *rand.Rand, most int) sample {
	kObs, kRef := 1+r.IntN(4), 1+r.IntN(4)
	s := sample{params: rules[r.IntN(len(rules))]}
	for range kObs {
		sim, same := make([]float64, kRef), make([]bool, kRef)
		for b := range kRef {
			sim[b], same[b] = similarities[r.IntN(len(similarities))], r.IntN(2) == 0
		}
		s.sim, s.same = append(s.sim, sim), append(s.same, same)
	}
	for range r.IntN(most + 1) {
		s.obs = append(s.obs, r.IntN(kObs))
	}
	for range r.IntN(most + 1) {
		s.ref = append(s.ref, r.IntN(kRef))
	}
	return s
}

type couple struct{ obs, ref int }

// brute tries every alignment and keeps the best under the three rules. It uses the
// papers' match, mismatch and gap scores, not weights.
type brute struct {
	sample
	match, mismatch, gap, tau int64

	list        []couple
	best        []couple
	found       bool
	score, subs int64
}

func toUnits(x float64) int64 { return int64(math.Round(x * 1e9)) }

func bruteForce(s sample) *brute {
	p := s.params
	if p.Match == 0 && p.Mismatch == 0 && p.Gap == 0 {
		p.Match, p.Mismatch, p.Gap = 1, -1, -0.5
	}
	if p.Threshold == 0 {
		p.Threshold = 0.85
	}
	b := &brute{sample: s, match: toUnits(p.Match), mismatch: toUnits(p.Mismatch), gap: toUnits(p.Gap), tau: toUnits(p.Threshold)}
	b.tryPairs(0, 0, 0, 0)
	return b
}

// tryPairs tries all alignments that begin with the pairs in b.list. The further pairs
// use observed actions from index i on and reference actions from index j on. The
// arguments score and subs have the score and the total similarity of the pairs so
// far.
func (b *brute) tryPairs(i, j int, score, subs int64) {
	b.offerScore(score+b.gap*int64(len(b.obs)-i+len(b.ref)-j), subs)
	for x := i; x < len(b.obs); x++ {
		for y := j; y < len(b.ref); y++ {
			sim := toUnits(b.sim[b.obs[x]][b.ref[y]])
			next, sub := score+b.gap*int64(x-i+y-j), subs
			switch {
			case sim > b.tau:
				next, sub = next+b.match, sub+sim
			case b.same[b.obs[x]][b.ref[y]]:
				next, sub = next+b.mismatch, sub+sim
			default:
				continue
			}
			b.list = append(b.list, couple{x, y})
			b.tryPairs(x+1, y+1, next, sub)
			b.list = b.list[:len(b.list)-1]
		}
	}
}

func (b *brute) offerScore(score, subs int64) {
	better := !b.found || score > b.score ||
		score == b.score && (subs > b.subs || subs == b.subs && isEarlier(b.list, b.best))
	if better {
		b.found, b.score, b.subs = true, score, subs
		b.best = append(b.best[:0], b.list...)
	}
}

// isEarlier reports whether rule 3 of the package documentation prefers the list a to the
// list b.
func isEarlier(a, b []couple) bool {
	for k := range a {
		switch {
		case k == len(b):
			return true
		case a[k].obs != b[k].obs:
			return a[k].obs < b[k].obs
		case a[k].ref != b[k].ref:
			return a[k].ref < b[k].ref
		}
	}
	return false
}

// verifyAlignment checks the steps, the number of matches and the score of an alignment
// of the sample s. It does not check that the score is the best one.
func verifyAlignment(t testing.TB, s sample, a Alignment) {
	t.Helper()
	r, err := s.params.toRule()
	if err != nil {
		t.Fatal(err)
	}
	i, j, matches, score := 0, 0, 0, int64(0)
	last := Match
	for _, step := range a.Steps {
		pair := step.Op == Match || step.Op == Substitution
		if step.Obs >= 0 && step.Obs != i || step.Ref >= 0 && step.Ref != j ||
			pair != (step.Obs >= 0 && step.Ref >= 0) ||
			step.Op == Insertion && (step.Obs < 0 || step.Ref >= 0) ||
			step.Op == Deletion && (step.Ref < 0 || step.Obs >= 0 || last == Insertion) {
			t.Fatalf("%+v: step %+v out of place in %s", s, step, formatAlignment(a))
		}
		last = step.Op
		if step.Obs >= 0 {
			i++
		}
		if step.Ref >= 0 {
			j++
		}
		if !pair {
			score += r.gap
			continue
		}
		sim := toUnits(s.sim[s.obs[step.Obs]][s.ref[step.Ref]])
		switch {
		case step.Similarity != float64(sim)/1e9:
			t.Fatalf("%+v: step %+v: similarity %v", s, step, sim)
		case (step.Op == Match) != (sim > int64(r.threshold)):
			t.Fatalf("%+v: step %+v: wrong op", s, step)
		case step.Op == Match:
			matches++
			score += r.match + 2*r.gap
		case !s.same[s.obs[step.Obs]][s.ref[step.Ref]]:
			t.Fatalf("%+v: step %+v: types differ", s, step)
		default:
			score += r.sub + 2*r.gap
		}
	}
	if i != len(s.obs) || j != len(s.ref) || matches != a.Matches || a.Score != float64(score)/1e9 {
		t.Fatalf("%+v: %d observed, %d reference, %d matches, score %d: %+v", s, i, j, matches, score, a)
	}
}

func alignedCouples(a Alignment) []couple {
	var list []couple
	for _, s := range a.Steps {
		if s.Obs >= 0 && s.Ref >= 0 {
			list = append(list, couple{s.Obs, s.Ref})
		}
	}
	return list
}
