// Package plugintest holds helpers for the tests of several plugins. No guest links it.
package plugintest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Fuzz sends arbitrary bytes to a plugin, starting from its conformance cases. The plugin
// must:
//
//   - answer with a result or an error
//   - not panic
//   - name only rows and calls of the request
func Fuzz(f *testing.F, p *sdk.Plugin) {
	paths, _ := filepath.Glob("../testdata/cases/" + p.Description.Name + "-*.txtar")
	if len(paths) == 0 {
		f.Fatal("no cases to start from")
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		got := p.Answer(request)
		var a abi.Answer
		if err := json.Unmarshal(got, &a); err != nil || (a.OK == nil) == (a.Error == nil) {
			t.Fatalf("answer %s, %v", got, err)
		}
		if a.Error != nil && a.Error.Code == abi.CodeInternal {
			t.Fatalf("answer %s", got)
		}
		var r abi.CheckRequest
		var c abi.Check
		if json.Unmarshal(request, &r) == nil && r.Op == abi.OpEquivalenceCheck && a.OK != nil && json.Unmarshal(a.OK, &c) == nil {
			if err := c.Within(&r); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Lines returns calls for texts of the form "action | observation". A "!" before the
// observation marks a failed call.
func Lines(text ...string) []abi.Action {
	out := []abi.Action{}
	for _, line := range text {
		action, seen, told := strings.Cut(line, " | ")
		a := abi.Action{Name: "act", Text: action}
		if told {
			seen, a.Failed = strings.CutPrefix(seen, "!")
			a.Observation = &seen
		}
		out = append(out, a)
	}
	return out
}

// Rows returns the alignment that a text such as "00 1- -1" describes. Each word is a
// row. The first character is the index of the observed call, and the second character is
// the index of the reference call. A "-" means no call, and "=" at the end of a word
// marks a match.
func Rows(text string) []abi.Row {
	var out []abi.Row
	at := func(c byte) int {
		if c == '-' {
			return -1
		}
		return int(c - '0')
	}
	for _, f := range strings.Fields(text) {
		r := abi.Row{Op: "substitution", Obs: at(f[0]), Ref: at(f[1])}
		switch {
		case strings.HasSuffix(f, "="):
			r.Op = "match"
		case r.Obs < 0:
			r.Op = "deletion"
		case r.Ref < 0:
			r.Op = "insertion"
		}
		out = append(out, r)
	}
	return out
}

// Ruled formats the rulings of a check. An excused row is written as its number and its
// stage. A blamed row is written as its number and "!".
func Ruled(c *abi.Check) string {
	var out []string
	for _, e := range c.Excused {
		out = append(out, fmt.Sprintf("%d %s", e.Row, e.Stage))
	}
	for _, b := range c.Blamed {
		out = append(out, fmt.Sprintf("%d !", b.Row))
	}
	return strings.Join(out, ", ")
}

// Runs reads recorded runs with the core's decoder.
func Runs(t testing.TB, recorded []byte) []trajectory.Trajectory {
	t.Helper()
	doc, err := read.Decode(recorded)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Trajectories
}

// Request returns the request that a host sends to replay a run.
func Request(r *trajectory.Trajectory) *abi.ReplayRequest {
	out := &abi.ReplayRequest{Task: r.Task, Recorded: r.Success, Submission: r.Submission, Reward: r.Reward}
	for i := range r.Actions {
		a := &r.Actions[i]
		action := abi.Action{Name: a.Name, Text: a.Text, Failed: a.Failed()}
		if raw := a.Arguments.Raw(); raw != "" {
			action.Arguments = json.RawMessage(raw)
		}
		if a.Observation != nil {
			action.Observation = &a.Observation.Text
		}
		out.Observed = append(out.Observed, action)
	}
	for _, a := range r.Assertions {
		out.Assertions = append(out.Assertions, abi.Assertion(a))
	}
	return out
}

// Replayed returns a run's replay. It fails the test if there is an error.
func Replayed(t testing.TB, r *abi.ReplayRequest, replay func(*abi.ReplayRequest) (abi.Replay, error)) abi.Replay {
	t.Helper()
	got, err := replay(r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
