package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
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
		trials = append(trials, Trial{Name: fmt.Sprint("run ", i+1), Run: &doc.Trajectories[0]})
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
	look   = `get_order {"qty":7}`
	cancel = `cancel_order {"qty":7}`
	send   = `send_email {"to":"a@b.c"}`
	refund = `refund {"qty":7}`
)

// header is the first line of a file that boundcheck made.
const header = "# " + madeBy + "a.json (1 run).\n"

// TestUpdateExamples checks the text of a file that boundcheck made after an update.
func TestUpdateExamples(t *testing.T) {
	check := func(old, want string, runs ...[]string) {
		t.Helper()
		for _, ends := range []string{"\n", "\r\n"} {
			out := updateText(t, "x.yaml", strings.ReplaceAll(header+old, "\n", ends), runs...)
			if got := strings.ReplaceAll(out.Text, ends, "\n"); got != header+want || len(out.Refused) > 0 || slices.ContainsFunc(out.Notes, func(n string) bool { return !strings.HasPrefix(n, "removed ") }) {
				t.Errorf("%q\n%s\ngot\n%s%v %v", runs, old, got, out.Refused, out.Notes)
			}
		}
	}
	const first = "  - name: get_order\n    arguments: {qty: 7}\n"
	const base = "# ours\nsteps:\n" + first + "  - name: cancel_order\n    arguments: {qty: 7}\n  - name: refund\n    mustNot: true # only people refund\nsays: [done]\n"
	check(base, base, []string{look, cancel, "says done"})
	// a new call
	check(base, strings.Replace(base, "{qty: 7}\n  - name: refund", "{qty: 7}\n  - name: send_email\n    arguments: {to: a@b.c}\n  - name: refund", 1), []string{look, cancel, send, "says done"})
	// another value of a call without a mark
	check(base, strings.Replace(base, "{qty: 7}\n  - name: refund", "{qty: 8}\n  - name: refund", 1), []string{look, `cancel_order {"qty":8}`, "says done"})
	// a call that no run makes
	check(base, strings.Replace(base, first, "", 1), []string{cancel, "says done"})
	// a read that only some runs make
	check(base, strings.Replace(base, first, "  - optional: # good run 2 did not make this call\n      name: get_order\n      arguments: {qty: 7}\n", 1), []string{look, cancel, "says done"}, []string{cancel, "says done"})
	// another value of a call with a mark or a comment
	check("steps:\n  - name: cancel_order # ours\n    arguments: {qty: 7}\n", "steps:\n  - name: cancel_order # ours\n    arguments: {qty: 7}\n    accept: {qty: [8, 9]}\n", []string{`cancel_order {"qty":8}`}, []string{`cancel_order {"qty":9}`})
	// everything is another
	check("steps:\n  - name: cancel_order\n# end\n", "steps:\n  - name: refund\n    arguments: {qty: 7}\n# end\n", []string{refund})
	check("steps: [] # none\n", "steps: [{name: cancel_order, arguments: {qty: 7}}] # none\n", []string{cancel})
	check("steps: [{name: a}, {name: cancel_order}, {name: b}]\n", "steps: [{name: a}, {name: b}]\n", []string{"a {}", "b {}"})
	check("steps: [{name: a}, {name: cancel_order}, {name: b}]\n", "steps: [{name: a}]\n", []string{"a {}"})
	check("steps: [{name: a}, {name: cancel_order}, {name: b}]\n", "steps: [{name: refund, arguments: {qty: 7}}, {name: b}]\n", []string{refund, "b {}"})
}

