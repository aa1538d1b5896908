package core

import (
	"fmt"
	"strings"
	"testing"
)

// Large runs must not take quadratic time: these took minutes when each finding
// looked at each action.
func TestLargeRuns(t *testing.T) {
	const n = 5_000
	var obs, ref strings.Builder
	for i := range n {
		fmt.Fprintf(&obs, `{"name":"cancel_order","arguments":{"order_id":"O-%d"}},`, i)
		fmt.Fprintf(&ref, `{"name":"ship_order","arguments":{"order_id":"O-%d"}},`, i)
	}
	array := func(b *strings.Builder) string { return "[" + strings.TrimSuffix(b.String(), ",") + "]" }
	check := func(name, trace, reference string, want int) {
		t.Helper()
		body := `{"trace":` + trace + `,"profile":"outcome"`
		if reference != "" {
			body += `,"reference":` + reference
		}
		request, err := ReadRequest([]byte(body + "}"))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(report.Trajectories[0].Violations); got != want {
			t.Errorf("%s: %d violations, want %d", name, got, want)
		}
	}
	check("distinct writes, no reference", array(&obs), "", n)
	check("nothing in common", array(&obs), array(&ref), 2*n)
	check("everything missing", `[]`, array(&ref), n)
}
