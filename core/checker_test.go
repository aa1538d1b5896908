package core_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/checker"
)

// expert is a checker that returns one verdict on every run, and keeps what it
// was asked.
type expert struct {
	name    string
	knows   string // the format it applies to; "" for all
	verdict checker.Verdict
	err     error
	names   []string
	cases   []*checker.Case
}

func (x *expert) About() checker.About {
	return checker.About{Name: x.name, Version: "1.0", SHA256: "ab"}
}

func (x *expert) Applies(format string, names []string) (string, bool) {
	x.names = names
	return "bench-" + x.name, x.knows == "" || x.knows == format
}

func (x *expert) Check(c *checker.Case) (checker.Verdict, error) {
	x.cases = append(x.cases, c)
	return x.verdict, x.err
}

// evaluateWithCheckers evaluates the body of a request with the given checkers, and
// returns the report.
func evaluateWithCheckers(t *testing.T, body string, all ...checker.Checker) core.Report {
	t.Helper()
	r, err := evaluateWithOptions(t, body, func(o *core.Options) { o.Checkers = all })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// extraWriteRequest returns a request with the given profile. Its run has one match and
// one extra write.
func extraWriteRequest(profile string) string {
	return `{"trace":[{"name":"pay_bill","arguments":{"id":"p1"}},{"name":"drop_row","arguments":{"id":"r1"}}],"reference":["pay_bill(id=p1)"],"profile":"` + profile + `"}`
}

// rowVerdicts returns the verdicts of all rows, separated by spaces. For an excused row,
// the verdict is followed by the stage that excused it.
func rowVerdicts(r core.Report) string {
	var out []string
	for _, row := range r.Trajectories[0].Alignment {
		out = append(out, strings.TrimSuffix(string(row.Verdict)+"/"+row.Stage, "/"))
	}
	return strings.Join(out, " ")
}

func TestCheckerExcusesARow(t *testing.T) {
	x := &expert{name: "x", verdict: checker.Verdict{Excused: []checker.Excuse{{Row: 1, Stage: "state", Reason: "it comes to the same"}}}}
	r := evaluateWithCheckers(t, extraWriteRequest("outcome"), x)
	run := r.Trajectories[0]
	if rowVerdicts(r) != "correct excused/state" || run.Alignment[1].Reason != "it comes to the same" || run.Flagged || *run.Metrics.ABS.Agent.Value != 1 || run.Replay != nil {
		t.Errorf("%s: %+v", rowVerdicts(r), run)
	}
	if len(r.Plugins) != 1 || r.Plugins[0] != (core.Plugin{Name: "x", Version: "1.0", SHA256: "ab"}) || len(r.Warnings) != 0 {
		t.Errorf("plugins %+v, warnings %+v", r.Plugins, r.Warnings)
	}
}

// TestCheckerHasNoSayUnderSOP checks that, under the profile sop, the checker's verdict
// is ignored, but the report still shows the checker's replay.
func TestCheckerHasNoSayUnderSOP(t *testing.T) {
	x := &expert{name: "x", verdict: checker.Verdict{
		Excused: []checker.Excuse{{Row: 1, Stage: "state", Reason: "same"}}, Blamed: []checker.Blame{{Row: 0, Reason: "blamed"}}, Replay: &checker.Replay{Basis: "database"}}}
	r := evaluateWithCheckers(t, extraWriteRequest("sop"), x)
	if rowVerdicts(r) != "correct violation" || len(r.Trajectories[0].Violations) != 1 || r.Trajectories[0].Replay == nil {
		t.Errorf("%s: %+v", rowVerdicts(r), r.Trajectories[0])
	}
}

// TestCheckerSeesTheReferencesObservations checks that a reference made from a run
// contains the observations of that run, because a checker compares them.
func TestCheckerSeesTheReferencesObservations(t *testing.T) {
	const walked = `{"task":"1","success":true,"actions":[{"name":"pay_bill","arguments":{"id":"p1"},"result":"paid"},{"name":"drop_row","arguments":{"id":"r1"}}]}`
	references, err := core.ReferencesFrom([]byte(`{"trajectories":[` + walked + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	x := &expert{name: "x"}
	_, err = core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(`{"trajectories":[` + walked + `]}`)}}, References: references, Options: core.Options{Checkers: []checker.Checker{x}}})
	if err != nil || len(x.cases) != 1 || len(x.cases[0].Reference) != 2 {
		t.Fatalf("%v: %+v", err, x.cases)
	}
	if ref := x.cases[0].Reference; ref[0].Observation == nil || *ref[0].Observation != "paid" || ref[1].Observation != nil {
		t.Errorf("%+v", ref)
	}
}