// TestUpdateOfPersonsFile checks the text of a file that boundcheck did not make after an
// update, and the refusals.
func TestUpdateOfPersonsFile(t *testing.T) {
	check := func(name, old, want, refused string, runs ...[]string) {
		t.Helper()
		out := updateText(t, name, old, runs...)
		if got := fmt.Sprint(out.Refused); out.Text != want || len(out.Notes) > 0 || (refused == "") != (len(out.Refused) == 0) || !strings.Contains(got, refused) {
			t.Errorf("%q\n%s\ngot\n%s%v %v", runs, old, out.Text, out.Refused, out.Notes)
		}
		for _, r := range out.Refused {
			if line := strings.Split(old, "\n")[r.Line-1]; !strings.Contains(line, "order") {
				t.Errorf("%q is about the line %q", r, line)
			}
		}
	}
	const base = "steps:\n  - name: get_order\n    arguments: {qty: 7}\n  - name: cancel_order\n    arguments: {qty: 7}\n"
	more := func(lines string) string { return base + lines }
	check("x.yaml", base, base, "", []string{look, cancel})
	check("x.yaml", base, base, "does not call get_order here; if the run is right, remove this step of yours by hand", []string{cancel})
	check("x.yaml", base, base, "does not call get_order here", []string{look, cancel}, []string{cancel})
	check("x.yaml", base, base, "does not call cancel_order here", []string{look})
	check("x.yaml", base, base, `also calls send_email(to="a@b.c"); if the run is right, add this step below this line by hand`, []string{look, cancel, send})
	check("x.yaml", base, base, "with other arguments; if the run is right, edit the arguments", []string{look, `cancel_order {"qty":7,"force":true}`})
	check("x.yaml", base, more("    accept: {qty: [8, 9]}\n"), "", []string{look, `cancel_order {"qty":8}`}, []string{look, `cancel_order {"qty":9}`})
	const odd = "steps: [cancel_order(qty=7)]\n"
	check("x.yaml", odd, odd, "with other arguments", []string{`cancel_order {"qty":8}`})
	check("x.yaml", "steps:\n  - name: cancel_order\n    accept: {qty: [8]}\n    arguments: {qty: 7}\n", "steps:\n  - name: cancel_order\n    accept: {qty: [8, 9]}\n    arguments: {qty: 7}\n", "", []string{`cancel_order {"qty":9}`})
	check("x.yaml", "steps:\n- name: cancel_order\n  arguments: {qty: 7}\n  accept:\n    qty:\n    - 8\n", "steps:\n- name: cancel_order\n  arguments: {qty: 7}\n  accept:\n    qty:\n    - 8\n    - 9\n", "", []string{`cancel_order {"qty":9}`})
	check("x.yaml", "steps: [{name: cancel_order, arguments: {qty: 7, \"a b\": 1}, ignore: [note]}]", "steps: [{name: cancel_order, arguments: {qty: 7, \"a b\": 1}, ignore: [note], accept: {a b: [2]}}]", "", []string{`cancel_order {"qty":7,"a b":2}`})
	check("x.txt", "get_order(qty=7)\n", "get_order(qty=7)\n", "does not call get_order here", []string{"says hello"})
	check("x.txt", "get_order(qty=7)\n", "get_order(qty=7)\n", "also calls refund", []string{look, refund})
}

// TestUpdateAddsReads checks that an update adds a read to a file of a person only as an
// optional step, and that a tool which the settings of the project call a write is none.
// The reports have a finding for each extra call.
func TestUpdateAddsReads(t *testing.T) {
	const read = `get_customer {"qty":1}`
	check := func(name, old, want string, tools mutation.Table, runs ...[]string) {
		t.Helper()
		trials, _ := testTrials(t, runs)
		out, err := Update(name, old, "", trials, func(ref *reference.Reference) (all []core.Trajectory, err error) {
			for _, calls := range runs {
				r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: testTrace(calls)}}, Reference: ref, Options: core.Options{Table: tools}})
				if err != nil {
					return nil, err
				}
				report := r.Trajectories[0]
				for _, row := range report.Alignment {
					if row.Ref == nil {
						report.Violations = append(report.Violations, core.Violation{Rule: "extra-action", Obs: row.Obs})
					}
				}
				all = append(all, report)
			}
			return all, nil
		})
		if err != nil || out.Text != want || len(out.Refused) > 0 != (tools != nil) {
			t.Errorf("%v, %v\n%s", err, out.Refused, out.Text)
		}
	}
	const base = "steps:\n  - cancel_order(qty=7)\n"
	added := func(why string) string {
		return base + "  - optional: # " + why + "\n      name: get_customer\n      arguments: {qty: 1}\n"
	}
	check("x.yaml", base, added("the good runs made this call"), nil, []string{cancel, read})
	check("x.yaml", base, added("only good run 2 made this call"), nil, []string{cancel}, []string{cancel, read})
	check("x.txt", "cancel_order(qty=7)\n", "cancel_order(qty=7)\noptional: get_customer(qty=1)\n", nil, []string{cancel, read})
	check("x.yaml", base, base, mutation.Table{"get_customer": {Mutating: mutation.Yes}}, []string{cancel, read})
	// boundcheck made the file: all runs make the read, so it is required
	made := header + "steps:\n  - name: cancel_order\n    arguments: {qty: 7}\n"
	check("x.yaml", made, made+"  - name: get_customer\n    arguments: {qty: 1}\n", nil, []string{cancel, read})
}

