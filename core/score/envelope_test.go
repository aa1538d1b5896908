package score

import (
	"bytes"
	"github.com/boundcheck/boundcheck/core/report"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestDocumentedRows checks that the rows in docs/references.md give the same runs together
// as alone.
func TestDocumentedRows(t *testing.T) {
	data, err := os.ReadFile("../../docs/references.md")
	if err != nil {
		t.Skip("SKIPPED: the documentation is not there")
	}
	_, after, _ := strings.Cut(string(data), "## Many runs in one file")
	_, after, _ = strings.Cut(after, "```json\n")
	rows, _, found := strings.Cut(after, "```")
	if !found {
		t.Fatal("docs/references.md has no rows")
	}
	together, err := Evaluate(Request{Inputs: []Source{{Data: []byte(rows)}}})
	if err != nil || len(together.Warnings) > 0 {
		t.Fatal(err, together.Warnings)
	}
	var alone []report.Trajectory
	for line := range strings.Lines(rows) {
		r, err := ReadRequest([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(r)
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, report.Trajectories...)
	}
	if len(alone) != 3 || len(together.Trajectories) != 3 {
		t.Fatalf("%d runs alone, %d together", len(alone), len(together.Trajectories))
	}
	for i, a := range alone {
		b := together.Trajectories[i]
		if !reflect.DeepEqual(a.Metrics, b.Metrics) || a.Profile != b.Profile || a.Flagged != b.Flagged || len(a.Violations) != len(b.Violations) {
			t.Errorf("run %d: %v %s alone, %v %s together", i+1, a.Metrics, a.Profile, b.Metrics, b.Profile)
		}
	}
}

// TestMaybeEnvelope compares the search for "trace" in quotes with a simple search, in
// random texts of the letters that occur in it.
func TestMaybeEnvelope(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	found := 0
	for range 200_000 {
		text := []byte{'{'}
		for range r.IntN(40) {
			text = append(text, `"trace x`[r.IntN(8)])
		}
		if r.IntN(3) == 0 {
			at := 1 + r.IntN(len(text))
			text = slices.Insert(text, at, []byte(`"trace"`)...)
		}
		got := maybeEnvelope(text)
		if want := bytes.Contains(text, []byte(`"trace"`)); got != want {
			t.Fatalf("%s: %v, want %v", text, got, want)
		} else if got {
			found++
		}
	}
	if found < 60_000 {
		t.Errorf("only %d texts contain the name", found)
	}
	if maybeEnvelope([]byte(` ["trace"]`)) || maybeEnvelope(nil) || !maybeEnvelope([]byte(" \n{\"trace\"")) {
		t.Error("a list or nothing may be an envelope, or an object may not")
	}
}
