package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestRowsAreTrue draws tasks and decides the runs of which it is not known in every way: the
// word of the row must be true of each, and swapping the sides must swap broken and fixed.
func TestRowsAreTrue(t *testing.T) {
	yes, no := true, false
	for seed := range drawn.Cases(400) {
		d := rand.New(rand.NewPCG(uint64(seed), 3))
		side := func(name string) (runs []*report.Trajectory) {
			for i := range 1 + d.IntN(3) {
				run := &report.Trajectory{ID: fmt.Sprint(name, i)}
				switch d.IntN(5) {
				case 0:
					run.Flagged, run.Passed = true, &no
				case 1:
					run.Passed, run.Success = &no, &no
				case 2, 3:
					run.Passed = &yes
				}
				runs = append(runs, run)
			}
			return runs
		}
		one := task{name: "t", a: side("a"), b: side("b")}
		row := listRows([]task{one})[0]
		swapped := listRows([]task{{name: "t", a: one.b, b: one.a}})[0]
		want := map[string]string{rowBroken: rowFixed, rowFixed: rowBroken}[row.What]
		if want == "" {
			want = row.What
		}
		if swapped.What != want {
			t.Fatalf("seed %d: %s, but with the sides swapped %s", seed, row.What, swapped.What)
		}
		words := map[string]bool{}
		for a := range 1 << len(one.a) {
			for b := range 1 << len(one.b) {
				words[decidedWord(one.a, a, one.b, b)] = true
			}
		}
		if row.What != rowUnknown && (len(words) != 1 || !words[row.What]) || row.What == rowUnknown && len(words) == 1 {
			t.Fatalf("seed %d: %s for %+v and %+v; it may be %v", seed, row.What, row.A, row.B, words)
		}
		if !slices.ContainsFunc(one.a, func(r *report.Trajectory) bool { return r.ID == row.A.Run }) || !slices.ContainsFunc(one.b, func(r *report.Trajectory) bool { return r.ID == row.B.Run }) {
			t.Fatalf("seed %d: the row shows %s and %s", seed, row.A.Run, row.B.Run)
		}
	}
}

// decidedWord returns the word of a task after the unknown runs were decided by the bits of
// a and b.
func decidedWord(runsA []*report.Trajectory, a int, runsB []*report.Trajectory, b int) string {
	share := func(runs []*report.Trajectory, bits int) float64 {
		good := 0
		for i, r := range runs {
			if r.Passed != nil && *r.Passed || r.Passed == nil && bits>>i&1 == 1 {
				good++
			}
		}
		return float64(good) / float64(len(runs))
	}
	switch x, y := share(runsA, a), share(runsB, b); {
	case x > y:
		return rowBroken
	case x < y:
		return rowFixed
	case x == 0:
		return rowBothFail
	}
	return rowUnchanged
}

// TestRowsOfAllTasks: each task of a comparison has one row, and what changed comes first.
func TestRowsOfAllTasks(t *testing.T) {
	a := evaluateRows(t, runRow("kept", 0, true, "get_order", "cancel_order")+","+runRow("lost", 0, true, "get_order", "cancel_order")+","+runRow("won", 0, false, "drop_table")+","+runRow("bad", 0, false, "drop_table"))
	b := evaluateRows(t, runRow("kept", 1, true, "get_order", "cancel_order")+","+runRow("lost", 1, false, "drop_table")+","+runRow("won", 1, true, "get_order", "cancel_order")+","+runRow("bad", 1, false, "drop_table"))
	c := compareReports(t, a, b)
	var got []string
	for _, r := range c.Rows {
		got = append(got, r.Task+" "+r.What)
	}
	if want := []string{"lost broken", "won fixed", "bad both-fail", "kept unchanged"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if lost := c.Rows[0]; len(lost.A.Story) != 0 || len(lost.B.Story) == 0 {
		t.Errorf("the story of the broken run: %+v", lost)
	}
}

// TestRowsOfOutcomesAlone checks tasks without references: a recorded success is good unless
// the run is doubtful, and a single reference on either side takes the record's word away.
func TestRowsOfOutcomesAlone(t *testing.T) {
	yes, no := true, false
	failed, won := &report.Trajectory{Success: &no, Passed: &no}, &report.Trajectory{Success: &yes}
	doubtful := &report.Trajectory{Success: &yes, Doubt: "rows were joined"}
	hinted := &report.Trajectory{Success: &yes, Violations: []report.Violation{{Confidence: 0.5}}}
	judged := &report.Trajectory{Success: &yes, Reference: []report.Action{}}
	for want, sides := range map[string][2]*report.Trajectory{
		rowFixed: {failed, won}, rowBroken: {won, failed}, rowUnchanged: {won, won}, rowBothFail: {failed, failed},
	} {
		if got := listRows([]task{{name: "t", a: sides[:1], b: sides[1:]}})[0].What; got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	}
	for name, run := range map[string]*report.Trajectory{"doubtful": doubtful, "hinted": hinted, "judged": judged} {
		if got := listRows([]task{{name: "t", a: []*report.Trajectory{failed}, b: []*report.Trajectory{run}}})[0].What; got != rowUnknown {
			t.Errorf("%s: %s", name, got)
		}
	}
}
