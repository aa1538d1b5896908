package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// This file holds four laws over drawn runs and references. They have few names and small
// numbers, so that equal, moved and nearly equal calls are frequent.
//
//   - Scoring never panics.
//   - Each finding is about actions, steps and rows that exist and belong together.
//   - abs.max and withinBounds follow from the findings and the rows (see checkBounds).
//   - A report depends on nothing that was scored before it.

// draws are bytes from which a case is drawn. After their end, each draw is 0.
type draws []byte

func (d *draws) below(n int) int {
	if len(*d) == 0 {
		return 0
	}
	b := int((*d)[0]) % n
	*d = (*d)[1:]
	return b
}

// drawnNames are the names of drawn calls. They write, read, open, check and control.
var drawnNames = []string{"click", "set_price", "cancel_order", "get_order", "delete_items", "open_file", "close_file",
	"verify_user", "ask_user", "send_email", "compose_email", "update_page", "mouse_down", "mouse_up", "think", "pick_up"}

// drawnArguments are the kinds of arguments. %d is a small number.
var drawnArguments = []string{`{"index":%d}`, `{"order_id":"#W%d"}`, `{"text":"the text %d"}`, `{"item_ids":["a%d","b7"]}`,
	`{"page":{"id":"p%d","at":7}}`, `{}`, `{"order_id":"#W7","amount":%d}`, `{"item_ids":["a%d"]}`, `{"text":"%d"}`, `{"ids":[1,%d]}`}

// drawnCall is one call of a drawn run or reference.
type drawnCall struct {
	name, arguments string
	observation     string // JSON; "" for none
	requestor       string
}

// drawCalls draws calls with at most two names and two kinds of arguments, so that most of them
// are equal or nearly equal.
func (d *draws) drawCalls() []drawnCall {
	names := [2]string{drawnNames[d.below(len(drawnNames))], drawnNames[d.below(len(drawnNames))]}
	kinds := [2]string{drawnArguments[d.below(len(drawnArguments))], drawnArguments[d.below(len(drawnArguments))]}
	few := 2 + d.below(5)
	out := make([]drawnCall, d.below(13))
	for i := range out {
		b := d.below(256)
		c := drawnCall{name: names[b&1], arguments: kinds[b>>1&1]}
		if strings.Contains(c.arguments, "%d") {
			c.arguments = fmt.Sprintf(c.arguments, b>>2%few)
		}
		switch {
		case b >= 250:
			c.observation = `"Error: not found"`
		case b >= 244:
			c.requestor = "user"
		case b%3 == 0:
			c.observation = fmt.Sprintf(`"{\"order_id\":\"#W%d\"}"`, b%few)
		}
		out[i] = c
	}
	return out
}

// onlyDone and onlyWanted are values that only the run, or only the reference, contains.
const onlyDone, onlyWanted = "98", "99"

