package reference

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestReadSet(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		one, byTask, err := ReadSet(text)
		var got []string
		if one != nil {
			got = append(got, showReference(one))
		}
		for _, id := range slices.Sorted(maps.Keys(byTask)) {
			got = append(got, id+": "+showReference(byTask[id]))
		}
		if err != nil || strings.Join(got, "; ") != want || (one == nil) == (byTask == nil) {
			t.Errorf("%.80s:\n got %q, %v\nwant %q", text, got, err, want)
		}
	}
	check("cancel(id=A)", `cancel:"A"`)
	check(`[{"name":"cancel","arguments":{"id":"A"}}]`, `cancel:"A"`)
	check(`{"actions":[{"name":"a"}]}`, `a`)
	check(`[{"id":7,"actions":[{"name":"a","kwargs":{"n":1}}]},{"id":"8","evaluation_criteria":{"actions":null,"communicate_info":["10"]}}]`, `7: a:1; 8:  | says 10`)
	check(`[{"id":"x","valid_action_paths":[[{"name":"a"}],[{"name":"b"}]]}]`, `x: a | oneOf(a b)`)
	check(`{"tasks":[{"task_id":"t","actions":[]}]}`, `t: `)
	check(`{"eval_set_id":"e","eval_cases":[{"eval_id":"1","conversation":[{"intermediate_data":{"tool_uses":[{"name":"a","args":{"n":1}},{"name":"b"}]}},{"intermediate_data":null},{"intermediate_data":{"tool_uses":[{"name":"c"}]}}]},
		{"evalId":"2","conversation":[{"intermediateData":{"invocationEvents":[{"author":"x","content":{"parts":[{"text":"t"},{"functionCall":{"name":"d","args":{}}}]}},{"content":null}]}}]}]}`, `1: a:1 b c; 2: d:{}`)
	check(`{"eval_id":"1","conversation":[]}`, `1: `)
}

func TestReadSetErrors(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		one, byTask, err := ReadSet(text)
		if err == nil || !strings.Contains(err.Error(), want) || one != nil || byTask != nil {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	check(`{"broken`, "invalid reference")
	check(`[{"id":"1","actions":[]},{"id":"1","actions":[]}]`, `task 2: the id "1" appears twice`)
	check(`[{"actions":[]}]`, `task 1: missing "id"`)
	check(`[{"id":"1","actions":[]},{"name":"cancel"}]`, `task 2: the task needs "actions"`)
	check(`[{"id":"1","actions":[{"kwargs":{}}]}]`, `task 1: `)
	check(`{"eval_cases":[{"eval_id":"1","conversation":[{},{"intermediate_data":{"tool_uses":[{"args":{}}]}}]}]}`, `conversation 2 > tool use 1`)
	check(`{"eval_cases":[{"eval_id":"1","conversation":[{"intermediate_data":{"tool_uses":[{"name":"a","args":[]}]}}]}]}`, `want an object, got the array`)
	check(`{"evaluation_criteria":{}}`, `missing "steps"`)
	check(`cancel(`, "")
}

// TestOwnSuite checks that a suite written by a person can be read like any reference.
func TestOwnSuite(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		_, byTask, err := ReadSet(text)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("ReadSet(%s) = %v, want %q", text, err, want)
			}
			return
		}
		if err != nil || len(byTask) != 1 || byTask["a"] == nil || len(byTask["a"].Steps) != 1 || byTask["a"].Origin != Person {
			t.Errorf("ReadSet(%s) = %v, %v", text, byTask, err)
		}
	}
	check(`{"tasks":[{"id":"a","title":"x","steps":[{"name":"get"}]}]}`, "")
	check(`{"tasks":[{"steps":[{"name":"get"}]}]}`, `missing "id"`)
	check(`{"tasks":[{"id":"a","steps":[]},{"id":"a","steps":[]}]}`, "appears twice")
	check(`{"tasks":[{"id":"a","step":1,"steps":[]}]}`, `unknown member "step"`)
	check(`{"tasks":[{"id":"a","steps":[{"nam":"get"}]}]}`, "task 1")
}
