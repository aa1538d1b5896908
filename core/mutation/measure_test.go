package mutation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// labelled is a tool with its vendor's own word.
type labelled struct {
	Tool
	label string
}

const labelsDir = "../../../shared/data/mutability"

// readLabels reads every labelled tool list there is; the data is not part of
// the repository.
func readLabels(t *testing.T) map[string][]labelled {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(labelsDir, "*.json"))
	out := map[string][]labelled{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonval.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		for _, e := range v.Get("tools").Elements() {
			tool, err := readTool(e)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			tool.Parameters = schemaOf(t, e)
			out[name] = append(out[name], labelled{tool, e.Get("label").Text()})
		}
	}
	return out
}

// schemaOf makes a JSON schema of the parameter names, which is all that the
// lists keep.
func schemaOf(t *testing.T, e jsonval.Value) jsonval.Value {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{`)
	for i, p := range e.Get("params").Elements() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p.Raw() + ":{}")
	}
	b.WriteString("}}")
	v, err := jsonval.Parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type tally struct{ mutating, missed, reading, asked int }

func (y *tally) count(want string, got Verdict) (wrong string) {
	switch want {
	case "write", "write-destructive":
		y.mutating++
		if !got.Counts() {
			y.missed++
			return "missed"
		}
	case "read", "think", "generic":
		y.reading++
		if got.Counts() {
			y.asked++
			return "over-asked"
		}
	}
	return ""
}

func (y *tally) add(o tally) {
	y.mutating += o.mutating
	y.missed += o.missed
	y.reading += o.reading
	y.asked += o.asked
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// TestLabels measures the classifier on vendor-labelled tools: from names
// alone, from names and descriptions without annotations, and with annotations
// trusted (which are the labels themselves where a list has them).
func TestLabels(t *testing.T) {
	lists := readLabels(t)
	if len(lists) == 0 {
		t.Skipf("SKIPPED: no labelled tool lists in %s; nothing was measured", labelsDir)
	}
	names := make([]string, 0, len(lists))
	for n := range lists {
		names = append(names, n)
	}
	slices.Sort(names)
	modes := []struct {
		name string
		tool func(Tool) Tool
	}{
		{"names", func(t Tool) Tool { return Tool{Name: t.Name} }},
		{"unannotated", func(t Tool) Tool { t.Annotations = Annotations{}; return t }},
		{"untrusted", func(t Tool) Tool { return t }},
		{"trusted", func(t Tool) Tool { t.Trusted = true; return t }},
	}
	for _, m := range modes {
		var all tally
		for _, n := range names {
			var y tally
			for _, l := range lists[n] {
				tool := m.tool(l.Tool)
				v := New([]Tool{tool}, nil).Classify(tool.Name, jsonval.Value{})
				if wrong := y.count(l.label, v); wrong != "" {
					t.Logf("%s %s: %s %s (label %s): %s: %s", m.name, n, wrong, l.Name, l.label, v.Layer, v.Reason)
				}
			}
			t.Logf("%-12s %-20s missed %2d of %3d (%4.1f %%), over-asked %2d of %3d (%4.1f %%)", m.name, n,
				y.missed, y.mutating, percent(y.missed, y.mutating), y.asked, y.reading, percent(y.asked, y.reading))
			all.add(y)
		}
		t.Logf("%-12s %-20s missed %2d of %3d (%4.1f %%), over-asked %2d of %3d (%4.1f %%)", m.name, "ALL",
			all.missed, all.mutating, percent(all.missed, all.mutating), all.asked, all.reading, percent(all.asked, all.reading))
	}
}
