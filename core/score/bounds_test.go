package score

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// This file attacks the laws of abs.max with random runs and references. They go through
// Evaluate as JSON, as a user's files do.

// genCall is one call of a generated run or reference.
type genCall struct {
	name, args string
	failed     bool // of a run
	required   bool // of a reference
}

// genCase is a generated run with its reference.
type genCase struct {
	obs, ref []genCall
	never    string // a forbidden tool
	profile  string
	theta    float64
	without  string // disabled stages, as JSON; "" for none
}

// genTools has reads, writes, bulk and single actions, an opening step with its closing
// step, a control action and unknown tools.
var genTools = []string{"get_order", "get_user", "list_files", "cancel_order", "update_order", "delete_file", "delete_files", "send_email",
	"begin_transaction", "commit_transaction", "think", "frobnicate", "attach_file"}

func genArguments(random *rand.Rand, tool string) string {
	n := random.IntN(3)
	switch tool {
	case "delete_files":
		return fmt.Sprintf(`{"files":["f%d.txt","f%d.txt"]}`, n, n+1)
	case "delete_file", "attach_file":
		return fmt.Sprintf(`{"file":"f%d.txt"}`, n)
	case "update_order":
		return fmt.Sprintf(`{"order_id":"W-%d","status":"s%d"}`, n, random.IntN(2))
	case "send_email":
		return fmt.Sprintf(`{"to":"u%d@example.com","text":"hello there"}`, n)
	case "get_user":
		return fmt.Sprintf(`{"user_id":"U-%d"}`, n)
	case "think":
		return fmt.Sprintf(`{"thought":"t%d"}`, n)
	case "begin_transaction", "commit_transaction", "list_files":
		return `{}`
	}
	return fmt.Sprintf(`{"order_id":"W-%d"}`, n)
}

func genCallOf(random *rand.Rand) genCall {
	tool := genTools[random.IntN(len(genTools))]
	return genCall{name: tool, args: genArguments(random, tool)}
}

// newGenCase returns a reference and a run that often does the reference with some steps
// left out, doubled, changed, moved or added.
func newGenCase(random *rand.Rand) genCase {
	c := genCase{profile: []string{"outcome", "sop"}[random.IntN(2)]}
	if random.IntN(6) == 0 {
		c.never = genTools[random.IntN(len(genTools))]
	}
	if random.IntN(8) == 0 {
		c.theta = float64(random.IntN(3))
	}
	if random.IntN(12) == 0 {
		c.without = []string{`"state"`, `"effect"`, `"state","effect"`}[random.IntN(3)]
	}
	for range random.IntN(6) {
		call := genCallOf(random)
		call.required = random.IntN(4) == 0
		c.ref = append(c.ref, call)
	}
	for _, step := range c.ref {
		step.required = false
		switch random.IntN(8) {
		case 0: // left out
		case 1:
			c.obs = append(c.obs, step, step)
		case 2:
			c.obs = append(c.obs, genCall{name: step.name, args: genArguments(random, step.name)})
		case 3:
			step.failed = true
			c.obs = append(c.obs, step)
		default:
			c.obs = append(c.obs, step)
		}
	}
	for range random.IntN(3) {
		c.obs = slices.Insert(c.obs, random.IntN(len(c.obs)+1), genCallOf(random))
	}
	if len(c.obs) > 1 && random.IntN(3) == 0 {
		i, j := random.IntN(len(c.obs)), random.IntN(len(c.obs))
		c.obs[i], c.obs[j] = c.obs[j], c.obs[i]
	}
	return c
}

// evaluateGen scores a generated case.
func evaluateGen(t *testing.T, c *genCase) *report.Trajectory {
	t.Helper()
	messages, steps := []string{`{"role":"user","content":"Please help."}`}, []string(nil)
	for i, a := range c.obs {
		args, _ := json.Marshal(a.args)
		messages = append(messages, fmt.Sprintf(`{"role":"assistant","tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":%s}}]}`, i, a.name, args))
		content := "ok"
		if a.failed {
			content = "Error: not found"
		}
		messages = append(messages, fmt.Sprintf(`{"role":"tool","tool_call_id":"c%d","content":%q}`, i, content))
	}
	for _, s := range c.ref {
		steps = append(steps, fmt.Sprintf(`{"name":%q,"arguments":%s,"required":%v}`, s.name, s.args, s.required))
	}
	if c.never != "" {
		steps = append(steps, fmt.Sprintf(`{"name":%q,"mustNot":true}`, c.never))
	}
	body := fmt.Sprintf(`{"trace":{"messages":[%s]},"reference":[%s],"profile":%q,"options":{"thetaG":%v,"without":[%s]}}`,
		strings.Join(messages, ","), strings.Join(steps, ","), c.profile, c.theta, c.without)
	r, err := ReadRequest([]byte(body))
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	report, err := Evaluate(r)
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return &report.Trajectories[0]
}

