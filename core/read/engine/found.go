package engine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// DecodeFound reads a text of unknown format that contains conversations. The text is one
// run or a list of rows. A row is a run, a part of a run, or a snapshot of a growing run.
func DecodeFound(d *Decoder, in Batch) {
	in.Values = labelledRows(in.Values)
	inside := inner{rows: in.Values}
	if in.Outer == nil && !d.oneRun {
		if found := recordsIn(in.Values); found.rows != nil {
			inside = found
		}
	}
	before := len(d.Trajectories)
	for _, g := range inside.apart(d.groupRows(inside.rows)) {
		if len(g.Rows) == 1 {
			d.Within(g.Rows[0], func() { d.readGroup(g, in.Outer) })
		} else {
			d.readGroup(g, in.Outer)
		}
	}
	inside.complete(d, d.Trajectories[before:])
}

// apart returns groups of rows in which the records of a map, each of which has a name there, are joined only if they
// say so.
func (in *inner) apart(groups []envelope.Group) (out []envelope.Group) {
	if in.names == nil {
		return groups
	}
	for _, g := range groups {
		if !g.Joined {
			out = append(out, g)
			continue
		}
		for i := range g.Rows {
			out = append(out, envelope.Group{Rows: g.Rows[i : i+1]})
		}
	}
	return out
}

// readGroup reads the rows of one run without a format. outer is the object around the
// rows, or nil.
func (d *Decoder) readGroup(g envelope.Group, outer *shape.Object) {
	r := d.NewFindingRun()
	CopyMeta(&r.Trajectory, outer)
	if n := len(g.Rows); n > 1 && r.Trajectory.ID == "" && shape.ThreadOf(shape.OpenObject(g.Rows[0])) == shape.ThreadOf(shape.OpenObject(g.Rows[n-1])) {
		r.Trajectory.ID = shape.ThreadOf(shape.OpenObject(g.Rows[0]))
	}
	if g.Named && r.Trajectory.ID == "" {
		r.Trajectory.ID = shape.ConversationOf(shape.OpenObject(g.Rows[0]))
	}
	var record *shape.Object
	if outer == nil && len(g.Rows) == 1 && !d.probing {
		record = shape.OpenObject(g.Rows[0])
		CopyMeta(&r.Trajectory, record)
	}
	if r.Trajectory.ID == "" {
		r.Trajectory.ID = g.Name
	}
	if g.Joined && !d.probing {
		r.Trajectory.Doubt = g.Doubt()
		d.WarnAt("rows-joined", r.Trajectory.Doubt, g.Rows[0])
	}
	if g.Named && !g.Joined && !d.probing {
		d.WarnAt(trajectory.ConversationJoined, fmt.Sprintf("%d rows were read as 1 run, because they have the id of one conversation", len(g.Rows)), g.Rows[0])
	}
	r.FindRun(g.Rows)
	r.CompleteCalls()
	if record != nil {
		d.CopySides(d.Trajectories[len(d.Trajectories)-1:], record, false)
		d.doubtUnrecorded(&d.Trajectories[len(d.Trajectories)-1], record)
	} else if g.Named && !g.Joined && outer == nil && !d.probing {
		d.copyEnds(g.Rows)
	}
}

// findsCall reports whether DecodeFound would read a call in rows. It stores no texts, so it
// needs less time than DecodeFound.
func (d *Decoder) findsCall(rows []jsonval.Value) bool {
	probe := *d
	probe.probing, probe.counts, probe.Trajectories, probe.records = true, maps.Clone(d.counts), nil, nil
	DecodeFound(&probe, Batch{Values: rows})
	return probe.countActions() > 0
}

// FindRun reads the rows of one run. If one list contains every call and every result,
// only this list is read, because the other data only repeats the list.
func (r *Run) FindRun(rows []jsonval.Value) {
	r.found.whole = len(rows) == 1
	facts := append(r.Decoder.surveyFacts(rows), r.Decoder.callsOnlyAside(rows)...)
	if best := r.findWholeList(rows, facts); best.Exists() {
		for _, v := range rows {
			r.readOpening(v)
		}
		r.findValue(best)
		r.Trajectory.Uncounted = r.Trajectory.Uncounted || !r.Trajectory.Whole.Counts() && r.Decoder.countsOutside(rows, best)
		return
	}
	for _, v := range rows {
		r.findValue(v)
	}
}

// countsOutside reports whether rows say outside of the list that was read what something
// took: tokens or money of answers that the list may not have.
func (d *Decoder) countsOutside(rows []jsonval.Value, list jsonval.Value) (found bool) {
	begin := d.offsetOf(list)
	end := begin + len(list.Raw())
	for _, row := range rows {
		row.Find(spent.CountedNames, func(o jsonval.Value, _ string, _ jsonval.Value) {
			if at := d.offsetOf(o); !found && (at < begin || at >= end) {
				found = spent.Of(shape.OpenObject(o)).Counts()
			}
		})
	}
	return found
}

