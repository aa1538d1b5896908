package several

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A log of events says where each run begins: with an event of a sort that no other event of the run has. It
// need not be said in words that we know. The law of this file: an event is of the run that it names, or of the run
// that is open if it names none and no other run is open, whether or not the run made a call.

// eventLog is a log of which it is not yet known that its events are those of several runs.
type eventLog struct {
	rows       []*event
	sort, name string // the members with the sort of an event, and with the name of its run
	opener     string // the sort of the first event of each run
	out        []engine.Unit
	parts      [][]*event     // the events of each run
	at         map[string]int // the run with a name
	open       int            // the run that began last
	turns      bool           // the events of several runs stand in turns
	loose      bool           // events that hold calls name no run
}

// event is a row of a log. Whether it may hold a call is found once.
type event struct {
	*shape.Object
	calls, known bool
}

func (e *event) holdsCall() bool {
	if !e.known {
		e.calls, e.known = engine.HoldsCall(e.Value), true
	}
	return e.calls
}

// mostOpeners is the number of rows among which the first event of a run is searched.
const mostOpeners = 4

// groupEvents groups the events of several runs. It returns nil for other rows, and for the events of one run
// with runs inside. O(n) for each pair of members of the first event.
func groupEvents(rows []jsonval.Value) []engine.Unit {
	if len(rows) < 4 {
		return nil
	}
	var heads []*event
	for at := range min(len(rows), mostOpeners) {
		first := shape.OpenObject(rows[at])
		if first.Value.Kind() != jsonval.Object || len(first.Keys) > 16 || saysPart(first) || isSpan(first) || engine.HoldsCall(first.Value) {
			return nil
		}
		if !slices.ContainsFunc(first.Keys, mayNameEventsRun) {
			continue
		}
		if heads == nil {
			heads = make([]*event, len(rows))
			for i, row := range rows {
				heads[i] = &event{Object: shape.OpenObject(row)}
			}
		}
		if out := openedBy(heads, first); out != nil {
			return out
		}
	}
	return nil
}

// openedBy groups events of which one is known to be the first of a run.
func openedBy(rows []*event, first *shape.Object) []engine.Unit {
	for i, name := range first.Keys {
		id := first.Values[i].Text()
		if k := first.Values[i].Kind(); k != jsonval.String && k != jsonval.Number || id == "" || len(id) > 128 || !mayNameEventsRun(name) {
			continue
		}
		for k, sort := range first.Keys {
			word, ok := first.Values[k].Str()
			if k == i || !ok || word == "" || len(word) > 64 {
				continue
			}
			log := eventLog{rows: rows, sort: sort, name: name, opener: word, at: map[string]int{}, open: -1}
			if log.group() {
				return log.units()
			}
		}
	}
	return nil
}

// mayNameEventsRun reports whether a member may say of which run an event is.
func mayNameEventsRun(name string) bool {
	return shape.NamesRun(name) || shape.OneOf(name, shape.RunNames) || strings.HasPrefix(name, "corr") || shape.OneOf(name, "job job_id jobId task task_id taskId request request_id requestId")
}

// group finds the run of each event, and reports whether each run begins with an event of the first one's sort
// and has no second one.
func (l *eventLog) group() bool {
	for _, o := range l.rows {
		if o.Value.Kind() != jsonval.Object || isSpan(o.Object) {
			return false
		}
		id := o.MemberNamed(l.name).Text()
		g, known := l.at[id]
		switch begins := o.MemberNamed(l.sort).Text() == l.opener; {
		case begins && (id == "" || known || o.holdsCall()), !begins && id != "" && !known:
			return false
		case begins:
			g = len(l.out)
			l.at[id], l.open = g, g
			l.out, l.parts = append(l.out, engine.Unit{Name: id, Parts: true}), append(l.parts, nil)
		case id == "" && o.holdsCall():
			g, l.loose = l.open, true
		case id == "":
			g = l.open
		}
		if g < 0 {
			if l.loose {
				return false
			}
			continue // before the first run
		}
		l.turns = l.turns || g != l.open
		l.out[g].Rows, l.parts[g] = append(l.out[g].Rows, o.Value), append(l.parts[g], o)
	}
	return len(l.out) > 1 && len(l.rows) >= 2*len(l.out) && !(l.turns && (l.loose || l.areInside())) && slices.ContainsFunc(l.rows, (*event).holdsCall)
}

// areInside reports whether the runs that stand in turns may be parts of one: all events are of one conversation.
func (l *eventLog) areInside() bool {
	thread := shape.ThreadOf(l.rows[0].Object)
	return thread != "" && thread != l.rows[0].MemberNamed(l.name).Text() &&
		!slices.ContainsFunc(l.rows, func(o *event) bool { return shape.ThreadOf(o.Object) != thread })
}

// units returns the runs, each with the events that say what was expected of it and how it ended.
func (l *eventLog) units() []engine.Unit {
	for g := range l.out {
		u := &l.out[g]
		u.Silent = true
		for _, o := range l.parts[g] {
			if o.holdsCall() {
				u.Silent = false
			} else if sort := o.MemberNamed(l.sort).Text(); !isAboutCall(o.Object) && !l.isCallSort(sort) && (shape.OwnsOutcome(o.Object) || shape.OwnsSettings(o.Object) || wordlist.HasAny(shape.EndWords, shape.SplitWords(sort))) {
				u.Sides = append(u.Sides, o.Object)
			}
		}
	}
	return l.out
}

// isCallSort reports whether the sort of an event says that it is about a call, such as tool.end. Where runs
// themselves are calls, the sort of their first event has that word, too.
func (l *eventLog) isCallSort(sort string) bool {
	const words = "tool call function action"
	return wordlist.HasAny(words, shape.SplitWords(sort)) && !wordlist.HasAny(words, shape.SplitWords(l.opener))
}

// isSpan reports whether an event is a span, or names the one around it: then runs may hold runs.
func isSpan(o *shape.Object) bool {
	return engine.IsSpanRow(o) || o.HasAny("parent_id parentId parent_run_id parentRunId parent_ids parentIds parentUuid")
}

// isAboutCall reports whether an event is about a call, such as its result.
func isAboutCall(o *shape.Object) bool {
	b := shape.OpenBlock(o.Value)
	return b.Tool != "" || b.CallID != "" || shape.IsResultKind(b.Kind) || o.HasAny("call call_id callId tool tool_name toolName toolCallId")
}
