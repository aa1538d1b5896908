package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/match"
)

// applyRules applies the policy's list of rules to a call. Of the rules that deny, the
// first one gives the reason. Of those that hold, the one with the most people does.
func (c *judged) applyRules(p *Policy, f *facts, a *Ask) {
	_, c.ruling.claim = p.marks(f, a.Key)
	c.why.Counted = c.ruling.claim
	c.ruling.claim = c.ruling.claim || p.ClaimAllowed && c.ruling.allow != ""
	var logged []string
	for i := range p.Rules {
		r := &p.Rules[i]
		why, yes := r.applies(p, f, a.Key, a.Known)
		switch {
		case !yes:
		case r.Log:
			logged = append(logged, r.Name)
		case r.Effect == DenyCall:
			if c.ruling.deny == "" {
				c.ruling.deny = r.denialText(why)
				c.why.Rule, c.why.Line, c.why.RuleText = r.Name, r.Line, why
			}
		default:
			c.holdBy(r, why)
		}
	}
	if c.why.Rule == c.ruling.allow && c.ruling.allow != "" {
		c.why.Line = p.allowLine(c.ruling.allow)
	}
	c.why.Logged = strings.Join(logged, ", ")
}

// holdBy holds the call because of a rule.
func (c *judged) holdBy(r *Rule, why string) {
	c.ruling.ask = true
	c.why.Rules = append(c.why.Rules, r.Name)
	if r.From != nil {
		c.why.From, c.why.FromRules = append(c.why.From, r.From), append(c.why.FromRules, r.Name)
	}
	if r.People > c.ruling.people || r.People == c.ruling.people && c.why.Line == 0 {
		c.ruling.people = r.People
		if c.ruling.deny == "" {
			c.why.Rule, c.why.Line, c.why.RuleText = r.Name, r.Line, why
		}
	}
}

func (p *Policy) allowLine(name string) int {
	for i := range p.Allow {
		if r := p.Allow[i].rule; r != nil && p.Allow[i].Name == name {
			return r.Line
		}
	}
	return 0
}

// permits reports whether the further conditions of a rule that allows are surely met. A
// nil rule has none.
func (r *Rule) permits(p *Policy, f *facts, key []byte, known answers) bool {
	if r == nil {
		return true
	}
	bounds, doubt := r.bounds(p, f, key)
	return r.selects(p, f) == match.Yes && doubt == "" && !slices.ContainsFunc(bounds, func(b Bound) bool { return !known.meets(b) })
}

// Questions returns what the rules must know from the store to decide about calls, sorted.
// It is nil if no rule needs the store.
func (p *Policy) Questions(a *Ask, now int64) []Count {
	if !p.Counts() {
		return nil
	}
	all := map[Count]bool{}
	for i := range a.Calls {
		// What the classifier will say is not known yet, so both answers are asked about.
		f := newFacts(a.Calls[i].Tool, a.Calls[i].Arguments, a.By.Name, mutation.Yes, now)
		p.asked(&f, a.Key, all)
	}
	return sortCounts(all)
}

// Counts reports whether a rule of the policy looks at the rows of claims.
func (p *Policy) Counts() bool {
	for _, r := range p.listedRules() {
		if r.counts() {
			return true
		}
	}
	return len(p.Readings) > 0
}

func sortCounts(all map[Count]bool) []Count {
	return slices.SortedFunc(maps.Keys(all), func(a, b Count) int {
		return slices.Compare([]string{a.Rule, a.Key, formatTime(a.Since), a.Rows, a.Seen}, []string{b.Rule, b.Key, formatTime(b.Since), b.Rows, b.Seen})
	})
}

func formatTime(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano) }

// addMarks returns the answers with the rows that this call will leave, so that several
// calls of one turn count each other.
func (c *judged) addMarks(p *Policy, a *Ask, now int64) map[Count]Tally {
	if len(a.Calls) < 2 || a.Known == nil {
		return a.Known
	}
	f := newFacts(c.tool, c.arguments, a.By.Name, c.why.Mutating, now)
	f.asked = c.why.Asked
	marks, _ := p.marks(&f, a.Key)
	if len(marks) == 0 {
		return a.Known
	}
	known := maps.Clone(a.Known)
	for count, t := range known {
		for _, m := range marks {
			if count.Rows != ExecutedRows && m.Rule == count.Rule && m.Key == count.Key {
				t.N, t.Sum = t.N+1, t.Sum+m.Amount
			}
		}
		known[count] = t
	}
	return known
}

// Handout is what the rules say about the claim of an approved call.
type Handout struct {
	Marks  []Mark  // the rows that the claim leaves
	Bounds []Bound // what the store must say, in the statement of the claim itself
	stop   objection
	always []string // the rules that stop it whatever the store says
	by     []*Rule  // of each bound; nil for one that let the call through
	allow  *Rule    // the rule that did so
	logged []loggedRule
}

// objection is why a call is not handed out, of the strictest rule that objects.
type objection struct {
	Stop     // without a text if it may be handed out
	rank int // strictness of the rule; 0 for an objection of no rule
}

// addStop adds an objection. Of several equally strict ones, the first counts.
func (o *objection) addStop(s Stop, rank int) {
	if o.Text == "" || rank > o.rank {
		*o = objection{s, rank}
	}
}

// strictness orders the effects of rules: the people of a hold, and above them a denial.
func (r *Rule) strictness() int {
	if r.Effect == DenyCall {
		return mostPeople + 1
	}
	return r.People
}

// loggedRule is a rule in mode log that may stop a claim.
type loggedRule struct {
	name   string
	bounds []Bound
	always bool // it does whatever the store says
}

