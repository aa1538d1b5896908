package align_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/math/align"
)

// ExampleAlign shows that the right action with a wrong argument is paired with the
// reference action that it replaces.
func ExampleAlign() {
	obs, ref := []string{"get X", "cancel X"}, []string{"get X", "cancel Y"}
	a, err := align.Align(align.Problem{
		Obs: []int{0, 1, 0}, // get X, cancel X, get X
		Ref: []int{0, 1},    // get X, cancel Y
		Similarity: func(o, r int) float64 {
			switch {
			case obs[o] == ref[r]:
				return 1
			case obs[o][0] == ref[r][0]:
				return 0.5
			}
			return 0
		},
		SameType: func(o, r int) bool { return obs[o][0] == ref[r][0] },
	}, align.Params{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range a.Steps {
		fmt.Println(s.Op, s.Obs, s.Ref)
	}
	fmt.Println(a.Score, a.Matches)
	// Output:
	// match 0 0
	// substitution 1 1
	// insertion 2 -1
	// -0.5 1
}
