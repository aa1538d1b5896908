package machine

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
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
		if got := match.Name(x.pattern, x.name); got != x.want {
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
		`{"tools":{"[wf]ire_*":"yes"}}`:                     "no brackets",
		`{"fourEyes":["{wire,pay}_*"]}`:                     "no brackets",
		`{"hosts":["claude"]}`:                              "unknown host table",
		`{"hosts":"all"}`:                                   "want an array",
		`{"shell":"bash"}`:                                  `for bash, write "posix"`,
		`{"shell":["posix"]}`:                               `want "posix", "windows" or "unknown"`,
		`{"tools":{"x":{"shell":"PowerShell"}}}`:            `for PowerShell, write "windows"`,
		`{"tools":{"x":{"shell":"posix","mutating":"no"}}}`: "both mutating and shell",
		`{"tools":{"x":{"shel":"posix"}}}`:                  "The known members are deny, expiry, mutating, preview, shell, wait",
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
	const task = `TaskUpdate {"taskId":"7","status":"completed"}`
	for text, want := range map[string]string{`{}`: "confirm", `{"hosts":["claude-code"]}`: "allow"} {
		if got := askCalls(t, mustReadPolicy(t, text), task).Verdict; got != want {
			t.Errorf("%s: a to-do call is %s, want %s", text, got, want)
		}
	}
}

// TestShellIsTheOperators checks that the policy says which shell reads a tool's command
// lines: for all tools that name none, for one tool, and for a pattern.
func TestShellIsTheOperators(t *testing.T) {
	const quoted = `{"command":"echo 'a & del x'"}`
	for _, x := range []struct{ policy, call, want string }{
		{`{}`, "run_in_terminal " + quoted, "confirm"},
		{`{}`, `run_in_terminal {"command":"ls -la"}`, "allow"},
		{`{}`, "bash " + quoted, "allow"},
		{`{}`, `cmd {"command":"ls"}`, "confirm"},
		{`{"shell":"posix"}`, "run_in_terminal " + quoted, "allow"},
		{`{"shell":"posix"}`, `run_in_terminal {"command":"rm x"}`, "confirm"},
		{`{"shell":"posix"}`, `cmd {"command":"ls"}`, "confirm"},
		{`{"shell":"posix"}`, `run_powershell {"command":"ls"}`, "confirm"},
		{`{"shell":"windows"}`, `run_in_terminal {"command":"ls"}`, "confirm"},
		{`{"shell":"windows"}`, `bash {"command":"ls"}`, "allow"},
		{`{"shell":"windows","tools":{"run_in_terminal":{"shell":"posix"}}}`, "run_in_terminal " + quoted, "allow"},
		{`{"shell":"posix","tools":{"run_in_terminal":{"shell":"unknown"}}}`, "run_in_terminal " + quoted, "confirm"},
		{`{"tools":{"run_in_terminal":{"shell":"posix"}}}`, "execute_command " + quoted, "confirm"},
		{`{"tools":{"*_terminal":{"shell":"posix"}}}`, "run_in_terminal " + quoted, "allow"},
		{`{"tools":{"*_terminal":{"shell":"posix"},"run_*":{"shell":"windows"}}}`, `run_in_terminal {"command":"ls"}`, "confirm"},
		{`{"tools":{"*":{"shell":"posix"},"run_*":"yes"}}`, `run_in_terminal {"command":"ls"}`, "confirm"},
		{`{"tools":{"frobnicate":{"shell":"posix"}}}`, `frobnicate {"command":"ls"}`, "allow"},
		{`{"tools":{"frobnicate":{"shell":"posix"}}}`, `frobnicate {"command":"frob"}`, "confirm"},
	} {
		if got := askCalls(t, mustReadPolicy(t, x.policy), x.call).Verdict; got != x.want {
			t.Errorf("%s: %s: %s, want %s", x.policy, x.call, got, x.want)
		}
	}
}

// TestAgentNamesNoShell checks that definitions which the agent sends cannot say which
// shell a tool runs, even if the schemas of the agent's program are believed.
func TestAgentNamesNoShell(t *testing.T) {
	c, err := proposal.Read(`{"tool":"execute_command","arguments":{"command":"echo 'a & del x'","shell":"posix"},"table":{"tools":{"execute_command":{"shell":"posix"}}},
		"tools":[{"name":"execute_command","shell":"posix","description":"Runs a line in bash","parameters":{"properties":{"command":{"type":"string"},"shell":{"enum":["posix","list"]}}}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, believed := range []bool{false, true} {
		if got := judgeCall(Default(), c, &Ask{By: Principal{Schemas: believed}}, 0); !got.held {
			t.Errorf("schemas believed %v: the call passes: %s", believed, got.why.Reason)
		}
	}
}
