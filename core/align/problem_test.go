package align

import (
	"math"
	"slices"
	"testing"
)

func TestProblem(t *testing.T) {
	sim := func(x float64) func(int, int) float64 { return func(int, int) float64 { return x } }
	check := func(p Problem, want string) {
		t.Helper()
		_, err := Align(p, Params{})
		_, scoreErr := Score(p, Params{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want || (scoreErr == nil) != (err == nil) {
			t.Errorf("got %q (score: %v), want %q", got, scoreErr, want)
		}
		if err != nil && Matches(p, Params{}) != 0 {
			t.Errorf("%q, but there are matches", want)
		}
	}
	check(Problem{}, "")
	check(Problem{Obs: []int{0}}, "")
	check(Problem{Ref: []int{7}}, "")
	check(Problem{Obs: []int{0}, Ref: []int{0}}, "missing similarity function")
	check(Problem{Obs: []int{0, -1}}, "invalid observed symbol -1 at 1: outside [0, 1048576)")
	check(Problem{Ref: []int{1 << 20}}, "invalid reference symbol 1048576 at 0: outside [0, 1048576)")
	check(Problem{Obs: make([]int, maxLen+1)}, "invalid observed side: 1048577 actions, more than 1048576")
	check(Problem{Obs: []int{0}, Ref: []int{3}, Similarity: sim(math.NaN())},
		"invalid similarity NaN for observed symbol 0 and reference symbol 3")
	check(Problem{Obs: []int{0}, Ref: []int{3}, Similarity: sim(math.Inf(1))},
		"invalid similarity +Inf for observed symbol 0 and reference symbol 3")
	check(Problem{Obs: []int{0}, Ref: []int{0}, Similarity: sim(0.5)}, "")
}

// Only symbols that occur are compared, each pair once, and the sides are not changed.
func TestCalls(t *testing.T) {
	obs, ref := []int{9, 2, 9, 2, 9}, []int{4, 4, 1000, 4}
	calls, types := map[[2]int]int{}, map[[2]int]int{}
	p := Problem{Obs: slices.Clone(obs), Ref: slices.Clone(ref)}
	p.Similarity = func(a, b int) float64 { calls[[2]int{a, b}]++; return float64(a) / 10 }
	p.SameType = func(a, b int) bool { types[[2]int{a, b}]++; return true }
	a, err := Align(p, Params{})
	if err != nil || show(a) != "=00 ~11 =22 ~33 +4" && a.Matches != 3 {
		t.Fatal(show(a), err)
	}
	for pair, n := range calls {
		if n != 1 || types[pair] > 1 || pair[0] == 9 && types[pair] > 0 {
			t.Errorf("%v: compared %d times, typed %d times", pair, n, types[pair])
		}
	}
	if len(calls) != 4 || a.Stats.Comparisons != 4 {
		t.Errorf("got %d pairs, %d comparisons, want 4", len(calls), a.Stats.Comparisons)
	}
	if !slices.Equal(p.Obs, obs) || !slices.Equal(p.Ref, ref) {
		t.Error("sides changed")
	}
}

func TestTranspose(t *testing.T) {
	r := relation{[]int32{0, 2, 2, 4}, []entry{{0, 5}, {2, 6}, {1, 7}, {2, 8}}}
	got := r.transpose(3)
	if !slices.Equal(got.off, []int32{0, 1, 2, 4}) ||
		!slices.Equal(got.list, []entry{{0, 5}, {2, 7}, {0, 6}, {2, 8}}) {
		t.Errorf("got %v", got)
	}
	back := got.transpose(3)
	if !slices.Equal(back.off, r.off) || !slices.Equal(back.list, r.list) {
		t.Errorf("there and back: %v", back)
	}
}

func TestRelationSim(t *testing.T) {
	r := relation{[]int32{0, 2, 2, 4}, []entry{{0, 5}, {2, 6}, {1, 7}, {2, 8}}}
	check := func(obs, ref, want int32, ok bool) {
		t.Helper()
		if got, is := r.sim(obs, ref); got != want || is != ok {
			t.Errorf("%d, %d: got %d, %v, want %d, %v", obs, ref, got, is, want, ok)
		}
	}
	check(0, 0, 5, true)
	check(0, 1, 0, false)
	check(0, 2, 6, true)
	check(0, 3, 0, false)
	check(1, 0, 0, false)
	check(2, 1, 7, true)
}