// TestCheckerExcusesOnlyViolations checks that only violations are excused, and that a
// correct row stays correct.
func TestCheckerExcusesOnlyViolations(t *testing.T) {
	x := &expert{name: "x", verdict: checker.Verdict{Excused: []checker.Excuse{{Row: 0, Stage: "state", Reason: "same"}}}}
	if r := evaluateWithCheckers(t, extraWriteRequest("outcome"), x); rowVerdicts(r) != "correct violation" {
		t.Errorf("%s", rowVerdicts(r))
	}
}

// TestMarksWinAgainstTheChecker checks that the marks in the reference take precedence
// over the checker. The checker cannot excuse that a required step is missing, or that
// the run did a forbidden step.
func TestMarksWinAgainstTheChecker(t *testing.T) {
	x := &expert{name: "x", verdict: checker.Verdict{Excused: []checker.Excuse{{Row: 0, Stage: "state", Reason: "same"}}}}
	for mark, want := range map[string]string{`,"required":true`: "violation", "": "excused/state"} {
		r := evaluateWithCheckers(t, `{"trace":[],"reference":[{"name":"pay_bill","arguments":{"id":"p1"}`+mark+`}],"profile":"outcome"}`, x)
		if rowVerdicts(r) != want {
			t.Errorf("%q: %s, want %s", mark, rowVerdicts(r), want)
		}
	}
	r := evaluateWithCheckers(t, `{"trace":[{"name":"drop_row","arguments":{"id":"r1"}}],"reference":[{"name":"drop_row","mustNot":true}],"profile":"outcome"}`, x)
	if v := r.Trajectories[0].Violations; rowVerdicts(r) != "violation" || len(v) != 1 || v[0].Rule != "forbidden-action" {
		t.Errorf("%s: %+v", rowVerdicts(r), v)
	}
}

// TestCheckerBlamesARow checks that a checker can blame a different final state on a row
// that looks correct. The violation then contains the differences that the replay found.
func TestCheckerBlamesARow(t *testing.T) {
	replay := &checker.Replay{Benchmark: "b", Basis: "database", Outputs: map[string]bool{"5": true}, Notes: []string{"n"},
		Differences: []checker.Difference{{Table: "bills", Key: "p1", Field: "sum", Observed: "5", Reference: "6"}, {Table: "rows", Key: "r1", Field: "gone", Observed: "true"}}}
	x := &expert{name: "x", verdict: checker.Verdict{Replay: replay, Blamed: []checker.Blame{
		{Row: 0, Differences: []int{1, 0}, Reason: "the sum is another"}, {Row: 1, Differences: []int{1}, Reason: "and this"}}}}
	r := evaluateWithCheckers(t, extraWriteRequest("outcome"), x)
	run := r.Trajectories[0]
	if rowVerdicts(r) != "violation violation" || len(run.Violations) != 2 {
		t.Fatalf("%s: %+v", rowVerdicts(r), run.Violations)
	}
	v := run.Violations[0]
	want := []core.Evidence{{Path: "rows.r1.gone", Observed: "true"}, {Path: "bills.p1.sum", Observed: "5", Reference: "6"}}
	if v.Type != "end-boundary" || v.Rule != "state-differs" || v.Confidence != 0.95 || v.Reason != "the sum is another" || *v.Row != 0 || *v.Obs != 0 || *v.Ref != 0 ||
		len(v.Evidence) != 2 || v.Evidence[0] != want[0] || v.Evidence[1] != want[1] {
		t.Errorf("%+v", v)
	}
	if v := run.Violations[1]; v.Rule != "extra-action" || len(v.Evidence) != 0 {
		t.Errorf("a violation of its own keeps its word: %+v", v)
	}
	p := run.Replay
	if p == nil || p.Benchmark != "b" || p.Basis != "database" || p.Success || p.StateEqual || p.Contradicted || !p.Outputs["5"] || len(p.Notes) != 1 ||
		len(p.Differences) != 2 || p.Differences[0] != (core.Difference{Table: "bills", Key: "p1", Field: "sum", Observed: "5", Reference: "6"}) {
		t.Errorf("%+v", p)
	}
}

