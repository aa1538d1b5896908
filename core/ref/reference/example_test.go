package reference_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// ExampleRead reads a reference that has one call on each line. A reference may also be
// JSON.
func ExampleRead() {
	r, err := reference.Read("required: verify_owner(id=7)\n- get_order(id=7)\nmust not: delete_order")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Steps {
		fmt.Println(s.Name, s.Arguments.Raw(), s.Required, s.MustNot)
	}
	// Output:
	// verify_owner {"id":7} true false
	// get_order {"id":7} false false
	// delete_order  false true
}

// ExampleRead_process reads a reference in which one of two ways may be taken. An error
// names the wrong step.
func ExampleRead_process() {
	r, err := reference.Read(`["get_order", {"oneOf": ["refund", ["cancel", "note"]]}]`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Process.Kind, len(r.Process.Children))
	_, err = reference.Read(`["get_order", {"oneOf": []}]`)
	fmt.Println(err)
	// Output:
	// sequence 2
	// invalid reference step 2: the group "oneOf" is empty
}
