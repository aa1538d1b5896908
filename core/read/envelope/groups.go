package envelope

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// The rows of a text are runs, parts of runs, or states of one run that grows. The law of this file: rows that carry
// something of their own are never joined, and joining is never silent.

// Sample is the number of rows that are compared with those before them.
const Sample = 64

// Group is one run of a text that has rows. Joined says that nothing in its rows proves
// that they are parts of one run.
//
// Named says that they have the id of one conversation instead.
type Group struct {
	Rows   []jsonval.Value
	Joined bool
	Named  bool
	Name   string // of the run, if its parts say it
}

// Doubt says why it is not known that the rows of a group are one run.
func (g *Group) Doubt() string {
	return fmt.Sprintf("%d rows were read as 1 run, because they seem to continue each other. If they are several runs, give each row an id of its own", len(g.Rows))
}

// Fact is what looks like a call or a result in a row.
type Fact struct {
	ID     string
	Result bool
	Call   jsonval.Value
}

// RowReader says what GroupRows needs to know of rows.
type RowReader struct {
	Kind  shape.RowKind                  // what the rows are
	Facts func(row jsonval.Value) []Fact // the calls and results in a row
	ID    func(row *shape.Object) string // the id of the record in a row
}

// GroupRows splits rows into runs. Its law: rows that carry something of their own, such as
// a reference, are never joined, and rows that are joined for any other reason than that
// they are parts of a run are marked as joined (see RowKind). A row with the member
// custom_id begins a new run, and so does a row of another conversation.
func GroupRows(rows []jsonval.Value, by RowReader) []Group {
	kind := by.Kind
	var groups []Group
	if kind == shape.EventRows {
		lists := shape.ByThread(rows)
		if groups := byRun(rows); len(lists) == 1 && groups != nil {
			return groups
		}
		for _, list := range lists {
			groups = append(groups, Group{Rows: list})
		}
		return groups
	}
	if kind == shape.RecordRows {
		for i := range rows {
			groups = append(groups, Group{Rows: rows[i : i+1]})
		}
		return groups
	}
	if groups := ByConversation(rows, kind); groups != nil {
		return groups
	}
	if groups := byRun(rows); kind == shape.PartRows && groups != nil {
		return groups
	}
	var last tail
	own := kind == shape.PartRows && shape.AreAllOther(rows)
	for _, row := range rows {
		next := newTail(row, by.ID)
		next.conversation = shape.IfElse(own, "", next.conversation)
		facts := by.Facts(row)
		if groups == nil || last.isOther(&next, kind, facts) {
			groups = append(groups, Group{})
			last.calls = map[string]string{}
		}
		g := &groups[len(groups)-1]
		g.Rows = append(g.Rows, row)
		if len(g.Rows) > 1 && kind != shape.PartRows {
			g.Joined, g.Named = g.Joined || !last.isSame(&next), g.Named || !isCheckpoint(next.head)
		}
		last.follow(next, kind, facts)
	}
	return groups
}

// byRun groups the parts of several runs by the conversation that all of them name, or else by the member
// in which all of them name their run. It returns nil if there is none, or if it names one run. The parts of
// several runs may stand in turns.
func byRun(rows []jsonval.Value) (groups []Group) {
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
				i, groups = len(groups), append(groups, Group{Name: id})
				at[id] = i
			}
			groups[i].Rows = append(groups[i].Rows, row)
		}
		if len(groups) > 1 {
			return groups
		}
	}
	return nil
}

// ByConversation groups requests to a model by the conversation that each of them names. It
// returns nil if one names none, or carries something of its own. A log has the requests of
// several conversations in turns. Other rows are grouped only if each goes on with the last one of
// its conversation.
func ByConversation(rows []jsonval.Value, kind shape.RowKind) []Group {
	if kind != shape.ExchangeRows && kind != shape.LookalikeRows {
		return nil
	}
	var groups []Group
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
			i, groups, talks = len(groups), append(groups, Group{}), append(talks, nil)
			at[id] = i
		}
		if kind == shape.LookalikeRows {
			talk := shape.MainList(row, 0)
			if known && !shape.IsContinuedBy(talks[i], talk) {
				return nil
			}
			talks[i] = talk
		}
		g := &groups[i]
		g.Rows = append(g.Rows, row)
		g.Named = len(g.Rows) > 1
	}
	return groups
}

