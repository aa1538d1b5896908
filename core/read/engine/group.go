package engine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
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
	for _, g := range d.groupRows(inside.rows) {
		if len(g.rows) == 1 {
			d.Within(g.rows[0], func() { d.readGroup(g, in.Outer) })
		} else {
			d.readGroup(g, in.Outer)
		}
	}
	inside.complete(d, d.Trajectories[before:])
}

// readGroup reads the rows of one run without a format. outer is the object around the
// rows, or nil.
func (d *Decoder) readGroup(g rowGroup, outer *shape.Object) {
	r := d.NewFindingRun()
	CopyMeta(&r.Trajectory, outer)
	if n := len(g.rows); n > 1 && r.Trajectory.ID == "" && shape.ThreadOf(shape.OpenObject(g.rows[0])) == shape.ThreadOf(shape.OpenObject(g.rows[n-1])) {
		r.Trajectory.ID = shape.ThreadOf(shape.OpenObject(g.rows[0]))
	}
	if g.named && r.Trajectory.ID == "" {
		r.Trajectory.ID = shape.ConversationOf(shape.OpenObject(g.rows[0]))
	}
	var record *shape.Object
	if outer == nil && len(g.rows) == 1 && !d.probing {
		record = shape.OpenObject(g.rows[0])
		CopyMeta(&r.Trajectory, record)
	}
	if r.Trajectory.ID == "" {
		r.Trajectory.ID = g.name
	}
	if g.joined && !d.probing {
		r.Trajectory.Doubt = g.doubt()
		d.WarnAt("rows-joined", r.Trajectory.Doubt, g.rows[0])
	}
	if g.named && !g.joined && !d.probing {
		d.WarnAt(trajectory.ConversationJoined, fmt.Sprintf("%d rows were read as 1 run, because they have the id of one conversation", len(g.rows)), g.rows[0])
	}
	r.FindRun(g.rows)
	r.CompleteCalls()
	if record != nil {
		d.CopySides(d.Trajectories[len(d.Trajectories)-1:], record, false)
		d.doubtUnrecorded(&d.Trajectories[len(d.Trajectories)-1], record)
	}
}

