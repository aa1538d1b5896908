package wire_test

import (
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/core/wire"
)

// This example calls Handle with a known and an unknown method. In both cases the answer
// is JSON.
func ExampleHandle() {
	answer, ok := wire.Handle("check", []byte(`{"tool": "get_order", "arguments": {"id": 7}}`))
	var decided struct{ Decision string }
	if err := json.Unmarshal(answer, &decided); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ok, decided.Decision)
	answer, ok = wire.Handle("shout", nil)
	fmt.Printf("%t %s", ok, answer)
	// Output:
	// true allow
	// false {"error":{"code":"unknown-method","message":"unknown method \"shout\"; the known methods are [\"version\" \"score\" \"check\" \"run\" \"map\" \"repair\"]"}}
}
