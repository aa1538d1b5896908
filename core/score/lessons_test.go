package score

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// lessonCall is a call of a lesson of the page, with its answer.
type lessonCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Answer    json.RawMessage `json:"answer"`
}

// lessonRun returns a run with the rules and the customer of a lesson, and its calls, as messages.
func lessonRun(t *testing.T, rules, customer string, calls []lessonCall) string {
	t.Helper()
	type object map[string]any
	messages := []any{object{"role": "system", "content": rules}, object{"role": "user", "content": customer}}
	for i, c := range calls {
		id, answer := string(rune('a'+i)), string(c.Answer)
		if text := ""; json.Unmarshal(c.Answer, &text) == nil {
			answer = text
		}
		messages = append(messages, object{"role": "assistant", "tool_calls": []any{object{"id": id, "type": "function", "function": object{"name": c.Name, "arguments": string(c.Arguments)}}}},
			object{"role": "tool", "tool_call_id": id, "content": answer})
	}
	text, err := json.Marshal(object{"messages": messages})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLessonAnswers checks that the model answer of each lesson in which one acts passes the lint
// without a finding, and without a hint: a lesson teaches nothing that the program would blame.
func TestLessonAnswers(t *testing.T) {
	read := func(folder string, into any) {
		t.Helper()
		text, err := os.ReadFile("../../playground/lessons/" + folder + "/lesson.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	check := func(lesson, trace string) {
		t.Helper()
		request, err := ReadRequest([]byte(`{"trace":` + trace + `}`))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		if run := &report.Trajectories[0]; len(run.Violations) > 0 || run.Passed == nil || !*run.Passed {
			t.Errorf("%s: %s %+v", lesson, run.Verdict, run.Violations)
		}
	}

	var agent struct {
		Policy    []string
		Customer  string
		Calls     []lessonCall
		Reference json.RawMessage
	}
	read("2-be-the-agent", &agent)
	var steps struct {
		Steps []struct {
			lessonCall
			AnyOrder []lessonCall
		}
	}
	if err := json.Unmarshal(agent.Reference, &steps); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range steps.Steps {
		names = append(names, s.Name)
		for _, c := range s.AnyOrder {
			names = append(names, c.Name)
		}
	}
	var model []lessonCall
	for _, name := range names {
		for _, c := range agent.Calls {
			if c.Name == name {
				model = append(model, c)
			}
		}
	}
	if len(model) != 4 {
		t.Fatalf("%d calls of %q", len(model), names)
	}
	check("2", lessonRun(t, strings.Join(agent.Policy, " "), agent.Customer, model))

	var gate struct {
		Policy, Customer string
		Steps            []struct {
			Call    lessonCall
			Answer  json.RawMessage
			Revised *struct {
				Call   lessonCall
				Answer json.RawMessage
			}
		}
	}
	read("7-the-gate", &gate)
	var approved []lessonCall
	for _, s := range gate.Steps {
		c := s.Call
		c.Answer = s.Answer
		if s.Revised != nil {
			c = s.Revised.Call
			c.Answer = s.Revised.Answer
		}
		approved = append(approved, c)
	}
	check("7", lessonRun(t, gate.Policy, gate.Customer, approved))
}
