package read

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/trajectory"
)

// TestEnvelopeRows checks that rows of JSONL with a trace of any format, as an object or
// as a string, give the same runs as the trace alone. Each row has its own reference.
func TestEnvelopeRows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(examples, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Decode(data)
		if err != nil || len(want.Trajectories) == 0 {
			continue // the file only contains references
		}
		var traces [][]byte
		var compact bytes.Buffer
		if json.Compact(&compact, data) == nil {
			data = compact.Bytes()
			traces = append(traces, data)
			want, _ = Decode(data)
		}
		text, err := json.Marshal(string(data))
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, text)
		for _, trace := range traces {
			row := `{"trace":` + string(trace) + `,"reference":"first_step()","profile":"sop"}` + "\n"
			got, err := Decode([]byte(row + "\n" + row))
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			got.Place([]byte(row + "\n" + row))
			if len(got.Trajectories) != 2*len(want.Trajectories) {
				t.Errorf("%s: rows of %.20s: %d runs, want %d", file, trace, len(got.Trajectories), 2*len(want.Trajectories))
				continue
			}
			for i, r := range got.Trajectories {
				w := want.Trajectories[i%len(want.Trajectories)]
				if a, b := summarizeRun(&r), summarizeRun(&w); a != b || r.Task != w.Task {
					t.Errorf("%s: rows of %.20s: run %d is %s, want %s", file, trace, i+1, a, b)
				}
				if r.Reference == nil || r.AskedProfile != "sop" {
					t.Errorf("%s: rows of %.20s: run %d has no reference or no profile", file, trace, i+1)
				}
				for _, a := range r.Actions {
					if line := 1 + 2*(i/len(want.Trajectories)); a.Line != line && a.Line != 0 {
						t.Errorf("%s: rows of %.20s: run %d has an action in line %d", file, trace, i+1, a.Line)
					}
				}
			}
			for _, w := range got.Warnings {
				if w.Code == "row-not-read" || w.Code == "calls-not-read" {
					t.Errorf("%s: rows of %.20s: %s", file, trace, w.Message)
				}
			}
		}
	}
}

// summarizeRun returns the calls of a run with their results.
func summarizeRun(r *trajectory.Trajectory) string {
	var out strings.Builder
	for _, a := range r.Actions {
		out.WriteString(a.Name + a.Arguments.Raw() + a.Broken + a.Text)
		if a.Observation != nil {
			out.WriteString(" = " + a.Observation.Text)
		}
		out.WriteString("; ")
	}
	return out.String()
}

// TestEnvelopeRowData checks that a row gives its run the id and the outcome next to the
// trace, and that warnings name this run.
func TestEnvelopeRowData(t *testing.T) {
	trace := `{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"cancel","arguments":"{}"}}]}]}`
	doc, err := Decode([]byte(`{"id":"first","trace":` + trace + `}` + "\n" +
		`{"id":"second","success":true,"trace":` + trace + `,"refrence":"cancel()","seed":3}` + "\n" +
		`{"id":"third","trace":` + trace + `,"reference":7}` + "\n" +
		`{"id":"fourth","trace":{"words":1}}` + "\n" +
		`{"id":"fifth","trace":{"words":1},"reference":"cancel()"}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range doc.Trajectories {
		got = append(got, r.ID)
	}
	if strings.Join(got, " ") != "first second third" || doc.Trajectories[1].Success == nil {
		t.Errorf("runs %q, success %v", got, doc.Trajectories[1].Success)
	}
	got = nil
	for _, w := range doc.Warnings {
		got = append(got, w.Code+" "+w.Trajectory)
	}
	want := "row-setting-not-used second, row-member-unknown second, reference-not-read third, row-not-read , row-not-read "
	if strings.Join(got, ", ") != want {
		t.Errorf("warnings %q, want %q", strings.Join(got, ", "), want)
	}
}

// TestUnreadableRow checks that a row without a trace does not cost the other rows their
// settings and warnings.
func TestUnreadableRow(t *testing.T) {
	doc, err := Decode([]byte(`{"trace":{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"cancel","arguments":"{}"}}]}]},"refrence":"cancel()","profile":"sop"}` + "\n" +
		`{"trace":{"words":1},"reference":"cancel()"}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Trajectories) != 1 || doc.Trajectories[0].AskedProfile != "sop" || len(doc.Warnings) != 2 || doc.Warnings[0].Code != "row-member-unknown" || doc.Warnings[1].Code != "row-not-read" {
		t.Errorf("runs %+v, warnings %+v", doc.Trajectories, doc.Warnings)
	}
}
