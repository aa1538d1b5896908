//go:build !js

package gate

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
)

const gateTestUsage = "usage: boundcheck gate test [--was POLICY] POLICY CALLS\n       boundcheck gate test --prove POLICY\n"

// gateTest implements "gate test". It decides the calls of a file under a policy, and
// compares the decisions with those that are expected, that a gate made, or that another
// policy makes.
func gateTest(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("gate test", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	was := flags.String("was", "", "")
	prove := flags.Bool("prove", false, "")
	err := flags.Parse(args)
	switch {
	case err == nil && *prove && *was == "" && flags.NArg() == 1:
		return gateProve(flags.Arg(0), stdout, stderr)
	case err != nil || *prove || flags.NArg() != 2:
		fmt.Fprint(stderr, gateTestUsage)
		return cmd.ExitUsage
	}
	t := policyTest{out: stdout, file: flags.Arg(1)}
	if t.policy, err = readPolicy(flags.Arg(0)); err == nil && *was != "" {
		t.was, err = readPolicy(*was)
	}
	if err == nil {
		err = t.run()
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck gate test: %v\n", err)
		return cmd.ExitInput
	}
	t.printSummary()
	if t.unknown > 0 && t.compared == 0 {
		fmt.Fprintf(stderr, "boundcheck gate test: %s: no call of the audit has arguments, so nothing was compared\n", flags.Arg(1))
		return cmd.ExitInput
	}
	if t.wrong > 0 {
		return cmd.ExitFailed
	}
	return cmd.ExitOK
}

// gateProve implements "gate test --prove". It lists what is true of the policy's rules
// for all calls.
func gateProve(file string, stdout, stderr io.Writer) int {
	p, err := readPolicy(file)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck gate test: %v\n", err)
		return cmd.ExitInput
	}
	proof := p.Prove(time.Now().UnixMilli())
	for _, f := range proof.Findings {
		fmt.Fprintf(stdout, "%s:%d  %s: %s\n    %s\n", file, f.Line, words.Printable(f.Name), f.Kind, words.Printable(f.Text))
	}
	for _, name := range proof.Open {
		fmt.Fprintf(stdout, "%s  %s: not decided, because its conditions tell too many calls apart\n", file, words.Printable(name))
	}
	fmt.Fprintf(stdout, "%s: %s, %s\n", file, words.Count(proof.Rules, "rule", "rules"), words.Count(len(proof.Findings), "finding", "findings"))
	if len(proof.Findings) > 0 {
		return cmd.ExitFailed
	}
	return cmd.ExitOK
}

// policyTest is one test of a policy.
type policyTest struct {
	out          io.Writer
	file         string
	policy, was  *machine.Policy // was is nil without --was
	tenants      map[string]*tenantTest
	last         int64 // the time of the last call
	calls, wrong int
	unknown      int // calls of an audit without arguments
	compared     int
	claims       int        // of an audit, compared
	turn         []auditRow // the last rows of an audit, if they are one turn
}

// tenantTest is the history of one tenant, under the policy and under the older one.
type tenantTest struct {
	now, was machine.Replay
	audit    auditHistory
}