// plainBounds holds a run's report and the links between its actions and steps, as the
// report shows them.
type plainBounds struct {
	*report.Trajectory
	steps     [][]int // of each action: the steps that it did
	action    []int   // of each step: an action that did it, or -1
	rowOfObs  []int
	rowOfStep []int
}

func newPlainBounds(t *report.Trajectory) *plainBounds {
	p := &plainBounds{t, make([][]int, len(t.Observed)), make([]int, len(t.Reference)), make([]int, len(t.Observed)), make([]int, len(t.Reference))}
	for s := range p.action {
		p.action[s] = -1
	}
	link := func(o, s int) { p.steps[o], p.action[s] = append(p.steps[o], s), o }
	for o, a := range t.Observed {
		for _, s := range a.Steps {
			link(o, s)
		}
	}
	for i, row := range t.Alignment {
		if row.Obs != nil {
			p.rowOfObs[*row.Obs] = i
		}
		if row.Ref != nil {
			p.rowOfStep[*row.Ref] = i
		}
		if row.Obs == nil || row.Ref == nil || t.Observed[*row.Obs].Steps != nil || row.Verdict != "excused" && strings.Contains(row.Reason, "was not done, but") {
			continue
		}
		if p.action[*row.Ref] < 0 {
			link(*row.Obs, *row.Ref)
		}
	}
	return p
}

// findings returns whether a finding is about each action, and about each step.
func (p *plainBounds) findings() (actions, steps []bool) {
	actions, steps = make([]bool, len(p.Observed)), make([]bool, len(p.Reference))
	for _, v := range p.Violations {
		if v.Obs != nil {
			actions[*v.Obs] = true
		}
		if v.Ref != nil && (v.Obs == nil || v.Rule == "unmet-precondition" && p.action[*v.Ref] < 0) {
			steps[*v.Ref] = true
		}
		for _, row := range v.Rows { // of a group: a row may also have something that is not in it
			if o := p.Alignment[row].Obs; o != nil && slices.Contains(p.steps[*o], *v.Ref) {
				actions[*o] = true
			}
			if s := p.Alignment[row].Ref; s != nil && slices.Contains(p.steps[*v.Obs], *s) {
				steps[*s] = true
			}
		}
	}
	return actions, steps
}

// absMax computes abs.max from the report: first the units of linked actions and steps,
// then correct / max(|A|, |A*|).
func (p *plainBounds) absMax() float64 {
	brokenActions, brokenSteps := p.findings()
	unit := make([]int, len(p.Observed)+len(p.Reference)) // actions first
	for i := range unit {
		unit[i] = i
	}
	for range unit { // until nothing changes
		for o, steps := range p.steps {
			for _, s := range steps {
				least := min(unit[o], unit[len(p.Observed)+s])
				unit[o], unit[len(p.Observed)+s] = least, least
			}
		}
	}
	broken, sizes := map[int]bool{}, map[int]int{}
	for i, u := range unit {
		sizes[u]++
		broken[u] = broken[u] || i < len(p.Observed) && brokenActions[i] || i >= len(p.Observed) && brokenSteps[i-len(p.Observed)]
	}
	correct, a, aStar := 0, 0, 0
	for u, n := range sizes {
		if n > 1 && !broken[u] {
			correct++
		}
	}
	a, aStar = correct, correct
	for i, u := range unit {
		switch {
		case i < len(p.Observed) && brokenActions[i]:
			a++
		case i >= len(p.Observed) && broken[u]:
			aStar++
		}
	}
	if a == 0 && aStar == 0 {
		return 1
	}
	return float64(correct) / float64(max(a, aStar))
}

// TestBoundsLaws checks the laws of abs.max with random runs and references.
func TestBoundsLaws(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 1))
	var added, deleted, replaced, perfect, moved int
	total := drawn.Cases(1000)
	for n := range total {
		c := newGenCase(random)
		run := evaluateGen(t, &c)
		p := newPlainBounds(run)
		score := *run.Metrics.ABS.Max.Value
		fail := func(format string, a ...any) {
			t.Helper()
			text, _ := json.Marshal(struct {
				A []report.Row
				V []report.Violation
			}{run.Alignment, run.Violations})
			t.Errorf("case %d: %s\n%+v\n%s", n, fmt.Sprintf(format, a...), c, text)
		}
		p.checkBounds(fail)
		if score == 1 {
			perfect++
		}
		for _, a := range run.Observed {
			moved += len(a.Steps)
		}
		if more, with, ok := addUseless(t, random, &c); ok {
			added++
			if now := *with.Metrics.ABS.Max.Value; now > score {
				fail("abs.max rose from %v to %v: %+v\n%+v", score, now, more.obs, with.Violations)
			}
		}
		if less, without, same := p.deleteOnly(t, random, &c); without != nil {
			deleted++
			switch now := *without.Metrics.ABS.Max.Value; {
			case now >= score && same:
				fail("abs.max did not fall from %v but is %v: %+v\n%+v", score, now, less.obs, without.Violations)
			case now >= score:
				replaced++
			}
		}
		if t.Failed() && n > 0 {
			break
		}
	}
	t.Log(added, deleted, replaced, perfect, moved)
	if replaced*50 > deleted {
		t.Errorf("abs.max did not fall in %d of %d runs, because other actions took another place", replaced, deleted)
	}
	if min(added, deleted, perfect, moved) < total/20 {
		t.Errorf("too few cases: %d added, %d deleted, %d perfect, %d moved or joined", added, deleted, perfect, moved)
	}
}

