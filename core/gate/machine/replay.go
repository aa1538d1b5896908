package machine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/proposal"
)

// Rows are the rows of one tenant in memory. They answer like the tables of a store. The
// zero value has no rows.
type Rows struct {
	byKey   map[[2]string][]*rowInMemory // rule and key
	byClaim map[string][]*rowInMemory
}

type rowInMemory struct {
	Mark
	state State
}

// Claim adds the rows of a claim. A row is never earlier than the rows of its key, so that
// nothing leaves a window early when a clock was set back.
func (r *Rows) Claim(claim string, marks []Mark) {
	if r.byKey == nil {
		r.byKey, r.byClaim = map[[2]string][]*rowInMemory{}, map[string][]*rowInMemory{}
	}
	for _, m := range marks {
		at := [2]string{m.Rule, m.Key}
		if list := r.byKey[at]; len(list) > 0 {
			m.At = max(m.At, list[len(list)-1].At)
		}
		row := &rowInMemory{m, Claimed}
		r.byKey[at] = append(r.byKey[at], row)
		r.byClaim[claim] = append(r.byClaim[claim], row)
	}
}

// Settle gives the rows of a claim their outcome.
func (r *Rows) Settle(claim string, to State, seen []Mark) {
	for _, row := range r.byClaim[claim] {
		row.state = to
		for _, m := range seen {
			if m.Rule == row.Rule {
				row.Seen = m.Seen
			}
		}
	}
}

// Tally answers a count. O(rows in the window).
func (r *Rows) Tally(c Count) (t Tally) {
	list := r.byKey[[2]string{c.Rule, c.Key}]
	for i := len(list) - 1; i >= 0 && list[i].At > c.Since; i-- {
		row := list[i]
		live := c.Rows == AllRows || c.Rows == LiveRows && row.state != Failed || string(row.state) == c.Rows
		if live && (c.Seen == "" || c.Seen == row.Seen) {
			t.N, t.Sum = t.N+1, t.Sum+row.Amount
		}
	}
	return t
}

func (r *Rows) tallies(counts []Count) map[Count]Tally {
	out := make(map[Count]Tally, len(counts))
	for _, c := range counts {
		out[c] = r.Tally(c)
	}
	return out
}

// Replay decides calls of a history one after another, with rows of its own. It tests a
// policy without a store.
type Replay struct {
	Policy *Policy
	rows   Rows
	hits   map[string]*Hits
}

// Hits counts what a rule did in a replay.
type Hits struct {
	Applied int // calls to which its effect applied
	Decided int // of these, those for which no stricter rule applied
}

// Decided is the decision on one call of a replay.
type Decided struct {
	Verdict string // proposal.Allow, proposal.Confirm (a person is asked) or Denial
	People  int    // approvers that are needed
	Rule    string // that decided; "" if none did
	Line    int
	Reason  string
	Logged  string // rules in mode log that would have applied
	record  Record
}

// replayKey is the key of the rows of a replay, which nobody else sees.
var replayKey = []byte("replay")

// Decide decides a call at a time. A call that only has to be claimed counts as allowed.
func (x *Replay) Decide(id string, by Principal, c proposal.Proposal, now int64) Decided {
	a := Ask{By: by, Calls: []proposal.Proposal{c}, IDs: []string{id}, Key: replayKey}
	a.Known = x.rows.tallies(x.Policy.Questions(&a, now))
	j := judgeCall(x.Policy, c, &a, now)
	m := newMember(&j)
	out := Decided{Verdict: m.Verdict, Rule: j.why.Rule, Line: j.why.Line, Reason: m.Reason, Logged: j.why.Logged, record: newRecord(x.Policy, a, &j, 0, now)}
	if out.Verdict == proposal.Confirm {
		if out.People = out.record.Needs; out.People == 0 {
			out.Verdict = proposal.Allow
		}
	}
	x.countHits(&j, &a, now)
	return out
}

// countHits records which rules applied to a call.
func (x *Replay) countHits(j *judged, a *Ask, now int64) {
	if x.hits == nil {
		x.hits = map[string]*Hits{}
	}
	hit := func(name string, decided bool) {
		h := x.hits[name]
		if h == nil {
			h = &Hits{}
			x.hits[name] = h
		}
		if h.Applied++; decided {
			h.Decided++
		}
	}
	f := newFacts(j.tool, j.arguments, a.By.Name, j.why.Mutating, now)
	for i := range x.Policy.Rules {
		if r := &x.Policy.Rules[i]; r.applies(x.Policy, &f, a.Key, a.Known) {
			hit(r.Name, r.Log || j.why.Rule == r.Name)
		}
	}
	if j.ruling.allow != "" {
		hit(j.ruling.allow, !j.ruling.ask && j.ruling.deny == "")
	}
}

// Claim hands a decided call out, as the gate would after enough people have approved it.
// It returns why the rules do not let it, or "".
func (x *Replay) Claim(d *Decided, now int64) string {
	h := x.Policy.Handout(&d.record, replayKey, now)
	if why := h.Objection(x.rows.tallies(h.Counts())); why != "" {
		return why
	}
	x.rows.Claim(d.record.ID, h.Marks)
	return ""
}

// Settle records the outcome of a call that was handed out, with its result as text.
func (x *Replay) Settle(d *Decided, to State, result string) {
	var seen []Mark
	if to == Executed {
		seen = x.Policy.Results(&d.record, result, replayKey)
	}
	x.rows.Settle(d.record.ID, to, seen)
}

// RuleHits is a rule with what it did in a replay.
type RuleHits struct {
	Name string
	Line int
	Hits
}

// Coverage returns what each rule of the policy did, in the order of the file.
func (x *Replay) Coverage() (out []RuleHits) {
	for _, r := range x.Policy.listed() {
		c := RuleHits{Name: r.Name, Line: r.Line}
		if h := x.hits[r.Name]; h != nil {
			c.Hits = *h
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b RuleHits) int { return a.Line - b.Line })
	return out
}
