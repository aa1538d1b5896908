package story_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestWhoseStep attacks the law that a story says of no step of the user's side that the agent
// did not carry it out, or that it changed nothing instead. It also holds that a missing hand-over
// at the end of the reference is told, and that calls which only repeat what the reference
// has come after any other wrong or missing change.
func TestWhoseStep(t *testing.T) {
	seen := map[string]int{}
	for seed := range drawn.Cases(500) {
		d := drawing{rand.New(rand.NewPCG(uint64(seed), 15))}
		var steps []any
		var messages = []any{map[string]any{"role": "user", "content": "My phone has no data."}}
		call := func(role, name string, arguments map[string]any) {
			id := fmt.Sprint("c", len(messages))
			text, _ := json.Marshal(arguments)
			messages = append(messages, map[string]any{"role": role, "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "requestor": role, "function": map[string]any{"name": name, "arguments": string(text)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": "ok"})
		}
		byUser := map[string]bool{"toggle_roaming": true, "reset_apn": true, "grant_permission": true}
		for _, name := range []string{"toggle_roaming", "reset_apn", "grant_permission", "enable_roaming", "refuel_data"} {
			role := "assistant"
			if byUser[name] {
				role = "user"
			}
			if d.IntN(2) == 0 {
				continue
			}
			steps = append(steps, map[string]any{"name": name, "requestor": role, "arguments": map[string]any{"line_id": "L1002"}})
			for range d.IntN(4) {
				call(role, name, map[string]any{"line_id": "L1002"})
			}
		}
		if d.IntN(3) == 0 {
			call("assistant", "suspend_line", map[string]any{"line_id": "L77", "reason": "lost"})
		}
		ends := d.IntN(3) == 0
		if ends {
			steps = append(steps, map[string]any{"name": "transfer_to_human_agents", "arguments": map[string]any{"summary": "no data"}})
		}
		messages = append(messages, map[string]any{"role": "assistant", "content": "Good bye."})
		body, _ := json.Marshal(map[string]any{"trace": map[string]any{"messages": messages, "success": false}, "reference": map[string]any{"evaluation_criteria": map[string]any{"actions": steps}}})
		request, err := core.ReadRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := core.Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		run := &r.Trajectories[0]
		late, told := false, false
		for i := range run.Story {
			s := &run.Story[i]
			all := strings.Join(s.Text, " ")
			user := false
			for _, c := range s.Should {
				user = user || byUser[c.Name]
			}
			if user && (s.Kind == "missing" || s.Kind == "instead") {
				if seen["user"]++; strings.Contains(all, "he agent did not carry out") || strings.Contains(all, "It changed nothing") || !strings.Contains(all, "(a step of the user)") {
					t.Errorf("seed %d: %s", seed, all)
				}
			}
			told = told || strings.Contains(all, "transfer_to_human_agents")
			again := s.Kind == "extra" && s.Did[0].Name != "suspend_line"
			if late && !again && (s.Kind == "extra" || s.Kind == "differs") {
				t.Errorf("seed %d: a repeat comes first: %s", seed, all)
			}
			if late = late || again; again {
				seen["again"]++
			}
		}
		if ends && len(run.Story) > 0 {
			if seen["end"]++; !told {
				t.Errorf("seed %d: no hand-over is told: %v", seed, run.Story)
			}
		}
		if t.Failed() {
			t.Fatalf("%s", body)
		}
	}
	for _, kind := range []string{"user", "again", "end"} {
		if seen[kind] < 30 {
			t.Errorf("%q was told %d times: too seldom to show anything", kind, seen[kind])
		}
	}
}
