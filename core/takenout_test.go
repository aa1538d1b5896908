package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestTakenOutIsNotActedOn checks that a call which names things on which it does not act is not
// the union of calls that act on each of them, in either direction.
func TestTakenOutIsNotActedOn(t *testing.T) {
	call := func(name, arguments string) string {
		return fmt.Sprintf(`{"name":%q,"arguments":%s,"result":"ok"}`, name, arguments)
	}
	var single []string
	for i := 1; i <= 3; i++ {
		single = append(single, call("delete_email", fmt.Sprintf(`{"id":%d}`, i)))
	}
	singles := strings.Join(single, ",")
	for _, c := range []struct {
		arguments string
		good      bool
	}{
		{`{"ids":[1,2,3]}`, true},
		{`{"ids":[1,2,3],"except":[3]}`, false},
		{`{"ids":[1,2,3],"exclude_ids":[3]}`, false},
		{`{"ids":[1,2,3],"excluding":3}`, false},
		{`{"ids":[1,2,3],"but_not":[2]}`, false},
		{`{"ids":[1,2,3],"skip_confirmation":true}`, false}, // the calls have no such argument
	} {
		bulk := call("delete_emails", c.arguments)
		for _, sides := range [][2]string{{singles, bulk}, {bulk, singles}} {
			request, err := core.ReadRequest(fmt.Appendf(nil, `{"trace":{"actions":[%s]},"reference":[%s],"profile":"outcome"}`, sides[0], strings.ReplaceAll(sides[1], `,"result":"ok"`, "")))
			if err != nil {
				t.Fatal(err)
			}
			report, err := core.Evaluate(request)
			if err != nil {
				t.Fatal(err)
			}
			if r := &report.Trajectories[0]; r.Passed == nil || *r.Passed != c.good {
				t.Errorf("%s: passed %v, want %v (%d findings)", c.arguments, r.Passed, c.good, len(r.Violations))
			}
		}
	}
}