// checkBounds checks abs.max, the verdicts of the rows and withinBounds.
func (p *plainBounds) checkBounds(fail func(string, ...any)) {
	score := *p.Metrics.ABS.Max.Value
	if want := p.absMax(); score != want {
		fail("abs.max is %v, but the rows give %v", score, want)
	}
	flagged := slices.ContainsFunc(p.Violations, func(v report.Violation) bool { return v.Row != nil })
	if (score == 1) == flagged {
		fail("abs.max is %v with %d violations", score, len(p.Violations))
	}
	p.checkVerdicts(fail)
}

// checkVerdicts checks that a row is a violation exactly if a finding names it, and that
// withinBounds is the share of the other rows.
func (p *plainBounds) checkVerdicts(fail func(string, ...any)) {
	named := map[int]bool{}
	for _, v := range p.Violations {
		if v.Row != nil {
			named[*v.Row] = true
		}
		for _, row := range v.Rows {
			named[row] = true
		}
	}
	within := 0
	for i, row := range p.Alignment {
		if (row.Verdict == "violation") != named[i] {
			fail("row %d has the verdict %s, and a finding about it: %v", i, row.Verdict, named[i])
		}
		if row.Verdict != "violation" {
			within++
		}
	}
	want := 1.0
	if len(p.Alignment) > 0 {
		want = float64(within) / float64(len(p.Alignment))
	}
	if got := *p.Metrics.WithinBounds.Value; got != want {
		fail("withinBounds is %v, want %v", got, want)
	}
}

// addUseless adds a random action to a run. The result is false if the action did a step
// or did it wrongly, or if the alignment gives it a step.
func addUseless(t *testing.T, random *rand.Rand, c *genCase) (more genCase, run *report.Trajectory, ok bool) {
	more = *c
	at := random.IntN(len(c.obs) + 1)
	more.obs = slices.Insert(slices.Clone(c.obs), at, genCallOf(random))
	run = evaluateGen(t, &more)
	for _, v := range run.Violations {
		if v.Obs != nil && *v.Obs == at && v.Ref != nil {
			return more, run, false
		}
	}
	p := newPlainBounds(run)
	return more, run, len(p.steps[at]) == 0 && run.Alignment[p.rowOfObs[at]].Ref == nil
}

// deleteOnly deletes the only action that does a required step, in a correct row that no
// finding names. The run is nil if there is no such action. same is false if the new alignment
// judges another action or step milder: it may give the step to another action, or move other
// actions than before. The run is also nil for disabled stages, because a moved action then
// counts as an extra action and as a missing step.
func (p *plainBounds) deleteOnly(t *testing.T, random *rand.Rand, c *genCase) (less genCase, run *report.Trajectory, same bool) {
	if c.without != "" {
		return less, nil, false
	}
	for _, i := range random.Perm(len(p.Alignment)) {
		row := p.Alignment[i]
		if row.Verdict != "correct" || p.isNamed(*row.Obs, *row.Ref) {
			continue
		}
		a := c.obs[*row.Obs]
		equal := 0
		for _, o := range c.obs {
			if o.name == a.name && o.args == a.args && !o.failed {
				equal++
			}
		}
		step := p.Reference[*row.Ref]
		if equal > 1 || c.profile != "sop" && !c.ref[*row.Ref].required && (step.Mutating == "no" || step.Control) {
			continue
		}
		less = *c
		less.obs = slices.Delete(slices.Clone(c.obs), *row.Obs, *row.Obs+1)
		run = evaluateGen(t, &less)
		return less, run, p.agreesBut(newPlainBounds(run), *row.Obs)
	}
	return less, nil, false
}

// agreesBut reports whether each action except one does the same steps in a run without
// this action, and no step is kept there that was not kept before.
func (p *plainBounds) agreesBut(without *plainBounds, obs int) bool {
	for step := range p.Reference {
		if without.isKept(step) && !p.isKept(step) {
			return false
		}
	}
	return slices.EqualFunc(slices.Delete(slices.Clone(p.steps), obs, obs+1), without.steps, slices.Equal[[]int])
}

// isKept reports whether an action did a step, and no finding is about the action.
func (p *plainBounds) isKept(step int) bool {
	actions, _ := p.findings()
	return p.action[step] >= 0 && !actions[p.action[step]]
}

func (p *plainBounds) isNamed(obs, ref int) bool {
	return slices.ContainsFunc(p.Violations, func(v report.Violation) bool {
		return v.Obs != nil && *v.Obs == obs || v.Ref != nil && *v.Ref == ref
	})
}
