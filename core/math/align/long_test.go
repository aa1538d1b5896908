package align

import (
	"slices"
	"testing"
)

// runMethod runs one method on a whole problem with the papers' parameters.
func runMethod(t *testing.T, p Problem, method func(*task, block)) *task {
	r, err := Params{}.toRule()
	if err != nil {
		t.Fatal(err)
	}
	k, err := newTask(p, r)
	if err != nil {
		t.Fatal(err)
	}
	method(k, block{0, len(k.obs), 0, len(k.ref)})
	return k
}

// TestLong checks that, on long runs, the sparse method and the linear method give the
// same result as the full table.
func TestLong(t *testing.T) {
	for _, p := range []Problem{randomProblem(1200, 50, 4), randomProblem(700, 3, 3), randomProblem(600, 1, 1), randomProblem(500, 400, 1)} {
		want := runMethod(t, p, methods["plain"])
		sparse := runMethod(t, p, func(k *task, b block) {
			pairs, _ := k.countEntries(b)
			k.newSparse(b).solveSegments(pairs, pairs/7+1)
		})
		linear := runMethod(t, p, func(k *task, b block) { k.solveLinear(b, limits{1000, 20_000}) })
		if !slices.Equal(sparse.mate, want.mate) || !slices.Equal(linear.mate, want.mate) {
			t.Errorf("%d actions: methods disagree", len(p.Obs))
		}
		a, err := Align(p, Params{})
		if err != nil || !slices.Equal(a.Steps, want.buildAlignment().Steps) {
			t.Errorf("%d actions: Align disagrees (%v)", len(p.Obs), err)
		}
	}
}

// TestThin checks a problem with a single action on one side. The other side has more
// actions than the full table may have cells.
func TestThin(t *testing.T) {
	p := randomProblem(plainCells+5, 2, 1)
	for _, swap := range []bool{false, true} {
		q := p
		q.Ref = p.Ref[:1]
		if swap {
			q.Obs, q.Ref = q.Ref, q.Obs
		}
		a, err := Align(q, Params{})
		if err != nil || a.Matches != 1 || len(a.Steps) != plainCells+5 {
			t.Errorf("got %d matches in %d steps (%v)", a.Matches, len(a.Steps), err)
		}
	}
}
