package deviation

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
)

// parseActions returns one action for each word. For example, "r1" is a read, "w2" is a
// write, and "w2!" is a write that failed.
func parseActions(words ...string) []boundary.Action {
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

// TestDiverge checks that findDivergence compares all actions, reads as well as writes.
func TestDiverge(t *testing.T) {
	check := func(run, witness []boundary.Action, at int, ok bool) {
		t.Helper()
		if gotAt, gotOK := findDivergence(run, witness); gotAt != at || gotOK != ok {
			t.Errorf("%d %v, want %d %v", gotAt, gotOK, at, ok)
		}
	}
	check(parseActions("r1", "w1"), parseActions("r1", "w1"), 2, false)
	check(parseActions("r1", "r2", "w1"), parseActions("r1", "w1"), 1, true)
	check(parseActions("r1", "w2"), parseActions("r1", "w1"), 1, true)
	check(parseActions("r1"), parseActions("r1", "w1"), 1, false)
	check(parseActions("r1", "w1", "w2"), parseActions("r1", "w1"), 2, true)
	check(nil, parseActions("w1"), 0, false)
}

func TestStudyDecisive(t *testing.T) {
	gold := parseActions("r1", "w1")
	runs := []Run{
		{ID: "a", Task: "1", Success: true, Obs: parseActions("r1", "w1"), Ref: gold},
		{ID: "b", Task: "1", Success: true, Obs: parseActions("r2", "r1", "w1"), Ref: gold},
		{ID: "c", Task: "1", Obs: parseActions("r1", "w2"), Ref: gold},
		{ID: "d", Task: "1", Obs: parseActions("r3", "w2"), Ref: gold},
		{ID: "e", Task: "1", Obs: parseActions("r1"), Ref: gold},
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
