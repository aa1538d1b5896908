package compare

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/fork"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestHalvesOfRecordings compares the first two trials of each airline task with the other two. Each task has
// one row, its word is that of the rewards in the file wherever the verdicts agree with them, and the pair that
// it shows is one of the task and can be laid beside each other.
func TestHalvesOfRecordings(t *testing.T) {
	var records []json.RawMessage
	if err := json.Unmarshal(recordings.Read(t, "tau-bench/gpt-4o-airline.json"), &records); err != nil {
		t.Fatal(err)
	}
	half := func(records []json.RawMessage) (*report.Report, map[string]int) {
		data, err := json.Marshal(records)
		if err != nil {
			t.Fatal(err)
		}
		r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: data}}})
		if err != nil {
			t.Fatal(err)
		}
		won := map[string]int{} // by task, as the file says
		for _, raw := range records {
			var one struct {
				Task   json.Number `json:"task_id"`
				Reward float64     `json:"reward"`
			}
			if err := json.Unmarshal(raw, &one); err != nil {
				t.Fatal(err)
			}
			if won[one.Task.String()] += 0; one.Reward == 1 {
				won[one.Task.String()]++
			}
		}
		return &r, won
	}
	a, wonA := half(records[:len(records)/2])
	b, wonB := half(records[len(records)/2:])
	c := compareReports(t, a, b)
	if len(c.Rows) != 50 || len(wonA) != 50 || len(wonB) != 50 {
		t.Fatalf("%d rows for %d and %d tasks", len(c.Rows), len(wonA), len(wonB))
	}
	agree, parted := 0, 0
	for _, row := range c.Rows {
		if row.A.Good == wonA[row.Task] && row.B.Good == wonB[row.Task] {
			want := rowUnchanged
			switch x, y := wonA[row.Task], wonB[row.Task]; {
			case x > y:
				want = rowBroken
			case x < y:
				want = rowFixed
			case x == 0:
				want = rowBothFail
			}
			if agree++; row.What != want {
				t.Errorf("task %s: %s, and the rewards say %s", row.Task, row.What, want)
			}
		}
		find := func(r *report.Report, id string) *report.Trajectory {
			i := slices.IndexFunc(r.Trajectories, func(run report.Trajectory) bool { return run.ID == id && run.Task == row.Task })
			if i < 0 {
				t.Fatalf("task %s shows run %q, which is not a run of it", row.Task, id)
			}
			return &r.Trajectories[i]
		}
		p, err := fork.Align(find(a, row.A.Run), find(b, row.B.Run))
		if err != nil {
			t.Errorf("task %s: %v", row.Task, err)
		} else if p.Fork != nil {
			parted++
		}
		delete(wonA, row.Task)
	}
	if len(wonA) != 0 || agree < 40 || parted < 20 {
		t.Errorf("%d tasks have no row, %d rows have the counts of the rewards, %d pairs part", len(wonA), agree, parted)
	}
}
