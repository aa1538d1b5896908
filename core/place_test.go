package core_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestPlace checks that Place, on a report that was written as JSON and read again, sets
// the same lines as Evaluate with Options.Lines.
func TestPlace(t *testing.T) {
	files, _ := filepath.Glob("../testdata/*/*")
	lines := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		request := core.Request{Inputs: []core.Source{{Data: data}}}
		report, err := core.Evaluate(request)
		if err != nil {
			continue
		}
		text, _ := json.Marshal(report)
		var got core.Report
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if err := core.Place(&got, request); err != nil {
			t.Fatal(err)
		}
		request.Options.Lines = true
		want, err := core.Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Trajectories {
			for k := range want.Trajectories[i].Observed {
				a, b := want.Trajectories[i].Observed[k].Line, got.Trajectories[i].Observed[k].Line
				if a != b {
					t.Errorf("%s, run %d, action %d: line %d, want %d", file, i, k, b, a)
				}
				if a > 0 {
					lines++
				}
			}
		}
	}
	if lines < 20 {
		t.Errorf("only %d lines were known", lines)
	}
}

// TestPlaceElsewhere checks that Place sets no line for an action that is not in the
// inputs, or has another name there.
func TestPlaceElsewhere(t *testing.T) {
	report := core.Report{Trajectories: []core.Trajectory{{ID: "none", Observed: []core.Action{{Name: "a"}}}, {ID: "x", Observed: []core.Action{{Name: "b"}, {Name: "b"}}}}}
	request := core.Request{Inputs: []core.Source{{Data: []byte("{\"trajectories\":[{\"id\":\"x\",\"actions\":[\n{\"name\":\"a\"}]}]}")}}}
	if err := core.Place(&report, request); err != nil {
		t.Fatal(err)
	}
	for _, run := range report.Trajectories {
		for _, a := range run.Observed {
			if a.Line != 0 {
				t.Errorf("run %s: line %d", run.ID, a.Line)
			}
		}
	}
	if err := core.Place(&report, core.Request{Inputs: []core.Source{{Data: []byte("nonsense")}}}); err == nil {
		t.Error("no error for what cannot be read")
	}
}
