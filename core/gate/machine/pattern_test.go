package machine

import (
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	for _, x := range []struct {
		pattern, name string
		want          bool
	}{
		{"wire_*", "wire_money", true}, {"wire_*", "wire_", true}, {"wire_*", "rewire_x", false}, {"*", "", true},
		{"*_money", "wire_money", true}, {"*_money", "wire_money_back", false}, {"mcp__*__delete_*", "mcp__shop__delete_order", true},
		{"a?c", "abc", true}, {"a?c", "ac", false}, {"a*b*c", "aXbYbZc", true}, {"a*b*c", "aXcYb", false}, {"**", "x", true},
		{"get_*", "GET_x", false},
	} {
		if got := patternMatches(x.pattern, x.name); got != x.want {
			t.Errorf("matches(%q, %q) = %v", x.pattern, x.name, got)
		}
	}
}

// TestPatternsHold checks that the rule for a pattern applies to every tool that the
// pattern matches. The rules are a denial, four eyes, and a value of "mutating". A rule
// for the exact name takes precedence.
func TestPatternsHold(t *testing.T) {
	p := mustReadPolicy(t, `{"tools":{"format_*":{"deny":"never"},"mcp__shop__*":"no","mcp__shop__buy":"yes","lookup_?":"no"},"fourEyes":["wire_*"]}`)
	check := func(call, verdict string) {
		t.Helper()
		if got := askCalls(t, p, call).Verdict; got != verdict {
			t.Errorf("%s: %s, want %s", call, got, verdict)
		}
	}
	check(`format_disk {}`, "deny")
	check(`mcp__shop__rename_thing {}`, "allow")
	check(`mcp__shop__buy {}`, "confirm") // the exact name takes precedence over the pattern
	check(`lookup_x {}`, "allow")
	check(`lookup_xy {}`, "allow") // judged by its name
	check(`wire_money {"amount":5}`, "confirm")
	if plan := askCalls(t, p, `wire_money {"amount":5}`); plan.Records[0].Needs != 2 {
		t.Errorf("four eyes by a pattern: needs %d", plan.Records[0].Needs)
	}
	if rule, _ := p.Rule("mcp__shop__x"); rule.Mutating != "no" {
		t.Errorf("%+v", rule)
	}
}

// TestPatternsStrictest checks that the strictest of several patterns counts.
func TestPatternsStrictest(t *testing.T) {
	p := mustReadPolicy(t, `{"tools":{"*":"no","delete_*":"yes","*_order":{"expiry":"1m"},"delete_o*":{"expiry":"2m","deny":"no orders"}}}`)
	rule, named := p.Rule("delete_order")
	if !named || rule.Mutating != "yes" || rule.Expiry != 60_000 || rule.Deny != "no orders" {
		t.Errorf("%+v", rule)
	}
	if got := askCalls(t, p, `frobnicate {}`).Verdict; got != "allow" {
		t.Errorf("the operator's word on all tools: %s", got)
	}
}

// TestPatternMistakes checks policies with patterns that would match nothing, and with
// patterns or host names that are not allowed. ReadPolicy must return an error that names
// the line.
func TestPatternMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`{"tools":{"[wf]ire_*":"yes"}}`: "no brackets",
		`{"fourEyes":["{wire,pay}_*"]}`: "no brackets",
		`{"hosts":["claude"]}`:          "unknown host table",
		`{"hosts":"all"}`:               "want an array",
		`{"allow":[{"name":"r","tool":"sync_*","until":"2030-01-01T00:00:00Z","when":{}}]}`: "exact name",
	} {
		if _, err := ReadPolicy(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v, want %q with its line", text, err, want)
		}
	}
}

// TestHostsAreTheOperators checks that the operator's policy decides which reviewed host
// tables are used. By default all of them are used.
func TestHostsAreTheOperators(t *testing.T) {
	const call = `TodoWrite {"todos":[]}`
	for text, want := range map[string]string{`{}`: "allow", `{"hosts":["claude-code"]}`: "allow", `{"hosts":[]}`: "confirm", `{"hosts":["browser"]}`: "confirm"} {
		if got := askCalls(t, mustReadPolicy(t, text), call).Verdict; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
