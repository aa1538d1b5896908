package linearize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

func TestSolve(t *testing.T) {
	check := func(ref, run, want string, score float64) {
		t.Helper()
		p := newProblem(parseProcess(t, ref), run)
		r := Solve(p, Limits{})
		if got := formatResult(r); got != want || r.Score != score || !r.Exact || len(r.Warnings) > 0 {
			t.Errorf("%s against %q: %s, score %v, %v; want %s, score %v", ref, run, got, r.Score, r.Warnings, want, score)
		}
		if a := alignResult(t, p, r); a.Score != r.Score {
			t.Errorf("%s against %q: aligned score %v, want %v", ref, run, a.Score, r.Score)
		}
	}
	// Lists.
	check(`[]`, "", "", 0)
	check(`[]`, "a b", "", -1)
	check(`["a", "b"]`, "", "a- b-", -1)
	check(`["a", "b", "c"]`, "b x c a", "a- b@0 c@2", .5)
	check(`["a", "a"]`, "a", "a@0 a-", .5)

	// Optional: included exactly if it matches; a substitution is not enough.
	check(`["a", {"optional": "b"}, "c"]`, "a c", "a@0 c@1 left:b", 2)
	check(`["a", {"optional": "b"}, "c"]`, "a b c", "a@0 b@1 c@2", 3)
	check(`["a", {"optional": "b1"}, "c"]`, "a b2 c", "a@0 c@2 left:b1", 1.5)
	check(`["a", {"optional": ["l", "u"]}]`, "a l u", "a@0 l@1 u@2", 3)
	check(`["a", {"optional": ["l", "m", "n", "u"]}]`, "a x", "a@0 left:l+m+n+u", .5)
	check(`["a", {"optional": {"optional": "b"}}]`, "a", "a@0 left:b", 1)

	// One of: most points, then the better substitution, then the first.
	check(`[{"oneOf": [["a", "b"], "c"]}]`, "a b", "a@0 b@1 [1]", 2)
	check(`[{"oneOf": [["a", "b"], "c"]}]`, "c", "c@0 [2]", 1)
	check(`[{"oneOf": [["a", "b"], "c"]}]`, "x", "c- [2]", -1)
	check(`[{"oneOf": ["a", "b"]}]`, "b a", "a@1 [1]", .5)
	check(`[{"oneOf": ["a1", "b1"]}]`, "b2", "b1@0 [2]", -1)
	check(`[{"oneOf": ["a", []]}, "b"]`, "b", "b@0 [2]", 1)
	check(`["a", {"oneOf": ["b", {"oneOf": ["c", "d"]}]}]`, "a d", "a@0 d@1 [2] [2]", 2)
	check(`[{"oneOf": [{"optional": "a"}, {"optional": "b"}]}]`, "", "[1] left:a", 0)
	check(`[{"oneOf": [{"optional": "a"}, {"optional": "b"}]}, {"oneOf": ["c", "d"]}]`, "b d", "b@0 d@1 [2] [2]", 2)

	// Any order of calls.
	check(`["a", {"anyOrder": ["b", "c", "d"]}, "e"]`, "a d b c e", "a@0 d@1 b@2 c@3 e@4", 5)
	check(`[{"anyOrder": ["b", "c", "d"]}]`, "d x c", "b- d@0 c@2", 1)
	check(`[{"anyOrder": ["b", "c", "d"]}]`, "", "b- c- d-", -1.5)
	check(`[{"anyOrder": ["a", "a", "b"]}]`, "a b a", "a@0 b@1 a@2", 3)
	check(`[{"anyOrder": ["a", {"optional": "b"}, {"optional": "c"}]}]`, "c a", "c@0 a@1 left:b", 2)
	check(`[{"anyOrder": ["a", "b"]}, {"anyOrder": ["a", "c"]}]`, "b a c a", "b@0 a@1 c@2 a@3", 4)
	// Rule 2 decides the place of the missing step: next to the action of its type.
	check(`[{"anyOrder": ["a1", "b1", "c1"]}]`, "c1 b2 a1", "c1@0 b1@1 a1@2", 1)
	// a* matches either action, a1 only one: both are matched.
	check(`[{"anyOrder": ["a*", "a1"]}]`, "a1 a2", "a1@0 a*@1", 2)

	// Any order of processes: members interleave and keep their own order.
	check(`[{"anyOrder": [["g1", "c1"], ["g2", "c2"]]}]`, "g1 g2 c2 c1", "g1@0 g2@1 c2@2 c1@3", 4)
	check(`[{"anyOrder": [["g1", "c1"], ["g2", "c2"]]}]`, "c1 g2 g1 c2", "g1- c1@0 g2@1 c2@3", 2)
	check(`[{"anyOrder": ["a", {"oneOf": ["b", "c"]}]}]`, "c a", "c@0 a@1 [2]", 2)
	check(`[{"anyOrder": ["a", ["b", {"anyOrder": ["c", "d"]}]]}]`, "b d a c", "b@0 d@1 a@2 c@3", 4)
	check(`[{"anyOrder": ["a", {"anyOrder": ["b", "c"]}]}]`, "c a b", "c@0 a@1 b@2", 3)
	check(`[{"anyOrder": [["x", "y"], "a", ["b", "c"]]}]`, "b a c", "x- y- b@0 a@1 c@2", 2)
}

