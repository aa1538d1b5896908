package fork

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestForksOfRecordings lays the first and the third run of each airline task beside each other.
// The calls before the fork are those that a plain comparison of the parsed calls finds equal.
func TestForksOfRecordings(t *testing.T) {
	request, err := core.ReadRequest(recordings.Read(t, "tau-bench/gpt-4o-airline.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string][]*report.Trajectory{}
	for i := range r.Trajectories {
		runs[r.Trajectories[i].Task] = append(runs[r.Trajectories[i].Task], &r.Trajectories[i])
	}
	isSame := func(a, b *report.Action) bool {
		var x, y any
		return a.Name == b.Name && json.Unmarshal([]byte(a.Arguments), &x) == nil && json.Unmarshal([]byte(b.Arguments), &y) == nil && reflect.DeepEqual(x, y)
	}
	parted := 0
	for task, all := range runs {
		if len(all) < 3 {
			t.Fatalf("task %s has %d runs", task, len(all))
		}
		a, b := all[0], all[2]
		p, err := Align(a, b)
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for same < min(len(a.Observed), len(b.Observed)) && isSame(&a.Observed[same], &b.Observed[same]) {
			same++
		}
		switch all := max(len(a.Observed), len(b.Observed)); {
		case p.Fork == nil:
			if same != all {
				t.Errorf("task %s: no fork, and %d of %d calls are the same", task, same, all)
			}
		case *p.Fork != same:
			t.Errorf("task %s: the fork is at row %d, and the first %d calls are the same", task, *p.Fork, same)
		default:
			parted++
		}
	}
	if len(runs) != 50 || parted < 20 {
		t.Errorf("%d tasks, %d of them part", len(runs), parted)
	}
}
