package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestPartlyDoneIsNotDone checks that a run with a change of which only a part was done is
// never good, with and without a reference, and that no figure counts the change as correct.
func TestPartlyDoneIsNotDone(t *testing.T) {
	const named = `{"deleted":[1],"failed":[2]}` // of what is named as left, it is certain that it was not done
	const ask = `{"role":"user","content":"Delete the mails 1 and 2."}`
	for _, c := range []struct {
		result string
		doubt  bool
	}{
		{`{"deleted":[1,2]}`, false},
		{named, true},
		{`Deleted 1 of 2 mails.`, true},
		{`[{"id":1,"status":"deleted"},{"id":2,"error":"locked"}]`, true},
	} {
		run := fmt.Sprintf(`{"messages":[%s,{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"delete_mails","arguments":"{\"ids\":[1,2]}"}}]},
			{"role":"tool","tool_call_id":"c","content":%q}]}`, ask, c.result)
		for _, reference := range []string{"", `,"reference":[{"name":"delete_mails","arguments":{"ids":[1,2]}}]`} {
			request, err := core.ReadRequest([]byte(`{"trace":` + run + reference + `}`))
			if err != nil {
				t.Fatal(err)
			}
			report, err := core.Evaluate(request)
			if err != nil {
				t.Fatal(err)
			}
			r := &report.Trajectories[0]
			if good := r.Passed != nil && *r.Passed; good == c.doubt {
				t.Errorf("%s%s: passed %v, verdict %q", c.result, reference, good, r.Verdict)
			}
			if reference != "" {
				row := r.Alignment[0]
				if c.result == named {
					if row.Verdict != "violation" || row.Hint || !r.Flagged || *r.Metrics.WithinBounds.Value != 0 {
						t.Errorf("%s: row %+v, flagged %v", c.result, row, r.Flagged)
					}
					continue
				}
				if uncertain := row.Verdict == "violation" && row.Hint && *r.Metrics.WithinBounds.Value == 0 && *r.Metrics.ABS.Max.Value == 0; uncertain != c.doubt {
					t.Errorf("%s: row %+v, within bounds %v", c.result, row, *r.Metrics.WithinBounds.Value)
				}
			}
			if c.doubt && !strings.HasPrefix(r.Verdict, `Cannot tell: the result of "delete_mails" (action 1) says that only a part was done`) {
				t.Errorf("%s%s: verdict %q", c.result, reference, r.Verdict)
			}
		}
	}
}

// TestGuessedIsNotGood checks that a run whose calls were only found by their shape is not known to
// be good, even if it equals its reference.
func TestGuessedIsNotGood(t *testing.T) {
	const row = `{"case":"c2","question":"pay bill 2","did":[{"verb":"pay_bill","with":{"id":"W-2"},"got":"ok"}],"should_do":[{"verb":"pay_bill","with":{"id":"W-2"}}],"grade":"good"}`
	request, err := core.ReadRequest([]byte(`{"trace":` + row + `}`))
	if err != nil {
		t.Fatal(err)
	}
	report, err := core.Evaluate(request)
	if err != nil {
		t.Fatal(err)
	}
	if r := &report.Trajectories[0]; len(r.Reference) != 1 || r.Passed != nil || !strings.HasPrefix(r.Verdict, "Cannot tell: the format is unknown") {
		t.Errorf("passed %v, verdict %q, reference %d", r.Passed, r.Verdict, len(r.Reference))
	}
}
