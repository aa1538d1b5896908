package reference

import (
	"fmt"
	"strings"
	"testing"
)

// showSteps returns the steps of a reference, one on each line.
func showSteps(r *Reference) string {
	var b strings.Builder
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "%s %s", s.Name, s.Arguments.Raw())
		for _, a := range s.Accept {
			fmt.Fprintf(&b, " %s=", a.Path)
			for _, v := range a.Values {
				b.WriteString(v.Raw() + "|")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestAnswers checks the possible answers of the Berkeley Function-Calling Leaderboard:
// JSON lines, turns of calls in Python's notation, and possible values.
func TestAnswers(t *testing.T) {
	_, byTask, err := ReadSet(`{"id": "t1", "ground_truth": [["cd(folder='a')", "grep(file_name='x, y.txt', pattern='it\\'s')"], [], ["sort('x.txt')", "grep('x.txt', 'b=c')"]]}
{"id": "t2", "ground_truth": [["edit(id=7, updates={'priority': 2, 'tags': ['a', 'b'], 'open': True})", "sort(file_name='q')", "mean([1, 2])"]]}
{"id": "t3", "ground_truth": [{"math.gcd": {"a": [4], "b": [8, "8"], "unit": ["", "cm"], "never": [""]}}, {"order": {"drink": [{"size": ["large", "big"], "ice": [""], "milk": ["soy", ""]}], "note.x": ["n", "m"]}}]}
`)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"t1": `cd {"folder":"a"}
grep {"file_name":"x, y.txt","pattern":"it's"}
sort {"file_name":"x.txt"}
grep {"file_name":"x.txt","pattern":"b=c"}
`,
		"t2": `edit {"id":7,"updates":{"priority": 2, "tags": ["a", "b"], "open": true}}
sort {"file_name":"q"}
mean {"arg1":[1, 2]}
`,
		"t3": `math.gcd {"a":4,"b":8,"unit":"cm"} b="8"| unit=null|
order {"drink":{"size":"large","milk":"soy"},"note.x":"n"} drink.size="big"| drink.ice=null| drink.milk=null| ["note.x"]="m"|
`,
	} {
		if r := byTask[id]; r == nil || showSteps(r) != want {
			t.Errorf("%s: read\n%s\nwant\n%s", id, showSteps(r), want)
		}
	}
	if r := byTask["t1"]; r.Origin != Benchmark || !r.Steps[0].Required {
		t.Errorf("a conversation: %+v", r)
	}
	if r := byTask["t3"]; r.Origin != Person || r.Process == nil || r.Process.Kind != AnyOrder {
		t.Errorf("a single turn: %+v", r)
	}
	for text, want := range map[string]string{
		`{"id": "a", "ground_truth": [["cd folder"]]}`:                      `ground_truth 1 > call 1: want a call such as name(argument=value), got "cd folder"`,
		`{"id": "a", "ground_truth": [["cd(x=1, x=2)"]]}`:                   `the argument "x" appears twice`,
		`{"id": "a", "ground_truth": [{"f": {"x": 1}}]}`:                    `invalid argument "x": want a list of values, got 1`,
		"{\"ground_truth\": [[\"f()\"]]}\n{\"ground_truth\": [[]]}":         `missing "id"`,
		"{\"id\": 1, \"ground_truth\": [[\"f()\"]]}\n{\"id\": 2, \"x\": 1}": "invalid reference: task 2",
	} {
		if _, _, err := ReadSet("[" + strings.ReplaceAll(text, "\n", ",") + "]"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
