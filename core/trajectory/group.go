package trajectory

import (
	"maps"
	"math"
	"slices"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// decodeFound reads a text of unknown format that contains conversations. The text is one
// run or a list of rows. A row is a run, a part of a run, or a snapshot of a growing run.
func decodeFound(d *decoder, in batch) {
	for _, rows := range d.groupRows(in.values) {
		r := d.newFindingRun()
		r.t.copyMeta(in.outer)
		if in.outer == nil && len(rows) == 1 && !d.probing {
			r.t.copyMeta(openObject(rows[0]))
		}
		r.findRun(rows)
		r.completeCalls()
	}
}

// findsCall reports whether decodeFound would read a call in rows. It stores no texts, so it
// needs less time than decodeFound.
func (d *decoder) findsCall(rows []jsonval.Value) bool {
	probe := *d
	probe.probing, probe.counts, probe.Trajectories = true, maps.Clone(d.counts), nil
	decodeFound(&probe, batch{values: rows})
	return probe.countActions() > 0
}

// findRun reads the rows of one run. If one list contains every call and every result,
// only this list is read, because the other data only repeats the list.
func (r *run) findRun(rows []jsonval.Value) {
	facts := r.d.surveyFacts(rows)
	if best := r.findWholeList(rows, facts); best.Exists() {
		for _, v := range rows {
			r.readOpening(v)
		}
		r.findValue(best)
		return
	}
	for _, v := range rows {
		r.findValue(v)
	}
}

// readOpening reads the user's first message from a member such as "input" or "prompt".
// Some logs do not have this message in their list of messages.
func (r *run) readOpening(v jsonval.Value) {
	o := openObject(v)
	r.readMessageList(o.get("originalInput original_input"))
	for _, name := range [...]string{"originalInput", "original_input", "input", "prompt", "query"} {
		if s := o.firstString(name); s != "" && r.t.Messages == nil {
			r.addMessage("user", s)
		}
	}
	if state := o.get("state"); state.Kind() == jsonval.Object {
		r.readOpening(state)
	}
}

// completeCalls completes the run and adds it to the document:
//
//   - It sets the arguments of the calls that were sent in pieces.
//   - It attaches separate executions to the calls that a model requested.
//   - It adds a warning for each result without a call.
func (r *run) completeCalls() {
	r.assembleCalls()
	r.addExecutions()
	for _, e := range r.found.early {
		r.d.warnAt("result-without-call", "no call waits for this tool result", e.at)
	}
	r.addToDocument()
}

// findWholeList returns the innermost list that may be a conversation and contains every
// fact. A fact is a place that looks like a call or a result. It returns Missing if there
// is no such list, or if a Gemini call was sent in parts.
func (r *run) findWholeList(rows []jsonval.Value, facts []fact) jsonval.Value {
	want := countDistinct(facts, 0, math.MaxInt)
	if want == 0 || slices.ContainsFunc(facts, func(f fact) bool { return f.at.Get("willContinue").Exists() }) {
		return jsonval.Value{}
	}
	var best jsonval.Value
	for i := len(rows) - 1; i >= 0 && !best.Exists(); i-- {
		best = r.findHoldingList(rows[i], facts, want)
	}
	return best
}

// findHoldingList returns the innermost list in v that may be a conversation and contains
// n different facts. A fact is a place that looks like a call or a result. It returns
// Missing if there is no such list.
func (r *run) findHoldingList(v jsonval.Value, facts []fact, n int) jsonval.Value {
	from := r.d.offsetOf(v)
	if from < 0 || countDistinct(facts, from, from+len(v.Raw())) < n {
		return jsonval.Value{}
	}
	var best jsonval.Value
	v.Each(func(key string, m jsonval.Value) bool {
		if k := m.Kind(); memberRank(key, m) == 3 || k != jsonval.Array && k != jsonval.Object {
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

// mayBeConversation reports whether a list may be a whole conversation. It returns false
// for a list that has only the calls of one turn.
func mayBeConversation(list jsonval.Value) bool {
	o := openObject(firstElement(list))
	return roleOf(o) != "" || isItem(o.firstString("type")) || o.hasAny("rawItem parts content message toolCalls")
}

// countDistinct returns the number of different facts between two offsets. Two calls, two
// results or two failures with the same id count once. Each fact without an id counts.
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
			seen[ifElse(f.result, "result\x00", "call\x00")+f.id] = true
			if f.failed {
				seen["failure\x00"+f.id] = true
			}
		}
	}
	return n + len(seen)
}

// groupRows splits rows into runs. Rows that are events of a stream are one run. A row
// with the member custom_id begins a new run. A row with a conversation that begins with
// the user or the system also begins a new run, except in these cases:
//
//   - The messages of this row continue the messages of the row before, or the other way round.
//   - The row has a call with the id of an earlier call of the run.
//   - The row has no call, and repeats the conversation of the row before.
//
// All other rows belong to the run of the row before.
func (d *decoder) groupRows(rows []jsonval.Value) [][]jsonval.Value {
	if len(rows) < 2 || areEvents(rows) {
		return [][]jsonval.Value{rows}
	}
	var groups [][]jsonval.Value
	var last []jsonval.Value // the messages of the last row that has some
	calls := map[string]bool{}
	for i, row := range rows {
		talk := mainList(row, 0)
		ids, shared := d.callIDs(row, calls)
		begins := len(talk) > 1 && last != nil && oneOf(roleOf(openObject(talk[0])), "user system") && !shared &&
			!isContinuedBy(last, talk) && !isContinuedBy(talk, last) && (len(ids) > 0 || len(calls) > 0 && !sameMessages(last, talk) || firstUserText(last) != firstUserText(talk))
		if i == 0 || begins || row.Get("custom_id").Exists() {
			groups = append(groups, nil)
			calls = map[string]bool{}
		}
		for _, id := range ids {
			calls[id] = true
		}
		n := len(groups) - 1
		groups[n] = append(groups[n], row)
		if len(talk) > 1 {
			last = talk
		}
	}
	return groups
}

// firstUserText returns the text of the user's first message in a list of messages.
func firstUserText(talk []jsonval.Value) string {
	for _, m := range talk {
		if o := openObject(m); roleOf(o) == "user" {
			return contentText(o.firstNonNull("content parts value"))
		}
	}
	return ""
}

// callIDs returns the call ids in a row, and reports whether one of them is in seen.
func (d *decoder) callIDs(row jsonval.Value, seen map[string]bool) (ids []string, shared bool) {
	for _, f := range d.surveyFacts([]jsonval.Value{row}) {
		if f.id != "" {
			ids = append(ids, f.id)
			shared = shared || seen[f.id]
		}
	}
	return ids, shared
}

// areEvents reports whether rows are events of at least two types.
func areEvents(rows []jsonval.Value) bool {
	kind := ""
	for _, row := range rows[:min(len(rows), sample)] {
		o := openObject(row)
		word := o.firstString("event type")
		if word == "" || langChainRole(word) != "" {
			return false
		}
		if kind != "" && word != kind {
			return true
		}
		kind = word
	}
	return false
}

// hasSnapshots reports whether some rows are snapshots of one growing run.
func hasSnapshots(rows []jsonval.Value) bool {
	var last []jsonval.Value
	for _, row := range rows[:min(len(rows), sample)] {
		talk := mainList(row, 0)
		if isContinuedBy(last, talk) || isContinuedBy(talk, last) {
			return true
		}
		last = talk
	}
	return false
}

// areTaggedRows reports whether each row is a list of two objects: a message, and
// metadata about the message. LangGraph streams messages in this form.
func areTaggedRows(rows []jsonval.Value) bool {
	for _, row := range rows[:min(len(rows), sample)] {
		pair := row.Elements()
		if len(pair) != 2 || pair[1].Kind() != jsonval.Object || roleOf(openObject(pair[0])) == "" || roleOf(openObject(pair[1])) != "" {
			return false
		}
	}
	return len(rows) > 0
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

// isContinuedBy reports whether the second list begins with all messages of the first
// list, and has more messages. If the first list has several messages, the first message
// may be different in the two lists.
func isContinuedBy(short, long []jsonval.Value) bool {
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

// mainList returns the first list of messages inside v, or nil if there is none. depth is
// the number of values around v. Values at a depth of more than 5 are not searched.
func mainList(v jsonval.Value, depth int) []jsonval.Value {
	if depth > 5 {
		return nil
	}
	switch v.Kind() {
	case jsonval.Array:
		list := v.Elements()
		if len(list) > 0 && roleOf(openObject(list[0])) != "" {
			return list
		}
		if len(list) == 1 {
			return mainList(list[0], depth+1)
		}
	case jsonval.Object:
		o := openObject(v)
		for pass := range 3 {
			for i, key := range o.keys {
				if memberRank(key, o.values[i]) != pass {
					continue
				}
				if list := mainList(o.values[i], depth+1); list != nil {
					return list
				}
			}
		}
	}
	return nil
}