// TestUpdateOfTouchedSteps checks that an update keeps each step that differs from what
// boundcheck writes, in a file that boundcheck made.
func TestUpdateOfTouchedSteps(t *testing.T) {
	check := func(name, head, step, tail string, touched bool) {
		t.Helper()
		out := updateText(t, name, head+step+tail, []string{look})
		if kept := strings.Contains(out.Text, step); kept != touched || touched != (len(out.Refused) == 1) {
			t.Errorf("%s\ngot\n%s%v", step, out.Text, out.Refused)
		}
	}
	const start = "steps:\n  - name: get_order\n    arguments: {qty: 7}\n"
	for step, touched := range map[string]bool{
		"  - name: b\n    arguments: {x: 1}\n":                 false,
		"  - name: b\n":                                        false,
		"  - click the button\n":                               false,
		"  - b(x=1)\n":                                         true,
		"  - {name: b, arguments: {x: 1}}\n":                   true,
		"  - name: b\n    arguments: {x: '1'}\n":               true,
		"  - name: b\n    arguments: { x: 1 }\n":               true,
		"  - name: b\n    arguments:\n      x: 1\n":            true,
		"  - arguments: {x: 1}\n    name: b\n":                 true,
		"  - tool: b\n    args: {x: 1}\n":                      true,
		"  - name: b\n    arguments: {x: 1} # ours\n":          true,
		"  - name: b\n    ignore:\n      - x # free text\n":    false,
		"  - name: b\n    ignore:\n      - x # as we agreed\n": true,
		"  - name: \"b\"\n":                                    true,
	} {
		check("x.yaml", header+start, step, "", touched)
		check("x.yaml", "# ours\n\n"+header+start, step, "", touched)
		for _, head := range []string{"", "# ours\n", "# not " + header} {
			check("x.yaml", head+start, step, "", true)
		}
	}
	const title = ",\n\"title\": \"" + madeBy + "a.json (1 run).\"}"
	const inJSON = "{\"steps\": [\n  {\"name\":\"get_order\",\"arguments\":{\"qty\":7}},\n  "
	for step, touched := range map[string]bool{
		`{"name":"b","arguments":{"x":1}}`:                                          false,
		"{\n    \"name\": \"b\",\n    \"arguments\": {\n      \"x\": 1\n    }\n  }": false,
		`{"name": "b", "arguments": {"x": 1}}`:                                      true,
		`{"arguments":{"x":1},"name":"b"}`:                                          true,
		`"b(x=1)"`:                                                                  true,
	} {
		check("x.json", inJSON, step, "]"+title, touched)
		check("x.json", inJSON, step, "]}", true)
	}
}

