package read

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

// showMade describes a run as written, without its results: the calls with "!" for failures,
// and the expected side.
func showMade(m *made.Run, f *made.Format) string {
	var parts []string
	for _, c := range m.Calls {
		parts = append(parts, fmt.Sprintf("%s%d%s", c.Name, c.N, shape.IfElse(c.Failed && !f.NoFailures, "!", "")))
	}
	if m.Expected != nil && !f.NoExpected {
		parts = append(parts, "<")
		for _, c := range m.Expected {
			parts = append(parts, fmt.Sprintf("%s%d", c.Name, c.N))
		}
	}
	return strings.Join(parts, " ")
}

func showRead(t *trajectory.Trajectory) string {
	var parts []string
	for _, a := range t.Actions {
		parts = append(parts, a.Name+a.Arguments.Get("n").Text()+shape.IfElse(a.Failed(), "!", ""))
	}
	if t.Reference != nil {
		parts = append(parts, "<")
		for _, s := range t.Reference.Steps {
			parts = append(parts, s.Name+s.Arguments.Get("n").Text())
		}
	}
	return strings.Join(parts, " ")
}

// eachMade calls check with generated files of every form, in every envelope, with ids of
// every kind.
func eachMade(rounds int, check func(f *made.Format, e made.Envelope, runs []made.Run)) {
	r := rand.New(rand.NewPCG(41, 4))
	formats := made.Formats()
	for range rounds {
		for i := range formats {
			for _, ids := range []made.IDs{made.PerRun, made.PerFile, made.NoIDs} {
				runs := made.Runs(r, 6, ids)
				for _, e := range made.Envelopes() {
					check(&formats[i], e, runs)
				}
			}
		}
	}
}

// madeFault compares what was read with the runs that were written. It returns "" if they
// are the same.
func madeFault(f *made.Format, runs []made.Run, read []trajectory.Trajectory) string {
	var got, want []string
	for i := range runs {
		want = append(want, showMade(&runs[i], f))
	}
	for i := range read {
		got = append(got, showRead(&read[i]))
	}
	if slices.Equal(got, want) {
		return ""
	}
	return fmt.Sprintf("\ngot  %q\nwant %q", got, want)
}

// TestExportersKeepEverything checks generated files of every form in every envelope: each
// record is one run with its own calls, equal calls and ids in other records remove nothing,
// and the expected side is the reference. An object around the records may be refused.
func TestExportersKeepEverything(t *testing.T) {
	rounds := drawn.Cases(4)
	refusals := map[made.Envelope]int{}
	eachMade(rounds, func(f *made.Format, e made.Envelope, runs []made.Run) {
		if t.Failed() {
			return
		}
		text := made.File(f, e, runs)
		doc, err := Decode(text)
		var refused *trajectory.Error
		switch {
		case errors.As(err, &refused) && refused.Formats != nil && e > made.List:
			refusals[e]++ // by name
			return
		case err != nil:
			t.Errorf("%s in %s: %v\n%s", f.Name, e, err, text)
			return
		}
		if fault := madeFault(f, runs, doc.Trajectories); fault != "" || f.Page != "" && e < made.Map && doc.Format != f.Name {
			t.Errorf("%s in %s, read as %s: %s\n%+v\n%s", f.Name, e, doc.Format, fault, doc.Warnings, text)
		}
		for _, w := range doc.Warnings {
			if w.Code != "no-calls" {
				t.Errorf("%s in %s: warning %s: %s\n%s", f.Name, e, w.Code, w.Message, text)
			}
		}
	})
	t.Logf("refused: %v", refusals)
}

