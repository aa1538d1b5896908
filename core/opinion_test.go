package core_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/judge"
)

// oracle answers every case alike, and keeps the cases.
type oracle struct {
	opinion judge.Opinion
	err     error
	cases   []judge.Case
}

func (o *oracle) Judge(cases []judge.Case) ([]judge.Opinion, error) {
	o.cases = cases
	out := make([]judge.Opinion, len(cases))
	for i := range out {
		out[i] = o.opinion
	}
	return out, o.err
}

func (o *oracle) String() string { return "oracle-1" }

// hazy is a run whose only extra action is of unknown effect, so that the rule is not
// sure.
const hazy = `{"trace":[{"role":"user","content":"Tidy up."},
 {"role":"assistant","tool_calls":[{"id":"1","function":{"name":"get_files","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"a, b"},
 {"role":"assistant","tool_calls":[{"id":"2","function":{"name":"frobnicate","arguments":"{\"id\":\"a1\"}"}}]},{"role":"tool","tool_call_id":"2","content":"done"}],
 "reference":["get_files"]}`

func evaluateWithOptions(t *testing.T, body string, o func(*core.Options)) (core.Report, error) {
	t.Helper()
	r, err := core.ReadRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	o(&r.Options)
	return core.Evaluate(r)
}

func evaluateHazy(t *testing.T, opinion judge.Opinion) core.Report {
	t.Helper()
	r, err := evaluateWithOptions(t, hazy, func(o *core.Options) { o.Judge = &oracle{opinion: opinion} })
	if err != nil {
		t.Fatal(err)
	}
	if r.Models == nil || r.Models.Judge != "oracle-1" {
		t.Errorf("models %+v", r.Models)
	}
	return r
}

func TestJudgeRenames(t *testing.T) {
	r := evaluateHazy(t, judge.Opinion{Label: judge.BoundaryEnd, Confidence: 0.95, Reason: "why"})
	v := r.Trajectories[0].Violations[0]
	if v.Type != "end-boundary" || v.By != "judge" || v.Confidence != 0.95 || v.Judge.Was != "over-action" || v.Judge.Route != "accepted" || v.Judge.Reason != "why" {
		t.Errorf("%+v %+v", v, v.Judge)
	}
	if svr := r.Trajectories[0].Metrics.SVR; *svr.Value != 0 || r.Corpus.Violations.ByType["end-boundary"] != 1 {
		t.Errorf("the figures are the rule's: %+v", r.Corpus)
	}
}

func TestJudgeExcuses(t *testing.T) {
	r := evaluateHazy(t, judge.Opinion{Label: judge.None, Confidence: 0.95, Reason: "harmless"})
	run := r.Trajectories[0]
	if run.Flagged || len(run.Violations) != 0 || len(run.Excused) != 1 || run.Excused[0].By != "judge" || r.Corpus.Violations.Total != 0 ||
		*run.Metrics.ABS.Agent.Value != 1 || run.Attribution != nil {
		t.Errorf("%+v", run)
	}
	row := run.Alignment[*run.Excused[0].Row]
	if row.Verdict != "excused" || row.Stage != "judge" || row.Reason != "harmless" {
		t.Errorf("%+v", row)
	}
}

