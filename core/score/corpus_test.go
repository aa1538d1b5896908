package score

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/report"
)

// randomTrajectory returns a random trajectory, and the random counts from which its
// figures were computed.
func randomTrajectory(random *rand.Rand, task string) (report.Trajectory, metric.Run) {
	r := metric.Run{Observed: random.IntN(4), Reference: random.IntN(4)}
	r.Correct, r.Over, r.Under = random.IntN(r.Observed+1), random.IntN(3), random.IntN(3)
	r.Kept = random.IntN(min(r.Correct, r.Reference) + 1)
	r.Lacking, r.Rows = random.IntN(r.Reference-r.Kept+1), r.Observed+r.Reference
	r.Within = random.IntN(r.Rows + 1)
	t := report.Trajectory{Task: task, Observed: make([]report.Action, r.Observed), Metrics: (&run{stages: &stages{}}).computeMetrics()}
	if random.IntN(4) > 0 {
		t.Reference = make([]report.Action, r.Reference)
		t.Metrics = (&run{referenced: true, stages: &stages{figures: r}}).computeMetrics()
	}
	if random.IntN(3) > 0 {
		success := random.IntN(2) == 0
		t.Success = &success
	}
	for range random.IntN(3) {
		t.Violations = append(t.Violations, report.Violation{Type: "over-action", Pattern: [...]report.Pattern{"", "missing verification"}[random.IntN(2)]})
	}
	t.Flagged = len(t.Violations) > 0
	return t, r
}

// TestTallyTellsFilesApart checks that a task that occurs in two files counts as two
// tasks. The figures, the intervals and pass^k must equal those of package metric.
func TestTallyTellsFilesApart(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var tally report.Tally
	var plain metric.Tally
	plainly := [2][]func(){}
	for i := range 400 {
		task, file := fmt.Sprint(i%7), 1+i%2
		run, counts := randomTrajectory(random, task)
		tally.Add(&run, file)
		var bounds *metric.Bounds
		if run.Reference != nil {
			bounds = &metric.Bounds{Within: counts.WithinBounds().Value, ABSAgent: counts.ABSAgent().Value, ABSMax: counts.ABSMax().Value, GAR: counts.GAR().Value, SVR: counts.SVR().Value}
		}
		plainly[file-1] = append(plainly[file-1], func() { plain.Add(fmt.Sprint(task, " of ", file), bounds, run.Success) })
	}
	for _, file := range plainly { // the tasks of the first file come first
		for _, add := range file {
			add()
		}
	}
	got, want := tally.Corpus(9), plain.Corpus()
	m := got.Metrics
	for i, f := range []metric.Figure{want.Within, want.ABSAgent, want.ABSMax, want.GAR, want.SVR, want.BASR, want.SR, want.LuckySuccess} {
		have := []report.Score{m.WithinBounds, m.ABS.Agent, m.ABS.Max, m.GAR, m.SVR, *m.BASR.Score(), *m.SR, *m.LuckySuccess.Score()}[i]
		if want := singleFigureScore(f, 9); !reflect.DeepEqual(have, want) {
			t.Errorf("figure %d: %+v, want %+v", i, have, want)
		}
	}
	if got.Tasks != 14 || got.N != 400 || tally.N() != 400 || len(got.PassHatK) != len(want.Passes) || len(got.PassHatK) < 2 {
		t.Errorf("%d tasks of %d runs, pass^k %+v", got.Tasks, got.N, got.PassHatK)
	}
}

