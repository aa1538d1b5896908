package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/path"
)

// The kinds of a Finding.
const (
	NeverApplies   = "never applies"
	AlwaysHidden   = "always hidden"
	AllowsNothing  = "allows nothing"
	NobodyApproves = "nobody can approve"
)

// Finding is what Prove says about a rule. It is true of every call that is read without
// doubt: each value is surely what a matcher says, or surely not, and no member occurs
// twice.
type Finding struct {
	Name, Kind string
	Line       int
	Text       string // why
}

// Proof is the result of Prove.
type Proof struct {
	Findings []Finding // by line
	Open     []string  // names of rules about which nothing could be decided
	Rules    int
}

// strict is a rule that denies or holds, or a setting of a tool that does so, with the
// calls to which its effect may apply.
type strict struct {
	name     string
	line     int
	order    int // in the policy; 0 for a setting of a tool, which comes first
	rank     int // 0 for a denial, else falling with the number of people
	people   int
	from     []string
	log      bool
	box      box
	unproved bool
}

func (s *strict) fullTitle() string {
	if s.line == 0 {
		return s.name
	}
	return fmt.Sprintf("%s (line %d)", s.name, s.line)
}

// decidesBefore reports whether s decides where both apply.
func (s *strict) decidesBefore(t *strict) bool {
	if s.rank != t.rank {
		return s.rank < t.rank
	}
	return s.order < t.order
}

// Prove finds rules that never apply, that stricter rules always hide, that allow nothing,
// and rules which together need more people than may approve. It looks at all calls, at all
// times. What rules require (counts, sums, order) may be met or not in any way. A test of a text's content (a pattern, a path, a host) may have
// any answer, but the same test of the same argument always has the same.
//
// Not everything that is true is found. The time grows with the number of rules that
// overlap; it is bounded.
func (p *Policy) Prove(now int64) Proof {
	b := prover{policy: p, space: space{axes: map[string]*axis{}}, out: Proof{Rules: len(p.Rules)}}
	for i := range p.Allow {
		if p.Allow[i].rule != nil {
			b.out.Rules++
		}
	}
	b.buildAxes()
	b.buildStrict()
	for i := range b.all {
		b.proveStrict(&b.all[i])
	}
	b.provePairs()
	for i := range p.Allow {
		b.proveAllow(&p.Allow[i], now)
	}
	slices.SortStableFunc(b.out.Findings, func(a, c Finding) int { return a.Line - c.Line })
	return b.out
}

type prover struct {
	policy *Policy
	space  space
	broken map[string]bool   // axes with too many points
	places map[string]string // of the axes of values: the place of those whose path has one
	all    []strict
	out    Proof
}

// The names of axes that are not paths.
const (
	toolAxis    = "tool"
	agentAxis   = "agent"
	changesAxis = "changes"
	askedAxis   = "asked"
)

func (b *prover) buildAxes() {
	b.broken, b.places = map[string]bool{}, map[string]string{}
	tools, agents := []string{}, []string{}
	zones := map[string][]*Window{}
	values, paths := map[string][]valueTest{}, map[string]*path.Path{}
	addTest := func(p *path.Path, t valueTest) {
		name := "value " + p.String()
		paths[name] = p
		if !slices.ContainsFunc(values[name], func(u valueTest) bool { return u.testKey() == t.testKey() }) {
			values[name] = append(values[name], t)
		}
	}
	selector := func(s *Selector, w *Window) {
		if s.Tool != "" {
			tools = append(tools, s.Tool)
		}
		if s.Agent != "" {
			agents = append(agents, s.Agent)
		}
		for _, d := range s.When {
			addTest(d.Argument, valueTest{d.Matcher, false})
		}
		if w != nil {
			zones["time "+w.Zone] = append(zones["time "+w.Zone], w)
		}
	}
	for i := range b.policy.Rules {
		selector(&b.policy.Rules[i].Selector, b.policy.Rules[i].Time)
	}
	for i := range b.policy.Allow {
		a := &b.policy.Allow[i]
		selector(&Selector{Tool: a.Tool}, nil)
		if a.rule != nil {
			selector(&a.rule.Selector, a.rule.Time)
		}
		for _, c := range a.When {
			if c.Argument.One() {
				addTest(c.Argument, valueTest{c.Matcher, true})
			}
		}
	}
	b.eachTool(func(name string, _ *ToolRule) { tools = append(tools, name) })
	set := func(name string, a *axis, ok bool) { b.space.axes[name], b.broken[name] = a, !ok }
	a, ok := nameAxis(tools)
	set(toolAxis, a, ok)
	a, ok = nameAxis(agents)
	set(agentAxis, a, ok)
	set(changesAxis, &axis{map[string]int{"": 0}, []point{{"no", []bool{false}}, {"yes", []bool{true}}}}, true)
	set(askedAxis, newAskedAxis(), true)
	for name, windows := range zones {
		set(name, timeAxis(windows), true)
	}
	for name, tests := range values {
		a, ok = valueAxis(paths[name], tests)
		set(name, a, ok)
		if paths[name].One() {
			b.places[name] = paths[name].Place()
		}
	}
}

