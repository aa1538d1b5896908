package proposal_test

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// ExampleCheck shows that a call that may change something needs a confirmation.
func ExampleCheck() {
	for _, body := range []string{`{"tool": "get_order", "arguments": {"id": 7}}`, `{"tool": "cancel_order", "arguments": {"id": 7}}`} {
		p, err := proposal.Read(body)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Tool, proposal.Check(p).Decision)
	}
	// Output:
	// get_order allow
	// cancel_order confirm
}
