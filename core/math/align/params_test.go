package align

import (
	"math"
	"testing"
)

func TestParams(t *testing.T) {
	check := func(p Params, want string) {
		t.Helper()
		_, err := Align(problemFromWords("a b", "b"), p)
		_, scoreErr := scoreOf(problemFromWords("a b", "b"), p)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want || (scoreErr == nil) != (err == nil) {
			t.Errorf("%+v: got %q (score: %v), want %q", p, got, scoreErr, want)
		}
	}
	check(Params{}, "")
	check(Params{Threshold: 1}, "")
	check(Params{1000, -1000, -1000, 0.5}, "")
	check(Params{Threshold: math.NaN()}, "invalid threshold NaN: outside [0, 1]")
	check(Params{Threshold: 1.1}, "invalid threshold 1.1: outside [0, 1]")
	check(Params{Threshold: -0.1}, "invalid threshold -0.1: outside [0, 1]")
	check(Params{Match: math.NaN()}, "invalid match score NaN: outside [-1000, 1000]")
	check(Params{Mismatch: math.Inf(-1)}, "invalid mismatch score -Inf: outside [-1000, 1000]")
	check(Params{Gap: 1001}, "invalid gap score 1001: outside [-1000, 1000]")
	if n := matchesOf(problemFromWords("a", "a"), Params{Threshold: 2}); n != 0 {
		t.Errorf("got %d matches for a bad threshold", n)
	}
	if n := matchesOf(problemFromWords("a", "a"), Params{Match: math.NaN()}); n != 1 {
		t.Errorf("got %d matches: scores must not count", n)
	}
}

// TestParamsZero checks that toRule replaces zeros by the papers' values. The zeros are
// in all fields, in the three scores, or in the threshold.
func TestParamsZero(t *testing.T) {
	papers, _ := Params{1, -1, -0.5, 0.85}.toRule()
	for _, p := range []Params{{}, {Threshold: 0.85}, {Match: 1, Mismatch: -1, Gap: -0.5}} {
		if r, err := p.toRule(); r != papers || err != nil {
			t.Errorf("%+v: got %+v (%v), want %+v", p, r, err, papers)
		}
	}
}

// TestThreshold checks that two symbols match only if their similarity is above the
// threshold. Both numbers are first rounded to 1e-9.
func TestThreshold(t *testing.T) {
	check := func(sim, threshold float64, want int) {
		t.Helper()
		p := problemFromWords("a", "a")
		p.Similarity = func(int, int) float64 { return sim }
		a, err := Align(p, Params{Threshold: threshold})
		if err != nil || a.Matches != want || matchesOf(p, Params{Threshold: threshold}) != want {
			t.Errorf("%v above %v: got %d (%v), want %d", sim, threshold, a.Matches, err, want)
		}
	}
	check(0.85, 0, 0)
	check(math.Nextafter(0.85, 1), 0, 0)
	check(0.850000001, 0, 1)
	check(1, 1, 0)
	check(1.5, 0.999999999, 1)
	check(0, 1e-12, 0)
	check(1e-9, 1e-12, 1)
	check(-1, 0.5, 0)
}