// eachTool calls fn for each name and pattern of tools that denies or needs two people, in
// the order of their names.
func (b *prover) eachTool(fn func(name string, t *ToolRule)) {
	for _, name := range slices.Sorted(maps.Keys(b.policy.Tools)) {
		if t := b.policy.Tools[name]; t.Deny != "" || t.FourEyes {
			fn(name, t)
		}
	}
	for i := range b.policy.Patterns {
		if t := &b.policy.Patterns[i]; t.Deny != "" || t.FourEyes {
			fn(t.Pattern, &t.ToolRule)
		}
	}
}

// selectCalls returns the calls that a selector selects at the times of a window. whole is
// false if it has an axis with too many points.
func (b *prover) selectCalls(s *Selector, w *Window) (out box, whole bool) {
	out, whole = box{}, true
	need := func(axis, test string, want bool) {
		if whole = whole && !b.broken[axis]; whole {
			b.space.restrictTo(out, axis, test, want)
		}
	}
	if s.Tool != "" {
		need(toolAxis, s.Tool, true)
	}
	if s.Agent != "" {
		need(agentAxis, s.Agent, true)
	}
	if s.Changes {
		need(changesAxis, "", true)
	}
	if s.Asked != "" {
		need(askedAxis, s.Asked, true)
	}
	for _, d := range s.When {
		need("value "+d.Argument.String(), valueTest{d.Matcher, false}.testKey(), true)
	}
	if w != nil {
		need("time "+w.Zone, w.text, !w.Outside)
	}
	return out, whole
}

func (b *prover) buildStrict() {
	for i := range b.policy.Rules {
		r := &b.policy.Rules[i]
		s := strict{name: r.Name, line: r.Line, order: i + 1, people: r.People, from: r.From, log: r.Log}
		if r.Effect == HoldCall {
			s.rank = mostPeople + 1 - r.People
		}
		var whole bool
		if s.box, whole = b.selectCalls(&r.Selector, r.Time); !whole {
			s.unproved = true
		}
		if r.Requires() {
			name := "requirement " + r.Name
			b.space.axes[name] = &axis{map[string]int{"": 0}, []point{{"met", []bool{false}}, {"not met", []bool{true}}}}
			b.space.restrictTo(s.box, name, "", true)
		}
		b.all = append(b.all, s)
	}
	b.eachTool(func(name string, t *ToolRule) {
		out, whole := b.selectCalls(&Selector{Tool: name}, nil)
		s := strict{name: "deny of the tool " + name, box: out, unproved: !whole}
		if t.Deny == "" {
			s.name, s.people, s.rank = "fourEyes of "+name, 2, mostPeople+1-2
		}
		b.all = append(b.all, s)
	})
}

func (b *prover) addFinding(name string, line int, kind, text string) {
	b.out.Findings = append(b.out.Findings, Finding{name, kind, line, text})
}

func (b *prover) leaveOpen(name string) {
	if !slices.Contains(b.out.Open, name) {
		b.out.Open = append(b.out.Open, name)
	}
}

// proveStrict says whether a rule that denies or holds never applies, or is always hidden.
func (b *prover) proveStrict(s *strict) {
	switch {
	case s.order == 0:
		return // a setting of a tool, which always has an effect
	case s.unproved:
		b.leaveOpen(s.name)
		return
	}
	if axis := s.box.emptyAxis(); axis != "" {
		b.addFinding(s.name, s.line, NeverApplies, "no call has such a "+strings.Replace(axis, "value ", "value of ", 1))
		return
	}
	if s.log {
		return
	}
	var others []*strict
	for i := range b.all {
		o := &b.all[i]
		if o != s && !o.log && !o.unproved && o.decidesBefore(s) && (o.rank == 0 || areWithin(o.from, s.from)) {
			others = append(others, o)
		}
	}
	if by, ok := b.findCover(s.name, s.box, others); ok {
		b.addFinding(s.name, s.line, AlwaysHidden, "wherever it applies, a stricter rule decides: "+joinTitles(by))
	}
}

// areWithin reports whether each approver of a list is one of another list. nil stands for all
// approvers.
func areWithin(list, of []string) bool {
	return of == nil || list != nil && !slices.ContainsFunc(list, func(name string) bool { return !slices.Contains(of, name) })
}

// findCover reports whether others cover a box, and which of them are needed for it.
func (b *prover) findCover(name string, of box, others []*strict) (by []*strict, ok bool) {
	whole := true
	search := func(list []*strict) bool {
		boxes := make([]box, len(list))
		for i, o := range list {
			boxes[i] = o.box
		}
		_, found, all := b.space.searchUncovered(of, boxes)
		whole = all
		return !found
	}
	others = slices.DeleteFunc(slices.Clone(others), func(o *strict) bool { return meetBoxes(of, o.box).emptyAxis() != "" })
	if !search(others) {
		if !whole {
			b.leaveOpen(name)
		}
		return nil, false
	}
	for i := len(others) - 1; i >= 0 && b.space.spent < allSteps; i-- {
		if fewer := slices.Delete(slices.Clone(others), i, i+1); search(fewer) {
			others = fewer
		}
	}
	return others, true
}

