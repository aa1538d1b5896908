package checkers

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/boundcheck/boundcheck/core/stage/checker"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

func newDescription(name string) abi.Description {
	return abi.Description{Name: name, Version: "1.2.3", Benchmarks: []abi.Benchmark{{ID: "mini", Formats: []string{"mini"}, Tools: []string{"pay"}}}}
}

// TestAsked checks that the plugin receives the core's data of a run in the form that
// ABI.md defines. Arguments that are JSON must arrive byte for byte. Other arguments
// must arrive as a JSON string.
func TestAsked(t *testing.T) {
	saw, yes, half := "done", true, 0.5
	in := checker.Case{Benchmark: "mini", Task: "7", Opening: "hello", Outputs: []string{"5"}, Replies: []string{"5!"}, Recorded: &yes, Reward: &half, Submission: &saw,
		Observed:   []checker.Call{{Name: "pay", Arguments: `{"sum":9007199254740993}`, Observation: &saw}, {Name: "pay", Arguments: `{"sum":`, Broken: true, Failed: true}, {Text: "go north", Requestor: "user"}},
		Reference:  []checker.Call{{Name: "pay", Arguments: "{}"}},
		Rows:       []checker.Row{{Op: "match", Obs: 0, Ref: 0}, {Op: "insertion", Obs: 1, Ref: -1}},
		Assertions: []checker.Assertion{{Name: "a", Result: 1, Total: 2}}}
	var got []byte
	c := &Checker{Description: newDescription("x"), Ask: func(r abi.CheckRequest) (abi.Check, error) {
		got, _ = json.Marshal(r)
		return abi.Check{}, nil
	}}
	if _, err := c.Check(&in); err != nil {
		t.Fatal(err)
	}
	const want = `{"op":"","benchmark":"mini","observed":[{"name":"pay","arguments":{"sum":9007199254740993},"observation":"done"},{"name":"pay","arguments":"{\"sum\":","failed":true},{"name":"","requestor":"user","text":"go north"}],` +
		`"reference":[{"name":"pay","arguments":{}}],"outputs":["5"],"replies":["5!"],"recorded":true,"task":"7","opening":"hello","submission":"done","assertions":[{"name":"a","result":1,"total":2}],"reward":0.5,` +
		`"alignment":[{"op":"match","obs":0,"ref":0},{"op":"insertion","obs":1,"ref":-1}]}`
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
}

func TestVerdict(t *testing.T) {
	half := 0.5
	c := &Checker{Description: newDescription("x"), Ask: func(abi.CheckRequest) (abi.Check, error) {
		return abi.Check{Excused: []abi.Excuse{{Row: 1, Stage: "state", Reason: "same"}}, Blamed: []abi.Blame{{Row: 0, Differences: []int{0}, Reason: "other"}},
			Replay: abi.Replay{Benchmark: "mini", Basis: "database", Score: &half, Notes: []string{"n"}, Outputs: map[string]bool{"5": true}, Contradicted: true,
				Differences: []abi.Difference{{Table: "t", Key: "k", Field: "f", Observed: json.RawMessage("1")}}, Assertions: []abi.Assertion{{Name: "a", Result: 1, Total: 2}}}}, nil
	}}
	got, err := c.Check(&checker.Case{})
	want := checker.Verdict{Excused: []checker.Excuse{{Row: 1, Stage: "state", Reason: "same"}}, Blamed: []checker.Blame{{Row: 0, Differences: []int{0}, Reason: "other"}},
		Replay: &checker.Replay{Benchmark: "mini", Basis: "database", Score: &half, Notes: []string{"n"}, Outputs: map[string]bool{"5": true}, Contradicted: true,
			Differences: []checker.Difference{{Table: "t", Key: "k", Field: "f", Observed: "1"}}, Assertions: []checker.Assertion{{Name: "a", Result: 1, Total: 2}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

// TestSlowIsNotAskedAgain checks that a checker is not asked again after it has
// exceeded its deadline. It would otherwise exceed the deadline on every run of a file.
func TestSlowIsNotAskedAgain(t *testing.T) {
	errSlow, errOther := errors.New("too slow"), errors.New("other")
	asked, next := 0, errOther
	c := &Checker{Description: newDescription("x"), Slow: func(err error) bool { return err == errSlow }, Ask: func(abi.CheckRequest) (abi.Check, error) {
		asked++
		return abi.Check{}, next
	}}
	check := func(want error, calls int, text string) {
		t.Helper()
		if _, err := c.Check(&checker.Case{}); !errors.Is(err, want) || asked != calls || err.Error() != text {
			t.Errorf("%v after %d calls, want %q after %d", err, asked, text, calls)
		}
	}
	check(errOther, 1, "other")
	next = errSlow
	check(errSlow, 2, "too slow")
	check(errSlow, 2, "not asked again: too slow")
}

func TestWhoApplies(t *testing.T) {
	var found []string
	scout := Scout{Description: newDescription("scout"), Found: func(benchmark string) { found = append(found, benchmark) }}
	for format, want := range map[string]bool{"mini": true, "other": false} {
		if _, ok := (&Checker{Description: newDescription("x")}).Applies(format, []string{"pay"}); ok != want {
			t.Errorf("%s: applies %v", format, ok)
		}
		if _, ok := (&Checker{Description: newDescription("x"), Force: true}).Applies(format, nil); !ok {
			t.Errorf("%s: one that was asked for by name does not apply", format)
		}
		if _, ok := (Broken{Name: "b"}).Applies(format, nil); !ok {
			t.Errorf("%s: a broken one is silent", format)
		}
		if _, ok := scout.Applies(format, []string{"pay"}); ok {
			t.Errorf("%s: a scout rules", format)
		}
	}
	if !reflect.DeepEqual(found, []string{"mini"}) {
		t.Errorf("the scout found %v", found)
	}
}
