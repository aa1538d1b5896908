package machine

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
)

// Rows are the rows of one tenant in memory. They answer like the tables of a store. The
// zero value has no rows.
type Rows struct {
	byKey   map[[2]string]*rowList // rule and key
	byClaim map[string][]*rowInMemory
}

type rowInMemory struct {
	Mark
	state State
	list  *rowList
	index int // in the list
}

// rowList holds the rows of a rule and key in the order of their times. live is the tally
// of those from index first on, so that a history in the order of time takes constant time
// for each call.
type rowList struct {
	rows  []*rowInMemory
	first int
	live  Tally
}

// Claim adds the rows of a claim. A row is never earlier than the rows of its key, so that
// nothing leaves a window early when a clock was set back.
func (r *Rows) Claim(claim string, marks []Mark) {
	if r.byKey == nil {
		r.byKey, r.byClaim = map[[2]string]*rowList{}, map[string][]*rowInMemory{}
	}
	for _, m := range marks {
		at := [2]string{m.Rule, m.Key}
		l := r.byKey[at]
		if l == nil {
			l = &rowList{}
			r.byKey[at] = l
		}
		if n := len(l.rows); n > 0 {
			m.At = max(m.At, l.rows[n-1].At)
		}
		row := &rowInMemory{m, Claimed, l, len(l.rows)}
		l.rows = append(l.rows, row)
		l.live.N, l.live.Sum = l.live.N+1, l.live.Sum+m.Amount
		r.byClaim[claim] = append(r.byClaim[claim], row)
	}
}

// Settle gives the rows of a claim their outcome. A failed claim counts no more, until a later
// report says otherwise.
func (r *Rows) Settle(claim string, to State, seen []Mark) {
	for _, row := range r.byClaim[claim] {
		if row.index >= row.list.first {
			row.list.addLive(row, -1)
		}
		if row.state = to; row.index >= row.list.first {
			row.list.addLive(row, 1)
		}
		for _, m := range seen {
			if m.Rule == row.Rule {
				row.Seen = m.Seen
			}
		}
	}
}

// Tally answers a count. O(1) amortised for LiveRows in the order of time, else O(rows in
// the window).
func (r *Rows) Tally(c Count) (t Tally) {
	l := r.byKey[[2]string{c.Rule, c.Key}]
	if l == nil {
		return t
	}
	if c.Rows == LiveRows {
		return l.tallyLive(c.Since)
	}
	for i := len(l.rows) - 1; i >= 0 && l.rows[i].At > c.Since; i-- {
		row := l.rows[i]
		live := c.Rows == AllRows || string(row.state) == c.Rows
		if live && (c.Seen == "" || c.Seen == row.Seen) {
			return Tally{N: 1}
		}
	}
	return t
}

// tallyLive moves the beginning of the window to a time.
func (l *rowList) tallyLive(since int64) Tally {
	for ; l.first < len(l.rows) && l.rows[l.first].At <= since; l.first++ {
		l.addLive(l.rows[l.first], -1)
	}
	for ; l.first > 0 && l.rows[l.first-1].At > since; l.first-- {
		l.addLive(l.rows[l.first-1], 1)
	}
	return l.live
}

// addLive adds a row to the tally of the window, or takes it out, unless it is failed.
func (l *rowList) addLive(row *rowInMemory, sign int64) {
	if row.state != Failed {
		l.live.N, l.live.Sum = l.live.N+sign, l.live.Sum+sign*row.Amount
	}
}

func (r *Rows) tallyCounts(counts []Count) map[Count]Tally {
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
	Stopped int // claims that it stopped, alone or with other rules; in mode log, would have stopped
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
	return x.DecideTurn(Ask{By: by, Calls: []proposal.Proposal{c}, IDs: []string{id}}, now)[0]
}

