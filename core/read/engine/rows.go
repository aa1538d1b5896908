package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/envelope"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// KindOfRows returns what the rows are. It looks at the first ones.
func KindOfRows(rows []jsonval.Value) shape.RowKind {
	var n struct{ rows, spans, wholes, settings, outcomes, parts, exchanges, openings, holders int }
	ids, holders := map[string]bool{}, map[string]bool{}
	for _, row := range rows[:min(len(rows), sample)] {
		o := shape.OpenObject(row)
		n.rows++
		n.spans += shape.IfElse(IsSpanRow(o), 1, 0)
		n.wholes += shape.IfElse(shape.IsWhole(o), 1, 0)
		n.settings += shape.IfElse(shape.OwnsSettings(o), 1, 0)
		n.outcomes += shape.IfElse(shape.OwnsOutcome(o), 1, 0)
		n.parts += shape.IfElse(IsPart(o), 1, 0)
		n.exchanges += shape.IfElse(shape.IsExchange(o), 1, 0)
		id := RecordID(o)
		if hasOpening(o) {
			n.openings++
			if id != "" {
				ids[id] = true
			}
		}
		if id != "" && (holdsCalls(o) || shape.HasRunSide(o)) {
			n.holders++
			holders[id] = true
		}
	}
	switch most := func(k int) bool { return 2*k > n.rows }; {
	case most(n.spans):
		return shape.EventRows
	case most(n.exchanges) && len(envelope.ByConversation(rows, shape.ExchangeRows)) < n.rows && envelope.ByConversation(rows, shape.ExchangeRows) != nil:
		return shape.ExchangeRows
	case most(n.settings), most(n.openings) && len(ids) > 1 && len(ids) == n.openings:
		return shape.RecordRows
	case shape.AreEvents(rows[:min(len(rows), sample)]):
		return shape.EventRows
	case n.wholes == n.rows && n.rows > 1 && !areGrowing(rows):
		return shape.RecordRows
	case most(n.parts):
		return shape.PartRows
	case most(n.outcomes), most(n.holders) && len(holders) > 1 && len(holders) == n.holders, n.settings > 0 && n.exchanges == 0:
		return shape.RecordRows
	case most(n.exchanges):
		return shape.ExchangeRows
	}
	return shape.LookalikeRows
}

// areGrowing reports whether a row holds the conversation of a row before, and goes on.
func areGrowing(rows []jsonval.Value) bool {
	return envelope.SomeGrows(rows, func(row jsonval.Value) []jsonval.Value { return shape.OpenObject(row).FirstList(shape.WholeLists) })
}

// IsSpanRow reports whether a row is one span of a trace, perhaps wrapped as the attributes of
// a thing.
func IsSpanRow(o *shape.Object) bool {
	if inner := o.OpenMember("attributes"); inner.HasAny("span_id spanId") {
		o = inner
	}
	return o.HasAny("trace_id traceId") && o.HasAny("parent_span_id parentSpanId parent_id parentId span_id spanId") && (shape.KindOf(o) != "" || o.HasAny("name")) && !holdsCalls(o)
}

// RecordID returns the id of the run in a row, or "" if there is none. Parts of a run and
// requests to a model have numbers, too, so these are no ids there.
func RecordID(o *shape.Object) string {
	id := o.FirstText("id _id case_id test_id sample_id example_id task_id instance_id eval_id question_id problem_id problemId execution_id executionId uid uuid name " + shape.CaseNames)
	talk := shape.ConversationOf(o)
	if id == "" {
		if id = o.FirstText("request_id requestId idx index line_number row row_number row_index run run_number run_index"); id != "" && (IsPart(o) || shape.IsExchange(o) || talk != "" && o.HasAny("request_id requestId")) {
			id = ""
		}
	}
	return id + o.FirstText(shape.TrialNames) + talk
}

// hasOpening reports whether a row begins a conversation: it has a question, or messages
// that begin with the user or the system.
func hasOpening(o *shape.Object) bool {
	if o.FirstString("input prompt question query user_input userInput goal instruction task user") != "" {
		return true
	}
	return shape.IsOpening(o.FirstList("query input prompt")) || shape.IsOpening(shape.MainList(o.Value, 0))
}

