package machine

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/gate/naming"
)

const dayMS = 24 * 60 * 60 * 1000

// Mark is one row that a claim leaves for a rule: that a call with these values was
// handed out. The row follows the state of the call. Nothing that an agent says makes or
// removes one.
type Mark struct {
	Rule   string // "rule NAME" or "reading NAME"
	Key    string // keyed hash of the values that the rule tells apart
	Amount int64  // what the call adds to the rule's sum, in millionths
	At     int64  // time of the claim
	Until  int64  // after which the row is not needed
	Seen   string // keyed hash of values in the result; set when the outcome is known
}

// Which rows a Count counts.
const (
	LiveRows     = "live"     // all but those of failed calls
	ExecutedRows = "executed" // those of calls that were reported as executed
	AllRows      = "all"
)

// Count is a question about the rows of one tenant: how many with this rule and key there
// are after a time, and the sum of their amounts. Of other rows than live ones, only whether
// there are any: the answer is 1 or 0, and no sum.
type Count struct {
	Rule, Key string
	Since     int64 // rows at this time or before do not count
	Rows      string
	Seen      string // only rows with this hash; "" for all. Not of live rows
}

// Tally answers a Count.
type Tally struct{ N, Sum int64 }

// Bound is a Count with what its answer must be.
type Bound struct {
	Count
	Least, Most int64 // of Tally.N
	MostSum     int64 // of Tally.Sum
	uncounted   bool  // it counts the claims that the limit could not count
}

// noLimit stands for no limit in a Bound.
const noLimit = 1 << 62

// Holds reports whether an answer is as it must be.
func (b Bound) Holds(t Tally) bool { return t.N >= b.Least && t.N <= b.Most && t.Sum <= b.MostSum }

// keep is the time that rows are kept beyond their window, because clocks differ.
const keep = dayMS

// rowKey returns the keyed hash of fields.
func rowKey(key []byte, fields ...string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(hashOf(fields...)))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// bounds returns what the rows must say for a rule's requirement. doubt is not "" if this
// cannot be told, because the arguments are ambiguous, the amount cannot be added, or the
// call may reach another host: what is not known of the call.
func (r *Rule) bounds(p *Policy, f *facts, key []byte) (out []Bound, doubt string) {
	if r.AtMost != nil {
		out, doubt = r.limitBounds(f, key)
	}
	if r.Hosts != nil {
		doubt = cmp.Or(doubt, r.Hosts.Stray(f.arguments))
	}
	if e := r.After; e != nil {
		b := Bound{Count: Count{Rule: "rule " + r.Name, Since: f.now - e.Within, Rows: LiveRows}, Least: 1, Most: noLimit, MostSum: noLimit}
		if e.Executed {
			b.Rows = ExecutedRows
		}
		doubt = cmp.Or(doubt, e.locate(f, key, r, &b.Count))
		out = append(out, b)
	}
	if r.AfterReading != "" {
		mark := p.readingMark(r.AfterReading, f, key)
		out = append(out, Bound{Count: Count{Rule: mark.Rule, Key: mark.Key, Since: f.now - p.Readings[r.AfterReading].Within, Rows: AllRows}, Most: 0, MostSum: noLimit})
	}
	return out, doubt
}

// limitKeys returns the key of the rows that count with a call, and the keys of those that
// could not be counted and may belong to it: those with its values of by but another
// amount, and those whose values of by are not known. doubt says which value of the call
// is not surely one; then the first key is none.
func (r *Rule) limitKeys(f *facts, key []byte) (counted string, uncounted []string, doubt string) {
	l, fields := r.AtMost, []string{"limit", r.Name}
	if l.ByAgent {
		fields = append(fields, "agent", f.agent)
	}
	uncounted = []string{rowKey(key, append(fields, "uncounted")...)}
	for _, p := range l.By {
		value, one := countedValue(f.arguments, p)
		if !one {
			return "", uncounted, p.String() + " is not surely one plain value"
		}
		fields = append(fields, p.String(), value)
	}
	if len(l.By) > 0 && l.Sum != nil {
		uncounted = append(uncounted, rowKey(key, append(fields, "uncounted")...))
	}
	return rowKey(key, fields...), uncounted, ""
}

