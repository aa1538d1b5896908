package gold

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// TestCorrections checks that there are 24 corrections of the paper for the airline and
// 18 for retail. Each correction must have the data to find its tasks and to change them.
func TestCorrections(t *testing.T) {
	count := map[byte]int{}
	for _, c := range Corrections() {
		count[c.ID[0]]++
		if len(c.Identifiers) == 0 || len(c.Kinds) == 0 || c.Rule == "" || len(c.Edits) == 0 || len(c.Tasks[Tau]) == 0 || len(c.Tasks[Tau2]) == 0 {
			t.Errorf("%s: %+v", c.ID, c)
		}
		if c.Disputed && len(c.Doubts) == 0 {
			t.Errorf("%s is disputed and says not by what", c.ID)
		}
	}
	if count['A'] != 24 || count['R'] != 18 {
		t.Errorf("%v", count)
	}
}

const twoOrders = `[
  {"id": "7", "user_scenario": {"instructions": {"reason_for_call": "Cancel both."}}, "kept":  [1.50],
   "evaluation_criteria": {"actions": [
     {"action_id": "7_0", "name": "get_order", "arguments": {"id": "#X"}},
     {"action_id": "7_1", "name": "cancel", "arguments": {"id": "#X", "why": "mistake"}},
     {"action_id": "7_2", "name": "cancel", "arguments": {"id": "#Y", "why": "mistake"}}], "communicate_info": ["12"]}}
]`

func parseEdits(t *testing.T, text string) (out []Edit) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestForms(t *testing.T) {
	f, err := Read([]byte(twoOrders))
	if err != nil {
		t.Fatal(err)
	}
	task := &f.Tasks[0]
	if task.Words() != "Cancel both." || task.Outputs[0] != "12" || f.Benchmark != Tau2 {
		t.Errorf("%+v", task)
	}
	show := func(form []Call) string {
		var parts []string
		for _, c := range form {
			parts = append(parts, c.Name+string(c.Arguments))
		}
		return strings.NewReplacer(`"`, "", " ", "").Replace(strings.Join(parts, ";"))
	}
	for _, c := range []struct{ edits, want string }{
		{`[{"remove": {"name": "cancel", "where": {"id": "#Y"}}}]`, "get_order{id:#X};cancel{id:#X,why:mistake}"},
		{`[{"set": {"name": "cancel", "where": {"id": "#X"}}, "to": [{"why": "no need"}]}, {"remove": {"name": "get_order"}}]`, "cancel{id:#X,why:noneed};cancel{id:#Y,why:mistake}"},
		{`[{"remove": {"name": "get_order"}}, {"anyOrder": [{"name": "cancel", "where": {"id": "#Y"}}, {"name": "cancel", "where": {"id": "#X"}}]}]`,
			"cancel{id:#X,why:mistake};cancel{id:#Y,why:mistake} | cancel{id:#Y,why:mistake};cancel{id:#X,why:mistake}"},
		{`[{"optional": {"name": "get_order"}}, {"remove": {"name": "cancel"}}]`, "get_order{id:#X} | "},
		{`[{"replaceAll": [{"name": "talk", "arguments": {}}]}]`, "talk{}"},
		{`[{"remove": {"name": "cancel"}}, {"add": [{"name": "talk", "arguments": {"a": 1}}]}]`, "get_order{id:#X};talk{a:1}"},
		{`[{"remove": {"name": "cancel"}}, {"replace": {"name": "get_order"}, "by": {"name": "get_item", "arguments": {}}}]`, "get_item{}"},
		{`[{"remove": {"name": "cancel", "where": {"id": "#Y"}}}, {"set": {"name": "cancel"}, "to": [{"why": "no need"}, {"why": "mistake"}]}]`,
			"get_order{id:#X};cancel{id:#X,why:mistake} | get_order{id:#X};cancel{id:#X,why:noneed}"},
	} {
		all, _ := applyEdits(parseEdits(t, c.edits), task.Actions)
		var got []string
		for _, form := range all {
			got = append(got, show(form))
		}
		if strings.Join(got, " | ") != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.edits, strings.Join(got, " | "), c.want)
		}
	}
}

// TestApplyKeepsTheRest checks that only sound corrections are written, and that the rest
// of the file keeps its bytes.
func TestApplyKeepsTheRest(t *testing.T) {
	f, err := Read([]byte(twoOrders))
	if err != nil {
		t.Fatal(err)
	}
	refused := "Error: no"
	replay := func(r abi.ReplayRequest) (abi.Replay, error) {
		out := abi.Replay{StateEqual: true}
		for i, a := range r.Observed {
			c := abi.ReplayedCall{Index: i}
			if strings.Contains(string(a.Arguments), "never") {
				c.Error, c.Output = true, &refused
			}
			out.Calls = append(out.Calls, c)
		}
		return out, nil
	}
	tools := []string{"get_order", "cancel"}
	verdict := func(c Correction) Verdict {
		v, err := f.taskVerdict(&c, &f.Tasks[0], replay, tools)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	good := verdict(Correction{ID: "X1", Edits: parseEdits(t, `[{"remove": {"name": "get_order"}}, {"anyOrder": [{"name": "cancel", "where": {"id": "#Y"}}, {"name": "cancel", "where": {"id": "#X"}}]}]`)})
	bad := verdict(Correction{ID: "X2", Edits: parseEdits(t, `[{"set": {"name": "cancel"}, "to": [{"why": "never"}]}]`)})
	foreign := verdict(Correction{ID: "X3", Edits: parseEdits(t, `[{"add": [{"name": "fly", "arguments": {}}]}]`)})
	if !good.Sound || !good.Neutral || good.Stands != Absent || bad.Sound || !bad.Refused || !strings.Contains(bad.Why, "cancel: no") || !strings.Contains(foreign.Why, "no tool fly") {
		t.Errorf("%+v\n%+v\n%+v", good, bad, foreign)
	}
	text, done, err := f.Apply(&Report{Verdicts: []Verdict{bad, good, foreign}})
	if err != nil || len(done.Applied) != 1 || len(done.Left) != 2 {
		t.Fatalf("%v %+v", err, done)
	}
	for _, want := range []string{`"kept":  [1.50],`, `"valid_action_paths": [[{"action_id": "7_1"`, `"communicate_info": ["12"]}}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if strings.Contains(string(text), "never") || strings.Contains(string(text), "get_order") {
		t.Errorf("%s", text)
	}
	if f, err = Read(text); err != nil || len(f.Tasks[0].Paths) != 2 {
		t.Fatalf("%v", err)
	}
	if v := verdict(good.Correction); v.Stands != Present {
		t.Errorf("what was applied stands as %s", v.Stands)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                             "",
		`{}`:                            "want a list of tasks",
		`[]`:                            "want a list of tasks",
		`[1]`:                           `task 1: missing "evaluation_criteria"`,
		`[{"id": "1"}]`:                 `task 1: missing "evaluation_criteria"`,
		`[{"evaluation_criteria": {}}]`: `task 1: missing "id"`,
		`[{"id": "1", "evaluation_criteria": {"actions": [{}]}}]`:                            `task 1: action 1: missing "name"`,
		`[{"id": "1", "evaluation_criteria": {"actions": [{"name": "a", "arguments": 1}]}}]`: `must be an object, but is number`,
		`[{"id": "1", "evaluation_criteria": {}}, {"id": "1", "evaluation_criteria": {}}]`:   `task 2: the id "1" appears twice`,
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