// IsPart reports whether a row can only be a part of a run: a message, a call, an event, a
// step, or an answer of a model.
func IsPart(o *shape.Object) bool {
	switch {
	case len(o.Keys) == 0: // such as a pair of a message and its metadata
		return o.Value.Kind() == jsonval.Array
	case shape.RoleOf(o) != "", IsGeneric(o), shape.IsAnswer(o) && !o.IsList("steps"):
		return true
	case o.HasAny("step step_number stepNumber step_index stepIndex stepType step_id step_num turn timestep invocationId invocation_id"):
		return true
	case o.HasAny("thought action") && o.HasAny("action observation tool tool_name"):
		return true
	case o.IsText("type") && o.HasAny("data payload"): // an event
		return true
	case shape.IsWrappedMessage(o):
		return true
	case len(o.Keys) == 1 && o.Values[0].Kind() == jsonval.Object: // an update or an event, under its name
		return !shape.OneOf(o.Keys[0], "trace run conversation sample record")
	}
	b := shape.OpenBlock(o.Value)
	return b.Tool != "" && (b.Input.Exists() || o.OtherArguments().Exists()) || b.CallID != "" && !shape.ListsTools(o) || b.Kind != "" && (shape.IsCallKind(b.Kind) || shape.IsResultKind(b.Kind))
}

// maxSuites is the greatest depth at which records are found: a suite in a suite is two deeper.
const maxSuites = 9

// innerRows returns the records inside an object: the elements of its only list of records,
// or the members of an object whose members are records. It also searches in objects inside,
// down to a depth of maxSuites. The result has no rows if there are none, or if other parts of
// the object have calls, too.
func innerRows(v jsonval.Value, depth int) inner {
	o := shape.OpenObject(v)
	if depth > maxSuites || len(o.Keys) == 0 || shape.RoleOf(o) != "" || shape.IsAnswer(o) || shape.IsExchange(o) {
		return inner{}
	}
	if isRecordMap(o) {
		return inner{rows: o.Values, names: o.Keys}
	}
	if only := onlyRecord(o); only.Exists() {
		return inner{rows: []jsonval.Value{only}, around: []*shape.Object{o}}
	}
	var found inner
	for i, key := range o.Keys {
		m := o.Values[i]
		if k := m.Kind(); k != jsonval.Array && k != jsonval.Object || shape.MemberRank(key, m) == 3 {
			continue
		}
		var in inner
		switch {
		case m.Kind() == jsonval.Object:
			in = innerRows(m, depth+1)
		case key == "tasks": // with trials, or those of a crew
			in = innerGroups(m.Elements(), depth+1)
		case !shape.IsPartList(key) || key == "content" && !slices.ContainsFunc(m.Elements(), mayBeBlock):
			in = innerList(m.Elements(), depth+1)
		}
		switch {
		case in.rows != nil && found.rows != nil && !shape.AreAlike(found.rows, in.rows) && !(MayHoldCall(m) && slices.ContainsFunc(found.rows, MayHoldCall)):
			cases := in.rows
			if !slices.ContainsFunc(found.rows, MayHoldCall) { // such as the metrics of all cases
				found, cases = in, found.rows
			}
			found.cases = append(found.cases, cases...)
		case in.rows != nil && found.rows != nil && len(found.groups)+len(in.groups) == 0: // such as passed and failed runs
			found = inner{rows: slices.Concat(found.rows, in.rows)}
		case in.rows != nil && found.rows != nil:
			return inner{}
		case in.rows != nil:
			found = in
		case shape.CountFacts([]jsonval.Value{m}).Calls > 0:
			return inner{}
		}
	}
	if found.around != nil {
		found.around = append(found.around, o)
	}
	if found.rows != nil && found.beside == nil {
		found.beside = shape.ListsBeside(o, len(found.rows))
	}
	return found
}

// mayBeBlock reports whether an element of a message's content may be a part of the message.
func mayBeBlock(e jsonval.Value) bool {
	b := shape.OpenBlock(e)
	return e.Kind() != jsonval.Object || !IsSpanRow(shape.OpenObject(e)) && shape.MayBePart(b, shape.OpenObject(e))
}

// recordsIn returns the records of a text, if its values are not the records: those inside its
// only value, or inside each of its values. The result has no rows if there are none.
func recordsIn(values []jsonval.Value) inner {
	switch {
	case len(values) == 1:
		return innerRows(values[0], 0)
	case len(values) == 0 || slices.ContainsFunc(shape.OpenObject(values[0]).Keys, shape.IsPartList): // the record of a run
		return inner{}
	}
	return innerGroups(values, 0)
}