// readOpening reads the user's first message from a member such as "input" or "prompt".
// Some logs do not have this message in their list of messages.
func (r *Run) readOpening(v jsonval.Value) {
	o := shape.OpenObject(v)
	r.readMessageList(o.Get("originalInput original_input"))
	for _, name := range [...]string{"originalInput", "original_input", "input", "prompt", "query"} {
		if s := o.FirstString(name); s != "" && len(r.Trajectory.Messages) == 0 {
			r.AddMessage("user", s)
		}
	}
	if state := o.Get("state"); state.Kind() == jsonval.Object {
		r.readOpening(state)
	}
}

// CompleteCalls completes the run and adds it to the document:
//
//   - It sets the arguments of the calls that were sent in pieces.
//   - It attaches separate executions to the calls that a model requested.
//   - It adds a warning for each result without a call.
func (r *Run) CompleteCalls() {
	r.assembleCalls()
	r.addExecutions()
	if len(r.found.early) == 0 {
		r.proposeUnanswered()
	}
	for _, e := range r.found.early {
		r.Decoder.WarnAt("result-without-call", "no call waits for this tool result", e.at)
		doubtResult(&r.Trajectory)
	}
	r.AddToDocument()
}

// findWholeList returns the innermost list that may be a conversation and contains every
// fact. A fact is a place that looks like a call or a result. It returns Missing if there
// is no such list, or if a Gemini call was sent in parts.
func (r *Run) findWholeList(rows []jsonval.Value, facts []fact) jsonval.Value {
	want := countDistinct(facts, 0, math.MaxInt)
	if want == 0 || slices.ContainsFunc(facts, func(f fact) bool { return f.at.Get("willContinue").Exists() }) {
		return jsonval.Value{}
	}
	facts = inOrder(facts)
	var best jsonval.Value
	for i := len(rows) - 1; i >= 0 && !best.Exists(); i-- {
		best = r.findHoldingList(rows[i], facts, want)
	}
	return best
}

// findHoldingList returns the innermost list in v that may be a conversation and contains
// n different facts. A fact is a place that looks like a call or a result. It returns
// Missing if there is no such list. facts are in the order of their places, so that a value
// with too few of them is left out after a binary search: a fact counts twice at most.
func (r *Run) findHoldingList(v jsonval.Value, facts []fact, n int) jsonval.Value {
	from := r.Decoder.offsetOf(v)
	if from < 0 {
		return jsonval.Value{}
	}
	to := from + len(v.Raw())
	first, _ := slices.BinarySearchFunc(facts, fact{offset: from}, byOffset)
	end, _ := slices.BinarySearchFunc(facts, fact{offset: to}, byOffset)
	facts = facts[first:end]
	if 2*len(facts) < n || countDistinct(facts, from, to) < n {
		return jsonval.Value{}
	}
	var best jsonval.Value
	v.Each(func(key string, m jsonval.Value) bool {
		if k := m.Kind(); shape.MemberRank(key, m) == 3 || k != jsonval.Array && k != jsonval.Object {
			return true
		}
		if inner := r.findHoldingList(m, facts, n); inner.Exists() {
			best = inner // of several such lists the last, because it is the most complete
		}
		return true
	})
	if !best.Exists() && v.Kind() == jsonval.Array && mayBeConversation(v) {
		return v
	}
	return best
}

// inOrder returns facts in the order of their places. It sorts pairs of numbers, because a sort of other values
// would be more code.
func inOrder(facts []fact) []fact {
	order := make([][2]int, len(facts))
	for i := range facts {
		order[i] = [2]int{facts[i].offset, i}
	}
	slices.SortFunc(order, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	sorted := make([]fact, len(facts))
	for i := range order {
		sorted[i] = facts[order[i][1]]
	}
	return sorted
}

// byOffset orders facts by their places.
func byOffset(a, b fact) int { return cmp.Compare(a.offset, b.offset) }

// mayBeConversation reports whether a list may be a whole conversation. It returns false
// for a list that has only the calls of one turn.
func mayBeConversation(list jsonval.Value) bool {
	o := shape.OpenObject(shape.FirstElement(list))
	return shape.RoleOf(o) != "" || IsItem(o.FirstString("type")) || o.HasAny("rawItem parts content message toolCalls")
}

// countDistinct returns the number of different facts between two offsets. Two calls, two
// results or two failures with the same id count once, and so do two calls with the same
// arguments. Each fact without an id counts.
func countDistinct(facts []fact, from, to int) int {
	seen := map[string]bool{}
	n := 0
	for i := range facts {
		f := &facts[i]
		switch {
		case f.offset < from || f.offset >= to:
		case f.id == "":
			n++
		default:
			seen[shape.IfElse(f.result, "result\x00", "call\x00")+f.id+shape.IfElse(f.result, "", f.spelledArguments())] = true
			if f.failed {
				seen["failure\x00"+f.id] = true
			}
		}
	}
	return n + len(seen)
}

// groupRows splits rows into runs.
func (d *Decoder) groupRows(rows []jsonval.Value) []envelope.Group {
	if len(rows) < 2 || d.oneRun {
		return []envelope.Group{{Rows: rows}}
	}
	return envelope.GroupRows(rows, envelope.RowReader{Kind: KindOfRows(rows), ID: RecordID, Facts: func(row jsonval.Value) (facts []envelope.Fact) {
		for _, f := range d.surveyFacts([]jsonval.Value{row}) {
			facts = append(facts, envelope.Fact{ID: f.id, Result: f.result, Call: f.at})
		}
		return facts
	}})
}
