package core_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/ref/reference"
	"github.com/boundcheck/boundcheck/core/stage/judge"
)

func mustEvaluate(t *testing.T, body string) core.Report {
	t.Helper()
	r, err := evaluateWithOptions(t, body, func(*core.Options) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEnvelope(t *testing.T) {
	r, err := core.ReadRequest([]byte(" \n" + `{"title":"t","description":"d","trace":"get_order(id=1)","reference":"get_order","profile":"sop","seed":9007199254740993}`))
	if err != nil || len(r.Inputs) != 1 || string(r.Inputs[0].Data) != "get_order(id=1)" || r.Reference == nil || len(r.Reference.Steps) != 1 ||
		r.Options.Profile != "sop" || r.Options.Seed != 9007199254740993 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = core.ReadRequest([]byte(`{"trace": [ {"name":"a"} ],"seed":0,"profile":null}`))
	if err != nil || string(r.Inputs[0].Data) != `[ {"name":"a"} ]` || r.Reference != nil || r.Options.Profile != "" || r.Options.Seed != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestPlainTraces checks that a body that is not an envelope is read as a trace.
func TestPlainTraces(t *testing.T) {
	for _, body := range []string{`[{"name":"trace"}]`, `get_order`, ``, ` `, `{"traces":[]}`, `{"name":"a","x":{"trace":1}}`, `{"trace":`, `"trace"`,
		`{"trace":{"id":"t"},"observations":[]}`, `{"original_input":"x","generated_items":[],"context":{},"trace":null}`, `{"text":"x","trace":[]}`} {
		r, err := core.ReadRequest([]byte(body))
		if err != nil || len(r.Inputs) != 1 || string(r.Inputs[0].Data) != body || r.Reference != nil {
			t.Errorf("%q: %+v, %v", body, r, err)
		}
	}
}

// TestEmptyReferences checks that an empty text means that there is no reference, and
// that an empty list is a reference without steps.
func TestEmptyReferences(t *testing.T) {
	for ref, want := range map[string]bool{`null`: false, `""`: false, `" \n "`: false, `[]`: true, `{"steps":[]}`: true} {
		r, err := core.ReadRequest([]byte(`{"trace":[],"reference":` + ref + `}`))
		if err != nil || (r.Reference != nil) != want {
			t.Errorf("%s: %+v, %v", ref, r.Reference, err)
		}
	}
}

func TestEnvelopeErrors(t *testing.T) {
	check := func(body, want string) {
		t.Helper()
		_, err := core.ReadRequest([]byte(body))
		var input *core.InputError
		if !errors.As(err, &input) || err.Error() != want {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	check(`{"trace":[],"refrence":[]}`, `unknown member "refrence" beside "trace"; the known members are trace, traces, run, reference, profile, seed, options, tools, config, file, title, description`)
	check(`{"x":1,"seed":-1,"trace":[]}`, `unknown member "x" beside "trace"; the known members are trace, traces, run, reference, profile, seed, options, tools, config, file, title, description`) // the first mistake
	check(`{"trace":[],"tool":[]}`, `unknown member "tool" beside "trace"; the known members are trace, traces, run, reference, profile, seed, options, tools, config, file, title, description`)
	check(`{"trace":[],"seed":-1}`, "invalid seed -1: want a whole number of 0 or more")
	check(`{"trace":[],"seed":1.5}`, "invalid seed 1.5: want a whole number of 0 or more")
	check(`{"trace":[],"seed":"1"}`, `invalid seed "1": want a whole number of 0 or more`)
	check(`{"trace":[],"reference":[{"arguments":{}}]}`, `invalid reference step 1: missing "name"; members seen: ["arguments"]`)
	check(`{"trace":[],"reference":["a",{"name":"b","anyOrdr":[]}]}`,
		`invalid reference step 2: unknown member "anyOrdr"; did you mean "anyOrder"; the known members are name, arguments, accept, ignore, compare, expect, required, mustNot, times, fails, pre, eff, scope, gran, sequence, anyOrder, oneOf, optional, title`)
	check(`{"trace":[],"reference":5}`, `invalid reference: got number. Give a list of steps, an object with "steps", or text with one call on each line`)
}

func TestUnusableInput(t *testing.T) {
	_, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte("{\n \"a\": }")}}})
	var input *core.InputError
	if !errors.As(err, &input) || input.Line != 2 || input.Column != 7 || input.Formats != nil || input.Error() != input.Msg {
		t.Errorf("%+v", err)
	}
	_, err = core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(`{"foo":1}`)}}})
	if !errors.As(err, &input) || !reflect.DeepEqual(input.Formats, core.Formats()) || len(input.Formats) < 20 || input.Seen != "an object with members foo" {
		t.Errorf("%+v", err)
	}
	_, err = core.Evaluate(core.Request{Inputs: []core.Source{{Name: "a", Data: []byte(`{"foo":1}`)}}})
	if err == nil || !strings.HasPrefix(err.Error(), "unknown trace format") {
		t.Errorf("one input needs no name: %v", err)
	}
	_, err = core.Evaluate(core.Request{Options: core.Options{Profile: "strict"}})
	if !errors.As(err, &input) || err.Error() != `unknown profile "strict"; the known profiles are auto, outcome and sop` {
		t.Errorf("%v", err)
	}
}