// TestUpdateAfterNew checks that no step of a proposal counts as touched, so that the next
// runs can change all of them.
func TestUpdateAfterNew(t *testing.T) {
	told := "cancel W-7"
	for _, calls := range [][]string{
		{`get_order {"qty":"W-7"}`, `&get_customer {"qty":1}`, `cancel_order {"qty":"W-7","reason":"the customer changed their mind","nonce":"x1"}`},
		{`send {"body":"a: b\nc\n","list":[1,{"a":null}],"long":"` + strings.Repeat("word ", 30) + `","odd":" # x"}`, `set {"zip":"01234","n":1.50}`, "ping"},
	} {
		run := newTestRun(t, told, calls...)
		other := newTestRun(t, told, append(calls[1:], `get_more {"a":"x"}`)...)
		for _, runs := range [][]*trajectory.Trajectory{{run}, {run, other}} {
			suite, err := Of(runs, []string{"a"})
			if err != nil {
				t.Fatal(err)
			}
			inYAML, err := suite.YAML()
			if err != nil {
				t.Fatal(err)
			}
			inJSON, err := suite.JSON()
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"x.yaml": string(inYAML), "x.json": string(inJSON)} {
				o, err := outlineOf(name, text, "")
				if err != nil || !o.made {
					t.Fatalf("%v\n%s", err, text)
				}
				for place, e := range o.byPlace {
					if e.kept.name != "" {
						t.Errorf("%s: %s counts as touched: %s\n%s", name, place, e.kept.name, text)
					}
				}
			}
		}
	}
}

// TestUpdateUnusableTrials checks that a run that was not scored, that is doubtful or that
// is recorded as failed changes nothing, alone and among other trials.
func TestUpdateUnusableTrials(t *testing.T) {
	const made = header + "steps:\n  - name: get_order\n    arguments: {qty: 7}\n  - name: cancel_order\n    arguments: {qty: 7}\n"
	no := false
	for want, spoil := range map[string]func(*Trial, *core.Trajectory){
		"the run is recorded as failed": func(trial *Trial, _ *core.Trajectory) { trial.Run.Success = &no },
		"the run was not scored (odd)": func(_ *Trial, r *core.Trajectory) {
			*r = core.Trajectory{Error: &core.Failure{Code: "internal", Message: "odd"}}
		},
		"perhaps the run was not read as it was (2 rows)": func(_ *Trial, r *core.Trajectory) { r.Doubt = "2 rows" },
	} {
		for _, runs := range [][][]string{{{cancel}}, {{look, cancel, send}}, {{look, cancel}}, {{cancel}, {look, cancel}}} {
			trials, compare := testTrials(t, runs)
			spoil(&trials[0], &core.Trajectory{})
			out, err := Update("x.yaml", made, "", trials, func(ref *reference.Reference) ([]core.Trajectory, error) {
				reports, err := compare(ref)
				if err == nil {
					spoil(&trials[0], &reports[0])
				}
				return reports, err
			})
			if err != nil || out.Text != made || len(out.Refused) != 1 || out.Refused[0].String() != want+", so an update changes nothing" {
				t.Errorf("%q: %v, %v\n%s", runs, err, out.Refused, out.Text)
			}
		}
	}
}