// DecideTurn decides the calls of one turn as Propose does: if one is denied, all are. The
// rows come from the replay, freezes and earlier denials from the caller.
func (x *Replay) DecideTurn(a Ask, now int64) []Decided {
	a.Key = replayKey
	a.Known = x.rows.tallyCounts(x.Policy.Questions(&a, now))
	out := make([]Decided, len(a.Calls))
	denied := false
	for i, c := range a.Calls {
		j := judgeCall(x.Policy, c, &a, now)
		x.countHits(&j, &a, now)
		j.stopCall(x.Policy, &a, i, now)
		a.Known = j.addMarks(x.Policy, &a, now)
		m := newMember(&j)
		d := Decided{Verdict: m.Verdict, Rule: j.why.Rule, Line: j.why.Line, Reason: m.Reason, Logged: j.why.Logged, record: newRecord(x.Policy, a, &j, i, now)}
		if d.Verdict == proposal.Confirm {
			if d.People = d.record.Needs; d.People == 0 {
				d.Verdict = proposal.Allow
			}
		}
		out[i], denied = d, denied || d.Verdict == Denial
	}
	for i := range out {
		if d := &out[i]; denied && d.Verdict != Denial {
			*d = Decided{Verdict: Denial, Reason: SiblingDenied, Logged: d.Logged, record: d.record}
		}
	}
	return out
}

// DecideEdit decides what an approver put in the place of a decided call, under a new id.
func (x *Replay) DecideEdit(d *Decided, id, by, arguments string, now int64) Decided {
	e := Event{Kind: EditCall, By: Principal{Tenant: d.record.Tenant, Name: by, Role: Approver}, ID: id, Arguments: arguments}
	a := EditAsk(&d.record, Principal{}, &e)
	a.Key = replayKey
	a.Known = x.rows.tallyCounts(x.Policy.Questions(&a, now))
	j := judgeCall(x.Policy, a.Calls[0], &a, now)
	x.countHits(&j, &a, now)
	m := newMember(&j)
	out := Decided{Verdict: m.Verdict, Rule: j.why.Rule, Line: j.why.Line, Reason: m.Reason, Logged: j.why.Logged, record: newRecord(x.Policy, a, &j, 0, now)}
	if out.Verdict == proposal.Confirm {
		out.People = out.record.Needs
	}
	return out
}

// Refused returns the record of the call after a person has denied it.
func (d *Decided) Refused(v Vote) Record {
	r := d.record
	r.State, r.Votes = Denied, []Vote{v}
	return r
}

// Call returns the tool and the arguments of the call.
func (d *Decided) Call() (tool, arguments string) { return d.record.Tool, d.record.Arguments }

// countHits records which rules applied to a call.
func (x *Replay) countHits(j *judged, a *Ask, now int64) {
	hit := func(name string, decided bool) {
		h := x.hitsOf(name)
		if h.Applied++; decided {
			h.Decided++
		}
	}
	f := newFacts(j.tool, j.arguments, a.By.Name, j.why.Mutating, now)
	f.asked = j.why.Asked
	for i := range x.Policy.Rules {
		r := &x.Policy.Rules[i]
		if _, yes := r.applies(x.Policy, &f, a.Key, a.Known); yes {
			hit(r.Name, !r.Log && j.why.Rule == r.Name)
		}
	}
	if j.ruling.allow != "" {
		hit(j.ruling.allow, !j.ruling.ask && j.ruling.deny == "")
	}
}

func (x *Replay) hitsOf(name string) *Hits {
	if x.hits == nil {
		x.hits = map[string]*Hits{}
	}
	if x.hits[name] == nil {
		x.hits[name] = &Hits{}
	}
	return x.hits[name]
}

// Claim hands a decided call out, as the gate would after enough people have approved it,
// whatever they did in the history. It returns why the policy does not, without a text if it
// does.
func (x *Replay) Claim(d *Decided, now int64) Stop {
	why, marks := x.TryClaim(d, now)
	if why.Text == "" {
		x.rows.Claim(d.record.ID, marks)
	}
	return why
}

// TryClaim says what Claim would, and which rows it would leave. It counts the rules that stop
// the claim.
func (x *Replay) TryClaim(d *Decided, now int64) (Stop, []Mark) {
	if d.Verdict == Denial {
		return Stop{Rule: d.Rule, Line: d.Line, Text: d.Reason}, nil
	}
	h := x.Policy.Handout(&d.record, replayKey, now)
	known := x.rows.tallyCounts(h.Counts())
	for name := range h.stopping(known) {
		x.hitsOf(name).Stopped++
	}
	return h.Objection(known), h.Marks
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
	Log  bool // it is in mode log
	Hits
}

// Coverage returns what each rule of the policy did, in the order of the file.
func (x *Replay) Coverage() (out []RuleHits) {
	for _, r := range x.Policy.listedRules() {
		c := RuleHits{Name: r.Name, Line: r.Line, Log: r.Log}
		if h := x.hits[r.Name]; h != nil {
			c.Hits = *h
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b RuleHits) int { return a.Line - b.Line })
	return out
}
