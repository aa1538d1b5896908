package deviation

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/boundary"
	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// acts returns one action for each word: "r1" is a read, "w2" is a write, and "w2!" is a
// write that failed.
func acts(words ...string) []boundary.Action {
	var out []boundary.Action
	for _, w := range words {
		v := mutation.Verdict{Mutating: mutation.Yes}
		if w[0] == 'r' {
			v.Mutating = mutation.No
		}
		out = append(out, boundary.Action{Call: similarity.Call{Name: w, Key: w}, Mutation: v, Failed: w[len(w)-1] == '!'})
	}
	return out
}

// TestDiverge checks that diverge compares all actions, reads as well as writes.
func TestDiverge(t *testing.T) {
	check := func(run, witness []boundary.Action, at int, ok bool) {
		t.Helper()
		if gotAt, gotOK := diverge(run, witness); gotAt != at || gotOK != ok {
			t.Errorf("%d %v, want %d %v", gotAt, gotOK, at, ok)
		}
	}
	check(acts("r1", "w1"), acts("r1", "w1"), 2, false)
	check(acts("r1", "r2", "w1"), acts("r1", "w1"), 1, true)
	check(acts("r1", "w2"), acts("r1", "w1"), 1, true)
	check(acts("r1"), acts("r1", "w1"), 1, false)
	check(acts("r1", "w1", "w2"), acts("r1", "w1"), 2, true)
	check(nil, acts("w1"), 0, false)
}

func TestStudyDecisive(t *testing.T) {
	gold := acts("r1", "w1")
	runs := []Run{
		{ID: "a", Task: "1", Success: true, Obs: acts("r1", "w1"), Ref: gold},
		{ID: "b", Task: "1", Success: true, Obs: acts("r2", "r1", "w1"), Ref: gold},
		{ID: "c", Task: "1", Obs: acts("r1", "w2"), Ref: gold},
		{ID: "d", Task: "1", Obs: acts("r3", "w2"), Ref: gold},
		{ID: "e", Task: "1", Obs: acts("r1"), Ref: gold},
	}
	all, err := StudyDecisive(runs)
	if err != nil {
		t.Fatal(err)
	}
	ref, siblings := all[0], all[1]
	if ref.Mutating.N != 1 || ref.Mutating.Failed != 1 || ref.NonMutating.N != 2 || ref.NonMutating.Failed != 1 || ref.Without != 2 {
		t.Errorf("%+v", ref)
	}
	// a against b and b against a; c, d and e against both.
	if siblings.Mutating.N != 1 || siblings.NonMutating.N != 6 || siblings.NonMutating.Failed != 4 || siblings.Without != 1 {
		t.Errorf("%+v", siblings)
	}
	if _, err := StudyDecisive(nil); err == nil {
		t.Error("want an error if there is nothing to study")
	}
}
