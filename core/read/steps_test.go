package read

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestStepsNameTheirRun draws the steps of several runs in turns, in the order of the runs or with the latest
// first, and checks that each run has its calls in their order.
func TestStepsNameTheirRun(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 84))
	for n := range drawn.Cases(60) {
		type step struct {
			run  int
			text string
		}
		var steps []step
		want := make([][]string, 2+r.IntN(3))
		name := []string{"run_id", "runId"}[r.IntN(2)]
		for at := range 4 + r.IntN(8) {
			run := r.IntN(len(want))
			if at < len(want) {
				run = at
			}
			id := fmt.Sprint("call_", n, at)
			calls := fmt.Sprintf(`{"type":"tool_calls","tool_calls":[{"id":%q,"type":"function","function":{"name":"find_%d","arguments":"{}","output":"ok"}}]}`, id, at)
			if at == 0 || r.IntN(3) > 0 {
				want[run] = append(want[run], fmt.Sprint("find_", at))
			} else {
				calls = `{"type":"message_creation","message_creation":{"message_id":"m"}}`
			}
			steps = append(steps, step{run, fmt.Sprintf(`{"id":"s%d","object":"thread.run.step","created_at":%d,%q:"run_%d","thread_id":"t","status":"completed","step_details":%s}`, at, 100+at, name, run, calls)})
		}
		latest := r.IntN(2) == 0
		if latest {
			slices.Reverse(steps)
		}
		var texts []string
		var order []int
		for _, s := range steps {
			if !slices.Contains(order, s.run) {
				order = append(order, s.run)
			}
			texts = append(texts, s.text)
		}
		text := `{"object":"list","data":[` + strings.Join(texts, ",") + `]}`
		if r.IntN(2) == 0 {
			text = strings.Join(texts, "\n")
		}
		doc := mustDecode(t, text)
		if len(doc.Trajectories) != len(want) {
			t.Fatalf("%d runs, want %d\n%s", len(doc.Trajectories), len(want), text)
		}
		for i := range doc.Trajectories {
			got := &doc.Trajectories[i]
			run := order[i]
			var names []string
			for _, a := range got.Actions {
				names = append(names, a.Name)
			}
			if !slices.Equal(names, want[run]) {
				t.Fatalf("%s did %s, want %s\n%s", got.ID, names, want[run], text)
			}
		}
	}
}
