package score

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/pace"
)

// TestLargeRuns checks that the time for a run does not grow with the square of its
// length.
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
	talk := `{"messages":[{"role":"user","content":"` + strings.Repeat("Cancel what I listed, please. ", 2000) + `"},{"role":"assistant","content":null,"tool_calls":[` +
		strings.TrimSuffix(regexp.MustCompile(`\{"name":"cancel_order","arguments":\{"order_id":"(O-\d+)"\}\}`).ReplaceAllString(obs.String(), `{"id":"$1","type":"function","function":{"name":"cancel_order","arguments":"{\"order_id\":\"$1\"}"}}`), ",") + `]}]}`
	if took := pace.Spent(func() { check("distinct writes in a conversation", talk, "", 4_990) }); took > 60*time.Second {
		t.Errorf("a conversation of %d writes took %v", n, took)
	}
	check("nothing in common", array(&obs), array(&ref), 2*n)
	check("everything missing", `[]`, array(&ref), n)
}
