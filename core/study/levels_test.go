package study

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
)

// TestLevels checks the level of violations. If both sides change an entity, a violation
// about it is at the level of an atomic action. If only one side changes the entity, the
// violation is at the level of a subgoal, even if it is about a read of the entity.
func TestLevels(t *testing.T) {
	act := func(entity string, mutating report.Mutating, failed bool) report.Action {
		return report.Action{Name: "x", Mutating: mutating, Error: failed, Boundary: &report.Boundary{Scope: []string{entity}}}
	}
	at := func(i int) *int { return &i }
	r := Run{Trajectory: &report.Trajectory{
		Observed:  []report.Action{act("a", "no", false), act("a", "yes", false), act("c", "yes", false), act("b", "yes", true), act("d", "no", false)},
		Reference: []report.Action{act("a", "no", false), act("a", "yes", false), act("b", "no", false), act("b", "yes", false), act("e", "no", false)},
		Alignment: []report.Row{{Op: "match", Obs: at(0), Ref: at(0)}, {Op: "substitution", Obs: at(1), Ref: at(1)}, {Op: "substitution", Obs: at(2), Ref: at(3)},
			{Op: "deletion", Ref: at(2)}, {Op: "insertion", Obs: at(4)}, {Op: "deletion", Ref: at(4)}},
	}}
	for i, c := range []struct {
		v    report.Violation
		want string
	}{
		{report.Violation{Row: at(1)}, Atomic},             // the same entity, changed differently
		{report.Violation{Row: at(2)}, Subgoal},            // c changed instead of b; the failed attempt at b changed nothing
		{report.Violation{Row: at(3)}, Subgoal},            // the read that belongs to b
		{report.Violation{Row: at(4)}, Atomic},             // a read of an entity that nobody changes
		{report.Violation{Ref: at(4)}, Atomic},             //
		{report.Violation{}, Atomic},                       // about the whole run
		{report.Violation{Rows: []int{1, 2}}, Atomic},      // one of the entities is changed by both
		{report.Violation{Rows: []int{2, 3}}, Subgoal},     //
		{report.Violation{Obs: at(2), Ref: nil}, Subgoal},  // c is not in the reference
		{report.Violation{Obs: at(1), Ref: at(1)}, Atomic}, //
	} {
		r.Violations = append(r.Violations, c.v)
		if got := r.violationLevel(&c.v, changedEntities(r.Observed), changedEntities(r.Reference)); got != c.want {
			t.Errorf("violation %d: %s, want %s", i, got, c.want)
		}
	}
	var sums Sums
	if got := sums.byLevel(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	sums.Add(r.Trajectory)
	sums.Add(&report.Trajectory{Violations: []report.Violation{{}}}) // a run without a reference has no level
	got := sums.byLevel()
	if len(got) != 2 || got[0].N != 4 || got[1].N != 6 || got[0].Of != 10 {
		t.Errorf("%+v", got)
	}
}
