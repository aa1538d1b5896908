package core

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/boundcheck/boundcheck/core/metric"
	"github.com/boundcheck/boundcheck/core/stats"
)

// drawn is a random trajectory with the figures of its counts.
func drawn(random *rand.Rand, task string) (Trajectory, metric.Run) {
	r := metric.Run{Observed: random.IntN(4), Reference: random.IntN(4)}
	r.Correct, r.Over, r.Under = random.IntN(r.Observed+1), random.IntN(3), random.IntN(3)
	t := Trajectory{Task: task, Observed: make([]Action, r.Observed), Metrics: (&run{}).metrics()}
	if random.IntN(4) > 0 {
		t.Reference = make([]Action, r.Reference)
		t.Metrics = (&run{referenced: true, figures: r}).metrics()
	}
	if random.IntN(3) > 0 {
		success := random.IntN(2) == 0
		t.Success = &success
	}
	for range random.IntN(3) {
		t.Violations = append(t.Violations, Violation{Type: "over-action", Pattern: [...]string{"", "missing verification"}[random.IntN(2)]})
	}
	t.Flagged = len(t.Violations) > 0
	return t, r
}

// The figures of a Tally are those of metric.Summarize over all runs at once,
// whatever the order in which tasks are first seen, scored and decided.
func TestTallyIsSummarize(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		var tally Tally
		var all []metric.Task
		kinds := random.IntN(9)
		for i := range random.IntN(60) {
			task, file := "", 1+random.IntN(2)
			if seed%2 == 0 || random.IntN(3) > 0 { // every other corpus has trials alone
				task = fmt.Sprint(random.IntN(kinds + 1))
			}
			run, counts := drawn(random, task)
			tally.Add(&run, file)
			name := fmt.Sprint("alone ", i)
			if task != "" {
				name = fmt.Sprint(file, " ", task)
			}
			all = append(all, metric.Task{Name: name, Run: counts, Scored: run.Reference != nil, Success: run.Success})
		}
		got, want := tally.Corpus(seed), metric.Summarize(all)
		m := got.Metrics
		for i, f := range []metric.Figure{want.ABSAgent, want.ABSMax, want.GAR, want.SVR, want.BASR, want.SR, want.LuckySuccess} {
			have := []Score{m.ABS.Agent, m.ABS.Max, m.GAR, m.SVR, *m.BASR, *m.SR, *m.LuckySuccess}[i]
			if want := alone(f, seed); !reflect.DeepEqual(have, want) {
				t.Fatalf("seed %d, figure %d: %+v, want %+v", seed, i, have, want)
			}
		}
		most := metric.MostTrials(all)
		if most > 1 != (got.PassHatK != nil) || most > 1 && len(got.PassHatK) != min(most, maxK) {
			t.Fatalf("seed %d: %d trials, pass^k %+v", seed, most, got.PassHatK)
		}
		for _, p := range got.PassHatK {
			if want := score(metric.PassHatK(all, p.K)); !reflect.DeepEqual(p.Score, want) {
				t.Fatalf("seed %d: pass^%d %+v, want %+v", seed, p.K, p.Score, want)
			}
		}
		if got.Tasks != want.Tasks || got.N != len(all) || tally.N() != len(all) {
			t.Fatalf("seed %d: %d tasks of %d runs, want %d of %d", seed, got.Tasks, got.N, want.Tasks, len(all))
		}
	}
}

// A trajectory that was written as JSON and read back counts the same.
func TestTallyOfWhatWasWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	var straight, round Tally
	for i := range 50 {
		run, _ := drawn(random, fmt.Sprint(i%7))
		straight.Add(&run, 1)
		text, err := json.Marshal(run)
		var back Trajectory
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
	var tally Tally
	if c := tally.Corpus(0); c.Agreement != nil || c.N != 0 || c.Metrics.SR.Scored || c.Violations.ByType == nil {
		t.Errorf("nothing was added: %+v", c)
	}
	yes, no := true, false
	scored := (&run{referenced: true}).metrics()
	for _, r := range []Trajectory{
		{Success: &yes, Metrics: scored}, {Success: &yes, Metrics: scored, Flagged: true}, {Success: &no, Metrics: scored},
		{Success: &no, Metrics: scored, Flagged: true}, {Metrics: scored}, {Success: &yes, Metrics: (&run{}).metrics()},
	} {
		tally.Add(&r, 1)
	}
	want := Agreement{Value: 0.5, FlaggedSuccesses: 1, Successes: 2, UnflaggedFailures: 1, Failures: 2}
	if got := tally.Corpus(0); got.Agreement == nil || *got.Agreement != want || got.Flagged != 2 || got.Tasks != 6 {
		t.Errorf("%+v, want %+v", got.Agreement, want)
	}
}

// A million runs alone in their tasks, a few kinds of them, are held in a few
// megabytes.
func TestTallyIsSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	var tally Tally
	for range 100_000 {
		run, _ := drawn(random, "")
		tally.Add(&run, 1)
	}
	for _, part := range []tasks{tally.bounds, tally.outcomes, tally.both} {
		if len(part.entries) > 1000 || cap(part.order) > 200_000 {
			t.Errorf("%d entries, room for %d tasks", len(part.entries), cap(part.order))
		}
	}
}

// alone is a figure with an interval of its own, from draws of its own.
func alone(f metric.Figure, seed uint64) Score {
	s := score(f.Score)
	if len(f.PerTask) > 1 {
		if seed == 0 {
			seed = DefaultSeed
		}
		low, high := stats.Bootstrap(f.PerTask, Level, seed)
		s.Interval = &Interval{low, high, Level}
	}
	return s
}
