package snapshot

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reference"
)

// testTrace returns a run as the messages of a chat. A call is a name, a space and JSON.
// A text that begins with "says " is the agent's answer to the user.
func testTrace(calls []string) []byte {
	type message map[string]any
	all := []message{{"role": "user", "content": "Please."}}
	for i, c := range calls {
		if said, ok := strings.CutPrefix(c, "says "); ok {
			all = append(all, message{"role": "assistant", "content": said})
			continue
		}
		name, arguments, _ := strings.Cut(c, " ")
		id := fmt.Sprint("c", i)
		all = append(all,
			message{"role": "assistant", "tool_calls": []message{{"id": id, "type": "function", "function": message{"name": name, "arguments": arguments}}}},
			message{"role": "tool", "tool_call_id": id, "content": `{"ok":true}`})
	}
	data, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return data
}

// testTrials returns runs as trials, and a function that compares them with a reference.
func testTrials(t testing.TB, runs [][]string) ([]Trial, Compare) {
	t.Helper()
	var trials []Trial
	for i, calls := range runs {
		doc, err := (&core.Options{}).Decode(&core.Source{Data: testTrace(calls)})
		if err != nil || len(doc.Trajectories) != 1 {
			t.Fatalf("%q: %d runs, %v", calls, len(doc.Trajectories), err)
		}
		trials = append(trials, Trial{fmt.Sprint("run ", i+1), &doc.Trajectories[0]})
	}
	return trials, func(ref *reference.Reference) (out []core.Trajectory, err error) {
		for _, calls := range runs {
			r, err := compareRun(ref, calls)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
		return out, nil
	}
}

func compareRun(ref *reference.Reference, calls []string) (core.Trajectory, error) {
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: testTrace(calls)}}, Reference: ref})
	if err != nil {
		return core.Trajectory{}, err
	}
	return r.Trajectories[0], nil
}

