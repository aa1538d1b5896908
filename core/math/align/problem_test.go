package align

import (
	"math"
	"testing"
)

func TestProblem(t *testing.T) {
	sim := func(x float64) func(int, int) float64 { return func(int, int) float64 { return x } }
	check := func(p Problem, want string) {
		t.Helper()
		_, err := Align(p, Params{})
		_, scoreErr := scoreOf(p, Params{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want || (scoreErr == nil) != (err == nil) {
			t.Errorf("got %q (score: %v), want %q", got, scoreErr, want)
		}
		if err != nil && matchesOf(p, Params{}) != 0 {
			t.Errorf("%q, but there are matches", want)
		}
	}
	check(Problem{}, "")
	check(Problem{Obs: []int{0}}, "")
	check(Problem{Ref: []int{7}}, "")
	check(Problem{Obs: []int{0}, Ref: []int{0}}, "missing similarity function")
	check(Problem{Obs: []int{0, -1}}, "invalid observed symbol -1 at index 1; a symbol must be at least 0 and less than 1048576")
	check(Problem{Ref: []int{1 << 20}}, "invalid reference symbol 1048576 at index 0; a symbol must be at least 0 and less than 1048576")
	check(Problem{Obs: make([]int, maxLen+1)}, "the observed side has 1048577 actions; the limit is 1048576")
	check(Problem{Obs: []int{0}, Ref: []int{3}, Similarity: sim(math.NaN())},
		"invalid similarity NaN for observed symbol 0 and reference symbol 3")
	check(Problem{Obs: []int{0}, Ref: []int{3}, Similarity: sim(math.Inf(1))},
		"invalid similarity +Inf for observed symbol 0 and reference symbol 3")
	check(Problem{Obs: []int{0}, Ref: []int{0}, Similarity: sim(0.5)}, "")
}