// limitBounds returns what the rows must say for the rule's limit. A claim that could not
// be counted may have used all of it, so there must be none.
func (r *Rule) limitBounds(f *facts, key []byte) (out []Bound, doubt string) {
	l := r.AtMost
	counted, uncounted, doubt := r.limitKeys(f, key)
	b := Bound{Count: Count{Rule: "rule " + r.Name, Key: counted, Since: f.now - l.Per, Rows: LiveRows}, Most: noLimit, MostSum: noLimit}
	for _, b.Key = range uncounted {
		out = append(out, b)
		out[len(out)-1].Most, out[len(out)-1].uncounted = 0, true
	}
	if doubt != "" {
		return out, doubt
	}
	if b.Key = counted; l.Sum == nil {
		b.Most = l.N - 1
		return append(out, b), ""
	}
	amount, doubt := l.amountOf(f.arguments)
	b.MostSum = l.Max - amount
	return append(out, b), doubt
}

// limitMark returns the row that a call leaves for the rule's limit. It is never lost: a
// call that cannot be counted leaves a row that all calls meet to which it may belong.
func (r *Rule) limitMark(f *facts, key []byte) Mark {
	counted, uncounted, doubt := r.limitKeys(f, key)
	m := Mark{Rule: "rule " + r.Name, Key: counted, At: f.now, Until: f.now + r.AtMost.Per + keep}
	if r.AtMost.Sum != nil {
		m.Amount, _ = r.AtMost.amountOf(f.arguments)
	}
	if doubt != "" || m.Amount < 0 {
		m.Key, m.Amount = uncounted[len(uncounted)-1], 0
	}
	return m
}

// amountOf returns the amount of a call in millionths. doubt says why it is not within the
// limit whatever has been spent: it is not a number from 0 to a billion with at most six
// decimals, or in another currency. Then n is -1 if it is not known, and 0 for a number
// that is surely negative.
func (l *Limit) amountOf(arguments jsonval.Value) (n int64, doubt string) {
	place, one := match.Find(arguments, l.Sum).One()
	number, isNumber := match.ReadNumber(place.Value)
	n, fits := number.Scaled(6)
	switch {
	case !one || !isNumber || !fits && number.Compare(match.Number{}) >= 0:
		return -1, l.Sum.String() + " is not surely one number from 0 to 999999999.999999 with at most six decimals"
	case !fits:
		n, doubt = 0, l.Sum.String()+" is negative"
	}
	if l.Currency == "" {
		return n, doubt
	}
	beside := place.At
	beside = beside[:strings.LastIndexByte(beside, '.')+1] + "currency"
	if p, err := path.CompilePlaces(beside); err == nil {
		currency, ok := match.Find(arguments, p).One()
		if ok && currency.Value.Kind() == jsonval.String && currency.Value.Text() == l.Currency {
			return n, doubt
		}
	}
	return -1, beside + " is not " + l.Currency
}

// afterFields are the first fields of the key of an earlier call. The two calls must have the
// same place: behind the namespace of the other one, or where the policy says.
func afterFields(rule, agent, place string) []string {
	if place != "" {
		return []string{"after", rule, agent, "in " + place}
	}
	return []string{"after", rule, agent}
}

// placeOf returns the namespace behind which the earlier tool of a call must stand. If the
// policy writes the earlier tool's namespace, it may be any other one than that of the call.
func (r *Rule) placeOf(tool string) string {
	if naming.SpelledNamespace(r.After.Tool) != "" {
		return ""
	}
	return r.openPlace(r.Tool, tool)
}

// earlierPlace returns the namespace in which an earlier tool stands.
func (r *Rule) earlierPlace(tool string) string {
	if naming.SpelledNamespace(r.After.Tool) != "" {
		return naming.NamespaceOf(r.After.Tool, tool)
	}
	return r.openPlace(r.After.Tool, tool)
}

