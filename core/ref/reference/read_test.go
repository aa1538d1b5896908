package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// showReference returns a reference as one line. A call is its name with its arguments,
// and has a ! if the call is required. A group is its kind with its children in brackets.
func showReference(r *Reference) string {
	var parts []string
	for i := range r.Steps {
		parts = append(parts, showStep(&r.Steps[i]))
	}
	out := strings.Join(parts, " ")
	if r.Process != nil {
		out += " | " + showNode(r.Process)
	}
	if r.Says != nil {
		out += " | says " + strings.Join(r.Says, ", ")
	}
	return out
}

func showNode(n *Node) string {
	if n.Kind == Action {
		return showStep(&n.Step)
	}
	var parts []string
	for i := range n.Children {
		parts = append(parts, showNode(&n.Children[i]))
	}
	return n.Kind.String() + "(" + strings.Join(parts, " ") + ")"
}

func showStep(s *Step) string {
	out := s.Name
	if s.Required {
		out += "!"
	}
	if s.MustNot {
		out = "never " + out
	}
	var values []string
	for _, l := range s.Arguments.Leaves() {
		values = append(values, l.Value.Raw())
	}
	return strings.Join(append([]string{out}, values...), ":")
}

func readTestFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRead(t *testing.T) {
	check := func(name, want string) {
		t.Helper()
		r, err := Read(readTestFile(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := showReference(r); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	check("good/action.json", `get_order:"A" cancel_order:"A":"no longer needed"`)
	check("good/sequence.json", `verify get_order:"A" cancel_order:"A"`)
	check("good/anyorder.json", `verify! get_order:"A" get_order:"B" lock:"A" unlock:"A" close | `+
		`sequence(verify! anyOrder(get_order:"A" get_order:"B" sequence(lock:"A" unlock:"A")) close) | says A and B are the same`)
	check("good/oneof.json", `get_order:"A" cancel_order:"A" | oneOf(sequence(get_order:"A" cancel_order:"A") cancel_order:true:"A" sequence())`)
	check("good/optional.json", `get_order:"A" cancel_order:"A" | `+
		`sequence(get_order:"A" optional(get_user:"u1") optional(sequence(lock:"A" unlock:"A")) cancel_order:"A")`)
	check("good/marks.json", `cancel_order:"A":"other" search:1:"a" note:"A":"called back" think log never delete_user`)
	check("good/list.txt", `get_order:"A" cancel_order:"A"`)
	check("good/text.txt", `verify_identity!:"u1" get_order:"A" get_order:"B" cancel_order:"A" never delete_user | `+
		`sequence(verify_identity!:"u1" anyOrder(get_order:"A" get_order:"B") oneOf(cancel_order:"A" refund_order:5:"A") `+
		`optional(sequence(lock:"A" unlock:"A")) optional(note:"done, and said so"))`)
	check("task/paths.json", `get:"A" cancel:"A" | oneOf(sequence(get:"A" cancel:"A") cancel:"A":5) | says 10`)
	check("task/more.json", ` | oneOf(sequence() cancel:"A" refund:"A")`)
	check("task/one.json", `cancel:"A"`)
	check("task/criteria.json", `note:"A":"x" cancel:"A" | says 10`)
}

func TestReadErrorsSayWhere(t *testing.T) {
	checkText := func(text, want string) {
		t.Helper()
		_, err := Read(text)
		if err == nil || !strings.HasPrefix(err.Error(), "invalid reference") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want one with %q", text, err, want)
		}
	}
	check := func(name, want string) { t.Helper(); checkText(readTestFile(t, "bad/"+name), want) }
	check("unknown.json", `step 2 > anyOrder 2: unknown member "argumets"; did you mean "arguments"; the known members are name, arguments, `)
	check("empty.json", `step 1: the group "anyOrder" is empty`)
	check("mixed.json", `step 1: unknown member "name" beside the member "oneOf"`)
	check("forbidden.json", `step 3 > oneOf 2 > step 2: invalid "mustNot"`)
	check("accept.json", `step 1: invalid "accept": want a list of values for the argument "reason", got "x"`)
	check("twice.json", `step 1: member "name" appears twice`)
	check("optional.json", `step 1: the group "optional" is empty`)
	check("group.txt", `line 2: the group "anyOrder" is empty`)
	check("nested.txt", `line 3: a group inside a group can be written only in JSON`)
	check("forbidden.txt", `line 3: invalid "mustNot"`)
	check("mark.txt", `line 2: missing call after "required:"`)

	checkText(`[1]`, `step 1: a step must be a call as text, an object with a "name", or a group; got number`)
	checkText(`[{"name": 5}]`, `step 1: invalid member "name": want a string, got number`)
	checkText(`[{"name": "a", "input": {}, "args": {}}]`, `step 1: the step has two members with arguments; the second is "args"`)
	checkText(`[""]`, `step 1: missing call`)
	checkText(`[{"arguments": {}}]`, `step 1: missing "name"; members seen: ["arguments"]`)
	checkText(`[{"name": "a", "accept": {"x": [1], "x": [2]}}]`, `step 1: invalid "accept": the argument "x" appears twice`)
	checkText(`[{"name": "a", "required": "yes"}]`, `step 1: invalid member "required": want true or false, got string`)
	checkText(`[{"name": "a", "compare": [1]}]`, `step 1: invalid member "compare": each element must be a string, got number`)
	checkText(`[{"sequence": {}}]`, `step 1: want a list of steps, got object`)
	checkText(`[{"sequence": [], "sequence": []}]`, `step 1: member "sequence" appears twice`)
	checkText(`{"steps": [], "sayz": []}`, `unknown member "sayz"; did you mean "says"; the known members are steps, says, only, title, aliases, compositions`)
	checkText(`{"says": []}`, `missing "steps"; members seen: ["says"]`)
	checkText(`{"steps": [], "says": [1]}`, `invalid member "says"`)
	checkText(`{"steps": 1}`, `want a list of steps, got number`)
	checkText(`[{"name":"a","ignore":["b..c"]}]`, `step 1: invalid "ignore": invalid path "b..c" at character 3: a name is missing before the dot`)
	checkText(`[{"name":"a","compare":["b.#(c==1)"]}]`, `step 1: invalid "compare": invalid path "b.#(c==1)" at character 3: only names`)
	checkText(`[{"name":"a","accept":{"b.":[1]}}]`, `step 1: invalid "accept": invalid path "b." at character 3: a name is missing at the end`)
	checkText(`{"valid_action_paths": 1}`, `valid_action_paths: want a list of paths, got number`)
	checkText(`{"valid_action_paths": [[], [5]]}`, `path 2 > step 1: a step must be a call`)
	checkText(`{"actions": [{}]}`, `actions > step 1: missing "name"`)
	checkText(`[}`, `invalid JSON at line 1 column 2`)
	checkText("a()\n)(b", `line 2: invalid call`)
}

func TestReadBounds(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		if _, err := Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want one with %q", text, err, want)
		}
	}
	check(`["a",`+strings.Repeat("[", 40)+strings.Repeat("]", 40)+`]`, "groups are nested more than 32 levels deep")
	check(strings.Repeat(`[{"optional":`, 40)+`"a"`+strings.Repeat("}]", 40), "groups are nested more than 32 levels deep")
	check("["+strings.Repeat(`"a",`, MaxNodes)+`"a"]`, "step 100001: more than 100000 steps")
	check(strings.Repeat("a\n", MaxNodes+1), "more than 100000 lines")
}

