package snapshot

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

func TestRead(t *testing.T) {
	check := func(name, text string, steps int, tasks int) {
		t.Helper()
		one, byTask, err := Read(name, []byte(text))
		if err != nil || one != nil && len(one.Steps) != steps || one == nil && steps > 0 || len(byTask) != tasks {
			t.Errorf("%q: got %+v, %d tasks, %v", text, one, len(byTask), err)
		}
	}
	refuses := func(text, want string) {
		t.Helper()
		if _, _, err := Read("-", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	check("-", "steps:\n  - name: a # once\n    arguments: {id: 7}\n  - anyOrder:\n      - b()\n      - name: c\n", 3, 0)
	check("-", "a(id=7)\nb()\n", 2, 0)
	check("-", "steps: []", 0, 0)
	check("-", "optional: a()\n", 0, 0)
	check("-", `{"tasks": [{"id": "one", "steps": ["a()"]}, {"id": 2, "steps": [{"name": "b"}], "says": ["done"]}]}`, 0, 2)
	check("-", "tasks:\n  - id: one\n    steps:\n      - a(id=1)\n", 0, 1)
	refuses("", "has no step")
	refuses("# nothing\n", "has no step")
	refuses("tasks:\n  - steps: []\n", `task 1: missing "id"`)
	refuses("tasks:\n  - {id: a, steps: []}\n  - {id: a, steps: []}\n", "twice")
	refuses("tasks:\n  - {id: a, steps: [], until: 3}\n", `unknown member "until"`)
	refuses("tasks:\n  - {id: a, steps: [{nam: x}]}\n", `task 1: step 1`)
	refuses("steps:\n  - nam: x\n", "step 1")
}

// newTestRun returns a successful run with these calls. Each call is written as a name, a
// space and JSON. A call that starts with "&" is in the same turn as the previous call. A
// call that starts with "!" fails.
func newTestRun(t *testing.T, told string, calls ...string) *trajectory.Trajectory {
	t.Helper()
	r := &trajectory.Trajectory{Messages: []trajectory.Message{{Role: "user", Text: told}}}
	for _, c := range calls {
		turn := len(r.Messages)
		if rest, ok := strings.CutPrefix(c, "&"); ok { // in the same turn as the previous call
			c, turn = rest, turn-1
		} else {
			r.Messages = append(r.Messages, trajectory.Message{Role: "assistant"})
		}
		rest, failed := strings.CutPrefix(c, "!")
		name, arguments, _ := strings.Cut(rest, " ")
		a := trajectory.Action{Name: name, Message: turn, Observation: &trajectory.Observation{Text: "ok", Error: failed}}
		if arguments != "" {
			v, err := jsonval.Parse(arguments)
			if err != nil {
				t.Fatal(err)
			}
			a.Arguments = v
		}
		r.Actions = append(r.Actions, a)
	}
	return r
}

func proposedYAML(t *testing.T, runs ...*trajectory.Trajectory) string {
	t.Helper()
	steps, notes := proposeSteps(runs)
	s := Suite{Tasks: []Task{{Steps: steps, Notes: notes}}}
	b, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read("x.yaml", b); err != nil {
		t.Fatalf("what was written is not read: %v\n%s", err, b)
	}
	j, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read("x.json", j); err != nil {
		t.Fatalf("what was written is not read: %v\n%s", err, j)
	}
	return string(b)
}

func TestPropose(t *testing.T) {
	wants := func(got string, parts ...string) {
		t.Helper()
		for _, p := range parts {
			if want, not := strings.CutPrefix(p, "not "); not == strings.Contains(got, want) {
				t.Errorf("want %q in\n%s", p, got)
			}
		}
	}
	one := newTestRun(t, "cancel W-7", `get_order {"order_id":"W-7"}`, `&get_customer {"id":1}`, `!cancel_order {"order_id":"W-7"}`,
		`cancel_order {"order_id":"W-7","reason":"the customer changed their mind","nonce":"x1"}`)
	wants(proposedYAML(t, one), "anyOrder: # parallel calls", "order_id: W-7", "- reason # free text", "- nonce # new in each run", "not - order_id")
	if strings.Count(proposedYAML(t, one), "name: cancel_order") != 1 {
		t.Error("the failed attempt is in the reference")
	}
	// The agent did not word what the user said.
	wants(proposedYAML(t, newTestRun(t, "write: we are closed on Monday", `send {"body":"we are closed on Monday"}`)), "not ignore")
	// A command is not prose, and a text that looks like a number stays a text.
	wants(proposedYAML(t, newTestRun(t, "", `bash {"command":"make all and then test it"}`, `set {"zip":"01234","n":1.50}`)), "not ignore", `"01234"`, "1.50")

	two := newTestRun(t, "cancel W-7", `get_order {"order_id":"W-7"}`, `cancel_order {"order_id":"W-7","reason":"late"}`)
	three := newTestRun(t, "cancel W-7", `get_order {"order_id":"W-7"}`, `get_customer {"id":1}`, `cancel_order {"order_id":"W-7","reason":"dear"}`)
	wants(proposedYAML(t, three, two), "optional: # good run 2 did not make this call", "reason: [late]", "# other good runs had these values")
	wants(proposedYAML(t, two, three), "optional: # only good run 2 made this call", "name: get_customer")
	four := newTestRun(t, "cancel W-7", `get_order {"order_id":"W-7"}`, `cancel_order {"order_id":"W-7","reason":"late"}`, `refund {"order_id":"W-7"}`)
	wants(proposedYAML(t, two, four), "# good run 2 also called refund", "not name: refund")
	wants(proposedYAML(t, four, two), "# good run 2 did not call refund; check whether the reference needs this call", "name: refund")

	// A run that does nothing would agree.
	reads := []*trajectory.Trajectory{newTestRun(t, "", `get_a {"id":1}`), newTestRun(t, "", `get_b {"id":1}`)}
	for _, runs := range [][]*trajectory.Trajectory{{newTestRun(t, "")}, reads} {
		if _, err := Of(runs, nil); err == nil || !strings.Contains(err.Error(), "a run that does nothing would agree") {
			t.Errorf("%d runs: %v", len(runs), err)
		}
	}
}

// FuzzRoundTrip checks that a reference keeps its meaning when it is written and read
// again. It checks the same for a reference that is written, updated and read again.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", " x", "x ", "a: b", "# c", "- d", "1", "1e3", "0x10", "true", "yes", "null", "~", "2024-05-20", "a\nb", "a\n", "\n", " a\nb ", "\t", "a\r\nb", "\x00",
		"\u0085", "\u2028", "\ufeff", "%", "@", "`", "'", `"`, `\`, "&a", "*a", "!x", "|", ">", "{", "[", "<<", "=", "é", "𝒳", strings.Repeat("long ", 40), "---", "...", "a #b", "\u009a", "key: |\n  x"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		v, err := jsonval.Parse(`{` + jsonval.Quoted("k"+strings.ToValidUTF8(key, "?")) + `:[` + jsonval.Quoted(strings.ToValidUTF8(value, "?")) + `,1.50,null,true]}`)
		if err != nil {
			t.Skip()
		}
		s := Suite{Head: []string{value}, Tasks: []Task{{Steps: []Step{{Name: "a", Arguments: v, Turn: -1, Ignore: []Note{{"x", value}}}}, Notes: []string{value}}}}
		check := func(name string, data []byte, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(name, err)
			}
			one, _, err := Read(name, data)
			if err != nil || len(one.Steps) != 1 || !jsonval.Equal(one.Steps[0].Arguments, v) {
				t.Fatalf("%s: %v\nwant %s\n%s", name, err, v.Raw(), data)
			}
		}
		text, err := s.YAML()
		check("x.yaml", text, err)
		data, err := s.JSON()
		check("x.json", data, err)
	})
}
