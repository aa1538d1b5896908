package core

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// realRuns is where recorded runs may stand beside a checkout; none of it is in
// the repository.
const realRuns = "../../shared/data/"

func recorded(t *testing.T, name string) Report {
	t.Helper()
	data, err := os.ReadFile(realRuns + name)
	if err != nil {
		t.Skipf("SKIPPED: no recorded runs beside this checkout (%s)", name)
	}
	r, err := Evaluate(Request{Inputs: []Source{{Data: data}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAirlineFidelity holds the figures of one well-known file.
func TestAirlineFidelity(t *testing.T) {
	r := recorded(t, "tau-bench/gpt-4o-airline.json")
	c := r.Corpus
	if c.N != 200 || *c.Metrics.SR.Value != 0.42 || r.Profile != "outcome" {
		t.Errorf("n %d sr %v profile %s, want 200 0.42 outcome", c.N, *c.Metrics.SR.Value, r.Profile)
	}
	if math.Abs(c.Lengths.Observed-5.82) > 1e-9 || math.Abs(c.Lengths.Reference-3.16) > 1e-9 {
		t.Errorf("mean lengths %+v, want 5.82 and 3.16", c.Lengths)
	}
	idle, unreferenced := 0, 0
	for _, run := range r.Trajectories {
		if len(run.Observed) == 0 {
			idle++
		}
		if len(run.Reference) == 0 {
			unreferenced++
		}
		for _, s := range []Score{run.Metrics.ABS.Agent, run.Metrics.ABS.Max, run.Metrics.GAR, run.Metrics.SVR} {
			if !s.Scored || math.IsNaN(*s.Value) || math.IsInf(*s.Value, 0) {
				t.Errorf("run %s has the figure %+v", run.ID, s)
			}
		}
	}
	if idle != 18 || unreferenced != 28 {
		t.Errorf("%d runs without action, %d empty references, want 18 and 28", idle, unreferenced)
	}
	duplicates, runs := 0, 0
	for _, w := range r.Warnings {
		n := 0
		if _, err := fmt.Sscanf(w.Message, "%d duplicate call ids", &n); err == nil && w.Code == "duplicate-call-id" {
			duplicates += n
			runs++
		}
	}
	if duplicates != 73 || runs != 49 {
		t.Errorf("%d duplicate call ids in %d runs, want 73 in 49", duplicates, runs)
	}
	a := c.Agreement
	if a.Successes != 84 || a.Failures != 116 || a.Value < 0.98 {
		t.Errorf("agreement %+v, want at least 0.98 over 84 and 116", *a)
	}
}

// label is one line of what the benchmark's own code gives when it replays the
// recorded calls: the truth where a recorded reward is wrong.
type label struct {
	File     string
	Index    int
	Replayed float64 `json:"reward_replayed"`
}

func labels(t *testing.T) map[string]map[int]bool {
	t.Helper()
	data, err := os.ReadFile(realRuns + "tau-bench/replay_labels.jsonl")
	if err != nil {
		t.Skip("SKIPPED: no replay labels beside this checkout")
	}
	out := map[string]map[int]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var l label
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if out[l.File] == nil {
			out[l.File] = map[int]bool{}
		}
		out[l.File][l.Index] = l.Replayed == 1
	}
	return out
}

// TestReplayFidelity crosses flags with replayed rewards, core alone: at most
// one success in twenty may be flagged, and no failure missed by more.
func TestReplayFidelity(t *testing.T) {
	for file, truth := range labels(t) {
		r := recorded(t, "tau-bench/"+file)
		var flaggedGood, good, missedBad, bad int
		for i, run := range r.Trajectories {
			switch {
			case truth[i]:
				good++
				if run.Flagged {
					flaggedGood++
				}
			default:
				bad++
				if !run.Flagged {
					missedBad++
				}
			}
		}
		t.Logf("%-28s flagged %d of %d successes, missed %d of %d failures", file, flaggedGood, good, missedBad, bad)
		if float64(flaggedGood) > 0.06*float64(good) || float64(missedBad) > 0.05*float64(bad) {
			t.Errorf("%s: flagged %d of %d successes, missed %d of %d failures", file, flaggedGood, good, missedBad, bad)
		}
	}
}
