package score

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// TestLintFidelityMissed divides the failed runs of τ-bench and τ²-bench into sorts by
// their findings with a reference. For each sort it prints how many runs the lint flags
// without the reference, and how many have only hints.
//
// It requires nothing, so make test does not run it.
func TestLintFidelityMissed(t *testing.T) {
	if os.Getenv("BOUNDCHECK_LONG") == "" {
		t.Skip("SKIPPED: it only prints; make fidelity LINT=1 runs it (BOUNDCHECK_LONG=1)")
	}
	type sort struct{ n, flagged, hinted int }
	sorts := map[string]*sort{}
	idle, truth := [2]int{}, readReplayLabels(t)
	names := recordings.Glob(t, "tau-bench/*.json", "tau2/*.json")
	linted := lintAll(t, names)
	for _, name := range names {
		gold, err := Evaluate(Request{Inputs: []Source{{Data: recordings.Read(t, name)}}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range linted[name] {
			run := &linted[name][i]
			success := run.Success
			if replayed, known := truth[path.Base(name)][i]; known {
				success = &replayed
			}
			if success == nil {
				continue
			}
			changed := report.Effects(run) != ""
			if !changed {
				idle[chooseInt(*success, 0, 1)]++
			}
			if *success {
				continue
			}
			what := sortOfFailure(&gold.Trajectories[i], changed)
			if sorts[what] == nil {
				sorts[what] = &sort{}
			}
			sorts[what].n++
			switch {
			case run.Flagged:
				sorts[what].flagged++
			case len(run.Violations) > 0:
				sorts[what].hinted++
			}
		}
	}
	var lines []string
	for what, s := range sorts {
		lines = append(lines, fmt.Sprintf("  %3d %-36s %2d flagged, %2d with a hint, %3d without a mark", s.n, what, s.flagged, s.hinted, s.n-s.flagged-s.hinted))
	}
	slices.Sort(lines)
	slices.Reverse(lines)
	t.Logf("failures of service desks by their gold:\n%s\n  runs that changed nothing: %d successes, %d failures", strings.Join(lines, "\n"), idle[0], idle[1])
}

func chooseInt(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

// sortOfFailure returns the sort of a failure as text. It uses the findings that the run
// has with its reference. changed reports whether the run changed anything.
func sortOfFailure(gold *report.Trajectory, changed bool) string {
	missing, other := false, false
	for _, v := range gold.Violations {
		missing = missing || v.Rule == "missing-step"
		other = other || v.Rule == "extra-action" || v.Rule == "wrong-arguments"
	}
	switch {
	case len(gold.Violations) == 0:
		return "no violation under the gold"
	case !changed:
		return "changed nothing"
	case missing && other:
		return "left out and did otherwise"
	case missing:
		return "left something out"
	case other:
		return "did more or otherwise"
	}
	return "something not said, or at its end"
}
