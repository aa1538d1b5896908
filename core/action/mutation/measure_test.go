package mutation

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// labelled is a tool with its vendor's own label.
type labelled struct {
	Tool
	label string
}

// readLabels returns the tools of every labelled list that exists. The data are not part
// of the repository.
func readLabels(t *testing.T) map[string][]labelled {
	t.Helper()
	out := map[string][]labelled{}
	for _, f := range recordings.Glob(t, "mutability/*.json") {
		v, err := jsonval.Parse(string(recordings.Read(t, f)))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(path.Base(f), ".json")
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

// schemaOf returns a JSON schema with the parameter names of a tool in a labelled list.
// The lists contain nothing else about parameters.
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

func (y *tally) countVerdict(want string, got Verdict) (wrong string) {
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

func (y *tally) addTally(o tally) {
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

// TestLabels measures the classifier on tools that were labelled by their vendors. In
// some lists the annotations are the labels. The test judges each tool in four ways:
//
//   - by its name
//   - with its description
//   - with untrusted annotations
//   - with trusted annotations
func TestLabels(t *testing.T) {
	lists := readLabels(t)
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
				if control := l.label == "think" || l.label == "generic"; control && !v.Control {
					t.Errorf("%s %s: %s is not a control action: %+v", m.name, n, l.Name, v)
				}
				if wrong := y.countVerdict(l.label, v); wrong != "" {
					t.Logf("%s %s: %s %s (label %s): %s: %s", m.name, n, wrong, l.Name, l.label, v.Layer, v.Reason)
				}
			}
			t.Logf("%-12s %-20s missed %2d of %3d (%4.1f %%), over-asked %2d of %3d (%4.1f %%)", m.name, n,
				y.missed, y.mutating, percent(y.missed, y.mutating), y.asked, y.reading, percent(y.asked, y.reading))
			if strings.HasPrefix(n, "tau") && m.name != "names" && y.missed+y.asked > 0 {
				t.Errorf("%s %s: every tool there must be right", m.name, n)
			}
			all.addTally(y)
		}
		if percent(all.missed, all.mutating) > 1 || m.name != "names" && percent(all.asked, all.reading) > 10 {
			t.Errorf("%s: above 1 %% missed or 10 %% over-asked", m.name)
		}
		t.Logf("%-12s %-20s missed %2d of %3d (%4.1f %%), over-asked %2d of %3d (%4.1f %%)", m.name, "ALL",
			all.missed, all.mutating, percent(all.missed, all.mutating), all.asked, all.reading, percent(all.asked, all.reading))
	}
}

// TestObserved compares the classifier with the changes that benchmark tools really made
// to their database in replays of recorded runs.
func TestObserved(t *testing.T) {
	v, err := jsonval.Parse(string(recordings.Read(t, "mutability/tau-bench-observed.json")))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	v.Get("envs").Each(func(env string, tools jsonval.Value) bool {
		tools.Each(func(name string, tool jsonval.Value) bool {
			n++
			got := (*Classifier)(nil).Classify(name, jsonval.Value{})
			if wrote := tool.Get("observed").Text() == "write"; got.Counts() != wrote || got.Mutating == Unknown {
				t.Errorf("%s %s: %s (%s), observed %s", env, name, got.Mutating, got.Reason, tool.Get("observed").Raw())
			}
			return true
		})
		return true
	})
	if n == 0 {
		t.Error("no observed tool was read")
	}
}
