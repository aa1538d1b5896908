package score

import (
	"fmt"
	"testing"
)

// TestComposedRuns checks that the way to encode a letter is none of the run's: in a list in another order, in
// parts of a list, and in a value that the reference accepts.
func TestComposedRuns(t *testing.T) {
	const one, two = "R\u00e9my", "Re\u0301my"
	for _, names := range [][2]string{{one, two}, {two, one}} {
		call := func(name, key, value string) string {
			return fmt.Sprintf(`{"name":%q,"arguments":{%q:%s}}`, name, key, value)
		}
		for _, c := range [][2]string{
			{call("add_members", "members", fmt.Sprintf(`["Zoe",%q]`, names[0])), call("add_members", "members", fmt.Sprintf(`[%q,"Zoe"]`, names[1]))},
			{call("add_member", "member", fmt.Sprintf("%q", names[0])) + "," + call("add_member", "member", `"Zoe"`), call("add_members", "members", fmt.Sprintf(`[%q,"Zoe"]`, names[1]))},
			{call("delete_user", "user_id", fmt.Sprintf("%q", names[0])) + "," + call("delete_user", "user_id", `"Zoe"`), call("delete_user", "user_id", `"Zoe"`) + "," + call("delete_user", "user_id", fmt.Sprintf("%q", names[1]))},
			{call("set_owner", "owner", fmt.Sprintf("%q", names[0])), fmt.Sprintf(`{"name":"set_owner","arguments":{"owner":"x"},"accept":{"owner":[%q]}}`, names[1])},
		} {
			if run := evaluateTrace(t, "["+c[0]+"]", "["+c[1]+"]", "outcome").Trajectories[0]; run.Flagged {
				t.Errorf("%s for %s is flagged: %s", c[0], c[1], run.Violations[0].Reason)
			}
		}
	}
}