func joinTitles(all []*strict) string {
	var out []string
	for _, s := range all {
		out = append(out, s.fullTitle())
	}
	return strings.Join(out, ", ")
}

// proveAllow says whether a rule that allows lets no call through.
func (b *prover) proveAllow(a *AllowRule, now int64) {
	line := 0
	selects := Selector{Tool: a.Tool}
	var window *Window
	if a.rule != nil {
		line, selects.Agent, selects.Changes, window = a.rule.Line, a.rule.Agent, a.rule.Changes, a.rule.Time
	}
	if now >= a.Until {
		b.addFinding(a.Name, line, AllowsNothing, "its time ended with until")
		return
	}
	of, whole := b.selectCalls(&selects, window)
	for _, c := range a.When {
		if name := "value " + c.Argument.String(); c.Argument.One() && !b.broken[name] {
			test := valueTest{c.Matcher, true}.testKey()
			b.space.restrictTo(of, name, test, true)
		}
	}
	b.leaveOutOthers(of, a)
	if axis := of.emptyAxis(); axis != "" {
		b.addFinding(a.Name, line, AllowsNothing, "no call has such a "+strings.Replace(axis, "value ", "value of ", 1))
		return
	}
	if !whole {
		b.leaveOpen(a.Name)
	}
	var others []*strict
	for i := range b.all {
		if o := &b.all[i]; !o.log && !o.unproved {
			others = append(others, o)
		}
	}
	if by, ok := b.findCover(a.Name, of, others); ok {
		b.addFinding(a.Name, line, AllowsNothing, "each call that it accepts is denied or held: "+joinTitles(by))
	}
}

// leaveOutOthers removes the calls with a value that no condition of a rule that allows
// names, because the rule does not accept them.
func (b *prover) leaveOutOthers(of box, a *AllowRule) {
	if a.Digest != "" || slices.ContainsFunc(a.When, func(c Condition) bool { return !c.Argument.One() }) {
		return
	}
	for name, place := range b.places {
		near := slices.ContainsFunc(a.When, func(c Condition) bool {
			return strings.HasPrefix(place, c.Argument.Place()) || strings.HasPrefix(c.Argument.Place(), place)
		})
		if !near && !b.broken[name] {
			absent := &b.space.axes[name].points[0]
			b.space.keepPoints(of, name, func(p *point) bool { return p == absent })
		}
	}
}

// provePairs finds calls that two rules hold, but that too few people may approve.
func (b *prover) provePairs() {
	var denials []box
	for i := range b.all {
		if s := &b.all[i]; s.rank == 0 && !s.log {
			if s.unproved {
				return // it may deny each of these calls
			}
			denials = append(denials, s.box)
		}
	}
	for i := range b.all {
		for j := range i {
			b.provePair(&b.all[j], &b.all[i], denials)
		}
	}
}

func (b *prover) provePair(s, t *strict, denials []box) {
	if s.rank == 0 || t.rank == 0 || s.log || t.log || s.unproved || t.unproved || s.from == nil && t.from == nil {
		return
	}
	both := s.from
	switch {
	case s.from == nil:
		both = t.from
	case t.from != nil:
		both = slices.DeleteFunc(slices.Clone(s.from), func(name string) bool { return !slices.Contains(t.from, name) })
	}
	people := max(s.people, t.people)
	if s.order > t.order {
		s, t = t, s
	}
	reported := func(f Finding) bool { return f.Kind == NobodyApproves && f.Name == t.name }
	if len(both) >= people || slices.ContainsFunc(b.out.Findings, reported) {
		return
	}
	part, found, whole := b.space.searchUncovered(meetBoxes(s.box, t.box), denials)
	call, known := b.describeCall(part)
	if !found || !whole || !known {
		return
	}
	b.addFinding(t.name, t.line, NobodyApproves, fmt.Sprintf("%s holds the same calls, of which each needs %d people, but the approvers of both rules are only %d: %s", s.fullTitle(), people, len(both), call))
}

// describeCall describes a call of a box. known is false if it is not certain that there is
// one: whether a call changes something depends on its tool, zones have one time, and a
// value may lie inside another one.
func (b *prover) describeCall(of box) (text string, known bool) {
	var parts []string
	names := slices.Sorted(maps.Keys(of))
	for i, name := range names {
		inside := i > 0 && strings.HasPrefix(name, names[i-1])
		second := i > 0 && strings.HasPrefix(name, "time ") && strings.HasPrefix(names[i-1], "time ")
		if name == changesAxis || inside || second {
			return "", false
		}
		label := ""
		for i, in := range of[name] {
			if in && label == "" {
				label = b.space.axes[name].points[i].label
			}
		}
		if label == "" {
			return "", false
		}
		parts = append(parts, strings.TrimPrefix(name, "value ")+" "+label)
	}
	if len(parts) == 0 {
		return "every call", true
	}
	return strings.Join(parts, ", "), true
}