func TestNilAndHandMadeProcesses(t *testing.T) {
	check := func(p *reference.Node, want string) {
		t.Helper()
		if r := Solve(newProblem(p, "a"), Limits{}); formatResult(r) != want || !r.Exact {
			t.Errorf("%+v: %s, want %s", p, formatResult(r), want)
		}
	}
	step := func(name string) reference.Node { return reference.Node{Step: reference.Step{Name: name}} }
	never := step("a")
	never.Step.MustNot = true
	check(nil, "")
	check(&never, "")
	check(&reference.Node{Kind: reference.OneOf}, "")
	check(&reference.Node{Kind: reference.AnyOrder}, "")
	check(&reference.Node{Kind: reference.Optional}, "left:")
	check(&reference.Node{Kind: reference.AnyOrder, Children: []reference.Node{never, step("b"), step("a")}}, "b- a@0")
	if r := Solve(Problem{Process: &reference.Node{Step: reference.Step{Name: "a"}}}, Limits{}); formatResult(r) != "a-" || r.Score != -.5 {
		t.Errorf("no run: %s, %v", formatResult(r), r.Score)
	}
}

// TestBoundsWarn checks that Solve warns about every limit that is reached, and that the
// list is still one of the process's linearisations.
func TestBoundsWarn(t *testing.T) {
	check := func(ref, run string, limits Limits, want, code, place string) {
		t.Helper()
		r := Solve(newProblem(parseProcess(t, ref), run), limits)
		if formatResult(r) != want || r.Exact || len(r.Warnings) != 1 || r.Warnings[0].Code != code || r.Warnings[0].Place != place {
			t.Errorf("%s: %s, %+v", ref, formatResult(r), r.Warnings)
		}
	}
	pairs := `["z", {"anyOrder": [["a", "b"], ["c", "d"], ["e", "f"]]}]`
	check(pairs, "z e f a b", Limits{Cells: 100}, "z@0 a@3 b@4 c- d- e- f-", "any-order-bound", "step 2")
	check(pairs, "z e f a b", Limits{Cells: 20}, "z- a- b- c- d- e- f-", "process-bound", "")
	check(`["z", {"anyOrder": ["a", "b", "c"]}]`, "z c b a", Limits{Work: 5}, "z@0 a@3 b- c-", "any-order-bound", "step 2")
	check(`[{"oneOf": ["a", "b"]}, {"optional": "c"}]`, "b c", Limits{Cells: 10}, "a- [1] left:c", "process-bound", "")
	check(`["z", {"anyOrder": [["a", {"anyOrder": ["b", "c", "d", "e"]}], "f"]}]`, "f a e d c b", Limits{Cells: 200},
		"z- f@0 a@1 b@5 c- d- e-", "any-order-bound", "step 2 > anyOrder 1 > step 2")
}

// TestManyCallsInAnyOrder checks that Solve finds the best order of 20 and of 200 calls,
// for which it cannot try all orders.
func TestManyCallsInAnyOrder(t *testing.T) {
	for _, k := range []int{20, 200} {
		var steps, run []string
		for i := range k {
			steps = append(steps, fmt.Sprintf(`"s%d"`, i))
			run = append(run, fmt.Sprint("s", (i*7+3)%k))
		}
		p := newExactProblem(parseProcess(t, `[{"anyOrder": [`+strings.Join(steps, ",")+`]}, {"optional": "e"}]`), run)
		r := Solve(p, Limits{})
		if r.Matches != k || !r.Exact {
			t.Errorf("%d calls: %d matches, %v", k, r.Matches, r.Warnings)
		}
		t.Logf("%d calls: %+v", k, r.Stats)
	}
}

// newExactProblem returns the problem of a run in which only equal names match.
func newExactProblem(p *reference.Node, run []string) Problem {
	ids := map[string]int{}
	obs := make([]int, len(run))
	for i, name := range run {
		if _, ok := ids[name]; !ok {
			ids[name] = len(ids)
		}
		obs[i] = ids[name]
	}
	return Problem{Process: p, Obs: obs, Similarity: func(s *reference.Step, o int) float64 {
		if id, ok := ids[s.Name]; ok && id == o {
			return 1
		}
		return 0
	}}
}