// TestReadingMutantsAreFound changes what was read, and checks that the comparison finds it:
// two rows are joined, a call is dropped because it is equal to one of another row, and the
// two sides are swapped.
func TestReadingMutantsAreFound(t *testing.T) {
	found := map[string]int{}
	eachMade(1, func(f *made.Format, e made.Envelope, runs []made.Run) {
		doc, err := Decode(made.File(f, e, runs))
		if err != nil || madeFault(f, runs, doc.Trajectories) != "" {
			return
		}
		for name, mutate := range map[string]func(read []trajectory.Trajectory) []trajectory.Trajectory{"join": joinFirst, "drop": dropEqual, "swap": swapSides} {
			mutant := mutate(slices.Clone(doc.Trajectories))
			if mutant == nil {
				continue
			}
			if found[name]++; madeFault(f, runs, mutant) == "" {
				t.Errorf("%s in %s: the mutant %s is not found", f.Name, e, name)
			}
		}
	})
	for _, name := range []string{"join", "drop", "swap"} {
		if found[name] < 50 {
			t.Errorf("the mutant %s applied to %d files", name, found[name])
		}
	}
}

func joinFirst(read []trajectory.Trajectory) []trajectory.Trajectory {
	if len(read) < 2 {
		return nil
	}
	read[1].Actions = slices.Concat(read[0].Actions, read[1].Actions)
	return read[1:]
}

func dropEqual(read []trajectory.Trajectory) []trajectory.Trajectory {
	seen := map[string]bool{}
	for i := range read {
		for j, a := range read[i].Actions {
			key := a.Name + a.Arguments.Raw()
			if seen[key] {
				read[i].Actions = slices.Delete(slices.Clone(read[i].Actions), j, j+1)
				return read
			}
			seen[key] = true
		}
	}
	return nil
}

func swapSides(read []trajectory.Trajectory) []trajectory.Trajectory {
	for i := range read {
		ref := read[i].Reference
		if ref == nil || len(ref.Steps) == len(read[i].Actions) {
			continue
		}
		steps := ref.Steps
		ref = &reference.Reference{}
		for _, a := range read[i].Actions {
			ref.Steps = append(ref.Steps, reference.Step{Name: a.Name, Arguments: a.Arguments})
		}
		read[i].Actions, read[i].Reference = nil, ref
		for _, s := range steps {
			read[i].Actions = append(read[i].Actions, trajectory.Action{Name: s.Name, Arguments: s.Arguments})
		}
		return read
	}
	return nil
}

// TestForeignRowsAreNamed checks that a row of another kind among an exporter's rows is
// named in a warning, and takes nothing from the others.
func TestForeignRowsAreNamed(t *testing.T) {
	m := made.Run{ID: "run0", Calls: []made.Call{{Name: "cancel", ID: "c0", Result: "words", N: 1}}}
	formats := made.Formats()
	for i := range formats {
		f := &formats[i]
		if slices.Contains([]string{"adk-eval-result", "bedrock-agent-trace"}, f.Name) {
			continue // a case without turns, and an event of another kind
		}
		doc := mustDecode(t, made.JSON(append(f.Rows(&m), map[string]any{"tool": "drop", "tool_args": map[string]any{"n": 2}})))
		if len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) < 1 || len(doc.Warnings) == 0 || !slices.Contains([]string{"row-not-read", "rows-joined"}, doc.Warnings[0].Code) {
			t.Errorf("%s: %s, %+v", f.Name, showRuns(&doc), doc.Warnings)
		}
	}
}

// TestUnknownInvocationsAreDoubted checks that a step of a Bedrock agent that may be a call,
// but of an unknown kind, makes the run doubtful.
func TestUnknownInvocationsAreDoubted(t *testing.T) {
	doc := mustDecode(t, `[{"sessionId":"s","trace":{"orchestrationTrace":{"invocationInput":{"traceId":"1","actionGroupInvocationInput":{"function":"cancel"}}}}},
{"sessionId":"s","trace":{"routingClassifierTrace":{"invocationInput":{"traceId":"2","newInvocationInput":{"x":1}}}}}]`)
	if len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 || doc.Trajectories[0].Doubt == "" || len(doc.Warnings) != 1 {
		t.Errorf("%s: %q, %+v", showRuns(&doc), doc.Trajectories[0].Doubt, doc.Warnings)
	}
}