// TestJudgeExcusesAllRows checks a finding about several rows. If the judge rejects it,
// all of its rows are excused, and they count as one step.
func TestJudgeExcusesAllRows(t *testing.T) {
	body := `{"trace":[{"name":"begin_transaction","arguments":{}},{"name":"delete_files","arguments":{"files":["f2.txt","f3.txt"]}}],
		"reference":[{"name":"delete_file","arguments":{"file":"f2.txt"}}],"profile":"sop"}`
	r, err := evaluateWithOptions(t, body, func(o *core.Options) {
		o.Judge = &oracle{opinion: judge.Opinion{Label: judge.None, Confidence: 0.95, Reason: "the same"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	run := r.Trajectories[0]
	if len(run.Excused) != 1 || len(run.Excused[0].Rows) != 3 || run.Flagged {
		t.Fatalf("%+v", run)
	}
	for _, row := range run.Alignment {
		if row.Verdict != "excused" || row.Stage != "judge" {
			t.Errorf("%+v", row)
		}
	}
	if m := run.Metrics; *m.ABS.Max.Value != 1 || *m.WithinBounds.Value != 1 {
		t.Errorf("abs.max %v, withinBounds %v, want 1 and 1", *m.ABS.Max.Value, *m.WithinBounds.Value)
	}
}

// TestRuleStands checks that the rule's verdict stands if the judge does not decide.
func TestRuleStands(t *testing.T) {
	for _, o := range []judge.Opinion{{Label: judge.None, Confidence: 0.8}, {Label: judge.BoundaryEnd, Confidence: 0.6}, judge.NoOpinion("late")} {
		r := evaluateHazy(t, o)
		v := r.Trajectories[0].Violations[0]
		if v.Type != "over-action" || v.By != "rule" || v.Confidence != 0.75 || v.Judge == nil || v.Judge.Note == "" {
			t.Errorf("%+v: %+v", o, v)
		}
		if warned := len(r.Warnings) == 1 && r.Warnings[0].Code == "judge-no-opinion" && strings.Contains(r.Warnings[0].Message, "1 of 1 uncertain findings"); warned != (o.Label == "") {
			t.Errorf("%+v: warnings %+v", o, r.Warnings)
		}
	}
}

func TestCase(t *testing.T) {
	o := &oracle{opinion: judge.NoOpinion("x")}
	if _, err := evaluateWithOptions(t, hazy, func(p *core.Options) { p.Judge = o }); err != nil {
		t.Fatal(err)
	}
	c := o.cases[0]
	if len(o.cases) != 1 || c.Task != "Tidy up." || c.Observed.Name != "frobnicate" || c.Observed.Observation != "done" || c.Reference != nil ||
		len(c.Before) != 1 || c.Before[0].Observation != "a, b" || len(c.After) != 0 {
		t.Errorf("%+v", c)
	}
	if _, err := evaluateWithOptions(t, hazy, func(p *core.Options) { p.Judge, p.JudgeBelow = o, 0.5 }); err != nil || len(o.cases) != 1 {
		t.Errorf("asked although the rule is sure enough: %+v", o.cases)
	}
	missing := `{"trace":[{"name":"get_a"},{"name":"get_b"}],"reference":["get_a","ponder_b","get_b"],"profile":"sop"}`
	if _, err := evaluateWithOptions(t, missing, func(p *core.Options) { p.Judge, p.JudgeBelow = o, 1 }); err != nil {
		t.Fatal(err)
	}
	if c := o.cases[0]; c.Observed != nil || c.Reference.Name != "ponder_b" || c.Before[0].Name != "get_a" || c.After[0].Name != "get_b" {
		t.Errorf("a missing step: %+v", c)
	}
}

func TestJudgeFails(t *testing.T) {
	broken := errors.New("no such host")
	if _, err := evaluateWithOptions(t, hazy, func(o *core.Options) { o.Judge = &oracle{err: broken} }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if _, err := evaluateWithOptions(t, hazy, func(o *core.Options) { o.Judge = tooFew{} }); err == nil || !strings.Contains(err.Error(), "0 opinions for 1 cases") {
		t.Errorf("%v", err)
	}
}

type tooFew struct{}

func (tooFew) Judge([]judge.Case) ([]judge.Opinion, error) { return nil, nil }

// axes is an embedder for which texts with the same first word are the same.
type axes struct {
	err   error
	asked []string
}

func (a *axes) Embed(texts []string) ([][]float32, error) {
	a.asked = texts
	var out [][]float32
	for _, text := range texts {
		v := make([]float32, 256)
		v[text[0]] = 1
		out = append(out, v)
	}
	return out, a.err
}

const texts = `{"trace":[{"name":"open","text":"open the drawer"},{"name":"take","text":"take key"},{"name":"take","text":"take key"}],
 "reference":["obtain access",{"oneOf":["touch it","walk far"]}]}`

func TestEmbedder(t *testing.T) {
	var e axes
	r, err := evaluateWithOptions(t, texts, func(o *core.Options) { o.Embedder = &e })
	if err != nil {
		t.Fatal(err)
	}
	row := r.Trajectories[0].Alignment[0]
	if row.Op != "match" || row.Similarity != 1 || r.Models.Embeddings != "unnamed" {
		t.Errorf("%+v, %+v", row, r.Models)
	}
	if strings.Join(e.asked, "|") != "open the drawer|take key|obtain access|touch it|walk far" {
		t.Errorf("asked for %q", e.asked)
	}
	e = axes{err: errors.New("no such host")}
	if _, err := evaluateWithOptions(t, texts, func(o *core.Options) { o.Embedder = &e }); err == nil || err.Error() != "embeddings: no such host" {
		t.Errorf("%v", err)
	}
	plain, _ := evaluateWithOptions(t, texts, func(*core.Options) {})
	r, err = evaluateWithOptions(t, texts, func(o *core.Options) { o.Embedder, o.Lexical = &e, true })
	if err != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != "embeddings-fallback" || r.Models.Embeddings != "lexical" {
		t.Fatalf("%v, %+v", err, r)
	}
	r.Warnings, r.Models = plain.Warnings, nil
	a, _ := json.Marshal(r)
	b, _ := json.Marshal(plain)
	if string(a) != string(b) {
		t.Error("the fallback is not the lexical report")
	}
	if r, err := evaluateWithOptions(t, hazy, func(o *core.Options) { o.Embedder = &e }); err != nil || r.Models != nil {
		t.Errorf("asked although there is no text: %v", err)
	}
}

// TestJudgeGetsFacts checks the facts that a judge gets if there is no reference. The
// facts are the origins of values and the messages around the action. The judge must be
// asked only about findings with a low confidence.
func TestJudgeGetsFacts(t *testing.T) {
	const run = `[{"role":"user","content":"Cancel order W-7712."},
	 {"role":"assistant","content":"Shall I cancel W-7712 and refund your card?"},
	 {"role":"user","content":"yes"},
	 {"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{\"order_id\":\"W-7712\",\"payment_id\":\"card_9999\"}"}}]},{"role":"tool","tool_call_id":"1","content":"done"},
	 {"role":"assistant","content":"I have cancelled it."}]`
	o := &oracle{opinion: judge.Opinion{Label: judge.None, Confidence: 0.95, Reason: "harmless"}}
	r, err := evaluateWithOptions(t, run, func(x *core.Options) { x.Judge = o })
	if err != nil || len(o.cases) == 0 {
		t.Fatalf("%v, %d cases", err, len(o.cases))
	}
	for _, c := range o.cases {
		if c.Finding.Confidence >= judge.DefaultBelow {
			t.Errorf("asked about what is sure: %+v", c.Finding)
		}
	}
	f := o.cases[0].Facts
	if f == nil || len(f.Values) != 2 || f.Values[0] != (judge.Value{Path: "order_id", Text: `"W-7712"`, From: "the user, message 1"}) || f.Values[1].From != "nowhere" ||
		f.Promised != "Shall I cancel W-7712 and refund your card?" || f.Answered != "yes" || f.Claimed != "I have cancelled it." {
		t.Errorf("%+v", f)
	}
	if f.Asked != nil {
		t.Errorf("the user asked, but the link is open: %+v", f.Asked)
	}
	vague := &oracle{opinion: judge.Opinion{Label: judge.None, Confidence: 0.95}}
	words := strings.NewReplacer("Cancel order W-7712.", "My order W-7712 makes me sad.", "Shall I cancel W-7712 and refund your card?", "I see.").Replace(run)
	if _, err := evaluateWithOptions(t, words, func(x *core.Options) { x.Judge = vague }); err != nil || len(vague.cases) == 0 {
		t.Fatal(err, len(vague.cases))
	}
	if a := vague.cases[0].Facts.Asked; a == nil || a.By != "unknown" || a.Why == "" {
		t.Errorf("the open link is no fact: %+v", a)
	}
	if len(r.Trajectories[0].Excused) != len(o.cases) {
		t.Errorf("%d of %d are excused", len(r.Trajectories[0].Excused), len(o.cases))
	}
	referenced := &oracle{opinion: judge.Opinion{Label: judge.None, Confidence: 0.95}}
	if _, err := evaluateWithOptions(t, hazy, func(x *core.Options) { x.Judge = referenced }); err != nil || referenced.cases[0].Facts != nil {
		t.Errorf("facts beside a reference: %v %+v", err, referenced.cases)
	}
}
