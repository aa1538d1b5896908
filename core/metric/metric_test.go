package metric

import "testing"

func TestRunFigures(t *testing.T) {
	check := func(name string, r Run, agent, most, gar, svr float64) {
		t.Helper()
		for _, f := range []struct {
			what string
			got  Score
			want float64
		}{{"ABS agent", r.ABSAgent(), agent}, {"ABS max", r.ABSMax(), most}, {"GAR", r.GAR(), gar}, {"SVR", r.SVR(), svr}} {
			if !f.got.Scored || f.got.Value != f.want {
				t.Errorf("%s: %s = %+v, want %v", name, f.what, f.got, f.want)
			}
		}
	}
	check("all right", Run{Observed: 4, Reference: 4, Correct: 4}, 1, 1, 1, 0)
	check("case study 1: missing verification", Run{Observed: 2, Reference: 4, Correct: 2, Under: 2}, 1, 0.5, 0.5, 1)
	check("case study 3: collapsed steps", Run{Observed: 1, Reference: 4, Correct: 1, Under: 3}, 1, 0.25, 0.25, 3)
	check("nothing to do, nothing done", Run{}, 1, 1, 1, 0)
	check("something to do, nothing done", Run{Reference: 4, Under: 4}, 0, 0, 0, 1)
	check("nothing to do, two reads", Run{Observed: 2, Correct: 2}, 1, 1, 0, 0)
	check("nothing to do, one write", Run{Observed: 1, Over: 1}, 0, 0, 0, 1)
	check("more violations than actions", Run{Observed: 1, Reference: 3, Over: 1, Under: 2}, 0, 0, 1.0/3, 3)
}

func yes() *bool { b := true; return &b }
func no() *bool  { b := false; return &b }

func TestCorpusIsTaskWeighted(t *testing.T) {
	good, bad := Run{Observed: 1, Reference: 1, Correct: 1}, Run{Observed: 1, Reference: 1, Over: 1}
	c := Summarize([]Task{
		{"a", good, true, yes()}, {"a", good, true, yes()}, {"a", good, true, yes()},
		{"b", bad, true, no()},
	})
	if c.Tasks != 2 || c.ABSAgent.Value != 0.5 || c.SR.Value != 0.5 || len(c.SR.PerTask) != 2 {
		t.Errorf("three trials outweigh one task: %+v", c)
	}
}

// A success with ABS of exactly 0.8 is lucky: the bound is strict.
func TestBASRIsStrict(t *testing.T) {
	c := Summarize([]Task{
		{"a", Run{Observed: 5, Reference: 5, Correct: 4}, true, yes()},
		{"b", Run{Observed: 6, Reference: 6, Correct: 5}, true, yes()},
	})
	if c.SR.Value != 1 || c.BASR.Value != 0.5 || c.LuckySuccess.Value != 0.5 {
		t.Errorf("SR %v BASR %v lucky %v, want 1 0.5 0.5", c.SR.Value, c.BASR.Value, c.LuckySuccess.Value)
	}
}

func TestUnscoredSaysWhy(t *testing.T) {
	c := Summarize([]Task{{"a", Run{Observed: 1}, false, nil}})
	for _, f := range []Figure{c.ABSAgent, c.ABSMax, c.GAR, c.SVR, c.BASR, c.SR, c.LuckySuccess} {
		if f.Scored || f.Reason == "" || f.Value != 0 {
			t.Errorf("an unknown figure came out as %+v", f)
		}
	}
	half := Summarize([]Task{{"a", Run{Observed: 1, Correct: 1}, true, nil}, {"b", Run{}, false, yes()}})
	if !half.ABSAgent.Scored || half.ABSAgent.Value != 1 || half.SR.Value != 1 || half.BASR.Scored {
		t.Errorf("half known: %+v", half)
	}
}

func TestPassHatK(t *testing.T) {
	tasks := []Task{{"a", Run{}, true, yes()}, {"a", Run{}, true, yes()}, {"a", Run{}, true, no()}, {"a", Run{}, true, yes()},
		{"b", Run{}, true, yes()}, {"b", Run{}, true, yes()}, {"b", Run{}, true, yes()}, {"b", Run{}, true, yes()}}
	for k, want := range map[int]float64{1: (0.75 + 1) / 2, 2: (0.5 + 1) / 2, 3: (0.25 + 1) / 2, 4: 0.5} {
		if got := PassHatK(tasks, k); !got.Scored || got.Value != want {
			t.Errorf("pass^%d = %+v, want %v", k, got, want)
		}
	}
	if got := PassHatK(tasks, 5); got.Scored {
		t.Errorf("pass^5 of four trials is scored: %+v", got)
	}
	if MostTrials(tasks) != 4 || MostTrials(nil) != 0 || MostTrials([]Task{{"a", Run{}, true, nil}}) != 0 {
		t.Error("MostTrials miscounts")
	}
}