// innerList returns the records in a list: its elements, or what the lists in all of them hold.
func innerList(rows []jsonval.Value, depth int) inner {
	rows = labelledRows(rows)
	if in := innerGroups(rows, depth); in.rows != nil {
		return in
	}
	if holdsRuns(rows) {
		return inner{rows: rows}
	}
	return inner{}
}

// innerGroups returns the records in the lists of all rows.
func innerGroups(rows []jsonval.Value, depth int) inner {
	var all inner
	member := recordMember(rows)
	for _, row := range rows {
		o := shape.OpenObject(row)
		if o.HasAny("trace") { // a record in this project's own format
			return inner{}
		}
		in := innerRows(row, depth+1)
		if only := o.MemberNamed(member); member != "" && only.Kind() == jsonval.Object {
			in = inner{rows: []jsonval.Value{only}, around: []*shape.Object{o}}
		}
		if in.rows == nil || len(in.around) > 1 || in.names != nil {
			return inner{}
		}
		all.rows = append(all.rows, in.rows...)
		for i := range in.rows {
			all.groups = append(all.groups, o)
			if in.groups != nil {
				all.groups[len(all.groups)-1] = in.groups[i]
			}
		}
	}
	if !slices.ContainsFunc(all.rows, MayHoldCall) {
		return inner{}
	}
	return all
}

// recordMember returns the name of the member in which each row has its only record, or "". One row shows it: the
// record of another one may have no call, so that something else in the row, such as its scores, looks like records.
func recordMember(rows []jsonval.Value) string {
	for _, row := range rows[:min(len(rows), 4)] {
		if only := onlyRecord(shape.OpenObject(row)); only.Exists() {
			name := only.MemberName()
			return shape.IfElse(slices.ContainsFunc(rows, func(row jsonval.Value) bool { return row.Get(name).Kind() != jsonval.Object }), "", name)
		}
	}
	return ""
}

// MayHoldCall reports whether a value has an object that looks like a call.
func MayHoldCall(v jsonval.Value) bool {
	return shape.CountFacts([]jsonval.Value{v}).Calls > 0 || len((&Decoder{}).callsAside([]jsonval.Value{v})) > 0
}

// holdsRuns reports whether the elements of a list are runs, and not the parts of one.
func holdsRuns(rows []jsonval.Value) bool {
	switch KindOfRows(rows) {
	case shape.RecordRows:
		return true
	case shape.EventRows:
		return len(shape.ByThread(rows)) > 1
	case shape.ExchangeRows:
		return envelope.ByConversation(rows, shape.ExchangeRows) != nil
	case shape.LookalikeRows:
	default:
		return false
	}
	n := 0
	for _, row := range rows[:min(len(rows), sample)] {
		o := shape.OpenObject(row)
		n += shape.IfElse(hasOpening(o) || shape.HasRunSide(o) || RecordID(o) != "" && !o.HasAny("parent_id parentId parentUuid parent_span_id parentSpanId span_id spanId") && (shape.HasCallList(o) || MayHoldCall(row)), 1, 0)
	}
	return 2*n > len(rows[:min(len(rows), sample)])
}

// nameRuns gives the runs of the records their names. It does nothing if not each record is
// one run.
func (in *inner) nameRuns(runs []trajectory.Trajectory) {
	if len(runs) != len(in.names) {
		return
	}
	for i := range runs {
		if runs[i].ID == "" && runs[i].Task == "" {
			runs[i].ID = in.names[i]
		}
	}
}

// onlyRecord returns the member of an object that is a record, if nothing beside it may be a
// part of a run. It returns Missing if there is none.
func onlyRecord(o *shape.Object) jsonval.Value {
	var only jsonval.Value
	for i, key := range o.Keys {
		switch v := o.Values[i]; {
		case shape.IsExpected(key) || v.Kind() < jsonval.Array:
		case v.Kind() == jsonval.Object && !only.Exists() && isRecord(shape.OpenObject(v)):
			only = v
		case shape.IsRunSide(key) || shape.MainList(v, 0) != nil || shape.CountFacts([]jsonval.Value{v}).Calls > 0:
			return jsonval.Value{}
		}
	}
	return only
}