// doubt says why it is not known that the rows of a group are one run.
func (g *rowGroup) doubt() string {
	return fmt.Sprintf("%d rows were read as 1 run, because they seem to continue each other. If they are several runs, give each row an id of its own", len(g.rows))
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

// rowGroup is one run of a text that has rows. joined says that nothing in its rows proves
// that they are parts of one run.
//
// named says that they have the id of one conversation instead.
type rowGroup struct {
	rows   []jsonval.Value
	joined bool
	named  bool
	name   string // of the run, if its parts say it
}

// groupRows splits rows into runs. Its law: rows that carry something of their own, such as
// a reference, are never joined, and rows that are joined for any other reason than that
// they are parts of a run are marked as joined (see RowKind). A row with the member
// custom_id begins a new run, and so does a row of another conversation.
func (d *Decoder) groupRows(rows []jsonval.Value) []rowGroup {
	if len(rows) < 2 || d.oneRun {
		return []rowGroup{{rows: rows}}
	}
	kind := KindOfRows(rows)
	var groups []rowGroup
	if kind == shape.EventRows {
		lists := shape.ByThread(rows)
		if groups := byRun(rows); len(lists) == 1 && groups != nil {
			return groups
		}
		for _, list := range lists {
			groups = append(groups, rowGroup{rows: list})
		}
		return groups
	}
	if kind == shape.RecordRows {
		for i := range rows {
			groups = append(groups, rowGroup{rows: rows[i : i+1]})
		}
		return groups
	}
	if groups := byConversation(rows, kind); groups != nil {
		return groups
	}
	if groups := byRun(rows); kind == shape.PartRows && groups != nil {
		return groups
	}
	var last tail
	own := kind == shape.PartRows && shape.AreAllOther(rows)
	for _, row := range rows {
		next := newTail(row)
		next.conversation = shape.IfElse(own, "", next.conversation)
		facts := d.surveyFacts([]jsonval.Value{row})
		if groups == nil || last.isOther(&next, kind, facts) {
			groups = append(groups, rowGroup{})
			last.calls = map[string]string{}
		}
		g := &groups[len(groups)-1]
		g.rows = append(g.rows, row)
		if len(g.rows) > 1 && kind != shape.PartRows {
			g.joined, g.named = g.joined || !last.isSame(&next), g.named || !isCheckpoint(next.head)
		}
		last.follow(next, kind, facts)
	}
	return groups
}

// byRun groups the parts of several runs by the conversation that all of them name, or else by the member
// in which all of them name their run. It returns nil if there is none, or if it names one run. The parts of
// several runs may stand in turns.
func byRun(rows []jsonval.Value) (groups []rowGroup) {
	for _, name := range append([]string{""}, strings.Fields(shape.RunNames)...) {
		at := map[string]int{}
		groups = nil
		for _, row := range rows {
			id := ""
			if name == "" {
				id = shape.ThreadOf(shape.OpenObject(row))
			} else if v := row.Get(name); v.Kind() == jsonval.String || v.Kind() == jsonval.Number {
				id = v.Text()
			}
			if id == "" {
				groups = nil
				break
			}
			i, known := at[id]
			if !known {
				i, groups = len(groups), append(groups, rowGroup{name: id})
				at[id] = i
			}
			groups[i].rows = append(groups[i].rows, row)
		}
		if len(groups) > 1 {
			return groups
		}
	}
	return nil
}

// byConversation groups requests to a model by the conversation that each of them names. It
// returns nil if one names none, or carries something of its own. A log has the requests of
// several conversations in turns. Other rows are grouped only if each goes on with the last one of
// its conversation.
func byConversation(rows []jsonval.Value, kind shape.RowKind) []rowGroup {
	if kind != shape.ExchangeRows && kind != shape.LookalikeRows {
		return nil
	}
	var groups []rowGroup
	var talks [][]jsonval.Value // of the last row of each group
	at := map[string]int{}
	for _, row := range rows {
		o := shape.OpenObject(row)
		id := shape.ConversationOf(o)
		if id == "" || shape.OwnsSettings(o) || shape.OwnsOutcome(o) || o.HasAny("custom_id") {
			return nil
		}
		i, known := at[id]
		if !known {
			i, groups, talks = len(groups), append(groups, rowGroup{}), append(talks, nil)
			at[id] = i
		}
		if kind == shape.LookalikeRows {
			talk := MainList(row, 0)
			if known && !IsContinuedBy(talks[i], talk) {
				return nil
			}
			talks[i] = talk
		}
		g := &groups[i]
		g.rows = append(g.rows, row)
		g.named = len(g.rows) > 1
	}
	return groups
}

// tail is what groupRows knows about the last row of a run, and about the run's calls.
type tail struct {
	head         *shape.Object
	id           string          // the id of the row's record
	trial        string          // the number of its trial
	settings     jsonval.Value   // with which its run was made
	own          bool            // the row carries something of its own
	conversation string          // the id of the row's conversation; "" if it has none
	talk         []jsonval.Value // the messages of the last row that has some
	step         int64           // the number of the row's step; 0 if it has none
	calls        map[string]string
}

func newTail(row jsonval.Value) tail {
	o := shape.OpenObject(row)
	t := tail{head: o, id: RecordID(o), trial: o.FirstText(shape.TrialNames), own: shape.OwnsSettings(o) || shape.OwnsOutcome(o), conversation: shape.ConversationOf(o), talk: MainList(row, 0)}
	if n, ok := o.Get("step_number stepNumber step_index stepIndex step_num step").Int(); ok {
		t.step = n
	}
	if !isCheckpoint(o) {
		t.settings = o.Get("config settings options hyperparameters")
	}
	return t
}

// isCheckpoint reports whether a row is a checkpoint of a graph. Its config has the id of the
// conversation and that of the checkpoint.
func isCheckpoint(o *shape.Object) bool { return o.OpenMember("config").IsObject("configurable") }

// contradicts reports whether two rows cannot be parts of one run: they have the numbers of
// two trials, or were made with different settings.
func (t *tail) contradicts(next *tail) bool {
	if t.trial != "" && next.trial != "" && t.trial != next.trial {
		return true
	}
	a, b := t.settings, next.settings
	return a.Kind() == jsonval.Object && b.Kind() == jsonval.Object && a.Raw() != b.Raw() && a.Canonical() != b.Canonical()
}

// isSame reports whether the next row has the same id of a conversation.
func (t *tail) isSame(next *tail) bool {
	return t.conversation != "" && t.conversation == next.conversation
}

// isOther reports whether the next row begins a new run.
func (t *tail) isOther(next *tail, kind shape.RowKind, facts []fact) bool {
	switch {
	case next.head.Get("custom_id").Exists(), kind == shape.LookalikeRows && t.contradicts(next):
		return true
	case t.conversation != "" && next.conversation != "" && t.conversation != next.conversation:
		return true
	case t.isSame(next), kind == shape.PartRows && t.step > 0 && next.step > t.step:
		return false
	case kind != shape.PartRows && (t.own || next.own), kind == shape.LookalikeRows && t.id != "" && next.id != "" && t.id != next.id:
		return true
	}
	repeats, contradicts := t.compareCalls(facts)
	if contradicts {
		return true
	}
	if repeats || t.talk == nil || len(next.talk) == 0 || IsContinuedBy(t.talk, next.talk) || IsContinuedBy(next.talk, t.talk) {
		return false
	}
	if kind == shape.LookalikeRows {
		return len(facts) > 0 || len(next.talk) > 1 || !sameMessages(t.talk, next.talk)
	}
	return (len(next.talk) > 1 || kind == shape.ExchangeRows && t.talk != nil) && isOpening(next.talk) &&
		(len(facts) > 0 || len(t.calls) > 0 && !sameMessages(t.talk, next.talk) || shape.FirstAsked(t.talk) != shape.FirstAsked(next.talk))
}

// isOpening reports whether messages begin with the user or the system.
func isOpening(talk []jsonval.Value) bool {
	return len(talk) > 0 && (shape.OneOf(shape.RoleOf(shape.OpenObject(talk[0])), "user system") || shape.OpenObject(talk[0]).FirstString("kind") == "request")
}

// compareCalls compares the calls of a row with those of the run. repeats says that one of
// them has an id of the run. contradicts says that a call of the run has the same id, but
// is another call. The ids of one run are unique, so the row is of another run.
func (t *tail) compareCalls(facts []fact) (repeats, contradicts bool) {
	for i := range facts {
		f := &facts[i]
		spelling, known := t.calls[f.id]
		if f.id == "" || !known {
			continue
		}
		repeats = true
		contradicts = contradicts || !f.result && spelling != "" && spelling != spellCall(f.at)
	}
	return repeats && !contradicts, contradicts
}

// follow makes the row next the last row of the run.
func (t *tail) follow(next tail, kind shape.RowKind, facts []fact) {
	next.calls = t.calls
	for i := range facts {
		if f := &facts[i]; f.id != "" && (!f.result || next.calls[f.id] == "") {
			next.calls[f.id] = shape.IfElse(f.result, "", spellCall(f.at))
		}
	}
	if next.conversation == "" {
		next.conversation = t.conversation
	}
	if len(next.talk) < 2 && !(kind == shape.ExchangeRows && isOpening(next.talk)) && (t.talk != nil || isOpening(next.talk)) {
		next.talk = t.talk
	}
	*t = next
}

// spellCall returns the name and the arguments of a call as one text. It returns "" if the
// call has no arguments, because a stream may send them later.
func spellCall(v jsonval.Value) string {
	b := shape.OpenBlock(v)
	v.Get("function").Each(b.SetMember)
	if !b.Input.Exists() {
		return ""
	}
	arguments := b.Input
	if text, ok := arguments.Str(); ok {
		if inner, err := jsonval.Parse(text); err == nil {
			arguments = inner
		}
	}
	if arguments.Kind() != jsonval.Object || arguments.Len() == 0 {
		return ""
	}
	return b.Name + "\x00" + arguments.Canonical()
}

// hasSnapshots reports whether some rows are snapshots of one growing run. The snapshots of several runs
// may stand in turns, so each is compared with the last one of its conversation.
func hasSnapshots(rows []jsonval.Value) bool {
	return someGrows(rows, func(row jsonval.Value) []jsonval.Value { return MainList(row, 0) })
}

// someGrows reports whether the list of a row goes on with that of the last row of the same conversation.
func someGrows(rows []jsonval.Value, list func(row jsonval.Value) []jsonval.Value) bool {
	last := map[string][]jsonval.Value{}
	named := shape.ConversationOf(shape.OpenObject(rows[0])) != ""
	for _, row := range rows[:min(len(rows), sample)] {
		talk, id := list(row), ""
		if named {
			id = shape.ConversationOf(shape.OpenObject(row))
		}
		if IsContinuedBy(last[id], talk) || IsContinuedBy(talk, last[id]) {
			return true
		}
		last[id] = talk
	}
	return false
}

// sameMessages reports whether two lists of messages are equal.
func sameMessages(a, b []jsonval.Value) bool {
	for i := range a {
		if len(a) != len(b) || a[i].Raw() != b[i].Raw() {
			return false
		}
	}
	return true
}

// IsContinuedBy reports whether the second list begins with all messages of the first
// list, and has more messages. If the first list has several messages, the first message
// may be different in the two lists.
func IsContinuedBy(short, long []jsonval.Value) bool {
	if len(short) == 0 || len(short) >= len(long) {
		return false
	}
	for i := range short {
		if short[i].Raw() != long[i].Raw() && (i > 0 || len(short) == 1) {
			return false
		}
	}
	return true
}

// MainList returns the first list of messages inside v, or nil if there is none. depth is
// the number of values around v. Values at a depth of more than 5 are not searched.
func MainList(v jsonval.Value, depth int) []jsonval.Value {
	if depth > 5 {
		return nil
	}
	switch v.Kind() {
	case jsonval.Array:
		list := v.Elements()
		if len(list) > 0 && (shape.RoleOf(shape.OpenObject(list[0])) != "" || IsPydantic(shape.OpenObject(list[0]))) {
			return list
		}
		if len(list) == 1 {
			return MainList(list[0], depth+1)
		}
	case jsonval.Object:
		o := shape.OpenObject(v)
		for pass := range 3 {
			for i, key := range o.Keys {
				if shape.MemberRank(key, o.Values[i]) != pass {
					continue
				}
				if list := MainList(o.Values[i], depth+1); list != nil {
					return list
				}
			}
		}
	}
	return nil
}
