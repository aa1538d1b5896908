package score

import (
	"fmt"
	"strings"
	"testing"
)

// TestRequestsBoundIsSaid checks the law that a change for which there was too much to compare is said: it has no asker,
// the run is not fine, and a warning counts such changes. A short talk has none.
func TestRequestsBoundIsSaid(t *testing.T) {
	for _, n := range []int{20, 3000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,{"role":"user","content":"Please cancel order W-%d."},{"role":"assistant","tool_calls":[{"id":"c%d","function":{"name":"cancel_order","arguments":"{\"order_id\":\"W-%d\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":"ok"}`, i, i, i, i)
		}
		request, err := ReadRequest([]byte(`{"messages":[` + b.String()[1:] + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, w := range report.Warnings {
			said = said || w.Code == "requests-bound"
		}
		last := report.Trajectories[0].Observed[n-1].Request
		if want := n > 1000; said != want || last == nil || (last.By == "unknown") != want {
			t.Errorf("%d wishes: the warning %v, the last change %+v", n, said, last)
		}
	}
}