// isRecord reports whether an object is the record of a run: it says something of its own
// beside the run.
func isRecord(o *shape.Object) bool {
	return (shape.OwnsSettings(o) || RecordID(o) != "") && !IsPart(o) && !shape.IsExchange(o) &&
		(shape.HasRunSide(o) || holdsCalls(o) || shape.IsOpening(shape.MainList(o.Value, 0)) || hasOpening(o) && shape.OwnsSettings(o))
}

// complete gives the runs their names, or what the objects around their only record say.
func (in *inner) complete(d *Decoder, runs []trajectory.Trajectory) {
	in.completeCases(d, runs)
	if in.beside != nil && len(runs) == len(in.rows) {
		for i := range runs {
			d.CopySides(runs[i:i+1], recordBeside(in.beside, i), false)
		}
	}
	if in.around == nil {
		in.nameRuns(runs)
		in.completeGroups(d, runs)
		return
	}
	for _, o := range in.around {
		copyRowMeta(runs, o)
		d.CopySides(runs, o, false)
	}
}

// completeCases gives each run the expected side of the case with its id.
func (in *inner) completeCases(d *Decoder, runs []trajectory.Trajectory) {
	for _, v := range in.cases {
		o := shape.OpenObject(v)
		id, used := RecordID(o), false
		if id == "" || !shape.OwnsSettings(o) {
			continue
		}
		for i := range runs {
			if t := &runs[i]; t.Task == id || t.ID == id {
				d.SetExpected(runs[i:i+1], o, false)
				used = true
			}
		}
		if !used {
			d.AddTally("expected-not-used", expectedUnused, 1)
		}
	}
}

// completeGroups gives each run what the object around its list says, if each record is one
// run.
func (in *inner) completeGroups(d *Decoder, runs []trajectory.Trajectory) {
	if len(runs) != len(in.groups) {
		return
	}
	for i, o := range in.groups {
		copyRowMeta(runs[i:i+1], o)
		d.CopySides(runs[i:i+1], o, false)
	}
}

// isRecordMap reports whether the members of an object are records that look alike. Its law: the name of
// a side of a record, such as expected or messages, is never the id of one.
func isRecordMap(o *shape.Object) bool {
	if len(o.Keys) < 2 || slices.ContainsFunc(o.Keys, func(key string) bool { return shape.IsExpected(key) || shape.IsRunSide(key) || shape.IsPartList(key) }) {
		return false
	}
	first := shape.OpenObject(o.Values[0])
	numbered := !slices.ContainsFunc(o.Keys, func(key string) bool { return !strings.ContainsAny(key, "0123456789") })
	for _, v := range o.Values {
		m := shape.OpenObject(v)
		if IsConversation(v) || numbered && len(m.FirstList(shape.WholeLists)) > 0 && shape.LooksLike(first, m) {
			continue
		}
		if v.Kind() != jsonval.Object || !shape.LooksLike(first, m) || !hasOpening(m) && !shape.OwnsSettings(m) && !holdsCalls(m) && !shape.HasRunSide(m) {
			return false
		}
	}
	return true
}

// IsConversation reports whether a value is a list of messages that begins with the user or
// the system.
func IsConversation(v jsonval.Value) bool {
	return v.Kind() == jsonval.Array && shape.IsOpening(v.Elements())
}

// inner is the list of records inside an object. names has their names, if they are the
// members of an object. around has the objects around the only record, from the inside: what
// they say beside the record is of the record's run. groups has, for each record, the object
// around its list, such as a suite, or a task with trials. beside has the lists beside that of
// the records with one value for each of them, such as the scores of a report. cases has the
// elements of other lists, such as the cases that the records ran.
type inner struct {
	cases  []jsonval.Value
	rows   []jsonval.Value
	names  []string
	around []*shape.Object
	groups []*shape.Object
	beside *shape.Object
}

// recordBeside returns what the lists beside the records say of the record with a number.
func recordBeside(lists *shape.Object, i int) *shape.Object {
	out := &shape.Object{}
	for k, key := range lists.Keys {
		if !shape.IsExpected(key) {
			key = shape.SingularName(key)
		}
		out.Keys, out.Values = append(out.Keys, key), append(out.Values, lists.Values[k].Elements()[i])
	}
	return out
}