// TestUpdateOtherForms checks updates of JSON, plain text and suites.
func TestUpdateOtherForms(t *testing.T) {
	check := func(name, old, want string, runs ...[]string) {
		t.Helper()
		if out := updateText(t, name, old, runs...); out.Text != want || len(out.Refused) > 0 {
			t.Errorf("%q\n%s\ngot\n%s%v", runs, old, out.Text, out.Refused)
		}
	}
	const title = "  \"title\": \"" + madeBy + "a.json\""
	const inJSON = "{\n  \"steps\": [\n    {\"name\":\"get_order\",\"arguments\":{\"qty\":7}},\n    {\"name\": \"cancel_order\", \"title\": \"ours\", \"arguments\": {\"qty\": 7}}\n  ],\n" + title + "\n}\n"
	check("x.json", inJSON, strings.Replace(inJSON, "}}\n", "}},\n    {\"name\":\"send_email\",\"arguments\":{\"to\":\"a@b.c\"}}\n", 1), []string{look, cancel, send})
	check("x.json", inJSON, strings.Replace(inJSON, "{\"name\":\"get_order\",\"arguments\":{\"qty\":7}},\n    ", "", 1), []string{cancel})
	check("x.json", inJSON, strings.Replace(inJSON, " 7}}", " 7}, \"accept\": {\"qty\": [8]}}", 1), []string{look, `cancel_order {"qty":8}`})

	const suite = header + "tasks:\n  - id: a\n    steps:\n      - cancel_order(qty=7)\n  - id: b\n    steps:\n      - cancel_order(qty=7)\n"
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
// a YAML file is still there. In a file that boundcheck did not make, every byte is still
// there, and runs that no added value or read explains are still rejected.
func FuzzUpdate(f *testing.F) {
	for name, cases := range markCases() {
		for _, m := range cases {
			f.Add(name, m.text)
			f.Add(name, header+m.text)
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
		o, err := outlineOf(name, text, "a")
		if err != nil {
			t.Fatal(err)
		}
		left := strings.Join(demandsOf(after, nil), "\x00")
		for _, d := range demandsOf(before, o) {
			if !strings.Contains(left, d) {
				t.Errorf("%q is gone:\n%s\n%s", d, text, out.Text)
			}
		}
		checkPersons(t, name, text, out.Text, runs)
		for _, c := range o.comments {
			if comment := text[c[0]:c[1]]; !ownNote(comment) && !strings.Contains(out.Text, comment) {
				t.Errorf("%q is gone:\n%s\n%s", comment, text, out.Text)
			}
		}
	})
}

// checkPersons checks an updated text, if boundcheck did not make the file: the bytes of
// the old text are still there in order, and a run that lacks a call of all trials, or
// changes something that no trial changes, is rejected as before.
func checkPersons(t *testing.T, name, old, now string, runs [][]string) {
	t.Helper()
	if strings.Contains(old, madeBy) {
		return
	}
	if !isSubsequence(old, now) {
		t.Errorf("bytes are gone:\n%s\n%s", old, now)
	}
	if _, byTask, _ := Read(name, []byte(old)); byTask != nil {
		return
	}
	probes := [][]string{nil, {"says done"}, {look}}
	for _, run := range runs {
		probes = append(probes, run[1:], run[:len(run)-1], join(run, []string{`wipe {"all":true}`}))
	}
	for _, probe := range probes {
		if !accepts(t, name, old, probe) && accepts(t, name, now, probe) && !slices.ContainsFunc(runs, func(r []string) bool { return slices.Equal(r, probe) }) {
			t.Errorf("%q is accepted now:\n%s\n%s", probe, old, now)
		}
	}
}

// isSubsequence reports whether the bytes of a text occur in another one in order.
func isSubsequence(text, of string) bool {
	k := 0
	for i := 0; i < len(of) && k < len(text); i++ {
		if of[i] == text[k] {
			k++
		}
	}
	return k == len(text)
}

// TestUpdateNamesNoOtherThing checks that no update adds another thing to the values of a step that
// a person wrote: an id, a path or an address. The refusal is about the line of the step. A value
// that names no thing is added as before.
func TestUpdateNamesNoOtherThing(t *testing.T) {
	for _, c := range []struct {
		key, wrote, made string
		refused          bool
	}{
		{"order_id", "W-7", "W-9", true}, {"id", "7", "8", true}, {"orderId", "A", "B", true}, {"order", "W-7", "W-9", true}, {"path", "a", "b", true}, {"target", "/a", "/b", true},
		{"to", "a@x.org", "b@x.org", true}, {"flight", "HAT1", "HAT2", true}, {"items[0].id", "a", "b", true}, {"reason", "late", "dear", false}, {"size", "small", "large", false},
	} {
		value := func(v string) string {
			if key, _, nested := strings.Cut(c.key, "["); nested {
				return fmt.Sprintf(`%q: [{"id": %q}]`, key, v)
			}
			return fmt.Sprintf("%q: %q", c.key, v)
		}
		for _, form := range []string{"steps:\n  - name: cancel_order # ours\n    arguments: {%s, note: x}\n", "steps: [{name: cancel_order, arguments: {%s, note: x}}]\n"} {
			old := fmt.Sprintf(form, value(c.wrote))
			out := updateText(t, "x.yaml", old, []string{fmt.Sprintf(`cancel_order {%s, "note": "x"}`, value(c.made))})
			if refused := len(out.Refused) > 0; refused != c.refused || refused && (out.Text != old || out.Refused[0].Line == 0) {
				t.Errorf("%s, %s for %s: %v\n%s", c.key, c.made, c.wrote, out.Refused, out.Text)
			}
		}
	}
}