// tau is a result row with its own reference: a read, and a write.
const tau = `{"task_id":1,"reward":1.0,"traj":[{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"cancel","arguments":"{\"id\":\"a1\"}"}}]}],
 "info":{"task":{"actions":[{"name":"get_order","kwargs":{"id":"a1"}},{"name":"cancel","kwargs":{"id":"a1"}}],"outputs":[]}}}`

// TestProfiles checks the automatic profile: outcome if a benchmark wrote the reference,
// and sop if a person did.
func TestProfiles(t *testing.T) {
	check := func(name, body, profile string, flagged bool) {
		t.Helper()
		r := mustEvaluate(t, body)
		if r.Profile != profile || r.Trajectories[0].Profile != profile || r.Trajectories[0].Flagged != flagged {
			t.Errorf("%s: profile %s and %s, flagged %v; want %s, %v", name, r.Profile, r.Trajectories[0].Profile, r.Trajectories[0].Flagged, profile, flagged)
		}
	}
	written := `"reference":["get_order(id=a1)","cancel(id=a1)"]`
	check("a benchmark's", `{"trace":[`+tau+`]}`, "outcome", false)
	check("a benchmark's, auto", `{"trace":[`+tau+`],"profile":"auto"}`, "outcome", false)
	check("a benchmark's as a procedure", `{"trace":[`+tau+`],"profile":"sop"}`, "sop", true)
	check("a person's", `{"trace":[`+tau+`],`+written+`}`, "sop", true)
	check("a person's by its outcome", `{"trace":[`+tau+`],`+written+`,"profile":"outcome"}`, "outcome", false)
	check("none", `{"trace":[{"name":"get_order"}]}`, "outcome", false)
	if r := mustEvaluate(t, `{"trace":{"trajectories":[]},`+written+`}`); r.Profile != "sop" || len(r.Trajectories) != 0 || r.Corpus.N != 0 {
		t.Errorf("no run: %+v", r)
	}
	if r := mustEvaluate(t, `{"trace":{"trajectories":[]}}`); r.Profile != "outcome" || r.Corpus.Metrics.GAR.Scored || r.Corpus.Metrics.GAR.Reason != "no run has a reference" {
		t.Errorf("no run, no reference: %+v", r)
	}
}

// TestSeveralFiles checks several files in one request. The ids of runs begin with the
// name of the file. The files may have different formats. The same task id in two files
// means two tasks.
func TestSeveralFiles(t *testing.T) {
	// a broken call causes a warning about its run
	broken := `[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"a","arguments":"{x"}}]},{"role":"tool","tool_call_id":"9","content":"?"}]`
	inputs := []core.Source{{Name: "a", Data: []byte("[" + tau + "]")}, {Name: "a", Data: []byte("[" + tau + "," + tau + "]")}, {Name: "b", Data: []byte(broken)}, {Name: "a", Data: []byte("\xffget_order\nget_x")}}
	var done []int
	r, err := core.Evaluate(core.Request{Inputs: inputs, Progress: func(n, total int) { done = append(done, n, total) }})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, run := range r.Trajectories {
		ids = append(ids, run.ID)
	}
	if got := strings.Join(ids, " "); got != "a:1 a#2:1 a#2:1#2 b:1 a#3:1" {
		t.Errorf("ids %s", got)
	}
	if !reflect.DeepEqual(done, []int{1, 5, 2, 5, 3, 5, 4, 5, 5, 5}) {
		t.Errorf("progress %v", done)
	}
	if r.Input.Format != "mixed" || r.Input.Trajectories != 5 || len(r.Input.Files) != 4 ||
		r.Input.Bytes != len(inputs[0].Data)+len(inputs[1].Data)+len(inputs[2].Data)+len(inputs[3].Data) {
		t.Errorf("input %+v", r.Input)
	}
	if f := r.Input.Files[1]; f != (core.File{Name: "a", Format: "tau-bench", Bytes: len(inputs[1].Data), Trajectories: 2}) {
		t.Errorf("file %+v", f)
	}
	if r.Corpus.Tasks != 4 || len(r.Corpus.Groups) != 4 || r.Corpus.Groups[1].N != 2 || r.Corpus.Groups[1].Tasks != 1 || r.Corpus.Groups[2].N != 1 || r.Corpus.Groups[2].Metrics.GAR.Scored ||
		*r.Corpus.Groups[0].Metrics.SR.Value != 1 {
		t.Errorf("%d tasks, groups %+v", r.Corpus.Tasks, r.Corpus.Groups)
	}
	warned := map[string]string{}
	for _, w := range r.Warnings {
		warned[w.Code] = w.Trajectory + "|" + w.Message
	}
	if w := warned["invalid-utf8"]; w != "|a: bytes that are not UTF-8 were read as U+FFFD" && w != "|a#3: bytes that are not UTF-8 were read as U+FFFD" {
		t.Errorf("of a whole file: %q", w)
	}
	if w := warned["arguments-not-json"]; !strings.HasPrefix(w, "b:1|") {
		t.Errorf("of a run: %q in %+v", w, r.Warnings)
	}
	if one := mustEvaluate(t, `{"trace":[`+tau+`]}`); one.Input.Files != nil || one.Input.Format != "tau-bench" || one.Corpus.Groups != nil || one.Trajectories[0].ID != "1" {
		t.Errorf("one file: %+v", one.Input)
	}
}

