package linearize

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// compareAll is a Compare that leaves out only pairs without similarity.
func compareAll(p Problem) Problem {
	p.Compare = func(steps []*reference.Step, symbols []int, add func(int, int, float64, func() bool)) string {
		for k, symbol := range symbols {
			for i, s := range steps {
				if sim := p.Similarity(s, symbol); sim > 0 {
					add(i, k, sim, func() bool { return p.SameType(s, symbol) })
				}
			}
		}
		return ""
	}
	return p
}

// TestCompareIsSimilarity checks that a Compare that leaves out nothing leads to the same
// result as Similarity.
func TestCompareIsSimilarity(t *testing.T) {
	for seed := range 3000 {
		p := randomProblem(rand.New(rand.NewPCG(uint64(seed), 3)), 12, 9)
		want, got := Solve(p, Limits{}), Solve(compareAll(p), Limits{})
		want.Stats.Comparisons, got.Stats.Comparisons = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %s, want %s", seed, formatResult(got), formatResult(want))
		}
	}
}

// TestTheBestArcIsBest checks addAction against the greatest worth of all matchings.
func TestTheBestArcIsBest(t *testing.T) {
	short := 0
	for seed := range 4000 {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		kinds := 1 + r.IntN(4)
		m := newMatching(kinds)
		for k := range kinds {
			m.spare[k] = 1 + r.IntN(2)
		}
		for range 1 + r.IntN(4) {
			var arcs []arc
			for k := range kinds {
				if r.IntN(3) > 0 {
					arcs = append(arcs, arc{kind: int32(k), worth: int64(1 + r.IntN(4))})
				}
			}
			m.addSymbol(arcs)
		}
		spare := append([]int(nil), m.spare...)
		own := m.unpairedCopy()
		var actions []int
		total := int64(0)
		for range r.IntN(7) {
			s := r.IntN(len(m.arcs))
			actions = append(actions, s)
			before := own.work
			total += own.addAction(s)
			if own.work-before == len(own.arcs[s]) {
				short++
			}
			if want := bestMatching(m.arcs, spare, actions); total != want {
				t.Fatalf("seed %d: %v of %+v with %v: %d, want %d", seed, actions, m.arcs, spare, total, want)
			}
		}
	}
	if short < 4000 {
		t.Errorf("only %d actions took the short way", short)
	}
}

// bestMatching tries all matchings of the actions.
func bestMatching(arcs [][]arc, spare, actions []int) int64 {
	if len(actions) == 0 {
		return 0
	}
	best := bestMatching(arcs, spare, actions[1:])
	for _, a := range arcs[actions[0]] {
		if spare[a.kind] > 0 {
			spare[a.kind]--
			best = max(best, a.worth+bestMatching(arcs, spare, actions[1:]))
			spare[a.kind]++
		}
	}
	return best
}

// TestTheWorkLimitKeepsMatches checks the two answers to the work limit: the list is a
// linearisation, and its matches are never more than the best list's. With only matches
// paired in any order, a group whose calls all match loses none.
func TestTheWorkLimitKeepsMatches(t *testing.T) {
	limited := 0
	for seed := range 2000 {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		p := randomProblem(r, 10, 9)
		best := Solve(p, Limits{})
		got := Solve(p, Limits{Work: 1 + r.IntN(40)})
		if got.Score > best.Score {
			t.Fatalf("seed %d: %s has a greater score than %s", seed, formatResult(got), formatResult(best))
		}
		if got.Exact != (len(got.Warnings) == 0) {
			t.Fatalf("seed %d: exact %v with the warnings %v", seed, got.Exact, got.Warnings)
		}
		if got.Exact && got.Score != best.Score {
			t.Fatalf("seed %d: %s without a warning, want %s", seed, formatResult(got), formatResult(best))
		}
		if !got.Exact {
			limited++
		}
	}
	if limited < 100 {
		t.Errorf("the limit was reached %d times: too few to show anything", limited)
	}
}

// TestLeftOutPairsWarn checks that a Compare that leaves out pairs causes a warning,
// unless every step or every action has a match and nothing could be better.
func TestLeftOutPairsWarn(t *testing.T) {
	check := func(ref, run string, warns bool) {
		t.Helper()
		p := newProblem(parseProcess(t, ref), run)
		all := compareAll(p).Compare
		p.Compare = func(steps []*reference.Step, symbols []int, add func(int, int, float64, func() bool)) string {
			all(steps, symbols, add)
			return "some were left out"
		}
		if r := Solve(p, Limits{}); (len(r.Warnings) > 0) != warns || r.Exact == warns {
			t.Errorf("%s against %q: %v, exact %v", ref, run, r.Warnings, r.Exact)
		}
	}
	check(`[{"anyOrder": ["a", "b", "c"]}]`, "c b a", false)
	check(`[{"anyOrder": ["a", "b", "c"]}]`, "c x b a y", false)
	check(`[{"anyOrder": ["a", "b", "c"]}]`, "c b", false)
	check(`[{"anyOrder": ["a", "b", "c"]}]`, "c b x", true)
	check(`[{"anyOrder": ["a", {"optional": "b"}]}]`, "a b", true)
	check(`[{"oneOf": ["a", "b"]}]`, "a", true)
}
