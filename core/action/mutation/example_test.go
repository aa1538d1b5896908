package mutation_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// A call is judged by its tool's name and by its arguments.
func ExampleClassifier_Classify() {
	c := mutation.New(nil, nil)
	for _, call := range [][2]string{
		{"get_order", `{"id": 7}`},
		{"cancel_order", `{"id": 7}`},
		{"run_sql", `{"query": "SELECT * FROM orders"}`},
		{"run_sql", `{"query": "DELETE FROM orders"}`},
		{"frobnicate", `{}`},
	} {
		arguments, err := jsonval.Parse(call[1])
		if err != nil {
			fmt.Println(err)
			return
		}
		v := c.Classify(call[0], arguments)
		fmt.Printf("%s: mutating %s, counts as a write: %t\n", call[0], v.Mutating, v.Counts())
	}
	// Output:
	// get_order: mutating no, counts as a write: false
	// cancel_order: mutating yes, counts as a write: true
	// run_sql: mutating no, counts as a write: false
	// run_sql: mutating yes, counts as a write: true
	// frobnicate: mutating unknown, counts as a write: true
}