// TestMixedProfiles checks that one report may contain runs under both profiles.
func TestMixedProfiles(t *testing.T) {
	ours := &reference.Reference{Steps: []reference.Step{{Name: "cancel"}}}
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte("[" + tau + "," + strings.Replace(tau, `"task_id":1`, `"task_id":2`, 1) + "]")}},
		References: map[string]*reference.Reference{"2": ours}})
	if err != nil || r.Profile != "mixed" || r.Trajectories[0].Profile != "outcome" || r.Trajectories[1].Profile != "sop" {
		t.Errorf("%s, %v", r.Profile, err)
	}
}

// TestWhichReference checks which reference is used for a run. It is the first of these
// that exists:
//
//   - the reference for the run's task;
//   - the reference for all runs;
//   - the reference in the file.
//
// With the option Unreferenced, no reference is used.
func TestWhichReference(t *testing.T) {
	named := func(name string) *reference.Reference {
		return &reference.Reference{Steps: []reference.Step{{Name: name}}}
	}
	check := func(want string, r core.Request) {
		t.Helper()
		r.Inputs = []core.Source{{Data: []byte("[" + tau + "]")}}
		report, err := core.Evaluate(r)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, a := range report.Trajectories[0].Reference {
			got += a.Name + " "
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
	one := map[string]*reference.Reference{"1": named("of_task")}
	check("get_order cancel", core.Request{})
	check("for_all", core.Request{Reference: named("for_all")})
	check("of_task", core.Request{Reference: named("for_all"), References: one})
	check("for_all", core.Request{Reference: named("for_all"), References: map[string]*reference.Reference{"2": named("of_task")}})
	check("", core.Request{Reference: named("for_all"), References: one, Options: core.Options{Unreferenced: true}})
}

// TestReferencesFromRuns checks that a successful run becomes a reference with the
// actions of the run. Failed actions, actions that could not be read and control actions
// are left out.
func TestReferencesFromRuns(t *testing.T) {
	run := func(task string, success, actions string) string {
		return `{"task":"` + task + `",` + success + `"actions":[` + actions + `]}`
	}
	names := func(data string) string {
		t.Helper()
		byTask, err := core.ReferencesFrom([]byte(data))
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, task := range []string{"1", "2", "3", ""} {
			if ref := byTask[task]; ref != nil {
				if ref.Origin != reference.Benchmark || ref.Process != nil {
					t.Errorf("%+v", ref)
				}
				out = append(out, task+":")
				for _, s := range ref.Steps {
					out = append(out, s.Name+s.Arguments.Raw()+s.Text)
				}
			}
		}
		return strings.Join(out, " ")
	}
	check := func(data, want string) {
		t.Helper()
		if got := names(data); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
	good, bad := `"success":true,`, `"success":false,`
	all := func(runs ...string) string { return `{"trajectories":[` + strings.Join(runs, ",") + `]}` }
	a, b := `{"name":"a","arguments":{"n": 1.0}}`, `{"name":"b"}`
	check(all(run("1", bad, b), run("1", good, a), run("1", good, b), run("2", good, b), run("3", bad, a)), `1: a{"n": 1.0} 2: b`)
	check(all(run("1", "", a+","+b)), `1: a{"n": 1.0} b`) // an unknown outcome counts as success
	check(all(run("1", "", a), run("2", "", b)), "no usable run for the reference: none of the 2 runs is known to be successful; if a file has only one run, the run counts as successful")
	check(all(run("1", bad, a)), "no usable run for the reference: the only run failed")
	check(all(run("1", bad, a), run("2", bad, b)), "no usable run for the reference: all 2 runs failed")
	check(all(run("1", good, a+`,{"name":"b","error":"no"},{"name":"think","arguments":{"thought":"x"}},{"name":"c","arguments":"{x"},{"text":"look at desk","result":"ok"}`)), `1: a{"n": 1.0} looklook at desk`)
	check(all(run("1", good, "")), "1:")
	if _, err := core.ReferencesFrom([]byte("{")); err == nil {
		t.Error("broken JSON returns references")
	}
}

// TestSeeds checks that the seed determines the intervals, and that the default is 42.
func TestSeeds(t *testing.T) {
	rows := `{"trajectories":[{"task":"1","actions":[{"name":"get_a"}]},{"task":"2","actions":[{"name":"drop_b"}]},{"task":"3","actions":[{"name":"get_a"},{"name":"drop_c"}]},{"task":"4","actions":[]}]}`
	run := func(seed string) string {
		r := mustEvaluate(t, `{"trace":`+rows+`,"reference":["get_a"]`+seed+`}`)
		if r.Corpus.Metrics.SVR.Interval == nil || r.Corpus.Metrics.SVR.Interval.Level != 0.95 {
			t.Fatalf("%+v", r.Corpus.Metrics)
		}
		text, err := json.Marshal(r.Corpus)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if run("") != run(`,"seed":42`) || run("") != run(`,"seed":0`) {
		t.Error("the seed is not 42 by default")
	}
	differ := false
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		differ = differ || run(`,"seed":`+seed) != run("")
	}
	if !differ {
		t.Error("the seed changes nothing")
	}
}

func TestUnscoredWithoutAReference(t *testing.T) {
	r := mustEvaluate(t, `{"trace":[{"name":"get_order"}]}`)
	m := r.Trajectories[0].Metrics
	for _, s := range []core.Score{m.ABS.Agent, m.ABS.Max, m.GAR, m.SVR} {
		if s.Scored || s.Value != nil || s.Reason != core.Unreferenced || s.Interval != nil {
			t.Errorf("%+v", s)
		}
	}
	c := r.Corpus.Metrics
	if c.SR.Scored || c.SR.Reason != "no run says whether it succeeded" || c.BASR.Reason != "no run has both a reference and a known outcome" || c.SVR.Reason != "no run has a reference" {
		t.Errorf("%+v", c)
	}
	if r.Trajectories[0].Reference != nil || r.Trajectories[0].Attribution != nil || r.Corpus.Agreement != nil {
		t.Errorf("%+v", r.Trajectories[0])
	}
}

// TestEmptySidesAreScored checks that a run has figures even if the run or its reference
// is empty. A reason explains figures that do not follow from the usual formula.
func TestEmptySidesAreScored(t *testing.T) {
	check := func(trace, ref string, abs, gar, svr float64, absReason, svrReason string) {
		t.Helper()
		run := mustEvaluate(t, `{"trace":`+trace+`,"reference":`+ref+`,"profile":"sop"}`).Trajectories[0]
		m := run.Metrics
		if *m.ABS.Agent.Value != abs || *m.GAR.Value != gar || *m.SVR.Value != svr || m.ABS.Max.Reason != absReason || m.SVR.Reason != svrReason {
			t.Errorf("%s against %s: ABS %v (%s), GAR %v, SVR %v (%s)", trace, ref, *m.ABS.Agent.Value, m.ABS.Max.Reason, *m.GAR.Value, *m.SVR.Value, m.SVR.Reason)
		}
		if run.Reference == nil || run.Observed == nil || run.Alignment == nil || run.Violations == nil {
			t.Errorf("%s against %s: null for an empty list", trace, ref)
		}
	}
	check(`[]`, `[]`, 1, 1, 0, "no action was required, and the agent took no action", "no action and no violation")
	check(`[]`, `["pay(id=a1)","drop(id=b1)"]`, 0, 0, 1, "no action was taken, but actions were required", "no action was taken, so the rate counts violations per required step")
	check(`[{"name":"drop"}]`, `[]`, 0, 0, 1, "", "")
	check(`[{"name":"get_a"}]`, `[]`, 1, 0, 0, "every action is excused, and no step is required", "")
}

// TestWhatMatches checks which actions match a reference step. Failed actions match no
// step. Arguments that the step ignores do not matter.
func TestWhatMatches(t *testing.T) {
	check := func(name, trace, ref, want string) {
		t.Helper()
		var got []string
		for _, row := range mustEvaluate(t, `{"trace":`+trace+`,"reference":`+ref+`,"profile":"sop"}`).Trajectories[0].Alignment {
			got = append(got, string(row.Op)+"/"+string(row.Verdict))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	check("a failed call", `[{"name":"pay","arguments":{"id":"a1"},"error":"no"}]`, `["pay(id=a1)"]`, "deletion/violation insertion/excused")
	check("failed, then done", `[{"name":"pay","arguments":{"id":"a1"},"error":"no"},{"name":"pay","arguments":{"id":"a1"}}]`, `["pay(id=a1)"]`, "insertion/excused match/correct")
	check("ignored", `[{"name":"pay","arguments":{"id":"a1","note":"y"}}]`, `[{"name":"pay","arguments":{"id":"a1","note":"x"},"ignore":["note"]}]`, "match/correct")
	check("not ignored", `[{"name":"pay","arguments":{"id":"a1","note":"y"}}]`, `[{"name":"pay","arguments":{"id":"a1","note":"x"}}]`, "substitution/violation")
	check("compared alone", `[{"name":"pay","arguments":{"id":"a1","note":"y"}}]`, `[{"name":"pay","arguments":{"id":"a1"},"compare":["id"]}]`, "match/correct")
	check("nothing compared", `[{"name":"pay","arguments":{"id":"b2"}}]`, `[{"name":"pay","arguments":{"id":"a1"},"compare":[]}]`, "match/correct")
	check("accepted", `[{"name":"pay","arguments":{"id":"a1","why":["z","y"]}}]`, `[{"name":"pay","arguments":{"id":"a1","why":"x"},"accept":{"why":[["z","y"],null]}}]`, "match/correct")
	check("accepted as left out", `[{"name":"pay","arguments":{"id":"a1"}}]`, `[{"name":"pay","arguments":{"id":"a1","why":"x"},"accept":{"why":[null]}}]`, "match/correct")
	check("not accepted", `[{"name":"pay","arguments":{"id":"a1","why":"q"}}]`, `[{"name":"pay","arguments":{"id":"a1","why":"x"},"accept":{"why":["y"]}}]`, "substitution/violation")
	check("two steps with other terms", `[{"name":"pay","arguments":{"id":"a1","why":"q"}},{"name":"pay","arguments":{"id":"a1","why":"r"}}]`,
		`[{"name":"pay","arguments":{"id":"a1","why":"x"},"ignore":["why"]},{"name":"pay","arguments":{"id":"a1","why":"x"}}]`, "match/correct substitution/violation")
	check("text", `[{"text":"take apple 1","result":"ok"},{"text":"look","result":"ok"}]`, `["take 1 apple"]`, "match/correct insertion/excused")
	check("another text", `[{"text":"take apple 1","result":"ok"}]`, `["open drawer 2"]`, "deletion/violation insertion/violation")
}

// TestFreeTextActions checks that free-text actions are classified by their words and
// shown unchanged.
func TestFreeTextActions(t *testing.T) {
	run := mustEvaluate(t, `{"trace":[{"text":"look at desk 1","result":"ok"},{"text":"take apple 1","result":"ok"}],"reference":["take apple 1"]}`).Trajectories[0]
	a, b, ref := run.Observed[0], run.Observed[1], run.Reference[0]
	if a.Text != "look at desk 1" || a.Name != "look" || a.Mutating != "no" || a.Arguments != "" || a.Message != nil {
		t.Errorf("%+v", a)
	}
	if b.Name != "take" || b.Mutating != "yes" || ref.Text != "take apple 1" || ref.Mutating != "yes" || run.Flagged {
		t.Errorf("%+v, %+v", b, ref)
	}
}

// TestToolsOfTheOperator checks that the operator's table decides which calls write.
func TestToolsOfTheOperator(t *testing.T) {
	body := `{"trace":[{"name":"frobnicate"},{"name":"get_order"}],"reference":[]}`
	r, err := evaluateWithOptions(t, body, func(o *core.Options) {
		o.Table = mutation.Table{"frobnicate": {Mutating: mutation.No}, "get_order": {Mutating: mutation.Yes}}
	})
	if err != nil {
		t.Fatal(err)
	}
	run := r.Trajectories[0]
	if run.Observed[0].Mutating != "no" || run.Observed[1].Mutating != "yes" || len(run.Violations) != 1 || *run.Violations[0].Obs != 1 {
		t.Errorf("%+v", run)
	}
}

// TestActionsKnowTheirMessage checks that each action has the index of the message that
// contains it.
func TestActionsKnowTheirMessage(t *testing.T) {
	run := mustEvaluate(t, hazy).Trajectories[0]
	if *run.Observed[0].Message != 1 || *run.Observed[1].Message != 3 || run.Observed[0].Arguments != "{}" {
		t.Errorf("%+v", run.Observed)
	}
}

// TestLargeProcessesWarn checks that a process with too many possible orders causes a
// warning, and that the warning names the step.
func TestLargeProcessesWarn(t *testing.T) {
	var group, trace []string
	for _, c := range strings.Split("abcdefghijklmn", "") {
		group = append(group, `["drop_`+c+`","lock_`+c+`","ship_`+c+`"]`)
		trace = append(trace, `{"name":"lock_`+c+`"},{"name":"ship_`+c+`"},{"name":"drop_`+c+`"}`)
	}
	r := mustEvaluate(t, `{"trace":[`+strings.Join(trace, ",")+`],"reference":["get_x",{"anyOrder":[`+strings.Join(group, ",")+`]}]}`)
	if len(r.Warnings) != 1 || r.Warnings[0].Code != "any-order-bound" || r.Warnings[0].Trajectory != "1" || !strings.HasPrefix(r.Warnings[0].Message, "step 2: ") {
		t.Errorf("%+v", r.Warnings)
	}
	if n := len(r.Trajectories[0].Reference); n != 43 {
		t.Errorf("%d steps", n)
	}
}

// TestWhatAJudgeIsShown checks the case that a judge gets for a finding. It contains the
// three actions before the finding's action, the two actions after it, and all that the
// user said before it.
func TestWhatAJudgeIsShown(t *testing.T) {
	call := func(id, name string) string {
		return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","function":{"name":"` + name + `","arguments":"{\"n\":` + id + `}"}}]}`
	}
	body := `{"trace":[{"role":"user","content":"First."},` + call("1", "get_a") + `,` + call("2", "get_b") + `,` + call("3", "get_c") + `,` + call("4", "get_d") + `,{"role":"user","content":"Second."},` +
		call("5", "frobnicate") + `,{"role":"user","content":"Third."},` + call("6", "get_e") + `,` + call("7", "get_f") + `,` + call("8", "get_g") + `],"reference":["ponder_x"]}`
	o := &oracle{opinion: judge.NoOpinion("x")}
	if _, err := evaluateWithOptions(t, body, func(p *core.Options) { p.Judge, p.JudgeBelow = o, 1 }); err != nil {
		t.Fatal(err)
	}
	if len(o.cases) != 2 {
		t.Fatalf("%d cases", len(o.cases))
	}
	names := func(list []judge.Action) string {
		var out []string
		for _, a := range list {
			out = append(out, a.Name)
		}
		return strings.Join(out, " ")
	}
	missing, extra := o.cases[0], o.cases[1]
	if missing.Observed != nil {
		missing, extra = extra, missing
	}
	if extra.Task != "First.\nSecond." || extra.Observed.Name != "frobnicate" || extra.Observed.Arguments != `{"n":5}` || extra.Observed.Mutating != "unknown" || extra.Reference != nil ||
		names(extra.Before) != "get_b get_c get_d" || names(extra.After) != "get_e get_f" {
		t.Errorf("an extra action: %+v", extra)
	}
	if missing.Reference == nil || missing.Reference.Name != "ponder_x" || missing.Observed != nil {
		t.Errorf("a missing step: %+v", missing)
	}
}

// TestMissingStepAtTheEnd checks the case that a judge gets for a missing last step. The
// whole run comes before this step, including the user's last message.
func TestMissingStepAtTheEnd(t *testing.T) {
	o := &oracle{opinion: judge.NoOpinion("x")}
	body := `{"trace":[{"role":"user","content":"One."},{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"get_a","arguments":"{}"}}]},{"role":"user","content":"Two."}],"reference":["get_a","pay_b"]}`
	if _, err := evaluateWithOptions(t, body, func(p *core.Options) { p.Judge, p.JudgeBelow = o, 1 }); err != nil {
		t.Fatal(err)
	}
	if c := o.cases[0]; len(o.cases) != 1 || c.Task != "One.\nTwo." || len(c.Before) != 1 || len(c.After) != 0 || c.Reference.Mutating != "yes" || c.Reference.Arguments != "" {
		t.Errorf("%+v", o.cases)
	}
}

// TestExcusedFindingsLeaveOthersAlone checks that no judge can excuse an action that the
// reference forbids. In a run without a reference, a judge can excuse a finding.
func TestExcusedFindingsLeaveOthersAlone(t *testing.T) {
	body := `{"trace":[{"name":"frobnicate"}],"reference":[{"name":"frobnicate","mustNot":true}]}`
	r, err := evaluateWithOptions(t, body, func(o *core.Options) {
		o.Judge = &oracle{opinion: judge.Opinion{Label: judge.None, Confidence: 0.95, Reason: "fine"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	run := r.Trajectories[0]
	if len(run.Violations) != 1 || run.Violations[0].Rule != "forbidden-action" || len(run.Excused) != 0 || run.Alignment[0].Verdict != "violation" {
		t.Errorf("%+v", run)
	}
	// without a reference there are no rows
	r, err = evaluateWithOptions(t, `{"trace":[{"name":"drop_row","arguments":{"id":"a1"}}]}`, func(o *core.Options) {
		o.Judge = &oracle{opinion: judge.Opinion{Label: judge.None, Confidence: 0.95, Reason: "fine"}}
	})
	if err != nil || r.Trajectories[0].Flagged || len(r.Trajectories[0].Excused) != 1 || r.Trajectories[0].Excused[0].Judge.Reason != "fine" {
		t.Errorf("%+v, %v", r.Trajectories[0], err)
	}
}

// TestReferenceByTask checks a reference that is a list of a benchmark's tasks. If a
// run's task is not in the list, a warning says which reference was used instead.
func TestReferenceByTask(t *testing.T) {
	const tasks = `[{"id":"1","actions":[{"name":"cancel"}]},{"id":2,"actions":[]}]`
	row := func(task, traj string) string {
		return `{"task_id":` + task + `,"reward":1,"info":{"task":{"actions":[{"name":"own"}]}},"traj":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"` + traj + `","arguments":"{}"}}]}]}`
	}
	r := mustEvaluate(t, `{"reference":`+tasks+`,"trace":[`+row("1", "cancel")+`,`+row("2", "cancel")+`,`+row("3", "own")+`]}`)
	var got []string
	for _, x := range r.Trajectories {
		got = append(got, fmt.Sprint(x.Flagged, len(x.Reference)))
	}
	if want := []string{"false 1", "true 0", "false 1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	want := core.Warning{Code: "task-without-reference", Trajectory: "3", Message: `the reference has 2 tasks, but not the task "3" of this run: the run's own reference was used`}
	if len(r.Warnings) != 1 || r.Warnings[0] != want {
		t.Errorf("%+v", r.Warnings)
	}
	one := `{"reference":[{"id":"1","actions":[{"name":"cancel"}]}],"trace":`
	if r := mustEvaluate(t, one+`[{"name":"cancel"}]}`); len(r.Trajectories[0].Reference) != 1 || len(r.Warnings) != 1 || r.Warnings[0].Code != "task-not-named" {
		t.Errorf("a run without a task takes the only one, and a warning says so: %+v", r)
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

// TestOneTaskJudgesNoOther checks that a reference with one task, in each of its forms, judges
// no run of another task, however the run names it, and that this run is not green without it.
func TestOneTaskJudgesNoOther(t *testing.T) {
	steps := `[{"name":"cancel","arguments":{}}]`
	messages := `"messages":[{"role":"user","content":"Cancel it."},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"cancel","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]`
	for _, set := range []string{
		`{"tasks":[{"id":"a","steps":` + steps + `}]}`, `[{"id":"a","evaluation_criteria":{"actions":` + steps + `}}]`, `{"id":"a","evaluation_criteria":{"actions":` + steps + `}}`,
		`{"id":"a","actions":` + steps + `}`, `{"id":"a","input":"x","expected_tools":[{"name":"cancel","args":{}}]}`, `{"task_id":"a",` + messages + `,"reference":` + steps + `}`,
	} {
		one, byTask, err := core.References([]byte(set))
		if err != nil || one != nil || len(byTask) != 1 {
			t.Fatalf("%s: one %v, %d tasks, %v", set, one != nil, len(byTask), err)
		}
		for meta, judged := range map[string]bool{`"task_id":"a"`: true, `"task":"a"`: true, `"id":"a"`: true, `"task":"Cancel the order."`: true, `"task_id":"b"`: false, `"task":"b"`: false, `"instance_id":"b"`: false} {
			report, err := core.Evaluate(core.Request{References: byTask, Inputs: []core.Source{{Data: []byte(`{` + meta + `,` + messages + `}`)}}})
			if err != nil {
				t.Fatal(err)
			}
			if run := &report.Trajectories[0]; (run.Reference != nil) != judged || isTrue(run.Passed) != judged || len(report.Warnings) == 0 && !strings.Contains(meta, `:"a"`) {
				t.Errorf("%s for %s: judged %v, warnings %v", set, meta, run.Reference != nil, report.Warnings)
			}
		}
	}
}

// TestValidPathsInARun checks a result file in which a task has several valid action
// paths. A run is not flagged if it follows one of them completely.
func TestValidPathsInARun(t *testing.T) {
	row := func(did string) string {
		return `[{"task_id":1,"reward":1,"info":{"task":{"actions":[{"name":"cancel"}],"valid_action_paths":[[{"name":"refund"},{"name":"close"}]]}},"traj":[{"role":"assistant","tool_calls":[` + did + `]}]}]`
	}
	call := func(name string) string {
		return `{"id":"` + name + `","function":{"name":"` + name + `","arguments":"{}"}}`
	}
	for did, flagged := range map[string]bool{call("cancel"): false, call("refund") + "," + call("close"): false, call("refund"): true, call("delete"): true} {
		if r := mustEvaluate(t, row(did)); r.Trajectories[0].Flagged != flagged {
			t.Errorf("%s: flagged %v", did, !flagged)
		}
	}
}

// TestBrokenGoldIsNoGold checks a reference of which one step cannot be read. The whole
// reference is ignored, and there is a warning.
func TestBrokenGoldIsNoGold(t *testing.T) {
	r := mustEvaluate(t, `{"tasks":[{"id":"1","evaluation_criteria":{"actions":[{"name":"a"},{"name":"b","arguments":3}]}}],"simulations":[{"task_id":"1","messages":[{"role":"assistant","tool_calls":[{"id":"1","name":"a","arguments":{}}]}],"reward_info":{"reward":1}}]}`)
	if r.Trajectories[0].Reference != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != "invalid-reference" || !strings.Contains(r.Warnings[0].Message, "step 2") {
		t.Errorf("%+v", r.Warnings)
	}
}

// TestComparedArguments checks which arguments of a reference step are compared. The
// step's members "ignore", "compare" and "accept" contain the paths of arguments.
func TestComparedArguments(t *testing.T) {
	check := func(marks, did string, same bool) {
		t.Helper()
		ref := `{"name":"cancel","arguments":{"x":{"y":[1],"z":2},"xy":3}` + marks + `}`
		r := mustEvaluate(t, `{"trace":[{"name":"cancel","arguments":`+did+`}],"reference":[`+ref+`]}`)
		if got := !r.Trajectories[0].Flagged; got != same {
			t.Errorf("%s against %s: same %v", ref, did, got)
		}
	}
	const otherX, otherZ, otherXY = `{"x":{"y":[9],"z":2},"xy":3}`, `{"x":{"y":[1],"z":9},"xy":3}`, `{"x":{"y":[1],"z":2},"xy":9}`
	check(``, `{"x":{"y":[1],"z":2},"xy":3}`, true)
	check(``, otherX, false)
	check(`,"ignore":["x"]`, otherX, true)
	check(`,"ignore":["x"]`, otherXY, false)
	check(`,"compare":["x"]`, otherXY, true)
	check(`,"compare":["x"]`, otherX, false)
	check(`,"compare":["x"],"ignore":["x.z"]`, otherZ, true)
	check(`,"compare":[]`, otherX, true)
	check(`,"compare":null`, otherX, false)
	check(`,"compare_args":["xy"]`, otherX, true)
	check(`,"accept":{"xy":["a",null]}`, `{"x":{"y":[1],"z":2},"xy":"a"}`, true)
	check(`,"accept":{"xy":["a",null]}`, `{"x":{"y":[1],"z":2}}`, true)
	check(`,"accept":{"xy":["a",null]}`, `{"x":{"y":[1],"z":2},"xy":"b"}`, false)
	check(`,"accept":{"x.y":[["p","q"],[1.0]]}`, `{"x":{"y":["p","q"],"z":2},"xy":3}`, true)
	check(`,"accept":{"x.y":[["p","q"],[1.0]]}`, `{"x":{"y":["q","p"],"z":2},"xy":3}`, false)
}

// TestReferencesOfARecordedFile checks that References returns the references in a
// recorded file by task. A list of steps is one reference for all runs. Other input is an
// error.
func TestReferencesOfARecordedFile(t *testing.T) {
	row := `[{"task_id":1,"reward":1,"info":{"task":{"actions":[{"name":"cancel"}]}},"traj":[]},{"task_id":2,"reward":1,"info":{"task":{"actions":[]}},"traj":[]},{"task_id":1,"reward":1,"info":{"task":{"actions":[{"name":"other"}]}},"traj":[]}]`
	one, byTask, err := core.References([]byte(row))
	if err != nil || one != nil || len(byTask) != 2 || byTask["1"].Steps[0].Name != "cancel" {
		t.Errorf("%v, %v, %v", one, byTask, err)
	}
	if one, byTask, err := core.References([]byte(`["cancel"]`)); err != nil || byTask != nil || len(one.Steps) != 1 {
		t.Errorf("%v, %v, %v", one, byTask, err)
	}
	for _, text := range []string{`[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]`, `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13}`} {
		var input *core.InputError
		if _, _, err := core.References([]byte(text)); !errors.As(err, &input) || !strings.Contains(err.Error(), "invalid reference") || strings.Contains(err.Error(), `"m"`) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestUnreadableFileAmongOthers checks several files of which some cannot be read. The
// report contains an error for each of these files, and the other files are scored. If no
// file can be read, there is no report.
func TestUnreadableFileAmongOthers(t *testing.T) {
	good, bad := []byte(`[{"name":"get_order"},{"name":"cancel_order"}]`), []byte(`{"a":1}`)
	r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Name: "bad", Data: bad}, {Name: "good", Data: good}, {Name: "odd", Err: errors.New("odd: no envelope")}}})
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range r.Input.Files {
		files = append(files, fmt.Sprintf("%s %d %v", f.Name, f.Trajectories, f.Error != ""))
	}
	if got := strings.Join(files, ", "); got != "bad 0 true, good 1 false, odd 0 true" || r.Input.Format != "generic-actions" || len(r.Trajectories) != 1 {
		t.Errorf("%s; format %s, %d runs", got, r.Input.Format, len(r.Trajectories))
	}
	said := 0
	for _, w := range r.Warnings {
		if w.Code == "file-not-read" && (strings.HasPrefix(w.Message, "bad: unknown trace format") || w.Message == "odd: no envelope") {
			said++
		}
	}
	if said != 2 {
		t.Errorf("warnings %+v", r.Warnings)
	}
	if _, err := core.Evaluate(core.Request{Inputs: []core.Source{{Name: "bad", Data: bad}, {Name: "worse", Data: []byte("?")}}}); err == nil || !strings.HasPrefix(err.Error(), "bad: ") {
		t.Errorf("two unreadable files: %v", err)
	}
}

