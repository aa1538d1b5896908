package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// rewrapped are changes of a file that keep what it says: how it is printed, the order of its members, an envelope
// around it, a list as lines, and a member that says something of the file.
var rewrapped = []struct {
	name string
	make func(values []any) string
}{
	{"printed", func(values []any) string { return indent(values) }},
	{"ordered", func(values []any) string { return writeRows(values) }}, // the members are sorted
	{"envelope", func(values []any) string { return made.JSON(map[string]any{"export": whole(values)}) }},
	{"page", func(values []any) string {
		return made.JSON(map[string]any{"page": 1, "data": map[string]any{"results": whole(values)}})
	}},
	{"lines", func(values []any) string {
		if list, ok := whole(values).([]any); ok && len(list) > 0 {
			return writeRows(list)
		}
		return writeRows(values)
	}},
	{"list", func(values []any) string { return made.JSON(elementsOf(values)) }},
	{"metadata", func(values []any) string {
		var out []any
		for _, v := range values {
			if o, ok := v.(map[string]any); ok {
				c := map[string]any{"exported_by": "a tool", "exported_at": "2026-01-05T10:00:00Z"}
				for key, m := range o {
					c[key] = m
				}
				v = c
			}
			out = append(out, v)
		}
		return writeRows(out)
	}},
}

func whole(values []any) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

func elementsOf(values []any) []any {
	if list, ok := whole(values).([]any); ok {
		return list
	}
	return values
}

func indent(values []any) string {
	var out []string
	for _, v := range values {
		data, _ := json.MarshalIndent(v, "", "  ")
		out = append(out, string(data))
	}
	return strings.Join(out, "\n")
}

// reading is what was read of a text: the calls of each run without the order of the runs, how many runs are doubtful,
// and the codes of the warnings.
type reading struct {
	runs     []string
	doubtful int
	warnings map[string]bool
}

// readingOf returns what was read of a text, and reports whether it was read.
func readingOf(text string) (out reading, ok bool) {
	doc, err := Decode([]byte(text))
	if err != nil {
		return out, false
	}
	out.warnings = map[string]bool{}
	for _, w := range doc.Warnings {
		out.warnings[w.Code] = true
	}
	for i := range doc.Trajectories {
		t := &doc.Trajectories[i]
		line := ""
		for k := range t.Actions {
			line += t.Actions[k].Name + t.Actions[k].Arguments.Canonical() + " "
		}
		out.runs = append(out.runs, line)
		if t.ByShape || t.Doubt != "" {
			out.doubtful++
		}
	}
	slices.Sort(out.runs)
	return out, true
}

// saysMore reports whether all runs of a reading are doubtful, or more than those of another one, or a warning says more.
func (r *reading) saysMore(than *reading) bool {
	for code := range r.warnings {
		if !than.warnings[code] {
			return true
		}
	}
	return r.doubtful > than.doubtful || len(r.runs) > 0 && r.doubtful == len(r.runs)
}

// TestRewrappedIsNeverReadOtherwiseInSilence checks the law that what a text says does not depend on how it is wrapped:
// the same runs with the same calls, or a warning or doubt that was not said before, or a refusal.
func TestRewrappedIsNeverReadOtherwiseInSilence(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(recordings.Root(), "testdata", "*", "*.json*"))
	r := rand.New(rand.NewPCG(41, 41))
	for i := range drawn.Cases(len(files)) {
		file := files[i%len(files)]
		data, err := os.ReadFile(file)
		if err != nil || len(data) > 40_000 || slices.Contains([]string{"golden", "hostile", "lint"}, filepath.Base(filepath.Dir(file))) {
			continue
		}
		change := rewrapped[r.IntN(len(rewrapped))]
		want, read := readingOf(string(data))
		values := valuesOf(data)
		if !read || len(values) == 0 {
			continue
		}
		if got, ok := readingOf(change.make(values)); ok && !slices.Equal(got.runs, want.runs) && !got.saysMore(&want) {
			t.Errorf("%s, %s: %s, want %s", filepath.Base(file), change.name, cut(got.runs), cut(want.runs))
		}
	}
}

// valuesOf returns the JSON values of a file.
func valuesOf(data []byte) (values []any) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		var v any
		if d.Decode(&v) != nil {
			return values
		}
		values = append(values, v)
	}
}

func cut(runs []string) string { return fmt.Sprintf("%d runs %.160q", len(runs), runs) }
