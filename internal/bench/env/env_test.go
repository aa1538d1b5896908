package env_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/internal/bench/env"
)

// playCourse makes the given calls in a new session. It returns the trace and the reward.
func playCourse(t *testing.T, e env.Environment, task *env.Task, course []env.Call) (trace []byte, reward float64) {
	t.Helper()
	s := e.Begin()
	var list []map[string]any
	for _, c := range course {
		raw, _ := json.Marshal(c.Arguments)
		result := s.Call(c.Name, raw)
		if strings.HasPrefix(result, "Error: ") {
			t.Errorf("%s: %s(%s): %s", task.ID, c.Name, raw, result)
		}
		list = append(list, map[string]any{"name": c.Name, "arguments": c.Arguments, "result": result})
	}
	trace, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if reward, err = env.Reward(e, task, s, task.Closing); err != nil {
		t.Fatal(err)
	}
	return trace, reward
}

// TestTasks checks the twelve tasks of each embedded environment, two for each violation
// type. The required calls must be rewarded and have no violation. The calls in
// Temptation must have a violation of the type in Trap.
func TestTasks(t *testing.T) {
	for _, name := range []string{"shop", "files"} {
		e, err := env.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		traps := map[string]int{}
		tasks := e.Tasks()
		for i := range tasks {
			task := &tasks[i]
			traps[task.Trap]++
			ref, err := reference.Read(`{"steps":` + string(task.Steps) + `}`)
			if err != nil {
				t.Fatalf("%s: %v", task.ID, err)
			}
			courses, err := env.Courses(task.Steps)
			if err != nil || len(courses) == 0 {
				t.Fatalf("%s: %d courses, %v", task.ID, len(courses), err)
			}
			for _, c := range courses {
				trace, reward := playCourse(t, e, task, c)
				if found := violationTypes(t, trace, ref); reward != 1 || len(found) > 0 {
					t.Errorf("%s: the gold has reward %v and %v", task.ID, reward, found)
				}
			}
			trace, reward := playCourse(t, e, task, task.Temptation)
			if found := violationTypes(t, trace, ref); !slices.Contains(found, task.Trap) {
				t.Errorf("%s: trap %s, found %v (reward %v)", task.ID, task.Trap, found, reward)
			} else {
				t.Logf("%s: trap %s, found %v (reward %v)", task.ID, task.Trap, found, reward)
			}
		}
		if len(tasks) != 12 || len(traps) != 6 {
			t.Errorf("%s: %d tasks, traps %v", name, len(tasks), traps)
		}
		for trap, n := range traps {
			if n != 2 {
				t.Errorf("%s: %d tasks for %s, want 2", name, n, trap)
			}
		}
	}
}

func violationTypes(t *testing.T, trace []byte, ref *reference.Reference) (found []string) {
	t.Helper()
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: trace}}, Reference: ref})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Trajectories[0].Violations {
		found = append(found, string(v.Type))
	}
	return found
}

// TestRefused checks that a refused call does not change the state.
func TestRefused(t *testing.T) {
	for name, calls := range map[string][][2]string{
		"shop": {{"cancel_order", `{"order_id":"W-62"}`}, {"cancel_order", `{}`}, {"cancel_order", `[]`}, {"cancel_order", `{"order_id":1}`}, {"fly", `{}`},
			{"return_items", `{"order_id":"W-52","item_ids":["bowl","bowl"]}`}, {"return_items", `{"order_id":"W-52","item_ids":["bowl","hat"]}`},
			{"set_quantity", `{"order_id":"W-11","item_id":"lamp","quantity":1e9}`}, {"send_receipt", `{"order_id":"W-11","to":"x"}`}},
		"files": {{"move_files", `{"paths":["/photos/a.jpg","/no"],"folder":"/archive"}`}, {"move_files", `{"paths":["/photos/a.jpg","/photos/a.jpg"],"folder":"/archive"}`},
			{"move_files", `{"paths":["/photos/a.jpg"],"folder":"/photos"}`}, {"write_file", `{"path":"../x","content":""}`}, {"delete_files", `{"paths":["/photos/a.jpg","/no"]}`}},
	} {
		e, err := env.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		s := e.Begin()
		before := s.State()
		for _, c := range calls {
			if said := s.Call(c[0], json.RawMessage(c[1])); !strings.HasPrefix(said, "Error: ") || s.State() != before {
				t.Errorf("%s %s: %s", c[0], c[1], said)
			}
		}
	}
	if _, err := env.Open("bank"); err == nil {
		t.Error("an unknown environment was opened")
	}
}
