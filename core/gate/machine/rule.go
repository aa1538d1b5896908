package machine

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/gate/naming"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// The effects of a rule, strictest first.
const (
	DenyCall  = "deny"
	HoldCall  = "hold"
	AllowCall = "allow"
)

// Rule is one rule of the policy's list. Selector and Time select calls. If the rule
// has a requirement (AtMost, After, AfterReading, Hosts), its effect applies to the selected calls that fail
// the requirement; a rule that allows applies to those that meet it. Of all rules that
// apply, the strictest wins.
//
// Everything that is not certain makes the gate stricter: a value that may or may not be
// what a matcher says, a zone whose clock is not known, rows that could not be read.
type Rule struct {
	Name string
	Line int // in the policy's text
	Selector
	Time         *Window
	AtMost       *Limit
	After        *Earlier
	AfterReading string       // the name of a reading, see Policy.Readings; "" for none
	Hosts        *match.Hosts // the only hosts that the call may reach; nil for all
	Effect       string
	People       int      // of a hold: approvers that are needed
	From         []string // of a hold: the approvers that count; nil for all
	Log          bool     // the rule is only written into the audit
	Reason       string
}

// Selector selects calls by what they are. The zero Selector selects all.
type Selector struct {
	Tool    string // name or pattern; "" for every tool
	Agent   string
	When    []Demand
	Changes bool   // only calls that change something, or may do so
	Asked   string // only calls for which this one asked: AskedUser, AskedData, AskedNobody; "" for all
}

// Demand is a matcher for the values at a path of the arguments. It holds if one of the
// values fits.
type Demand struct {
	Argument *path.Path
	Matcher  *match.Matcher
}

// Limit is a number of claims, or a sum over them, in a moving window of time.
type Limit struct {
	N        int64      // of claims; 0 if Sum limits
	Sum      *path.Path // the argument that is added up; nil for none
	Max      int64      // of the sum, in millionths
	Currency string     // in which the sum is, by the argument currency beside it; "" if there is no such argument
	Per      int64      // milliseconds
	ByAgent  bool
	By       []*path.Path // arguments whose values are counted apart
}

// Earlier requires a call that the same agent has claimed before, within a time.
type Earlier struct {
	Tool     string
	Where    []Same
	Executed bool // and that it was reported as executed
	Within   int64
	fromWhen bool // conditions with sameAs require it
}

// Same is an argument of a call that has the same value in the earlier call: in its
// argument Earlier or, if Result is set, in its result.
type Same struct {
	Argument, Earlier *path.Path
	Result            bool
}

// Reading is a sort of call, after which rules with its name apply.
type Reading struct {
	Any    []Selector
	Within int64 // milliseconds
}

// facts is what rules look at: one call, at a time.
type facts struct {
	tool, agent string
	name        *naming.Name
	arguments   jsonval.Value // Missing if they cannot be read
	changes     bool
	asked       *proposal.Asker // who asked; nil if it is not known
	now         int64
}

func newFacts(tool, arguments, agent string, m mutation.Tri, now int64) facts {
	f := facts{tool: tool, name: naming.Read(tool), agent: agent, changes: m != mutation.No, now: now}
	if v, err := jsonval.Parse(arguments); err == nil && v.Kind() == jsonval.Object {
		f.arguments = v
	}
	return f
}

// selects reports whether the selector selects a call.
func (s *Selector) selects(f *facts) match.Answer {
	out := match.Yes
	if s.Tool != "" {
		out = f.name.Fits(s.Tool)
	}
	if out == match.No || s.Agent != "" && !match.Name(s.Agent, f.agent) || s.Changes && !f.changes {
		return match.No
	}
	if s.Asked != "" {
		out = min(out, f.askedFits(s.Asked))
	}
	for i := range s.When {
		out = min(out, s.When[i].holds(f.arguments))
	}
	return out
}

// holds reports whether one of the values at the path fits. A value that is absent fits if
// it is optional, or if it fits as null.
func (d *Demand) holds(arguments jsonval.Value) match.Answer {
	if !arguments.Exists() {
		return match.Unknown
	}
	return match.Find(arguments, d.Argument).Holds(d.Matcher)
}

// Requires reports whether the rule has a requirement.
func (r *Rule) Requires() bool { return r.counts() || r.Hosts != nil }

// counts reports whether the rule looks at the rows of claims.
func (r *Rule) counts() bool { return r.AtMost != nil || r.After != nil || r.AfterReading != "" }