func TestFromValue(t *testing.T) {
	v, err := jsonval.Parse(`["[\"a(x=1)\", {\"optional\": \"b\"}]", "a\nb", 5]`)
	if err != nil {
		t.Fatal(err)
	}
	list := v.Elements()
	if r, err := FromValue(list[0]); err != nil || showReference(r) != "a:1 | sequence(a:1 optional(b))" {
		t.Errorf("JSON in a string: %s, %v", showReference(r), err)
	}
	if r, err := FromValue(list[1]); err != nil || showReference(r) != "a b" || r.Process != nil {
		t.Errorf("text in a string: %s, %v", showReference(r), err)
	}
	if _, err := FromValue(list[2]); err == nil {
		t.Error("a number is a reference")
	}
}

// TestOneStepAlone checks that a single group or call is a reference of one step.
func TestOneStepAlone(t *testing.T) {
	for _, text := range []string{`{"anyOrder":[{"name":"a"},{"name":"b"}]}`, `{"oneOf":[{"name":"a"},{"name":"b"}]}`, `{"name":"a","arguments":{"x":1}}`} {
		if r, err := Read(text); err != nil || len(r.Steps) == 0 {
			t.Errorf("%s: %v %+v", text, err, r)
		}
	}
	if _, err := Read(`{"anyOrder":7}`); err == nil {
		t.Error("a group that is not a list was read")
	}
}

func TestOrigin(t *testing.T) {
	for name, want := range map[string]Origin{"task/paths.json": Benchmark, "task/criteria.json": Benchmark, "good/oneof.json": Person, "good/list.txt": Person} {
		if r, err := Read(readTestFile(t, name)); err != nil || r.Origin != want {
			t.Errorf("%s: origin %d, %v; want %d", name, r.Origin, err, want)
		}
	}
}

// foreignSteps reads a JSON list of calls in a benchmark's form. A call is a text, or an
// object with "name" (or "tool") and its arguments. Unknown members of a call are
// skipped.
func foreignSteps(list jsonval.Value) ([]Step, error) {
	r := reader{foreign: true}
	if list.Kind() != jsonval.Array {
		return nil, errorAt("", fmt.Errorf("want a list of steps, got %s", list.Kind()))
	}
	steps := make([]Step, 0, 8)
	for i, e := range list.Elements() {
		s, err := r.parseStep(e)
		if err != nil {
			return nil, errorAt(fmt.Sprintf("step %d", i+1), err)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// TestSteps checks that the calls of a benchmark may have unknown members.
func TestSteps(t *testing.T) {
	v, err := jsonval.Parse(`[{"name": "a", "kwargs": "{\"x\": 1}", "weight": 3}, {"tool": "b", "input": null}, {"name": "c", "kwargs": ""}]`)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := foreignSteps(v)
	if got := showReference(&Reference{Steps: steps}); err != nil || got != "a:1 b c" {
		t.Errorf("steps %s, %v", got, err)
	}
	if _, err := foreignSteps(jsonval.Value{}); err == nil {
		t.Error("nothing is a list of steps")
	}
	v, _ = jsonval.Parse(`[{"name": "a"}, {"name": "b", "args": [1]}]`)
	if _, err := foreignSteps(v); err == nil || !strings.Contains(err.Error(), "step 2: invalid arguments: want an object, got the array [1]") {
		t.Errorf("error %v", err)
	}
}
