package score

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

func evaluateRecording(t *testing.T, name string) report.Report {
	t.Helper()
	r, err := Evaluate(Request{Inputs: []Source{{Data: recordings.Read(t, name)}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAirlineFidelity checks the figures of the recorded runs of GPT-4o on the airline
// tasks of τ-bench.
func TestAirlineFidelity(t *testing.T) {
	r := evaluateRecording(t, "tau-bench/gpt-4o-airline.json")
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
		if steps := slices.ContainsFunc(run.Violations, func(v report.Violation) bool { return v.Row != nil }); steps && *run.Metrics.ABS.Max.Value == 1 {
			t.Errorf("run %s has a violation of a step, and abs.max is 1", run.ID) // this was so in 23 of the 115 flagged runs
		}
		for _, s := range []report.Score{run.Metrics.ABS.Agent, run.Metrics.ABS.Max, run.Metrics.GAR, run.Metrics.SVR} {
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
		n, calls, have := 0, "", ""
		if _, err := fmt.Sscanf(w.Message, "%d %s %s the id of an earlier call", &n, &calls, &have); err == nil && w.Code == "duplicate-call-id" {
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

// label is one line of the results of the benchmark's own code when it replays the
// recorded calls: the truth where a recorded reward is wrong.
type label struct {
	File     string
	Index    int
	Replayed float64 `json:"reward_replayed"`
}

func readReplayLabels(t *testing.T) map[string]map[int]bool {
	t.Helper()
	data := recordings.Read(t, "tau-bench/replay_labels.jsonl")
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

// crossing counts flags against who really succeeded.
type crossing struct{ good, flaggedGood, bad, missedBad int }

func (c *crossing) addRun(flagged, success bool) {
	switch {
	case success:
		c.good++
		if flagged {
			c.flaggedGood++
		}
	default:
		c.bad++
		if !flagged {
			c.missedBad++
		}
	}
}

func (c *crossing) String() string {
	n := c.good + c.bad
	return fmt.Sprintf("%4d runs  agreement %.3f  balanced %.3f  flagged %3d of %3d successes (%4.1f %%)  missed %3d of %3d failures (%4.1f %%)",
		n, 1-fractionOf(c.flaggedGood+c.missedBad, n), 1-(fractionOf(c.flaggedGood, c.good)+fractionOf(c.missedBad, c.bad))/2,
		c.flaggedGood, c.good, 100*fractionOf(c.flaggedGood, c.good), c.missedBad, c.bad, 100*fractionOf(c.missedBad, c.bad))
}

func fractionOf(k, n int) float64 {
	if n == 0 {
		return 0
	}
	return float64(k) / float64(n)
}

// TestFidelityTable prints, for each recorded τ-bench and τ²-bench file, how many
// successful runs the core flags and how many failed runs it does not flag. A run is
// successful if the replay by the benchmark's own code says so. For a run without a
// replay, the recorded reward says so. For τ-bench files, the test fails if either number
// is above about 5 %.
func TestFidelityTable(t *testing.T) {
	truth := readReplayLabels(t)
	for _, name := range recordings.Glob(t, "tau*/*.json") {
		r := evaluateRecording(t, name)
		var c crossing
		for i, run := range r.Trajectories {
			success := run.Success
			if replayed, known := truth[path.Base(name)][i]; known {
				success = &replayed
			}
			if success != nil && run.Reference != nil {
				c.addRun(run.Flagged, *success)
			}
		}
		t.Logf("%-34s %s", name, &c)
		if strings.HasPrefix(name, "tau-bench/") && (fractionOf(c.flaggedGood, c.good) > 0.055 || fractionOf(c.missedBad, c.bad) > 0.05) {
			t.Errorf("%s: more than one in twenty wrong: %s", name, &c)
		}
	}
}