// TestRowsOwnProfile checks that each row of a file may have its own profile, unless the
// request has a profile. Other settings, such as tools, cannot differ from row to row. A
// row with such a setting causes a warning.
func TestRowsOwnProfile(t *testing.T) {
	rows := `{"trace":[{"name":"cancel"}],"reference":"get()\ncancel()","profile":"sop"}` + "\n" +
		`{"trace":[{"name":"cancel"}],"reference":"get()\ncancel()","profile":"outcome"}` + "\n" +
		`{"trace":[{"name":"cancel"}],"reference":"get()\ncancel()","tools":{"tools":{"get":"yes"}}}` + "\n"
	check := func(profile string, flagged ...bool) {
		t.Helper()
		r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(rows)}}, Options: core.Options{Profile: profile}})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range flagged {
			if r.Trajectories[i].Flagged != want {
				t.Errorf("profile %q, row %d (%s): flagged %v", profile, i+1, r.Trajectories[i].Profile, !want)
			}
		}
		if len(r.Warnings) != 1 || r.Warnings[0].Code != "row-setting-not-used" || r.Warnings[0].Line != 3 {
			t.Errorf("warnings %+v", r.Warnings)
		}
	}
	check("", true, false, true)
	check("sop", true, true, true)
	check("outcome", false, false, false)
}

// TestMisspelledRowSetting checks that a row with a misspelled reference causes a warning.
// Otherwise its run would count as a run without a reference, and nobody would notice.
func TestMisspelledRowSetting(t *testing.T) {
	for _, trace := range []string{`[{"name":"cancel"}]`, `{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"cancel","arguments":"{}"}}]}]}`} {
		rows := `{"trace":` + trace + `,"reference":"cancel()"}` + "\n" + `{"trace":` + trace + `,"refrence":"cancel()","note":"mine"}` + "\n"
		r, err := core.Evaluate(core.Request{Inputs: []core.Source{{Data: []byte(rows)}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Warnings) != 1 || r.Warnings[0].Line != 2 || !strings.Contains(r.Warnings[0].Message, `"refrence"`) {
			t.Errorf("%s: warnings %+v", trace, r.Warnings)
		}
	}
}
