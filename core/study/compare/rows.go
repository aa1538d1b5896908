package compare

import (
	"cmp"
	"slices"

	"github.com/boundcheck/boundcheck/core/report"
)

// Row is one task of a comparison. The law of a row: its word is true whatever the runs
// did of which it is not known whether they were good. A run is good if it passed. Where no
// run of the task has a reference, boundaries are not judged on either side, and a run is
// good if the record says that it succeeded and nothing was found.
type Row struct {
	Task string `json:"task"`
	Word string `json:"word"` // what in words
	What string `json:"what"` // broken, fixed, both-fail, unchanged, unknown
	A    Half   `json:"a"`
	B    Half   `json:"b"`
}

// Half describes the runs of one task on one side.
type Half struct {
	Runs  int      `json:"runs"`
	Good  int      `json:"good"`            // runs that passed, or succeeded where no run has a reference
	Bad   int      `json:"bad"`             // runs that broke a boundary or failed; of the others it is not known
	Run   string   `json:"run"`             // id of the run that shows the row's word best
	Story []string `json:"story,omitempty"` // what went wrong in that run
}

// The words of a row.
const (
	rowBroken    = "broken"    // a smaller share of the treatment's runs is good
	rowFixed     = "fixed"     // a larger share is
	rowBothFail  = "both-fail" // no run is good
	rowUnchanged = "unchanged" // the same share is good, and some run is
	rowUnknown   = "unknown"   // it depends on runs of which it is not known
)

var rowOrder = []string{rowBroken, rowFixed, rowBothFail, rowUnknown, rowUnchanged}

// listRows returns a row for each task: first those that broke and were fixed.
func listRows(tasks []task) []Row {
	rows := make([]Row, 0, len(tasks))
	for i := range tasks {
		t := &tasks[i]
		isGood := hasPassed
		if !slices.ContainsFunc(t.a, hasReference) && !slices.ContainsFunc(t.b, hasReference) {
			isGood = hasSucceeded
		}
		row := Row{Task: t.name, A: countHalf(t.a, isGood), B: countHalf(t.b, isGood)}
		row.What = rowWord(row.A, row.B)
		row.Word = sayRow(row.What)
		row.A.show(t.a, row.What == rowBroken, isGood)
		row.B.show(t.b, row.What == rowFixed, isGood)
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(x, y Row) int {
		return cmp.Compare(slices.Index(rowOrder, x.What), slices.Index(rowOrder, y.What))
	})
	return rows
}

func countHalf(runs []*report.Trajectory, isGood func(*report.Trajectory) bool) Half {
	h := Half{Runs: len(runs)}
	for _, t := range runs {
		switch {
		case isBad(t):
			h.Bad++
		case isGood(t):
			h.Good++
		}
	}
	return h
}

func isBad(t *report.Trajectory) bool {
	return t.Flagged || t.Passed != nil && !*t.Passed || t.Success != nil && !*t.Success
}

func hasPassed(t *report.Trajectory) bool { return !isBad(t) && t.Passed != nil && *t.Passed }

func hasSucceeded(t *report.Trajectory) bool {
	return hasPassed(t) || !isBad(t) && t.Success != nil && *t.Success && t.Doubt == "" && len(t.Violations) == 0
}

// hasReference reports whether the run was compared with a reference, which may be empty.
func hasReference(t *report.Trajectory) bool { return t.Reference != nil }

// rowWord compares the shares of good runs. The smallest share counts the unknown runs as
// bad, and the largest as good.
func rowWord(a, b Half) string {
	leastA, mostA := a.Good*b.Runs, (a.Runs-a.Bad)*b.Runs
	leastB, mostB := b.Good*a.Runs, (b.Runs-b.Bad)*a.Runs
	switch {
	case mostB < leastA:
		return rowBroken
	case leastB > mostA:
		return rowFixed
	case mostA == 0 && mostB == 0:
		return rowBothFail
	case leastA == mostA && leastB == mostB:
		return rowUnchanged
	}
	return rowUnknown
}

// show chooses the run that a reader sees: the first good one if good is true, otherwise
// the first bad one, otherwise the first.
func (h *Half) show(runs []*report.Trajectory, good bool, isGood func(*report.Trajectory) bool) {
	is := isBad
	if good {
		is = isGood
	}
	t := runs[max(0, slices.IndexFunc(runs, is))]
	h.Run = t.ID
	if len(t.Story) > 0 {
		h.Story = t.Story[0].Text
	}
}