// tail is what GroupRows knows about the last row of a run, and about the run's calls.
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

func newTail(row jsonval.Value, recordID func(*shape.Object) string) tail {
	o := shape.OpenObject(row)
	t := tail{head: o, id: recordID(o), trial: o.FirstText(shape.TrialNames), own: shape.OwnsSettings(o) || shape.OwnsOutcome(o), conversation: shape.ConversationOf(o), talk: shape.MainList(row, 0)}
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
func (t *tail) isOther(next *tail, kind shape.RowKind, facts []Fact) bool {
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
	if repeats || t.talk == nil || len(next.talk) == 0 || shape.IsContinuedBy(t.talk, next.talk) || shape.IsContinuedBy(next.talk, t.talk) {
		return false
	}
	if kind == shape.LookalikeRows {
		return len(facts) > 0 || len(next.talk) > 1 || !shape.SameMessages(t.talk, next.talk)
	}
	return (len(next.talk) > 1 || kind == shape.ExchangeRows && t.talk != nil) && shape.IsOpening(next.talk) &&
		(len(facts) > 0 || len(t.calls) > 0 && !shape.SameMessages(t.talk, next.talk) || shape.FirstAsked(t.talk) != shape.FirstAsked(next.talk))
}

// compareCalls compares the calls of a row with those of the run. repeats says that one of
// them has an id of the run. contradicts says that a call of the run has the same id, but
// is another call. The ids of one run are unique, so the row is of another run.
func (t *tail) compareCalls(facts []Fact) (repeats, contradicts bool) {
	for i := range facts {
		f := &facts[i]
		spelling, known := t.calls[f.ID]
		if f.ID == "" || !known {
			continue
		}
		repeats = true
		contradicts = contradicts || !f.Result && spelling != "" && spelling != spellCall(f.Call)
	}
	return repeats && !contradicts, contradicts
}

// follow makes the row next the last row of the run.
func (t *tail) follow(next tail, kind shape.RowKind, facts []Fact) {
	next.calls = t.calls
	for i := range facts {
		if f := &facts[i]; f.ID != "" && (!f.Result || next.calls[f.ID] == "") {
			next.calls[f.ID] = shape.IfElse(f.Result, "", spellCall(f.Call))
		}
	}
	if next.conversation == "" {
		next.conversation = t.conversation
	}
	if len(next.talk) < 2 && !(kind == shape.ExchangeRows && shape.IsOpening(next.talk)) && (t.talk != nil || shape.IsOpening(next.talk)) {
		next.talk = t.talk
	}
	*t = next
}

// HasSnapshots reports whether some rows are snapshots of one growing run. The snapshots of several runs
// may stand in turns, so each is compared with the last one of its conversation.
func HasSnapshots(rows []jsonval.Value) bool {
	return SomeGrows(rows, func(row jsonval.Value) []jsonval.Value { return shape.MainList(row, 0) })
}

// SomeGrows reports whether the list of a row goes on with that of the last row of the same conversation.
func SomeGrows(rows []jsonval.Value, list func(row jsonval.Value) []jsonval.Value) bool {
	last := map[string][]jsonval.Value{}
	named := shape.ConversationOf(shape.OpenObject(rows[0])) != ""
	for _, row := range rows[:min(len(rows), Sample)] {
		talk, id := list(row), ""
		if named {
			id = shape.ConversationOf(shape.OpenObject(row))
		}
		if shape.IsContinuedBy(last[id], talk) || shape.IsContinuedBy(talk, last[id]) {
			return true
		}
		last[id] = talk
	}
	return false
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
