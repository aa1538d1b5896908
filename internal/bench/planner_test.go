package bench_test

import (
	"net/url"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/bench/scripted"
)

// tallied holds counts from a report.
type tallied struct {
	rewarded, flagged int
	types             []string
}

func tallyOutcome(r core.Report) (o tallied) {
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if t.Success != nil && *t.Success {
			o.rewarded++
		}
		if t.Flagged {
			o.flagged++
		}
		for _, v := range t.Violations {
			o.types = append(o.types, string(v.Type))
		}
	}
	return o
}

// TestPlanner checks that the planner completes all tasks without a finding. It makes
// each type of mistake if the test requests this, but makes none if the prompt contains
// EBP.
func TestPlanner(t *testing.T) {
	server := startServer(t)
	for _, name := range []string{"shop", "files"} {
		for _, kind := range append([]string{""}, scripted.Types...) {
			x := newExperiment(server, "scripted:planner")
			x.Env = name
			if kind != "" {
				x.Model += "?rate=1&types=" + url.QueryEscape(kind)
			}
			found := tallyOutcome(scoreRows(t, name, runExperiment(t, x, newOptions(t.TempDir()))))
			if kind == "" && (found.flagged > 0 || found.rewarded != 12) {
				t.Errorf("%s: %d rewarded, %v", name, found.rewarded, found.types)
			}
			if kind != "" && !slices.Contains(found.types, kind) {
				t.Errorf("%s, %s: found %v", name, kind, found.types)
			}
			x.Prompt = ebpPrompt(t, "full")
			if cured := tallyOutcome(scoreRows(t, name, runExperiment(t, x, newOptions(t.TempDir())))); cured.flagged > 0 || cured.rewarded != 12 {
				t.Errorf("%s, %s with EBP: %d rewarded, %v", name, kind, cured.rewarded, cured.types)
			}
		}
	}
}