// updateText updates the reference in a text by runs.
func updateText(t testing.TB, name, text string, runs ...[]string) Updated {
	t.Helper()
	trials, compare := testTrials(t, runs)
	out, err := Update(name, text, "", trials, compare)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// accepts reports whether a run agrees with the reference in a text.
func accepts(t testing.TB, name, text string, run []string) bool {
	t.Helper()
	ref, _, err := Read(name, []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := compareRun(ref, run)
	if err != nil {
		t.Fatal(err)
	}
	return len(r.Violations) == 0
}

const (
	look   = `get_order {"id":7}`
	cancel = `cancel_order {"id":7}`
	send   = `send_email {"to":"a@b.c"}`
	refund = `refund {"id":7}`
)

// TestUpdateExamples checks the text of the file after an update.
func TestUpdateExamples(t *testing.T) {
	check := func(old, want string, runs ...[]string) {
		t.Helper()
		for _, ends := range []string{"\n", "\r\n"} {
			out := updateText(t, "x.yaml", strings.ReplaceAll(old, "\n", ends), runs...)
			if got := strings.ReplaceAll(out.Text, ends, "\n"); got != want || len(out.Refused) > 0 || len(out.Notes) > 0 {
				t.Errorf("%q\n%s\ngot\n%s%v %v", runs, old, got, out.Refused, out.Notes)
			}
		}
	}
	const base = "# ours\nsteps:\n  - get_order(id=7)\n  - name: cancel_order\n    arguments: {id: 7}\n  - name: refund\n    mustNot: true # only people refund\nsays: [done]\n"
	check(base, base, []string{look, cancel, "says done"})
	// a new call
	check(base, strings.Replace(base, "{id: 7}\n", "{id: 7}\n  - name: send_email\n    arguments: {to: a@b.c}\n", 1), []string{look, cancel, send, "says done"})
	// another value of a call without a mark
	check(base, strings.Replace(base, "    arguments: {id: 7}\n", "    arguments: {id: 8}\n", 1), []string{look, `cancel_order {"id":8}`, "says done"})
	// a call that no run makes
	check(base, strings.Replace(base, "  - get_order(id=7)\n", "", 1), []string{cancel, "says done"})
	// a read that only some runs make
	check(base, strings.Replace(base, "  - get_order(id=7)\n", "  - optional: # good run 2 did not make this call\n      name: get_order\n      arguments: {id: 7}\n", 1), []string{look, cancel, "says done"}, []string{cancel, "says done"})
	// another value of a call with a mark or a comment
	check("steps:\n  - name: cancel_order # ours\n    arguments: {id: 7}\n", "steps:\n  - name: cancel_order # ours\n    arguments: {id: 7}\n    accept: {id: [8, 9]}\n", []string{`cancel_order {"id":8}`}, []string{`cancel_order {"id":9}`})
	check("steps:\n  - name: cancel_order\n    accept: {id: [8]}\n    arguments: {id: 7}\n", "steps:\n  - name: cancel_order\n    accept: {id: [8, 9]}\n    arguments: {id: 7}\n", []string{`cancel_order {"id":9}`})
	check("steps:\n- name: cancel_order\n  arguments: {id: 7}\n  accept:\n    id:\n    - 8\n", "steps:\n- name: cancel_order\n  arguments: {id: 7}\n  accept:\n    id:\n    - 8\n    - 9\n", []string{`cancel_order {"id":9}`})
	check("steps: [{name: cancel_order, arguments: {id: 7, \"a b\": 1}, ignore: [note]}]", "steps: [{name: cancel_order, arguments: {id: 7, \"a b\": 1}, ignore: [note], accept: {a b: [2]}}]", []string{`cancel_order {"id":7,"a b":2}`})
	// everything is gone
	check("steps:\n  - cancel_order()\n# end\n", "steps: []\n# end\n", []string{"says hello"})
	check("steps: [cancel_order()] # none\n", "steps: [] # none\n", []string{"says hello"})
	check("steps: [] # none\n", "steps: [{name: cancel_order, arguments: {id: 7}}] # none\n", []string{cancel})
	check("steps: [a(), cancel_order(), b()]\n", "steps: [a(), b()]\n", []string{"a {}", "b {}"})
	check("steps: [a(), cancel_order(), b()]\n", "steps: [a()]\n", []string{"a {}"})
	check("steps: [a(), cancel_order(), b()]\n", "steps: [{name: refund, arguments: {id: 7}}, b()]\n", []string{refund, "b {}"})
}

// TestUpdateOtherForms checks updates of JSON, plain text and suites.
func TestUpdateOtherForms(t *testing.T) {
	check := func(name, old, want string, runs ...[]string) {
		t.Helper()
		if out := updateText(t, name, old, runs...); out.Text != want || len(out.Refused) > 0 {
			t.Errorf("%q\n%s\ngot\n%s%v", runs, old, out.Text, out.Refused)
		}
	}
	const inJSON = "{\n  \"steps\": [\n    \"get_order(id=7)\",\n    {\"name\": \"cancel_order\", \"title\": \"ours\", \"arguments\": {\"id\": 7}}\n  ]\n}\n"
	check("x.json", inJSON, strings.Replace(inJSON, "}}\n", "}},\n    {\"name\":\"send_email\",\"arguments\":{\"to\":\"a@b.c\"}}\n", 1), []string{look, cancel, send})
	check("x.json", inJSON, strings.Replace(inJSON, "\"get_order(id=7)\",\n    ", "", 1), []string{cancel})
	check("x.json", inJSON, strings.Replace(inJSON, "7}}", "7}, \"accept\": {\"id\": [8]}}", 1), []string{look, `cancel_order {"id":8}`})
	const plain = "# ours\n- get_order(id=7)\n- required: cancel_order(id=7)\n\n- must not: refund\n"
	check("x.txt", plain, strings.Replace(plain, "cancel_order(id=7)\n", "cancel_order(id=7)\n- send_email(to=\"a@b.c\")\n", 1), []string{look, cancel, send})
	check("x.txt", "get_order(id=7)\ncancel_order(id=7)", "get_order(id=8)\ncancel_order(id=7)\nsend_email(to=\"a@b.c\")\n", []string{`get_order {"id":8}`, cancel, send})

	const suite = "tasks:\n  - id: a\n    steps:\n      - cancel_order(id=7)\n  - id: b\n    steps:\n      - cancel_order(id=7)\n"
	trials, compare := testTrials(t, [][]string{{cancel, send}})
	out, err := Update("x.yaml", suite, "b", trials, compare)
	if want := suite + "      - name: send_email\n        arguments: {to: a@b.c}\n"; err != nil || out.Text != want {
		t.Errorf("%v\n%s", err, out.Text)
	}
	for text, want := range map[string]string{
		"steps: [&a b(), *a]\n":        "anchors",
		"steps: [!!str b()]\n":         "anchors, aliases or tags",
		"steps: [b()]\n---\nsteps: []": "several documents",
		"name: cancel_order\n":         `under "steps"`,
		"tasks:\n  - id: a\n    steps: [a()]\n  - id: c\n    steps: []": `no reference for task "b"`,
	} {
		if out, err := Update("x.yaml", text, "b", trials, compare); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s\n%s", text, err, want, out.Text)
		}
	}
}

// FuzzUpdate checks that an update of any text neither panics nor loosens: if it changes a
// reference, the result can be read, keeps the demands of the old one, and every comment of
// a YAML file is still there.
func FuzzUpdate(f *testing.F) {
	for name, cases := range markCases() {
		for _, m := range cases {
			f.Add(name, m.text)
		}
	}
	f.Add("x.yaml", "\ufeffsteps:\r\n  - name: é # ü\r\n    arguments:\r\n      a: |\r\n        x # no comment\r\n      b: \"q\\\"#\"\r\n  - 'it''s'\r\n")
	f.Add("x.yaml", "- [a(), b()]\n- - c()\n  - d()\n- ? name\n  : e\n")
	runs := [][]string{{look, cancel, send}, {look, `b {"x":2,"y":2}`, `é {"a":"y\nz","b":[1,{"c":null}]}`, cancel}}
	f.Fuzz(func(t *testing.T, name, text string) {
		trials, compare := testTrials(t, runs)
		out, err := Update(name, text, "a", trials, compare)
		if err != nil || out.Text == text {
			return
		}
		before, _, _ := Read(name, []byte(text))
		after, _, err := Read(name, []byte(out.Text))
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, out.Text)
		}
		if before == nil || after == nil {
			return
		}
		left := strings.Join(demandsOf(after), "\x00")
		for _, d := range demandsOf(before) {
			if !strings.Contains(left, d) {
				t.Errorf("%q is gone:\n%s\n%s", d, text, out.Text)
			}
		}
		o, err := outlineOf(name, text, "a")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range o.comments {
			if comment := text[c[0]:c[1]]; !ownNote(comment) && !strings.Contains(out.Text, comment) {
				t.Errorf("%q is gone:\n%s\n%s", comment, text, out.Text)
			}
		}
	})
}
