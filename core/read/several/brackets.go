package several

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A log of a framework's callbacks says where each piece of work begins and ends: both events
// have its id. Pieces inside others are parts of a run. The law of this file: the pieces that
// are inside no other one are the runs, and those whose first events name the same conversation
// are one. All begin with one sort of event and end with another one, and no event is outside. Inside,
// pieces of another sort begin: if all are of one sort, they may be runs
// of which one lasted longer than the others.

// groupBrackets groups the events of several runs that stand after each other. It returns nil
// for other rows and for one run. O(rows · members of the first one).
func groupBrackets(rows []jsonval.Value) []engine.Unit {
	if len(rows) < 4 || rows[0].Kind() != jsonval.Object {
		return nil
	}
	first := shape.OpenObject(rows[0])
	if engine.IsSpanRow(first) {
		return nil
	}
	for _, name := range first.Keys {
		if !mayNameEventsRun(name) {
			continue
		}
		if ends := bracketEnds(rows, name); ends != nil {
			if sort := memberOfEnds(rows, ends, name); sort != "" {
				return bracketUnits(rows, ends, name, sort)
			}
		}
	}
	return nil
}

// bracketEnds returns the index behind each piece that is inside no other one. The member name
// has the ids. It returns nil if an event has no id, a piece crosses the end of another one,
// or no piece holds another one.
func bracketEnds(rows []jsonval.Value, name string) (ends []int) {
	ids, last := make([]string, len(rows)), map[string]int{}
	for i, row := range rows {
		if row.Kind() == jsonval.Object {
			ids[i] = row.Get(name).Text()
		}
		if ids[i] == "" || len(ids[i]) > 128 {
			return nil
		}
		last[ids[i]] = i
	}
	holds := false
	for from := 0; from < len(rows); {
		end := last[ids[from]]
		for _, id := range ids[from:end] {
			if last[id] > end {
				return nil
			}
			holds = holds || id != ids[from]
		}
		from = end + 1
		ends = append(ends, from)
	}
	if !holds {
		return nil
	}
	return ends
}

// memberOfEnds returns the member that says of the first event of each outermost piece that it
// begins, of the last one that it ends, and in other words of a piece inside that it begins. It
// returns "" if there is none.
func memberOfEnds(rows []jsonval.Value, ends []int, name string) string {
	first := shape.OpenObject(rows[0])
	for i, sort := range first.Keys {
		begins, isText := first.Values[i].Str()
		if !isText || len(begins) > 64 || !wordlist.HasAny(shape.BeginWords, shape.SplitWords(begins)) {
			continue
		}
		from, says := 0, true
		for _, end := range ends {
			closes := rows[end-1].Get(sort).Text()
			says = says && rows[from].Get(sort).Text() == begins && len(closes) <= 64 && wordlist.HasAny(shape.EndWords, shape.SplitWords(closes))
			from = end
		}
		if says && haveOtherSort(rows, name, sort, begins) {
			return sort
		}
	}
	return ""
}

// haveOtherSort reports whether a piece begins with an event of another sort.
func haveOtherSort(rows []jsonval.Value, name, sort, begins string) bool {
	seen := map[string]bool{}
	return slices.ContainsFunc(rows, func(row jsonval.Value) bool {
		id := row.Get(name).Text()
		known := seen[id]
		seen[id] = true
		return !known && row.Get(sort).Text() != begins
	})
}

// bracketUnits returns the runs of pieces. It returns nil if they are one, or none has a call.
func bracketUnits(rows []jsonval.Value, ends []int, name, sort string) (out []engine.Unit) {
	from, at, calls := 0, map[string]int{}, false
	for _, end := range ends {
		first := shape.OpenObject(rows[from])
		id := cmp.Or(shape.ThreadOf(first), first.OpenMember("metadata").FirstText("thread_id threadId conversation_id session_id sessionId case_id caseId example_id"), first.Get(name).Text())
		g, known := at[id]
		if !known {
			g = len(out)
			at[id], out = g, append(out, engine.Unit{Name: id, Parts: true})
		}
		out[g].Rows, from = append(out[g].Rows, rows[from:end]...), end
	}
	for i := range out {
		out[i].Silent = !slices.ContainsFunc(out[i].Rows, func(row jsonval.Value) bool {
			return shape.IsToolKind(strings.ToLower(row.Get(sort).Text())) || engine.MayHoldCall(row)
		})
		calls = calls || !out[i].Silent
	}
	if len(out) < 2 || !calls {
		return nil
	}
	return out
}