// openPlace returns the namespace of a tool that a pattern leaves open, such as mcp__shop__.
// The one that the rule writes for its own tool counts as none, so that the earlier tool may
// stand there, or in none.
func (r *Rule) openPlace(pattern, tool string) string {
	place := naming.NamespaceOf(pattern, tool)
	if place == "" && naming.SpelledNamespace(pattern) == "" {
		place = naming.ServerOf(tool)
	}
	if place == naming.SpelledNamespace(r.Tool) {
		return ""
	}
	return place
}

// locate sets the key of the earlier call, and the hash of its result, that a call of a rule
// requires. doubt says which value is not surely one.
func (e *Earlier) locate(f *facts, key []byte, r *Rule, c *Count) (doubt string) {
	fields, seen := afterFields(r.Name, f.agent, r.placeOf(f.tool)), []string{"seen", r.Name}
	for _, s := range e.Where {
		value, one := exactValue(f.arguments, s.Argument)
		if !one {
			doubt = s.Argument.String() + " is not surely one plain value"
		}
		if s.Result {
			seen = append(seen, value)
		} else {
			fields = append(fields, value)
		}
	}
	c.Key = rowKey(key, fields...)
	if len(seen) > 2 {
		c.Seen = rowKey(key, seen...)
	}
	return doubt
}

// isBy reports whether a call of a tool may be the earlier one: the tool itself, or the one
// of this name behind a namespace.
func (e *Earlier) isBy(tool string) bool {
	return match.Name(e.Tool, tool) || naming.NamespaceOf(e.Tool, tool) != ""
}

// earlierMark returns the row that the earlier call of a rule leaves.
func (r *Rule) earlierMark(f *facts, key []byte) (m Mark, ok bool) {
	fields := afterFields(r.Name, f.agent, r.earlierPlace(f.tool))
	ok = true
	for _, s := range r.After.Where {
		if !s.Result {
			value, one := exactValue(f.arguments, s.Earlier)
			fields, ok = append(fields, value), ok && one
		}
	}
	return Mark{Rule: "rule " + r.Name, Key: rowKey(key, fields...), At: f.now, Until: f.now + r.After.Within + keep}, ok
}

func (p *Policy) readingMark(name string, f *facts, key []byte) Mark {
	return Mark{Rule: "reading " + name, Key: rowKey(key, "reading", name, f.agent), At: f.now, Until: f.now + p.Readings[name].Within + keep}
}

// listedRules returns all rules of the list, also those that allow.
func (p *Policy) listedRules() []*Rule {
	var all []*Rule
	for i := range p.Rules {
		all = append(all, &p.Rules[i])
	}
	for i := range p.Allow {
		if p.Allow[i].rule != nil {
			all = append(all, p.Allow[i].rule)
		}
	}
	return all
}

// marks returns the rows that a claim of a call leaves. needed reports whether a rule that
// is in force needs one of them, so that the call must be claimed before it runs.
func (p *Policy) marks(f *facts, key []byte) (out []Mark, needed bool) {
	for _, r := range p.listedRules() {
		if r.AtMost != nil && r.selects(p, f) != match.No {
			out, needed = append(out, r.limitMark(f, key)), needed || !r.Log
		}
		if r.After != nil && r.After.isBy(f.tool) {
			if m, ok := r.earlierMark(f, key); ok {
				out, needed = append(out, m), needed || !r.Log
			}
		}
	}
	for _, name := range p.readingNames {
		for i := range p.Readings[name].Any {
			if p.Readings[name].Any[i].selects(f) != match.No {
				out, needed = append(out, p.readingMark(name, f, key)), true
				break
			}
		}
	}
	return out, needed
}

// asked adds the counts that the rules need to decide about a call.
func (p *Policy) asked(f *facts, key []byte, to map[Count]bool) {
	add := func(r *Rule) {
		if r != nil && r.selects(p, f) != match.No {
			bounds, _ := r.bounds(p, f, key)
			for _, b := range bounds {
				to[b.Count] = true
			}
		}
	}
	for i := range p.Rules {
		add(&p.Rules[i])
	}
	for i := range p.Allow {
		add(p.Allow[i].rule)
	}
}
