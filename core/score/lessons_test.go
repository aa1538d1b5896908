package score

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lessonCall is a call in the data of a lesson, with the tool's answer.
type lessonCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Answer    json.RawMessage `json:"answer"`
}

func readLesson(t *testing.T, name string, to any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../playground/lessons", name, "lesson.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

// lessonTrace returns a conversation with the rules, the user's words and the calls.
func lessonTrace(t *testing.T, rules, user string, calls []lessonCall) []byte {
	t.Helper()
	messages := []map[string]any{{"role": "system", "content": rules}, {"role": "user", "content": user}}
	for i, c := range calls {
		id := string(rune('a' + i))
		messages = append(messages,
			map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": c.Name, "arguments": string(c.Arguments)}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": string(c.Answer)})
	}
	data, err := json.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestModelAnswersPass checks that the lint has no finding, not even a hint, about what a
// lesson calls right.
func TestModelAnswersPass(t *testing.T) {
	var agent struct {
		Policy   []string
		Customer string
		Calls    []lessonCall
	}
	readLesson(t, "2-be-the-agent", &agent)
	var right []lessonCall
	for _, name := range []string{"get_order", "confirm_identity", "cancel_order", "send_message"} {
		i := slices.IndexFunc(agent.Calls, func(c lessonCall) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("no call %s", name)
		}
		right = append(right, agent.Calls[i])
	}
	checkPasses(t, "be the agent", lessonTrace(t, strings.Join(agent.Policy, "\n"), agent.Customer, right))

	type step struct {
		Call    lessonCall
		Answer  json.RawMessage
		Revised *step
	}
	var gate struct {
		Policy, Customer string
		Steps            []step
	}
	readLesson(t, "7-the-gate", &gate)
	right = nil
	for _, s := range gate.Steps {
		if s.Revised != nil {
			s = *s.Revised
		}
		s.Call.Answer = s.Answer
		right = append(right, s.Call)
	}
	checkPasses(t, "the gate", lessonTrace(t, gate.Policy, gate.Customer, right))
}

func checkPasses(t *testing.T, lesson string, trace []byte) {
	t.Helper()
	r, err := Evaluate(Request{Inputs: []Source{{Data: trace}}, Options: Options{Unreferenced: true}})
	if err != nil {
		t.Fatal(err)
	}
	if run := &r.Trajectories[0]; len(run.Violations) > 0 || run.Passed == nil || !*run.Passed {
		t.Errorf("%s: %q %+v", lesson, run.Verdict, run.Violations)
	}
}