// selects reports whether the rule is about a call at its time.
func (r *Rule) selects(p *Policy, f *facts) match.Answer {
	out := r.Selector.selects(f)
	if r.Time != nil && out != match.No {
		out = min(out, r.Time.holds(p.Zone, f.now))
	}
	return out
}

// answers holds the tallies of the rows that rules ask about. A nil map knows nothing.
type answers map[Count]Tally

// applies reports whether the effect of a rule that denies or holds applies to a call, and
// why. key is the secret of the rows.
func (r *Rule) applies(p *Policy, f *facts, key []byte, known answers) (why string, yes bool) {
	if r.selects(p, f) == match.No {
		return "", false
	}
	bounds, doubt := r.bounds(p, f, key)
	if doubt != "" || !r.Requires() {
		return r.describe(doubt), true
	}
	for _, b := range bounds {
		if !known.meets(b) {
			return r.describe(b.breachText(known)), true
		}
	}
	return "", false
}

func (a answers) meets(b Bound) bool {
	t, ok := a[b.Count]
	return ok && b.Holds(t)
}

// breachText says what the answers tell about a bound that they do not meet; "" if the rule
// itself says it.
func (b *Bound) breachText(known answers) string {
	t, ok := known[b.Count]
	switch {
	case !ok:
		return "the rows that it counts could not be read"
	case b.uncounted:
		return "a call in this time could not be counted"
	case b.MostSum != noLimit:
		return formatMillionths(t.Sum) + " of it are used"
	}
	return ""
}

// describe returns the rule's reason, or what it requires, and after it a detail unless
// this is "".
func (r *Rule) describe(detail string) string {
	out := r.requirementText()
	if out != "" && detail != "" {
		out += "; "
	}
	return out + detail
}

func (r *Rule) requirementText() string {
	if r.Reason != "" {
		return r.Reason
	}
	var parts []string
	if l := r.AtMost; l != nil {
		parts = append(parts, l.describe())
	}
	if a := r.After; a != nil {
		parts = append(parts, a.describe())
	}
	if r.Hosts != nil {
		parts = append(parts, "only the hosts "+r.Hosts.String())
	}
	if r.AfterReading != "" {
		parts = append(parts, "after reading: "+r.AfterReading)
	}
	if r.Time != nil {
		parts = append(parts, r.Time.String())
	}
	if r.Asked != "" {
		parts = append(parts, describeAsked(r.Asked))
	}
	if len(parts) == 0 && r.Changes {
		parts = append(parts, "the call changes something, or may do so")
	}
	return strings.Join(parts, "; ")
}

// title names the rule with its line, as refusals show it.
func (r *Rule) title() string { return fmt.Sprintf("the rule %q (line %d)", r.Name, r.Line) }

// denialText refuses a call because of what describe says.
func (r *Rule) denialText(why string) string {
	if why != "" {
		return r.title() + ": " + why
	}
	return r.title() + " denies this call"
}

func (l *Limit) describe() string {
	what := countText(l.N, "call")
	if l.Sum != nil {
		what = "a sum of " + formatMillionths(l.Max)
		if l.Currency != "" {
			what += " " + l.Currency
		}
	}
	var by []string
	if l.ByAgent {
		by = append(by, "agent")
	}
	for _, p := range l.By {
		by = append(by, p.String())
	}
	out := "at most " + what + " in " + formatSpan(l.Per)
	if len(by) > 0 {
		out += " for each " + strings.Join(by, " and ")
	}
	return out
}

func (e *Earlier) describe() string {
	var same, returned []string
	for _, s := range e.Where {
		if s.Result {
			returned = append(returned, s.Argument.String())
		} else {
			same = append(same, s.Argument.String())
		}
	}
	out := e.Tool + " must come first"
	if e.Executed {
		out += " and be executed"
	}
	if len(same) > 0 {
		out += ", with the same " + strings.Join(same, " and ")
	}
	if len(returned) > 0 {
		out += ", with this " + strings.Join(returned, " and ") + " in its result"
	}
	return out
}

// formatSpan returns a time such as 1h or 30d.
func formatSpan(ms int64) string {
	for _, u := range [...]struct {
		ms   int64
		unit string
	}{{dayMS, "d"}, {3600_000, "h"}, {60_000, "m"}} {
		if ms >= u.ms && ms%u.ms == 0 {
			return strconv.FormatInt(ms/u.ms, 10) + u.unit
		}
	}
	return strconv.FormatInt(ms/1000, 10) + "s"
}

func formatMillionths(n int64) string {
	out := strconv.FormatInt(n/1e6, 10)
	if n%1e6 != 0 {
		out += "." + strings.TrimRight(fmt.Sprintf("%06d", n%1e6), "0")
	}
	return out
}
