package mutation

import (
	"strings"
	"testing"
)

// TestFreshCalls measures the classifier on calls that were written before the rules that
// judge them. No change may pass, and at most a tenth of the reads may be asked about. It
// prints each call that is judged otherwise than labelled.
func TestFreshCalls(t *testing.T) {
	total, wrong := map[string]int{}, map[string]int{}
	for _, c := range readCalls(t, "fresh.txt") {
		tool, arguments, _ := strings.Cut(c.arguments, " ")
		v := aCall{tool, arguments}.classifyOnce(t)
		if total[c.tool]++; v.Counts() != (c.tool == "confirm") {
			wrong[c.tool]++
			t.Logf("%s %s %s: %s %s: %s", c.tool, tool, arguments, v.Mutating, v.Layer, v.Reason)
		}
	}
	t.Logf("%d of %d reads asked, %d of %d changes let through", wrong["allow"], total["allow"], wrong["confirm"], total["confirm"])
	if wrong["confirm"] > 0 || 10*wrong["allow"] > total["allow"] {
		t.Error("too many calls are judged otherwise than labelled")
	}
}
