package trajectory

import (
	"math"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// decodeFound reads any text that contains a conversation. It may be one run, or a list
// of rows. Rows are runs, parts of one run, or snapshots of a growing run.
func decodeFound(d *decoder, in batch) {
	for _, rows := range d.grouped(in.values) {
		r := d.finding()
		r.t.meta(in.outer)
		if in.outer == nil && len(rows) == 1 {
			r.t.meta(open(rows[0]))
		}
		r.findRun(rows)
		r.finish()
	}
}

// findRun reads the rows of one run. If one list contains every call and every result,
// findRun reads only this list, because all other data repeats it.
func (r *run) findRun(rows []jsonval.Value) {
	facts := r.d.survey(rows)
	if best := r.whole(rows, facts); best.Exists() {
		for _, v := range rows {
			r.opening(v)
		}
		r.find(best)
		return
	}
	for _, v := range rows {
		r.find(v)
	}
}

// opening reads the user's first message from a member such as "input" or "prompt", which
// some logs have outside their list of messages.
func (r *run) opening(v jsonval.Value) {
	o := open(v)
	for _, name := range [...]string{"originalInput", "input", "prompt", "query"} {
		if s := o.word(name); s != "" && r.t.Messages == nil {
			r.message("user", s)
		}
	}
	if state := o.get("state"); state.Kind() == jsonval.Object {
		r.opening(state)
	}
}

// finish completes the run. It sets the arguments of calls that were sent in pieces, and
// joins executions with the calls that a model requested.
func (r *run) finish() {
	r.assemble()
	r.executions()
	for _, e := range r.found.early {
		r.d.warnAt("result-without-call", "a tool result belongs to no call that waits for a result", e.at)
	}
	r.done()
}

// whole returns the innermost list that contains every fact (a place that looks like a
// call or a result) and may be a conversation. It returns Missing if there is no such
// list.
func (r *run) whole(rows []jsonval.Value, facts []fact) jsonval.Value {
	want := distinct(facts, 0, math.MaxInt)
	if want == 0 {
		return jsonval.Value{}
	}
	var best jsonval.Value
	for i := len(rows) - 1; i >= 0 && !best.Exists(); i-- {
		best = r.holding(rows[i], facts, want)
	}
	return best
}

// holding returns the innermost list within v that contains n different facts and may be
// a conversation. It returns Missing if there is none.
func (r *run) holding(v jsonval.Value, facts []fact, n int) jsonval.Value {
	from := r.d.offset(v)
	if from < 0 || distinct(facts, from, from+len(v.Raw())) < n {
		return jsonval.Value{}
	}
	var best jsonval.Value
	v.Each(func(key string, m jsonval.Value) bool {
		if k := m.Kind(); rank(key, m) == 3 || k != jsonval.Array && k != jsonval.Object {
			return true
		}
		if inner := r.holding(m, facts, n); inner.Exists() {
			best = inner // of several such lists the last, because it is the most complete
		}
		return true
	})
	if !best.Exists() && v.Kind() == jsonval.Array && conversational(v) {
		return v
	}
	return best
}

// conversational reports whether a list may be a conversation. It returns false for a
// list of the calls of one turn, because the other turns are not in it.
func conversational(list jsonval.Value) bool {
	o := open(first(list))
	return roleOf(o) != "" || isItem(o.word("type")) || o.any("rawItem parts content message toolCalls")
}

// distinct returns the number of different facts between two offsets. Two calls, two
// results or two failures with the same id are one fact. Each fact without an id counts
// as different.
func distinct(facts []fact, from, to int) int {
	seen := map[string]bool{}
	n := 0
	for i := range facts {
		f := &facts[i]
		switch {
		case f.offset < from || f.offset >= to:
		case f.id == "":
			n++
		default:
			seen[either(f.result, "result\x00", "call\x00")+f.id] = true
			if f.failed {
				seen["failure\x00"+f.id] = true
			}
		}
	}
	return n + len(seen)
}

// grouped splits rows into runs. A row with a conversation begins a new run, except in
// two cases. In the first case, its messages continue the messages of the row before, or
// the other way round, because the rows are snapshots of one run. In the second case, the
// row has a call with the id of an earlier call of the run. A row without a conversation,
// or with an event of a stream, belongs to the run of the row before.
func (d *decoder) grouped(rows []jsonval.Value) [][]jsonval.Value {
	if len(rows) < 2 || eventful(rows) {
		return [][]jsonval.Value{rows}
	}
	var groups [][]jsonval.Value
	var last []jsonval.Value // the messages of the last row that has some
	calls := map[string]bool{}
	for i, row := range rows {
		talk := mainList(row, 0)
		ids, shared := d.callIDs(row, calls)
		begins := len(talk) > 1 && last != nil && oneOf(roleOf(open(talk[0])), "user system") && !shared &&
			!continues(last, talk) && !continues(talk, last) && (len(ids) > 0 || len(calls) > 0 && !same(last, talk) || asked(last) != asked(talk))
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

// asked returns the text of the user's first message in a list of messages.
func asked(talk []jsonval.Value) string {
	for _, m := range talk {
		if o := open(m); roleOf(o) == "user" {
			return contentText(o.some("content parts value"))
		}
	}
	return ""
}

// callIDs returns the call ids in a row, and reports whether one of them is in seen.
func (d *decoder) callIDs(row jsonval.Value, seen map[string]bool) (ids []string, shared bool) {
	for _, f := range d.survey([]jsonval.Value{row}) {
		if f.id != "" {
			ids = append(ids, f.id)
			shared = shared || seen[f.id]
		}
	}
	return ids, shared
}

// eventful reports whether rows are events of at least two types.
func eventful(rows []jsonval.Value) bool {
	kind := ""
	for _, row := range rows[:min(len(rows), sample)] {
		o := open(row)
		word := o.word("event type")
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

// snapshots reports whether some rows are snapshots of one growing run.
func snapshots(rows []jsonval.Value) bool {
	var last []jsonval.Value
	for _, row := range rows[:min(len(rows), sample)] {
		talk := mainList(row, 0)
		if continues(last, talk) || continues(talk, last) {
			return true
		}
		last = talk
	}
	return false
}

// tagged reports whether each row is a list of two objects: a message, and metadata about
// the message. LangGraph streams messages in this form.
func tagged(rows []jsonval.Value) bool {
	for _, row := range rows[:min(len(rows), sample)] {
		pair := row.Elements()
		if len(pair) != 2 || pair[1].Kind() != jsonval.Object || roleOf(open(pair[0])) == "" || roleOf(open(pair[1])) != "" {
			return false
		}
	}
	return len(rows) > 0
}

// same reports whether two lists of messages are equal.
func same(a, b []jsonval.Value) bool {
	for i := range a {
		if len(a) != len(b) || a[i].Raw() != b[i].Raw() {
			return false
		}
	}
	return true
}

// continues reports whether a longer list of messages begins with a shorter one. The
// first messages need not be equal, because the user's input may be written in two forms.
func continues(short, long []jsonval.Value) bool {
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

// mainList returns the first list of messages inside a value.
func mainList(v jsonval.Value, depth int) []jsonval.Value {
	if depth > 5 {
		return nil
	}
	switch v.Kind() {
	case jsonval.Array:
		list := v.Elements()
		if len(list) > 0 && roleOf(open(list[0])) != "" {
			return list
		}
		if len(list) == 1 {
			return mainList(list[0], depth+1)
		}
	case jsonval.Object:
		o := open(v)
		for pass := range 3 {
			for i, key := range o.keys {
				if rank(key, o.values[i]) != pass {
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
