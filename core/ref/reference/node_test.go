package reference

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func mustParse(t *testing.T, text string) jsonval.Value {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func readOneStep(t *testing.T, text string) *Step {
	t.Helper()
	r, err := Read("[" + text + "]")
	if err != nil || len(r.Steps) != 1 {
		t.Fatalf("%s: %d steps, %v", text, len(r.Steps), err)
	}
	return &r.Steps[0]
}

func TestKeysTellStepsApart(t *testing.T) {
	steps := []string{
		`"a"`, `"b"`, `"a b"`, `"a(x=1)"`, `"a(x='1')"`,
		`{"name": "a", "required": true}`, `{"name": "a", "mustNot": true}`,
		`{"name": "a", "ignore": ["x"]}`, `{"name": "a", "compare": ["x"]}`, `"a()"`,
		`{"name": "a", "accept": {"x": [1]}}`, `{"name": "a", "accept": {"x": [1, 2]}}`, `{"name": "a", "accept": {"x": [1], "y": [2]}}`,
	}
	seen := map[string]string{}
	for _, text := range steps {
		key := readOneStep(t, text).Key()
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have one key", text, other)
		}
		seen[key] = text
	}
	if readOneStep(t, `"a(x=5, y=1)"`).Key() != readOneStep(t, `{"tool": "a", "args": {"y": 1, "x": 5.0}}`).Key() {
		t.Error("spelling tells steps apart")
	}
	if readOneStep(t, `{"name": "a", "required": true}`).Terms() != "" {
		t.Error("required has nothing to do with arguments")
	}
}

// TestPlainListsStayLists checks that a reference has no process if it can be written as
// a list of steps, because all its groups are redundant.
func TestPlainListsStayLists(t *testing.T) {
	for _, text := range []string{
		`[]`, `["a"]`, `["a", "b"]`, `[["a"], {"sequence": ["b", ["c"]]}]`, `[{"anyOrder": ["a"]}, {"oneOf": [["b", "c"]]}]`,
		`["a", {"name": "b", "mustNot": true}, "c"]`, `[["a", "b"], {"name": "c", "mustNot": true}]`, "a\nb", "any order:\n a()",
	} {
		if r, err := Read(text); err != nil || r.Process != nil || r.Steps == nil {
			t.Errorf("%s: process %v, steps %v, %v", text, r.Process, r.Steps, err)
		}
	}
	r, err := Read(`["a", {"name": "b", "mustNot": true}, {"optional": {"optional": "c"}}, {"sequence": ["d"]}]`)
	if err != nil || showReference(r) != "a d never b | sequence(a optional(optional(c)) d)" {
		t.Errorf("%s, %v", showReference(r), err)
	}
}

func TestPlaces(t *testing.T) {
	r, err := Read(`["a", {"anyOrder": ["b", ["c", {"optional": ["d", {"oneOf": ["e", "f"]}]}]]}, {"sequence": ["g"]}]`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "step 1", "b": "step 2 > anyOrder 1", "c": "step 2 > anyOrder 2 > step 1",
		"d": "step 2 > anyOrder 2 > step 2 > optional > step 1", "f": "step 2 > anyOrder 2 > step 2 > optional > step 2 > oneOf 2", "g": "step 3 > sequence 1"}
	var walk func(n *Node)
	walk = func(n *Node) {
		if w, ok := want[n.Step.Name]; ok && n.Place != w {
			t.Errorf("%s stands at %q, want %q", n.Step.Name, n.Place, w)
		}
		delete(want, n.Step.Name)
		for i := range n.Children {
			walk(&n.Children[i])
		}
	}
	walk(r.Process)
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
