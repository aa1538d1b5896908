package linearize_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/ref/linearize"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// ExampleSolve solves a process that has two reads in any order, then one of two ways,
// and an optional note.
func ExampleSolve() {
	ref, err := reference.Read(`[
		{"anyOrder": ["get_order", "get_user"]},
		{"oneOf": ["cancel", ["return", "refund"]]},
		{"optional": "note"}
	]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := []string{"get_user", "get_order", "return", "refund"}
	r := linearize.Solve(linearize.Problem{
		Process: ref.Process,
		Obs:     []int{0, 1, 2, 3},
		Similarity: func(step *reference.Step, obs int) float64 {
			if step.Name == run[obs] {
				return 1
			}
			return 0
		},
	}, linearize.Limits{})
	for _, s := range r.Steps {
		fmt.Println(s.Node.Place, s.Node.Step.Name)
	}
	for _, c := range r.Choices {
		fmt.Println(c.Node.Place, "alternative", c.Taken+1)
	}
	for _, n := range r.Left {
		fmt.Println(n.Place, "left out")
	}
	fmt.Println("score", r.Score)
	// Output:
	// step 1 > anyOrder 2 get_user
	// step 1 > anyOrder 1 get_order
	// step 2 > oneOf 2 > step 1 return
	// step 2 > oneOf 2 > step 2 refund
	// step 2 alternative 2
	// step 3 left out
	// score 4
}
