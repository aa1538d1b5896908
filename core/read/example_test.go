package read_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/read"
)

// Decode recognises the form of a trace and pairs calls with their results.
func ExampleDecode() {
	doc, err := read.Decode([]byte(`[
		{"role": "user", "content": "Cancel order 7."},
		{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "cancel_order", "arguments": "{\"id\": 7}"}}]},
		{"role": "tool", "tool_call_id": "a", "content": "cancelled"}
	]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range doc.Trajectories[0].Actions {
		fmt.Println(doc.Format, a.Name, a.Arguments.Raw(), a.Observation.Text)
	}
	// Output:
	// openai-chat cancel_order {"id": 7} cancelled
}