// TestAnotherFinalState checks a run that ends in a different state than the reference,
// although the checker blames no row for it. There must be a finding about the whole run,
// but only under the profile outcome, and only if the run has no other finding.
func TestAnotherFinalState(t *testing.T) {
	clean := func(profile string) string {
		return `{"trace":[{"name":"pay_bill","arguments":{"id":"p1"}}],"reference":["pay_bill(id=p1)"],"profile":"` + profile + `"}`
	}
	check := func(name, body string, replay checker.Replay, want ...string) {
		t.Helper()
		run := evaluateWithCheckers(t, body, &expert{name: "x", verdict: checker.Verdict{Replay: &replay}}).Trajectories[0]
		var got []string
		for _, v := range run.Violations {
			got = append(got, v.Rule)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if run.Flagged != (len(want) > 0) {
			t.Errorf("%s: flagged %v", name, run.Flagged)
		}
	}
	check("another", clean("outcome"), checker.Replay{}, "state-differs")
	check("the same", clean("outcome"), checker.Replay{StateEqual: true})
	check("under sop", clean("sop"), checker.Replay{})
	check("with a finding", extraWriteRequest("outcome"), checker.Replay{}, "extra-action")
	run := evaluateWithCheckers(t, clean("outcome"), &expert{name: "x", verdict: checker.Verdict{Replay: &checker.Replay{}}}).Trajectories[0]
	v := run.Violations[0]
	if v.Row != nil || v.Obs != nil || v.Ref != nil || v.Type != "end-boundary" || v.Confidence != 0.95 || v.Reason != "the replay ends in another state than the reference" {
		t.Errorf("%+v", v)
	}
	if a := run.Attribution; a == nil || a.Primary.Mode != "boundary-violation" || *run.Metrics.ABS.Agent.Value != 1 {
		t.Errorf("%+v, %+v", a, run.Metrics)
	}
}

func TestContradictedOutcomeIsAWarning(t *testing.T) {
	r := evaluateWithCheckers(t, extraWriteRequest("sop"), &expert{name: "x", verdict: checker.Verdict{Replay: &checker.Replay{Contradicted: true, StateEqual: true, Success: true}}})
	want := core.Warning{Code: "outcome-contradicted", Message: "the replay contradicts the recorded outcome", Trajectory: "1"}
	if len(r.Warnings) != 1 || r.Warnings[0] != want {
		t.Errorf("%+v", r.Warnings)
	}
	if p := r.Trajectories[0].Replay; !p.Contradicted || !p.StateEqual || !p.Success || p.Differences == nil {
		t.Errorf("%+v", p)
	}
}

// TestCheckerFails checks that an error of the checker causes a warning and has no other
// effect.
func TestCheckerFails(t *testing.T) {
	x := &expert{name: "x", err: errors.New("out of fuel"), verdict: checker.Verdict{Excused: []checker.Excuse{{Row: 1}}, Replay: &checker.Replay{}}}
	r := evaluateWithCheckers(t, extraWriteRequest("outcome"), x)
	if rowVerdicts(r) != "correct violation" || r.Trajectories[0].Replay != nil || len(r.Plugins) != 0 {
		t.Errorf("%s, %+v", rowVerdicts(r), r.Plugins)
	}
	want := core.Warning{Code: "checker-failed", Message: "x could not check this run; it was scored without the plugin: out of fuel", Trajectory: "1"}
	if len(r.Warnings) != 1 || r.Warnings[0] != want {
		t.Errorf("%+v", r.Warnings)
	}
}

// TestTheFirstCheckerThatAppliesIsAsked checks that the first checker that applies to a
// document is asked, once for each run, and appears once in the report.
func TestTheFirstCheckerThatAppliesIsAsked(t *testing.T) {
	none, first, second := &expert{name: "none", knows: "tau2"}, &expert{name: "first"}, &expert{name: "second"}
	r := evaluateWithCheckers(t, `{"trace":{"trajectories":[{"actions":[{"name":"a"},{"name":"b"}]},{"actions":[{"name":"c"}]}]},"reference":["a"]}`, none, first, second)
	if len(none.cases) != 0 || len(first.cases) != 2 || len(second.cases) != 0 || len(r.Plugins) != 1 || r.Plugins[0].Name != "first" {
		t.Errorf("%d, %d and %d cases, plugins %+v", len(none.cases), len(first.cases), len(second.cases), r.Plugins)
	}
	if got := strings.Join(first.names, " "); got != "a b c" {
		t.Errorf("asked about the calls %q", got)
	}
	if first.cases[0].Benchmark != "bench-first" {
		t.Errorf("%+v", first.cases[0])
	}
	r = evaluateWithCheckers(t, extraWriteRequest("outcome"), none)
	if len(none.cases) != 0 || r.Plugins != nil {
		t.Errorf("asked although it does not apply: %+v", r.Plugins)
	}
	x := &expert{name: "x"}
	if r := evaluateWithCheckers(t, `{"trace":[{"name":"a"}]}`, x); len(x.cases) != 1 || r.Plugins != nil || r.Trajectories[0].Replay != nil {
		t.Errorf("%d cases; without a reference only a verdict on the observations counts: %+v", len(x.cases), r.Plugins)
	}
}

// TestGoalsNeedNoReference checks runs without a reference. A checker that uses the run's
// observations can still decide whether the run reached its goal. A checker that compares
// the run with a reference cannot.
func TestGoalsNeedNoReference(t *testing.T) {
	check := func(basis string, success bool, want string) {
		t.Helper()
		x := &expert{name: "x", verdict: checker.Verdict{Replay: &checker.Replay{Basis: basis, Success: success}}}
		run := evaluateWithCheckers(t, `{"trace":[{"name":"get_a"}]}`, x).Trajectories[0]
		got := ""
		for _, v := range run.Violations {
			got += v.Rule + "/" + v.By
		}
		if got != want || (run.Replay != nil) != (basis == checker.BasisObservations) {
			t.Errorf("%s %v: %q with replay %+v, want %q", basis, success, got, run.Replay, want)
		}
	}
	x := &expert{name: "x", err: errors.New("out of fuel")}
	if r := evaluateWithCheckers(t, `{"trace":[{"name":"get_a"}]}`, x); len(r.Warnings) != 1 || r.Warnings[0].Code != "checker-failed" {
		t.Errorf("a checker that failed without a reference: %+v", r.Warnings)
	}
	check(checker.BasisObservations, false, "goal-not-reached/lint")
	check(checker.BasisObservations, true, "")
	check("database", false, "")
}

// TestWhatACheckerIsShown checks the input of a checker: the observed actions and the
// reference steps as they are written, the alignment, and the required and actual
// replies.
func TestWhatACheckerIsShown(t *testing.T) {
	body := `{"trace":[{"task_id":4,"reward":1,"traj":[{"role":"user","content":"hi"},
	 {"role":"assistant","content":"Told you 5.","tool_calls":null},
	 {"role":"assistant","content":"secret","tool_calls":[{"id":"1","function":{"name":"pay","arguments":"{\"id\": 1.0}"}}]},
	 {"role":"tool","tool_call_id":"1","content":"Error: no"},
	 {"role":"assistant","content":null,"tool_calls":[{"id":"2","function":{"name":"look","arguments":"{id"}}]}],
	 "info":{"task":{"actions":[{"name":"pay","kwargs":{"id":2}}],"outputs":["5"]}}}]}`
	x := &expert{name: "x"}
	evaluateWithCheckers(t, body, x)
	if len(x.cases) != 1 {
		t.Fatalf("%d cases", len(x.cases))
	}
	c := x.cases[0]
	if len(c.Observed) != 2 || c.Observed[0].Name != "pay" || c.Observed[0].Arguments != `{"id": 1.0}` || c.Observed[0].Broken || !c.Observed[0].Failed || *c.Observed[0].Observation != "Error: no" {
		t.Errorf("observed %+v", c.Observed)
	}
	if a := c.Observed[1]; a.Arguments != "{id" || !a.Broken || a.Failed || a.Observation != nil {
		t.Errorf("broken arguments %+v", a)
	}
	if len(c.Reference) != 1 || c.Reference[0].Name != "pay" || c.Reference[0].Arguments != `{"id":2}` {
		t.Errorf("reference %+v", c.Reference)
	}
	want := []checker.Row{{Op: "deletion", Obs: -1, Ref: 0}, {Op: "insertion", Obs: 0, Ref: -1}, {Op: "insertion", Obs: 1, Ref: -1}}
	if len(c.Rows) != 3 {
		t.Fatalf("rows %+v", c.Rows)
	}
	seen := map[checker.Row]bool{}
	for _, r := range c.Rows {
		seen[r] = true
	}
	for _, w := range want {
		if !seen[w] {
			t.Errorf("rows %+v lack %+v", c.Rows, w)
		}
	}
	if fmt.Sprint(c.Outputs, c.Replies) != "[5] [Told you 5.]" || c.Recorded == nil || !*c.Recorded {
		t.Errorf("outputs %v, replies %v, recorded %v", c.Outputs, c.Replies, c.Recorded)
	}
	x = &expert{name: "x"}
	evaluateWithCheckers(t, `{"trace":{"trajectories":[{"actions":[{"name":"toggle","requestor":"user"}]}]},"reference":["toggle"]}`, x)
	if c := x.cases[0]; c.Observed[0].Requestor != "user" || c.Recorded != nil || c.Rows[0] != (checker.Row{Op: "match"}) {
		t.Errorf("%+v", c)
	}
}