// TestTallyOfWhatWasWritten checks that trajectories that were written as JSON and read
// back give the same figures.
func TestTallyOfWhatWasWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	var straight, round report.Tally
	for i := range 50 {
		run, _ := randomTrajectory(random, fmt.Sprint(i%7))
		straight.Add(&run, 1)
		text, err := json.Marshal(run)
		var back report.Trajectory
		if err != nil || json.Unmarshal(text, &back) != nil {
			t.Fatal(err)
		}
		round.Add(&back, 1)
	}
	if a, b := straight.Corpus(1), round.Corpus(1); !reflect.DeepEqual(a, b) {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestTallyAgreement(t *testing.T) {
	var tally report.Tally
	if c := tally.Corpus(0); c.Agreement != nil || c.N != 0 || c.Metrics.SR.Scored || c.Violations.ByType == nil {
		t.Errorf("nothing was added: %+v", c)
	}
	yes, no := true, false
	scored := (&run{referenced: true, stages: &stages{}}).computeMetrics()
	for _, r := range []report.Trajectory{
		{Success: &yes, Metrics: scored}, {Success: &yes, Metrics: scored, Flagged: true}, {Success: &no, Metrics: scored},
		{Success: &no, Metrics: scored, Flagged: true}, {Metrics: scored}, {Success: &yes, Metrics: (&run{stages: &stages{}}).computeMetrics()},
	} {
		tally.Add(&r, 1)
	}
	want := report.Agreement{Value: 0.5, FlaggedSuccesses: 1, Successes: 2, UnflaggedFailures: 1, Failures: 2}
	if got := tally.Corpus(0); got.Agreement == nil || *got.Agreement != want || got.Flagged != 2 || got.Tasks != 6 {
		t.Errorf("%+v, want %+v", got.Agreement, want)
	}
}

// singleFigureScore returns a figure with an interval from a bootstrap of this figure
// only.
func singleFigureScore(f metric.Figure, seed uint64) report.Score {
	s := report.NewScore(f.Score)
	if extreme, ok := stats.Extreme(f.PerTask); ok && !f.Rate && len(f.PerTask) > 1 {
		s.Interval = &report.Interval{Low: extreme.Low, High: extreme.High, Level: report.Level, Method: "wilson"}
		return s
	}
	if stats.Varies(f.PerTask) {
		if seed == 0 {
			seed = report.DefaultSeed
		}
		low, high := stats.Bootstrap(f.PerTask, report.Level, seed)
		s.Interval = &report.Interval{Low: low, High: high, Level: report.Level}
	}
	return s
}

// TestTalliesMerge cuts files into parts, tallies each part, and merges the tallies in
// order. It checks that the result equals the tally of all runs to the last bit, wherever
// the files are cut and however the parts are grouped.
func TestTalliesMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 18))
	for range 200 {
		runs := make([]report.Trajectory, 20+random.IntN(200))
		files := 1 + random.IntN(3)
		var whole, left report.Tally
		for i := range runs {
			task := ""
			if random.IntN(4) > 0 {
				task = fmt.Sprint(random.IntN(30))
			}
			runs[i], _ = randomTrajectory(random, task)
			whole.Add(&runs[i], 1+i*files/len(runs))
		}
		parts := make([]report.Tally, 1+random.IntN(9))
		for i := range runs {
			parts[i*len(parts)/len(runs)].Add(&runs[i], 1+i*files/len(runs))
		}
		cut := random.IntN(len(parts))
		right := parts[cut]
		for i := range parts[:cut] {
			left.Merge(&parts[i], 0)
		}
		for i := cut + 1; i < len(parts); i++ {
			right.Merge(&parts[i], 0)
		}
		left.Merge(&right, 0)
		if a, b := whole.Corpus(3), left.Corpus(3); !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v\n%+v", a, b)
		}
		for f := 1; f <= files; f++ {
			if a, b := whole.Group(f, "", "", 3), left.Group(f, "", "", 3); !reflect.DeepEqual(a, b) {
				t.Fatalf("file %d: %+v\n%+v", f, a, b)
			}
		}
	}
}

// TestManyTasks checks that, with more than metric.MaxBootstrap tasks, the interval is
// the analytic one and its method is "normal".
func TestManyTasks(t *testing.T) {
	var few, many report.Tally
	yes, no := true, false
	for i := range metric.MaxBootstrap + 1 {
		run := report.Trajectory{Task: fmt.Sprint(i), Success: &no}
		if i%4 == 0 {
			run.Success = &yes
		}
		if i < metric.MaxBootstrap {
			few.Add(&run, 1)
		}
		many.Add(&run, 1)
	}
	a, b := few.Corpus(1).Metrics.SR.Interval, many.Corpus(1).Metrics.SR.Interval
	if a.Method != "" || b.Method != "normal" || math.Abs(a.Low-b.Low) > 3e-4 || math.Abs(a.High-b.High) > 3e-4 {
		t.Errorf("%+v and %+v", a, b)
	}
}
