package core_test

import (
	"errors"
	"fmt"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// This example evaluates a run in which the agent cancelled an order without looking it
// up first.
func ExampleEvaluate() {
	ref, err := reference.Read("get_order(id=7)\ncancel_order(id=7)")
	if err != nil {
		fmt.Println(err)
		return
	}
	trace := []byte(`[{"name": "cancel_order", "arguments": {"id": 7}}]`)
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: trace}}, Reference: ref, Options: core.Options{Profile: "sop"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	run := report.Trajectories[0]
	for _, v := range run.Violations {
		fmt.Printf("%s: %s\n", v.Type, v.Reason)
	}
	fmt.Printf("ABS (max) %.2f\n", *run.Metrics.ABS.Max.Value)
	// Output:
	// under-action: cancel_order was done without get_order before it
	// ABS (max) 0.50
}

// This example checks a run without a reference against general rules.
func ExampleEvaluate_lint() {
	trace := []byte(`[{"name": "delete_file", "arguments": {"id": 1}}, {"name": "delete_file", "arguments": {"id": 1}}]`)
	report, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: trace}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range report.Trajectories[0].Violations {
		fmt.Println(v.Rule)
	}
	// Output:
	// unread-before-write
	// repeated-write
}

// This example gives Evaluate input that cannot be read. The InputError says what is
// wrong and where.
func ExampleInputError() {
	_, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte("[{\"name\": \"get_order\"},\n {\"name\" 7}]")}}})
	var wrong *core.InputError
	if errors.As(err, &wrong) {
		fmt.Printf("not JSON at line %d, column %d\n", wrong.Line, wrong.Column)
	}
	// Output:
	// not JSON at line 2, column 10
}

// This example makes a reference for a task from a successful run of the task.
func ExampleReferencesFrom() {
	refs, err := core.ReferencesFrom([]byte(`{"trajectories": [
		{"task": "refund", "success": false, "actions": [{"name": "refund"}]},
		{"task": "refund", "success": true, "actions": [{"name": "get_order"}, {"name": "refund"}]}
	]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range refs["refund"].Steps {
		fmt.Println(step.Name)
	}
	// Output:
	// get_order
	// refund
}

// This example shows that the operator's table takes precedence over the name of a tool.
func ExampleOptions() {
	trace := []byte(`[{"name": "sync_mirror"}, {"name": "sync_mirror"}]`)
	for _, table := range []mutation.Table{nil, {"sync_mirror": {Mutating: mutation.No}}} {
		report, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: trace}}, Options: core.Options{Table: table}})
		if err != nil {
			fmt.Println(err)
			return
		}
		action := report.Trajectories[0].Observed[0]
		fmt.Println(action.Mutating, action.Layer)
	}
	// Output:
	// yes name
	// no table
}