// permuteCalls returns the calls in a drawn order, with a few copied, dropped and exchanged. An
// exchanged call has one of the two marks as its value.
func (d *draws) permuteCalls(calls []drawnCall, marks [2]string) []drawnCall {
	out := slices.Clone(calls)
	for i := len(out) - 1; i > 0; i-- {
		j := d.below(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	for range d.below(3) {
		if len(out) == 0 {
			break
		}
		i, other := d.below(len(out)), drawnArguments[d.below(len(drawnArguments))]
		switch d.below(3) {
		case 0:
			out = slices.Insert(out, d.below(len(out)+1), out[i])
		case 1:
			out = slices.Delete(out, i, i+1)
		default:
			out[i].arguments = strings.Replace(other, "%d", marks[d.below(2)], 1)
		}
	}
	return out
}

func (c *drawnCall) action() string {
	text := fmt.Sprintf(`{"name":%q,"arguments":%s`, c.name, c.arguments)
	if c.observation != "" {
		text += `,"observation":` + c.observation
	}
	if c.requestor != "" {
		text += fmt.Sprintf(`,"requestor":%q`, c.requestor)
	}
	return text + "}"
}

// drawnMarks are members that a reference step may have. Most steps have none.
var drawnMarks = []string{"", "", "", "", "", `,"required":true`, `,"pre":["verify_user"]`, `,"gran":2`, `,"ignore":["index"]`, `,"accept":{"order_id":["#W1","#W2"]}`, `,"compare":[]`, `,"scope":["p1"]`}

func (d *draws) drawStep(c *drawnCall) string {
	return fmt.Sprintf(`{"name":%q,"arguments":%s%s}`, c.name, c.arguments, drawnMarks[d.below(len(drawnMarks))])
}

// drawProcess draws a process with the given steps: a list, or groups of all kinds.
func (d *draws) drawProcess(steps []string) string {
	kind := d.below(8)
	if kind < 3 || len(steps) == 0 {
		return strings.Join(steps, ",")
	}
	cut := d.below(len(steps) + 1)
	first, rest := steps[:cut], steps[cut:]
	if len(rest) == 0 {
		first, rest = nil, steps
	}
	inside := strings.Join(rest, ",")
	switch kind {
	case 3, 4:
		inside = `{"anyOrder":[` + inside + `]}`
	case 5:
		inside = `{"oneOf":[` + inside + `]}`
	case 6:
		inside = `{"optional":{"sequence":[` + inside + `]}}`
	case 7:
		inside = `{"anyOrder":[{"oneOf":[` + rest[0] + `,"pay(id=1)"]},[` + inside + `]]}`
	}
	return strings.Join(append(slices.Clone(first), inside), ",")
}

// drawnOptions are the options of a drawn request.
var drawnOptions = []string{`{}`, `{}`, `{}`, `{}`, `{"thetaG":1}`, `{"tau":0.3}`, `{"without":["effect"]}`, `{"without":["state","effect"]}`, `{"tau":1,"beta":0,"gamma":2}`}

// drawRequest draws an envelope: a run of at most 12 calls, mostly in another order than
// its reference.
func (d *draws) drawRequest() []byte {
	profile, options := []string{"sop", "outcome", "auto"}[d.below(3)], drawnOptions[d.below(len(drawnOptions))]
	done := d.drawCalls()
	wanted := done
	if d.below(4) > 0 {
		wanted = d.permuteCalls(done, [2]string{"3", onlyWanted})
	}
	if d.below(4) == 1 {
		done = d.permuteCalls(done, [2]string{"3", onlyDone})
	}
	var actions, steps []string
	for i := range done {
		actions = append(actions, done[i].action())
	}
	for i := range wanted {
		steps = append(steps, d.drawStep(&wanted[i]))
	}
	reference := d.drawProcess(steps)
	if never := drawnNames[d.below(64)%len(drawnNames)]; d.below(8) == 1 && reference != "" {
		reference += fmt.Sprintf(`,{"name":%q,"mustNot":true}`, never)
	}
	messages := ""
	if d.below(3) == 1 {
		messages = `"messages":[{"role":"user","content":"cancel #W1, then #W2 with 3"}],`
	}
	return fmt.Appendf(nil, `{"trace":{"trajectories":[{%s"actions":[%s]}]},"reference":[%s],"profile":%q,"options":%s}`,
		messages, strings.Join(actions, ","), reference, profile, options)
}

// drawnEnvelope is a drawn request, as far as the tests change it.
type drawnEnvelope struct {
	Trace struct {
		Trajectories []struct {
			Messages json.RawMessage   `json:"messages,omitempty"`
			Actions  []json.RawMessage `json:"actions"`
		} `json:"trajectories"`
	} `json:"trace"`
	Reference json.RawMessage `json:"reference"`
	Profile   string          `json:"profile"`
	Options   json.RawMessage `json:"options"`
}

func envelopeOf(t *testing.T, text []byte) (e drawnEnvelope) {
	t.Helper()
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// scoreDrawn scores a request and checks its report. It returns the report's bytes.
func scoreDrawn(t *testing.T, text []byte, o *Options) []byte {
	t.Helper()
	r, err := ReadRequest(text)
	if err != nil {
		t.Fatal(err)
	}
	r.Options.Cache, r.Options.Classifier = o.Cache, o.Classifier
	report, err := Evaluate(r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range report.Trajectories {
		run := &report.Trajectories[i]
		wrong := findIncoherence(run)
		if wrong == "" && !strings.Contains(string(text), `"compare"`) && !strings.Contains(string(text), `"ignore"`) && !strings.Contains(string(text), `"accept"`) { // these accept other values
			wrong = findUnnamed(run, envelopeOf(t, text).Trace.Trajectories[0].Actions)
		}
		if wrong != "" {
			t.Fatal(wrong)
		}
		if run.Error == nil && run.Reference != nil {
			newPlainBounds(run).checkBounds(t.Errorf)
		}
	}
	out, err := json.Marshal(&report)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// incoherentHints returns how the certainty of a run's findings and what is said of the run
// contradict each other, or "".
func incoherentHints(t *report.Trajectory) string {
	certain := 0
	for i := range t.Violations {
		v := &t.Violations[i]
		if v.Hint != (v.Confidence < violation.HintBelow) {
			return fmt.Sprintf("finding %d has the confidence %v, and hint is %v", i, v.Confidence, v.Hint)
		}
		if !v.Hint {
			certain++
		}
	}
	for i := range t.Alignment {
		row, sure, found := &t.Alignment[i], false, false
		for k := range t.Violations {
			if v := &t.Violations[k]; slices.Contains(v.Rows, i) || v.Rows == nil && v.Row != nil && *v.Row == i {
				found, sure = true, sure || !v.Hint
			}
		}
		if row.Hint != (row.Verdict == "violation" && found && !sure) {
			return fmt.Sprintf("row %d is %s, and hint is %v", i, row.Verdict, row.Hint)
		}
	}
	good := t.Passed != nil && *t.Passed
	switch {
	case t.Flagged != (certain > 0):
		return fmt.Sprintf("%d findings are certain, and flagged is %v", certain, t.Flagged)
	case good && len(t.Violations) > 0, t.Flagged && (t.Passed == nil || good):
		return fmt.Sprintf("%d findings, and passed is %v", len(t.Violations), t.Passed)
	}
	return ""
}

// findIncoherence returns how the findings and rows of a run contradict each other, or "".
func findIncoherence(t *report.Trajectory) string {
	obs, ref := 0, 0
	shown := make([]bool, len(t.Alignment)) // rows that a finding names
	for i := range t.Alignment {
		row := &t.Alignment[i]
		if row.Obs != nil {
			if *row.Obs != obs {
				return fmt.Sprintf("row %d has action %d, want %d", i, *row.Obs, obs)
			}
			obs++
		}
		if row.Ref != nil {
			if *row.Ref != ref {
				return fmt.Sprintf("row %d has step %d, want %d", i, *row.Ref, ref)
			}
			ref++
		}
		if (row.Verdict == "correct") != (row.Reason == "") {
			return fmt.Sprintf("row %d is %s because %q", i, row.Verdict, row.Reason)
		}
	}
	if obs != len(t.Observed) || ref != len(t.Reference) {
		return fmt.Sprintf("the rows have %d of %d actions and %d of %d steps", obs, len(t.Observed), ref, len(t.Reference))
	}
	if wrong := incoherentHints(t); wrong != "" {
		return wrong
	}
	for i := range t.Violations {
		v := &t.Violations[i]
		if wrong := incoherentFinding(t, v, shown); wrong != "" {
			return fmt.Sprintf("finding %d (%s, %q): %s", i, v.Rule, v.Reason, wrong)
		}
	}
	for i := range t.Alignment {
		if t.Alignment[i].Verdict == "violation" && !shown[i] {
			return fmt.Sprintf("row %d is a violation (%q), but no finding names it", i, t.Alignment[i].Reason)
		}
	}
	certain := 0
	for i := range t.Violations {
		if !t.Violations[i].Hint {
			certain++
		}
	}
	if t.Flagged != (certain > 0) {
		return fmt.Sprintf("flagged %v with %d findings", t.Flagged, len(t.Violations))
	}
	for _, s := range []report.Score{t.Metrics.ABS.Agent, t.Metrics.ABS.Max, t.Metrics.GAR} {
		if s.Scored && (*s.Value < 0 || *s.Value > 1) {
			return fmt.Sprintf("a score of %v", *s.Value)
		}
	}
	return ""
}

// findUnnamed returns which change no finding names, although its value is only in the run or
// only in the reference, or "". done are the run's actions; those of the user are no findings.
func findUnnamed(t *report.Trajectory, done []json.RawMessage) string {
	for i := range t.Observed {
		if a := &t.Observed[i]; a.Mutating != "no" && !a.Control && !a.Error && !bytes.Contains(done[i], []byte("requestor")) && strings.Contains(a.Arguments, onlyDone) && !namesOf(t, func(v *report.Violation) *int { return v.Obs }, func(r *report.Row) *int { return r.Obs }, i) {
			return fmt.Sprintf("no finding names action %d, which is not in the reference", i)
		}
	}
	for i := range t.Reference {
		if a := &t.Reference[i]; a.Mutating != "no" && !a.Control && strings.Contains(a.Arguments, onlyWanted) && !namesOf(t, func(v *report.Violation) *int { return v.Ref }, func(r *report.Row) *int { return r.Ref }, i) {
			return fmt.Sprintf("no finding names step %d, which is not in the run", i)
		}
	}
	return ""
}

// names reports whether a finding is about an action or step, or has its row.
func namesOf(t *report.Trajectory, about func(*report.Violation) *int, half func(*report.Row) *int, at int) bool {
	is := func(i *int) bool { return i != nil && *i == at }
	for i := range t.Violations {
		v := &t.Violations[i]
		if is(about(v)) || slices.ContainsFunc(v.Rows, func(row int) bool { return is(half(&t.Alignment[row])) }) {
			return true
		}
	}
	return false
}

// incoherentFinding returns what is wrong with one finding, or "". It marks the finding's
// rows in shown.
func incoherentFinding(t *report.Trajectory, v *report.Violation, shown []bool) string {
	outside := func(at *int, n int) bool { return at != nil && (*at < 0 || *at >= n) }
	if outside(v.Row, len(t.Alignment)) || outside(v.Obs, len(t.Observed)) || outside(v.Ref, len(t.Reference)) {
		return "it names something that does not exist"
	}
	rows := v.Rows
	if v.Row != nil && rows == nil {
		rows = []int{*v.Row}
	}
	touches := len(rows) == 0
	for _, at := range rows {
		if outside(&at, len(t.Alignment)) {
			return "it names a row that does not exist"
		}
		row := &t.Alignment[at]
		shown[at] = true
		if row.Verdict != "violation" {
			return fmt.Sprintf("its row %d is %s", at, row.Verdict)
		}
		touches = touches || v.Obs != nil && row.Obs != nil && *v.Obs == *row.Obs || v.Ref != nil && row.Ref != nil && *v.Ref == *row.Ref
	}
	if !touches {
		return "its rows have neither its action nor its step"
	}
	needs := map[string][2]bool{"extra-action": {true, false}, "missing-step": {false, true}, "out-of-order": {true, true},
		"split-action": {true, true}, "merged-steps": {true, true}, "unmet-precondition": {true, false}, "forbidden-action": {true, false}}
	if n := needs[v.Rule]; n[0] && v.Obs == nil || n[1] && v.Ref == nil {
		return "it names no action or no step"
	}
	if v.Rule == "out-of-order" {
		return notLate(t, v)
	}
	return ""
}

// withoutArguments removes the arguments in parentheses from the calls of a sentence.
func withoutArguments(sentence string) string {
	for {
		before, rest, ok := strings.Cut(sentence, " (")
		_, after, ok2 := strings.Cut(rest, ")")
		if !ok || !ok2 {
			return sentence
		}
		sentence = before + after
	}
}

// notLate returns why an action that is reported out of order cannot be early or late, or "". The
// action must equal a step, another action must have done the step that the finding names,
// and the order of the two must differ on both sides.
func notLate(t *report.Trajectory, v *report.Violation) string {
	row := &t.Alignment[*v.Row]
	if row.Obs == nil || *row.Obs != *v.Obs {
		return "its row is not the row of its action"
	}
	name := t.Observed[*v.Obs].Name
	if !slices.ContainsFunc(t.Reference, func(a report.Action) bool { return a.Name == name }) {
		return "no step is called like its action"
	}
	other := t.Reference[*v.Ref].Name
	reason := withoutArguments(v.Reason) // calls of one name are told apart by their arguments
	early, late := name, other
	if !strings.HasPrefix(reason, early+" came before ") {
		early, late = late, early
	}
	moved := strings.HasPrefix(v.Reason, "the action "+name+" ") && (strings.Contains(v.Reason, "(before "+other) || strings.Contains(v.Reason, "(after "+other))
	if depends := strings.HasPrefix(reason, early+" came before "+late+" of the same "); !moved && !depends {
		return "its reason names another action or step"
	}
	return ""
}

// checkDrawn scores one drawn request twice. Between these, it scores the same calls in
// another order with the same cache.
func checkDrawn(t *testing.T, data []byte) {
	t.Helper()
	d := draws(data)
	text := d.drawRequest()
	defer func() {
		p := recover()
		if p != nil {
			t.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if t.Failed() {
			t.Fatalf("drawn from %q: %s", data, text)
		}
	}()
	o := Options{Cache: &Cache{}, Classifier: mutation.New(nil, nil)}
	first := scoreDrawn(t, text, &o)
	other := envelopeOf(t, text)
	slices.Reverse(other.Trace.Trajectories[0].Actions)
	reversed, err := json.Marshal(&other)
	if err != nil {
		t.Fatal(err)
	}
	scoreDrawn(t, reversed, &o)
	if again := scoreDrawn(t, text, &o); !bytes.Equal(first, again) {
		t.Fatalf("another report after a permuted run:\n%s\n%s", first, again)
	}
}

// TestDrawnRuns checks the laws over drawn requests. The requests are the same in each run
// of the test, up to their number.
func TestDrawnRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 1))
	n := drawn.Cases(1000)
	for range n {
		data := make([]byte, 80)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		checkDrawn(t, data)
	}
	t.Logf("%d drawn requests, each scored three times", n)
}

// FuzzDrawn checks the same laws over requests that the fuzzer finds.
func FuzzDrawn(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { checkDrawn(t, data) })
}