// Counts returns the questions of the bounds.
func (h *Handout) Counts() []Count {
	all := map[Count]bool{}
	for _, b := range h.Bounds {
		all[b.Count] = true
	}
	for i := range h.logged {
		for _, b := range h.logged[i].bounds {
			all[b.Count] = true
		}
	}
	return sortCounts(all)
}

// Logged returns the names of the rules in mode log that would have stopped the claim.
func (h *Handout) Logged(known map[Count]Tally) string {
	return strings.Join(h.loggedNames(known), ", ")
}

func (h *Handout) loggedNames(known map[Count]Tally) (names []string) {
	for i := range h.logged {
		l := &h.logged[i]
		if l.always || slices.ContainsFunc(l.bounds, func(b Bound) bool { return !answers(known).meets(b) }) {
			names = append(names, l.name)
		}
	}
	return names
}

// stopping returns the names of all rules that stop the claim, each alone, or would if they
// were not in mode log.
func (h *Handout) stopping(known map[Count]Tally) map[string]bool {
	out := map[string]bool{}
	for _, name := range append(h.loggedNames(known), h.always...) {
		out[name] = true
	}
	for i, b := range h.Bounds {
		switch by := h.by[i]; {
		case answers(known).meets(b):
		case by != nil:
			out[by.Name] = true
		default:
			out[h.allow.Name] = true
		}
	}
	return out
}

// Objection returns why a call is not handed out, given the answers of the store, without a
// text if it may be.
func (h *Handout) Objection(known map[Count]Tally) Stop {
	out := h.stop
	for i := range h.Bounds {
		switch b, by := &h.Bounds[i], h.by[i]; {
		case answers(known).meets(*b):
		case by == nil:
			out.addStop(h.allow.stopBecause("the rule "+h.allow.Name+" does not let this call through any more: propose the call again"), 0)
		default:
			out.addStop(by.stopText(b.breachText(known)), by.strictness())
		}
	}
	return out.Stop
}

func (r *Rule) stopBecause(text string) Stop { return Stop{Rule: r.Name, Line: r.Line, Text: text} }

// stopText is the answer to a claim that the rule stops.
func (r *Rule) stopText(detail string) Stop {
	why := r.describe(detail)
	switch {
	case r.Effect == DenyCall:
		return r.stopBecause(r.denialText(why))
	case why != "":
		why = " (" + why + ")"
	}
	return r.stopBecause(r.title() + " now needs " + approvalText(r.People) + " for this call" + why + ": propose the call again")
}

func approvalText(people int) string {
	if people > 1 {
		return fmt.Sprintf("the approval of %d people", people)
	}
	return "a person's approval"
}

// Handout applies the rules again when an approved call is claimed. A rule that holds does
// not count if the approvers have seen it.
func (p *Policy) Handout(r *Record, key []byte, now int64) (h Handout) {
	if len(p.Rules) == 0 && !p.Counts() && (r.Needs > 0 || r.Why.Rule == "") {
		return h
	}
	f := newFacts(r.Tool, r.Arguments, r.Principal, r.Why.Mutating, now)
	f.asked = r.Why.Asked
	h.Marks, _ = p.marks(&f, key)
	for i := range p.Rules {
		rule := &p.Rules[i]
		seen := slices.Contains(r.Why.Rules, rule.Name) && r.Needs >= rule.People || rule.Log && slices.Contains(strings.Split(r.Why.Logged, ", "), rule.Name)
		switch {
		case rule.Effect == HoldCall && seen || rule.selects(p, &f) == match.No:
		case rule.Log:
			bounds, doubt := rule.bounds(p, &f, key)
			h.logged = append(h.logged, loggedRule{rule.Name, bounds, doubt != "" || !rule.Requires()})
		default:
			h.require(p, rule, &f, key)
		}
	}
	if r.Needs == 0 && r.Why.Rule != "" {
		p.requireAllowed(r, &f, key, &h)
	}
	return h
}

// require adds the bounds of a rule, or stops the call if it has none.
func (h *Handout) require(p *Policy, r *Rule, f *facts, key []byte) {
	bounds, doubt := r.bounds(p, f, key)
	if doubt != "" || !r.Requires() {
		h.stop.addStop(r.stopText(doubt), r.strictness())
		h.always = append(h.always, r.Name)
	}
	for _, b := range bounds {
		h.Bounds, h.by = append(h.Bounds, b), append(h.by, r)
	}
}

// requireAllowed checks that the rule that let a call through is still in force and met.
func (p *Policy) requireAllowed(r *Record, f *facts, key []byte, h *Handout) {
	for i := range p.Allow {
		a := &p.Allow[i]
		if a.Name != r.Why.Rule {
			continue
		}
		if a.rule != nil {
			bounds, doubt := a.rule.bounds(p, f, key)
			if doubt != "" || a.rule.selects(p, f) != match.Yes {
				break
			}
			h.allow = a.rule
			for _, b := range bounds {
				h.Bounds, h.by = append(h.Bounds, b), append(h.by, nil)
			}
		}
		if f.now < a.Until {
			return
		}
	}
	h.stop.addStop(Stop{Rule: r.Why.Rule, Text: "the policy's rule " + r.Why.Rule + " is not in force any more: propose the call again"}, 0)
}

// MayApprove reports whether an approver is in each of the lists that the rules require.
// otherwise names the first rule whose list lacks the approver.
func (w *Why) MayApprove(name string) (may bool, otherwise string) {
	for i, list := range w.From {
		if slices.Contains(list, name) {
			continue
		}
		if i < len(w.FromRules) {
			return false, w.FromRules[i]
		}
		return false, w.Rule // a record of an older version
	}
	return true, ""
}
