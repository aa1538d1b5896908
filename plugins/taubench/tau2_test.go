package taubench

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// results is the content of a τ² result file.
type results struct {
	Tasks []struct {
		ID       string `json:"id"`
		Criteria struct {
			Actions []struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
				Requestor string          `json:"requestor"`
			} `json:"actions"`
			Communicate []string `json:"communicate_info"`
		} `json:"evaluation_criteria"`
	} `json:"tasks"`
	Simulations []simulation `json:"simulations"`
}

type simulation struct {
	Task   string `json:"task_id"`
	Reward *struct {
		Reward    float64            `json:"reward"`
		Breakdown map[string]float64 `json:"reward_breakdown"`
	} `json:"reward_info"`
	Messages []struct {
		Role    string  `json:"role"`
		ID      string  `json:"id"`
		Content *string `json:"content"`
		Error   bool    `json:"error"`
		Calls   []struct {
			ID        string          `json:"id"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
			Requestor string          `json:"requestor"`
		} `json:"tool_calls"`
	} `json:"messages"`
}

func (r *results) replayRequest(s *simulation) *abi.ReplayRequest {
	out := &abi.ReplayRequest{Benchmark: "tau2-bench"}
	at := map[string]int{}
	for _, m := range s.Messages {
		if m.Role == "assistant" && m.Content != nil {
			out.Replies = append(out.Replies, *m.Content)
		}
		for _, c := range m.Calls {
			at[c.ID] = len(out.Observed)
			out.Observed = append(out.Observed, abi.Action{Name: c.Name, Arguments: c.Arguments, Requestor: c.Requestor})
		}
		if i, ok := at[m.ID]; ok && m.Role == "tool" {
			out.Observed[i].Observation, out.Observed[i].Failed = m.Content, m.Error
		}
	}
	for _, task := range r.Tasks {
		if task.ID == s.Task {
			out.Outputs = task.Criteria.Communicate
			for _, a := range task.Criteria.Actions {
				out.Reference = append(out.Reference, abi.Action{Name: a.Name, Arguments: a.Arguments, Requestor: a.Requestor})
			}
		}
	}
	return out
}

// TestTau2 checks that replays of recorded runs agree with the recorded rewards. The part
// DB of a reward must agree with the final state, and the part COMMUNICATE with the
// required outputs.
func TestTau2(t *testing.T) {
	w := openWorld(t)
	for _, name := range recordings.Glob(t, "tau2/*.json") {
		t.Run(path.Base(name), func(t *testing.T) {
			var r results
			readRecording(t, name, &r)
			var n figures
			for i := range r.Simulations {
				n.addSimulation(t, w, &r, &r.Simulations[i])
			}
			t.Logf("%+v", n)
			if n.State != n.Runs || n.Said != n.Runs {
				t.Errorf("%+v: database and communication should be as recorded in every run", n)
			}
		})
	}
}

// figures counts a file's runs: those with a DB component in the recorded reward, those
// whose component and whose communicated part are as recorded, and the outputs of the
// calls.
type figures struct{ Runs, State, Said, Calls, Equal, Other int }

func (n *figures) addSimulation(t *testing.T, w *env.World, r *results, s *simulation) {
	t.Helper()
	db, ok := 0.0, false
	if s.Reward != nil {
		db, ok = s.Reward.Breakdown["DB"]
	}
	if !ok { // the run was stopped early, or its domain has another evaluation
		n.Other++
		return
	}
	n.Runs++
	req := r.replayRequest(s)
	got, err := Replay(w, req)
	if err != nil {
		t.Fatal(err)
	}
	if got.StateEqual == (db == 1) {
		n.State++
	} else {
		t.Logf("task %s: recorded DB %v, differences %s, notes %v", s.Task, db, briefDifferences(got.Differences), got.Notes)
	}
	if said := !slices.Contains(slices.Collect(maps.Values(got.Outputs)), false); said == (s.Reward.Breakdown["COMMUNICATE"] == 1) {
		n.Said++
	}
	for _, c := range got.Calls {
		if c.OutputEqual == nil {
			continue
		}
		n.Calls++
		if *c.OutputEqual {
			n.Equal++
		}
	}
}

func briefDifferences(d []abi.Difference) string {
	b, _ := json.Marshal(d[:min(len(d), 3)])
	return string(b)
}