// testCall is a line of a file with calls.
type testCall struct {
	At        string          `json:"at"`
	Agent     string          `json:"agent"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Asked     string          `json:"asked"`
	Expect    string          `json:"expect"`
	People    int             `json:"people"`
	Rule      string          `json:"rule"`
	Approve   int             `json:"approve"`
	Outcome   string          `json:"outcome"`
	Result    json.RawMessage `json:"result"`
	Detail    string          `json:"detail"`
}

var testCallMembers = []string{"at", "agent", "tool", "arguments", "asked", "expect", "people", "rule", "approve", "outcome", "result", "detail"}

func (t *policyTest) run() error {
	f, err := os.Open(t.file)
	if err != nil {
		return err
	}
	defer f.Close()
	t.tenants = map[string]*tenantTest{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := t.addLine(n, line); err != nil {
			return fmt.Errorf("%s: line %d: %w", t.file, n, err)
		}
	}
	t.endTurn()
	return lines.Err()
}

func (t *policyTest) tenantOf(name string) *tenantTest {
	if t.tenants[name] == nil {
		t.tenants[name] = &tenantTest{now: machine.Replay{Policy: t.policy}, was: machine.Replay{Policy: t.was}, audit: auditHistory{open: map[string][2]*machine.Decided{}}}
	}
	return t.tenants[name]
}

// addLine reads a call, or a row of an export.
func (t *policyTest) addLine(n int, line string) error {
	v, err := jsonval.Parse(line)
	if err != nil {
		return err
	}
	switch {
	case v.Kind() != jsonval.Object:
		return fmt.Errorf("want an object with a call, saw %s", v.Kind())
	case v.Get("schema").Exists() || v.Get("end").Exists():
		return nil
	case v.Get("entry").Exists():
		return t.addEntry(n, v.Get("entry").Text())
	}
	for _, key := range v.Keys() {
		if !slices.Contains(testCallMembers, key) {
			return fmt.Errorf("unknown member %q%s; the known members are %s", key, match.Hint(key, testCallMembers), strings.Join(testCallMembers, ", "))
		}
	}
	var c testCall
	if err := json.Unmarshal([]byte(line), &c); err != nil {
		return err
	}
	return t.addCall(n, &c)
}

// check returns an error if a call cannot be used, and sets its defaults.
func (c *testCall) check(last int64) (at int64, err error) {
	at = last
	if c.At != "" {
		when, err := time.Parse(time.RFC3339, c.At)
		if err != nil {
			return 0, fmt.Errorf(`invalid at: want a time such as "2027-01-31T12:00:00Z", saw %q`, c.At)
		}
		at = when.UnixMilli()
	}
	if c.Agent == "" {
		c.Agent = "agent"
	}
	if len(c.Arguments) == 0 {
		c.Arguments = json.RawMessage("{}")
	}
	if len(c.Result) > 0 {
		if c.Detail != "" {
			return 0, errors.New("a call has result or detail, not both: result is JSON, detail is the same as text")
		}
		c.Detail = string(c.Result)
	}
	switch {
	case c.Tool == "":
		return 0, errors.New("missing tool")
	case c.Expect != "" && !slices.Contains([]string{"allow", "hold", "deny"}, c.Expect):
		return 0, fmt.Errorf("invalid expect: want allow, hold or deny, saw %q", c.Expect)
	case c.Asked != "" && !slices.Contains([]string{proposal.AskedByUser, proposal.AskedByDeveloper, proposal.AskedByData, proposal.AskedByNobody, proposal.AskedUnknown}, c.Asked):
		return 0, fmt.Errorf("invalid asked: want user, developer, data, nobody or unknown, saw %q", c.Asked)
	case c.Outcome != "" && !slices.Contains([]string{"executed", "failed", "ambiguous", "none"}, c.Outcome):
		return 0, fmt.Errorf("invalid outcome: want executed, failed, ambiguous, or none for a call without a report, saw %q", c.Outcome)
	}
	return at, nil
}

// addCall decides a call of a file. With an outcome, the call runs if it is allowed or if
// enough people approve it.
func (t *policyTest) addCall(n int, c *testCall) (err error) {
	if t.last, err = c.check(t.last); err != nil {
		return err
	}
	x := t.tenantOf("")
	d, other := x.decideCall(t, fmt.Sprint(n), c.Agent, c.Tool, string(c.Arguments), c.Asked, t.last)
	t.calls++
	got := decisionWord(d)
	switch {
	case c.Expect != "":
		t.compared++
		if got != c.Expect || c.People > 0 && d.People != c.People || c.Rule != "" && d.Rule != c.Rule {
			t.reportDifference(n, c.Tool, string(c.Arguments), "want "+expectedText(c), d)
		}
	case other != nil:
		t.compareDecisions(n, c.Tool, string(c.Arguments), decisionText(other), decisionText(d), d)
	}
	runs := func(d *machine.Decided, r *machine.Replay) {
		if d == nil || c.Outcome == "" || d.Verdict == machine.Denial || d.People > c.Approve {
			return
		}
		if r.Claim(d, t.last).Text == "" && c.Outcome != "none" {
			r.Settle(d, machine.State(c.Outcome), c.Detail)
		}
	}
	runs(d, &x.now)
	runs(other, &x.was)
	return nil
}

// decideCall decides a call under the policy and, with --was, under the older one.
func (x *tenantTest) decideCall(t *policyTest, id, agent, tool, arguments, asked string, at int64) (now, was *machine.Decided) {
	by := machine.Principal{Tenant: "t", Name: agent, Role: machine.Agent}
	call := proposal.Proposal{Tool: tool, Arguments: arguments}
	if asked != "" {
		call.Recorded = &proposal.Asker{By: asked}
	}
	d := x.now.Decide(id, by, call, at)
	if t.was == nil {
		return &d, nil
	}
	o := x.was.Decide(id, by, call, at)
	return &d, &o
}

// compareDecisions reports a call that is decided otherwise.
func (t *policyTest) compareDecisions(n int, tool, arguments, then, now string, d *machine.Decided) {
	t.compared++
	if then != now {
		t.reportDifference(n, tool, arguments, "was "+then, d)
	}
}

// mostReported is the largest number of calls that are listed.
const mostReported = 200

func (t *policyTest) reportDifference(n int, tool, arguments, then string, d *machine.Decided) {
	why := d.Reason
	if d.Rule != "" {
		why = fmt.Sprintf("%s, line %d", d.Rule, d.Line)
	}
	if d.Logged != "" {
		why += "; only logged by " + d.Logged
	}
	t.printDifference(n, tool, arguments, then+", got "+decisionText(d), why)
}

func (t *policyTest) printDifference(n int, tool, arguments, what, why string) {
	if t.wrong++; t.wrong > mostReported {
		return
	}
	call := cmd.CallText(tool, arguments)
	if len(call) > 160 {
		call = strings.ToValidUTF8(call[:160], "") + "…"
	}
	if why != "" {
		what += " (" + why + ")"
	}
	fmt.Fprintf(t.out, "%s:%d  %s\n    %s\n", t.file, n, words.Printable(call), words.Printable(what))
}

// decisionWord returns allow, hold or deny.
func decisionWord(d *machine.Decided) string {
	switch d.Verdict {
	case machine.Denial:
		return "deny"
	case proposal.Confirm:
		return "hold"
	}
	return "allow"
}

func decisionText(d *machine.Decided) string {
	if d.People > 1 && d.Verdict != machine.Denial {
		return fmt.Sprintf("hold, %d people", d.People)
	}
	return decisionWord(d)
}

func expectedText(c *testCall) string {
	out := c.Expect
	if c.People > 0 {
		out += ", " + words.Count(c.People, "person", "people")
	}
	if c.Rule != "" {
		out += " by " + c.Rule
	}
	return out
}

// printSummary prints how many calls were decided, and what each rule did.
func (t *policyTest) printSummary() {
	if more := t.wrong - mostReported; more > 0 {
		fmt.Fprintf(t.out, "and %d more\n", more)
	}
	fmt.Fprintf(t.out, "%s: %s, %d compared, %d decided otherwise\n", t.file, words.Count(t.calls, "call", "calls"), t.compared, t.wrong)
	if t.claims > 0 {
		fmt.Fprintf(t.out, "  %s of the audit are compared, too\n", words.Count(t.claims, "claim", "claims"))
		if t.policy.LooksInResults() {
			fmt.Fprintf(t.out, "  an audit has no results of calls, so each rule with {result: …} is decided as if the result did not say it\n")
		}
	}
	if t.unknown > 0 {
		fmt.Fprintf(t.out, "  %s of the audit without arguments were not decided: set audit: {arguments: full} in the policy\n", words.Count(t.unknown, "call", "calls"))
	}
	var all []machine.RuleHits
	at := map[string]int{}
	for _, x := range t.tenants {
		for _, r := range x.now.Coverage() {
			i, ok := at[r.Name]
			if !ok {
				i = len(all)
				at[r.Name], all = i, append(all, machine.RuleHits{Name: r.Name, Line: r.Line, Log: r.Log})
			}
			all[i].Applied, all[i].Decided, all[i].Stopped = all[i].Applied+r.Applied, all[i].Decided+r.Decided, all[i].Stopped+r.Stopped
		}
	}
	for _, r := range all {
		applied, stopped := words.Count(r.Applied, "call", "calls"), ""
		if r.Stopped > 0 {
			stopped = fmt.Sprintf(", stopped %s", words.Count(r.Stopped, "claim", "claims"))
		}
		what := fmt.Sprintf("applied to %s, decided %d%s", applied, r.Decided, stopped)
		switch {
		case r.Applied == 0 && r.Stopped == 0:
			what = "never applied"
		case r.Log:
			what = fmt.Sprintf("would have applied to %s%s (mode: log)", applied, stopped)
		case r.Decided == 0 && r.Stopped == 0:
			what = fmt.Sprintf("applied to %s, but another rule always decided", applied)
		}
		fmt.Fprintf(t.out, "  line %d  %s: %s\n", r.Line, words.Printable(r.Name), what)
	}
}
