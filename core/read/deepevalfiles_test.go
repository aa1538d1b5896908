package read

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestDeepEvalFiles reads the traces in DeepEval's own repository (its folders tests and typescript/test, in the folder
// deepeval of the recordings) and compares the calls with the spans of tools that a plain walk sees. A trace that is
// read otherwise has a warning or is refused, and few are.
func TestDeepEvalFiles(t *testing.T) {
	dir := filepath.Join(recordings.Dir(), "deepeval")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: no files of DeepEval in %s", dir)
	}
	right, said := 0, 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		var trace struct {
			BaseSpans, LLMSpans *[]json.RawMessage
			ToolSpans           []struct{ Name string }
		}
		if err != nil || json.Unmarshal(data, &trace) != nil || trace.BaseSpans == nil || trace.LLMSpans == nil {
			return err
		}
		var want, got []string
		for _, span := range trace.ToolSpans {
			for _, prefix := range []string{"Function tool: ", "execute_tool "} { // of the SDKs that wrote the spans
				span.Name = strings.TrimPrefix(span.Name, prefix)
			}
			if span.Name != "(merged tools)" { // repeats the spans beside it
				want = append(want, span.Name)
			}
		}
		doc, err := Decode(data)
		if err != nil {
			said++
			return nil
		}
		handoffs := map[string]bool{}
		for _, run := range doc.Trajectories {
			for _, a := range run.Actions {
				if strings.HasPrefix(a.Name, "transfer_to_") && !handoffs[a.Name] { // DeepEval has a span of another type for it
					handoffs[a.Name] = true
					continue
				}
				got = append(got, a.Name)
			}
		}
		if len(trace.ToolSpans) == 0 && strings.Contains(string(data), `"toolsCalled"`) {
			for _, name := range got { // named by a list, which the walk does not read
				if !strings.Contains(string(data), `"`+name+`"`) {
					t.Errorf("%s: %s is nowhere", path, name)
				}
			}
			want = slices.Clone(got)
		}
		slices.Sort(want)
		slices.Sort(got)
		switch {
		case len(doc.Trajectories) == 1 && slices.Equal(want, got):
			right++
		case len(doc.Warnings) > 0:
			said++
			t.Logf("said: %s: %v, want %v", path, got, want)
		default:
			t.Errorf("%s: %d runs, %v, want %v", path, len(doc.Trajectories), got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d right, %d said", right, said); right < 160 || 40*said > right {
		t.Errorf("%d right, %d said", right, said)
	}
}
