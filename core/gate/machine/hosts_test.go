package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// TestRuleHosts checks the allow list of hosts of a rule, with each effect and beside a limit.
func TestRuleHosts(t *testing.T) {
	p := mustReadPolicy(t, `{"rules":[{"name":"ours","tool":"fetch_*","hosts":["api.example.com","*.example.org"],"effect":"deny"},
		{"name":"web","tool":"get_web","hosts":["api.example.com"],"atMost":{"n":1,"per":"1h"},"effect":"hold","people":2},
		{"name":"hook","tool":"add_hook","hosts":["api.example.com"],"when":{"url":{"any":true}},"effect":"allow","until":"2030-01-01T00:00:00Z"},
		{"name":"try","tool":"get_page","hosts":["api.example.com"],"effect":"deny","mode":"log"}]}`)
	agent := Principal{Tenant: "t", Name: "a", Role: Agent}
	x := Replay{Policy: p}
	for i, c := range [][3]string{
		{"fetch_url", `{"url":"https://api.example.com/v1"}`, "allow0"},
		{"fetch_url", `{"url":"https://evil.example/v1"}`, "deny0"},
		{"fetch_url", `{"url":"https://api.example.com/r?to=https://evil.example"}`, "deny0"},
		{"fetch_url", `{}`, "deny0"},
		{"get_web", `{"url":"https://api.example.com/"}`, "allow0"},
		{"get_web", `{"url":"https://api.example.com/"}`, "confirm2"},
		{"get_web", `{"url":"https://evil.example/"}`, "confirm2"},
		{"add_hook", `{"url":"https://api.example.com/"}`, "allow0"},
		{"add_hook", `{"url":"https://evil.example/"}`, "confirm1"},
		{"get_page", `{"url":"https://evil.example/"}`, "allow0"},
	} {
		d := x.Decide(fmt.Sprint(i), agent, proposal.Proposal{Tool: c[0], Arguments: c[1]}, int64(i))
		if got := fmt.Sprint(d.Verdict, d.People); got != c[2] {
			t.Errorf("%s %s: %s, want %s (%s)", c[0], c[1], got, c[2], d.Reason)
		}
		if d.Verdict == Denial && (!strings.HasPrefix(d.Reason, `the rule "ours" (line 1): only the hosts api.example.com, *.example.org; `) || d.Rule != "ours") {
			t.Error(d.Reason)
		}
		if d.Verdict != Denial {
			if why := x.Claim(&d, int64(i)).Text; why != "" {
				t.Errorf("%s %s: %s", c[0], c[1], why)
			}
		}
		if logged := c[0] == "get_page"; (d.Logged == "try") != logged {
			t.Errorf("%s: logged %q", c[0], d.Logged)
		}
	}
	for _, list := range []string{`[]`, `["https://x.example"]`, `["*"]`, `[5]`, `["a b"]`, `"x/y"`} {
		if _, err := ReadPolicy(`{"rules":[{"name":"r","hosts":` + list + `,"effect":"deny"}]}`); err == nil || !strings.Contains(err.Error(), "invalid host") {
			t.Errorf("%s: %v", list, err)
		}
	}
}
