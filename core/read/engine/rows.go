package engine

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// rowKind says what the rows of a text are.
type rowKind int

const (
	// lookalikeRows are rows of which nothing is known. Those that continue each other are
	// joined.
	lookalikeRows rowKind = iota
	// recordRows are runs, as an evaluator keeps them. Each is one run.
	recordRows
	// partRows are parts of a run, such as messages, calls, steps and answers of a model.
	partRows
	// eventRows are the events of one stream.
	eventRows
	// exchangeRows are requests to a model with its answers. A request may repeat the whole
	// conversation.
	exchangeRows
)

// kindOfRows returns what the rows are. It looks at the first ones.
func kindOfRows(rows []jsonval.Value) rowKind {
	var n struct{ rows, spans, wholes, settings, outcomes, parts, exchanges, openings, holders int }
	ids, holders := map[string]bool{}, map[string]bool{}
	for _, row := range rows[:min(len(rows), sample)] {
		o := OpenObject(row)
		n.rows++
		n.spans += IfElse(isSpanRow(o), 1, 0)
		n.wholes += IfElse(isWhole(o), 1, 0)
		n.settings += IfElse(ownsSettings(o), 1, 0)
		n.outcomes += IfElse(ownsOutcome(o), 1, 0)
		n.parts += IfElse(isPart(o), 1, 0)
		n.exchanges += IfElse(isExchange(o), 1, 0)
		id := RecordID(o)
		if hasOpening(o) {
			n.openings++
			if id != "" {
				ids[id] = true
			}
		}
		if id != "" && (holdsCalls(o) || hasRunSide(o)) {
			n.holders++
			holders[id] = true
		}
	}
	switch most := func(k int) bool { return 2*k > n.rows }; {
	case most(n.spans):
		return eventRows
	case most(n.settings), most(n.openings) && len(ids) > 1 && len(ids) == n.openings:
		return recordRows
	case areEvents(rows):
		return eventRows
	case n.wholes == n.rows && n.rows > 1 && !areGrowing(rows):
		return recordRows
	case most(n.parts):
		return partRows
	case most(n.outcomes), most(n.holders) && len(holders) > 1 && len(holders) == n.holders, n.settings > 0 && n.exchanges == 0:
		return recordRows
	case most(n.exchanges):
		return exchangeRows
	}
	return lookalikeRows
}

// wholeLists are the members of a record with a whole conversation.
const wholeLists = "messages trajectory conversation transcript"

// isWhole reports whether a row holds a whole run in a form without roles: a conversation that
// begins with the user, or calls with their results beside the answer.
func isWhole(o *Object) bool {
	list := o.firstWhere(wholeLists, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array })
	for FirstElement(list).Kind() == jsonval.Array {
		list = FirstElement(list)
	}
	first := OpenObject(FirstElement(list))
	if word := strings.ToLower(first.FirstString("source sender message_type")); roleOf(first) == "" && (strings.HasPrefix(word, "user") || strings.HasPrefix(word, "human")) {
		return true
	}
	if !o.HasAny("response answer output final_output") || isAnswer(o) {
		return false
	}
	for i, key := range o.Keys {
		if call := OpenBlock(FirstElement(o.Values[i])); isCallList(key) && o.Values[i].Kind() == jsonval.Array {
			return call.name != "" && call.output.Exists()
		}
	}
	return false
}

// areGrowing reports whether a row holds the conversation of the row before, and goes on.
func areGrowing(rows []jsonval.Value) bool {
	var last []jsonval.Value
	for _, row := range rows[:min(len(rows), sample)] {
		list := OpenObject(row).FirstList(wholeLists)
		if isContinuedBy(last, list) || isContinuedBy(list, last) {
			return true
		}
		last = list
	}
	return false
}

// isSpanRow reports whether a row is one span of a trace, perhaps wrapped as the attributes of
// a thing.
func isSpanRow(o *Object) bool {
	if inner := o.OpenMember("attributes"); inner.HasAny("span_id spanId") {
		o = inner
	}
	return o.HasAny("trace_id traceId") && o.HasAny("parent_span_id parentSpanId parent_id parentId span_id spanId") && (kindOf(o) != "" || o.HasAny("name")) && !holdsCalls(o)
}

// ownsSettings reports whether a row says how its run must be judged: it has a reference, a
// profile or a number of a trial. Only a record of a run has such a member.
func ownsSettings(o *Object) bool {
	for i, key := range o.Keys {
		if k := o.Values[i].Kind(); k != jsonval.Null && (isExpected(key) || OneOf(key, "profile trial trial_index trialIndex trial_number trialNumber trial_id trialId")) {
			return true
		}
	}
	return slices.ContainsFunc(caseObjects(o, 2), func(inner *Object) bool { return slices.ContainsFunc(inner.Keys, isExpected) })
}

// caseObjects returns the objects in a record that may say what its case is, such as the item
// of a data set, with those inside them, at most depth levels deep.
func caseObjects(o *Object, depth int) []*Object {
	var inner []*Object
	for i, key := range o.Keys {
		if o.Values[i].Kind() == jsonval.Object && isCaseName(key) {
			c := OpenObject(o.Values[i])
			inner = append(inner, c)
			if depth > 1 {
				inner = append(inner, caseObjects(c, depth-1)...)
			}
			if outputs := c.OpenMember("outputs output"); OneOf(key, "example dataset_item datasetItem") && len(outputs.Keys) > 0 {
				inner = append(inner, outputs) // of an example they are what is expected
			}
		}
	}
	return inner
}

// isCaseName reports whether the object in a member with this name may say what a case is.
func isCaseName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"data", "item", "input", "meta", "case", "test", "example", "task", "context"} {
		if strings.Contains(name, word) && !strings.Contains(name, "output") {
			return true
		}
	}
	return false
}

// ownsOutcome reports whether a row says how its run ended. An event may have such a member,
// too.
func ownsOutcome(o *Object) bool {
	return o.HasAny("success passed pass score scores reward outcome")
}

// expectations are the words for what should have been done. Each may stand alone, or before
// or after a word of sideWords. A word of callExpectations has other meanings, too, so it must
// stand beside a word of callWords.
var (
	expectations     = [...]string{"expected", "reference", "groundtruth", "golden", "gold", "ideal"}
	callExpectations = [...]string{"target", "correct", "should", "desired", "intended", "oracle", "required", "want", "annotated"}
)

const (
	sideWords = callWords + " invocation output path message response answer"
	callWords = "tool toolcall toolcalled tooluse tooluses toolscalled toolused toolsused toolname trajectory trajectorie action call called functioncall function functionscalled step " +
		"toolcallsequence toolsequence actionsequence usetool calltool havecalled becalled havebeencalled"
)

// isExpected reports whether a member with this name contains what should have been done,
// in any spelling, such as expected_tools, referenceToolCalls and ground_truth.
func isExpected(name string) bool {
	if at := strings.LastIndexAny(name, "./"); at > 0 && !strings.HasSuffix(name, "/value") { // a column, such as reference.trajectory and inputs.ground_truth
		return isExpected(name[at+1:]) || isExpected(name[:at])
	}
	if len(name) < 4 || strings.IndexByte("ergitcsdowaERGITCSDOWA", name[0]) < 0 && !endsInExpectation(name) {
		return false // nearly all names, so that they cost nothing
	}
	name = strings.TrimSuffix(name, "/value") // a column of MLflow
	word := foldName(name)
	switch word {
	case "expectations", "evaluationcriteria":
		return true
	case "requiredaction": // of a person, before the run goes on
		return false
	}
	return besideWord(word, expectations[:], sideWords, true) || besideWord(word, callExpectations[:], callWords, false)
}

var nameMarks = strings.NewReplacer("_", "", "-", "", " ", "")

// foldName returns a name in lower case without the marks between its words.
func foldName(name string) string {
	plain := true
	for i := 0; i < len(name) && plain; i++ {
		plain = name[i] >= 'a' && name[i] <= 'z'
	}
	if plain {
		return name
	}
	return strings.ToLower(nameMarks.Replace(name))
}

// endsInExpectation reports whether a name may end in one of the words of expectations.
func endsInExpectation(name string) bool {
	return len(name) > 8 && OneOf(strings.ToLower(name[len(name)-4:]), "cted ence ruth lden gold deal rget")
}

// besideWord reports whether a name consists of one of the sides and one of the words, in
// singular or plural. If alone is true, the side may stand alone.
func besideWord(name string, sides []string, words string, alone bool) bool {
	for _, side := range sides {
		rest, ok := strings.CutPrefix(name, side)
		if !ok {
			rest, ok = strings.CutSuffix(name, side)
			ok = ok && rest != ""
		}
		if ok && (rest == "" && alone || rest != "" && (OneOf(rest, words) || OneOf(strings.TrimSuffix(rest, "s"), words))) {
			return true
		}
	}
	return false
}

// caseNames are the members in which test cases have their numbers. A number of a random
// generator tells trials apart, too.
const caseNames = "case caseId case_number caseNumber case_name caseName test_case testCase testId test_name testName scenario scenario_id scenarioId exampleId sampleId sample_index sampleIndex item_id itemId row_id rowId seed"

// trialNames are the members in which rows have the number of their trial.
const trialNames = "attempt attempt_id attemptId attempt_number attemptNumber epoch rollout rollout_id rolloutId"

// RecordID returns the id of the run in a row, or "" if there is none. Parts of a run and
// requests to a model have numbers, too, so these are no ids there.
func RecordID(o *Object) string {
	id := o.FirstText("id _id case_id test_id sample_id example_id task_id instance_id eval_id question_id problem_id problemId execution_id executionId uid uuid name " + caseNames)
	if id == "" {
		if id = o.FirstText("request_id requestId idx index"); id != "" && (isPart(o) || isExchange(o)) {
			id = ""
		}
	}
	return id + o.FirstText(trialNames) + conversationOf(o)
}

// conversationOf returns the id of the conversation in a row, or "" if there is none.
func conversationOf(o *Object) string {
	const names = "conversation_id conversationId thread_id threadId session_id sessionId trace_id traceId run_id runId chat_id chatId"
	if id := o.FirstText(names); id != "" {
		return id
	}
	if id := o.OpenMember("config").OpenMember("configurable").FirstText(names); id != "" {
		return id
	}
	return o.OpenMember("metadata").FirstText(names)
}

// threadOf returns the id of the conversation or trace of an event, or "" if there is none. The
// parts of one run may be runs of their own, so the id of a run is none.
func threadOf(o *Object) string {
	const names = "conversation_id conversationId thread_id threadId session_id sessionId trace_id traceId chat_id chatId"
	if id := o.FirstText(names); id != "" {
		return id
	}
	return o.OpenMember("attributes").FirstText(names)
}

// byThread groups events by their conversation or trace, in the order of the first ones. Events
// are one group if one of them has no id.
func byThread(rows []jsonval.Value) [][]jsonval.Value {
	var groups [][]jsonval.Value
	index := map[string]int{}
	for _, row := range rows {
		id := threadOf(OpenObject(row))
		if id == "" {
			return [][]jsonval.Value{rows}
		}
		i, known := index[id]
		if !known {
			i = len(groups)
			index[id] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], row)
	}
	return groups
}

// hasOpening reports whether a row begins a conversation: it has a question, or messages
// that begin with the user or the system.
func hasOpening(o *Object) bool {
	if o.FirstString("input prompt question query user_input userInput goal instruction task user") != "" {
		return true
	}
	return isOpening(mainList(o.Value, 0))
}

// isExchange reports whether a row is a request to a model beside the answer.
func isExchange(o *Object) bool {
	return o.HasAny("request") && o.HasAny("response") || o.HasAny("messages input contents") && isAnswer(o.OpenMember("response output completion"))
}

// isAnswer reports whether an object is the answer of a model's API.
func isAnswer(o *Object) bool {
	return o.IsList("choices") || o.IsList("candidates") || OneOf(o.FirstString("object"), "response chat.completion chat.completion.chunk") ||
		o.HasAny("output content text toolCalls") && o.HasAny("stopReason stop_reason finishReason finish_reason finish_details")
}

// isPart reports whether a row can only be a part of a run: a message, a call, an event, a
// step, or an answer of a model.
func isPart(o *Object) bool {
	switch {
	case len(o.Keys) == 0: // such as a pair of a message and its metadata
		return o.Value.Kind() == jsonval.Array
	case roleOf(o) != "", IsGeneric(o), isAnswer(o):
		return true
	case o.HasAny("step step_number stepNumber step_index stepIndex stepType step_id step_num turn timestep invocationId invocation_id"):
		return true
	case o.HasAny("thought action") && o.HasAny("action observation tool tool_name"):
		return true
	case o.IsText("type") && o.HasAny("data payload"): // an event
		return true
	case isWrappedMessage(o):
		return true
	case len(o.Keys) == 1 && o.Values[0].Kind() == jsonval.Object: // an update or an event, under its name
		return !OneOf(o.Keys[0], "trace run conversation sample record")
	}
	b := OpenBlock(o.Value)
	return b.tool != "" && (b.input.Exists() || o.otherArguments().Exists()) || b.callID != "" || b.Kind != "" && (IsCallKind(b.Kind) || IsResultKind(b.Kind))
}

// isWrappedMessage reports whether a row is one message, or one call or result, with data
// about it.
func isWrappedMessage(o *Object) bool {
	m := o.OpenMember("message")
	b := OpenBlock(m.Value)
	return roleOf(m) != "" || b.callID != "" && b.tool != ""
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
	around []*Object
	groups []*Object
	beside *Object
}

// innerRows returns the records inside an object: the elements of its only list of records,
// or the members of an object whose members are records. It also searches in objects inside,
// down to a depth of three. The result has no rows if there are none, or if other parts of
// the object have calls, too.
func innerRows(v jsonval.Value, depth int) inner {
	o := OpenObject(v)
	if depth > 3 || len(o.Keys) == 0 || roleOf(o) != "" || isAnswer(o) || isExchange(o) {
		return inner{}
	}
	if isRecordMap(o) {
		return inner{rows: o.Values, names: o.Keys}
	}
	if only := onlyRecord(o); only.Exists() {
		return inner{rows: []jsonval.Value{only}, around: []*Object{o}}
	}
	var found inner
	for i, key := range o.Keys {
		m := o.Values[i]
		if k := m.Kind(); k != jsonval.Array && k != jsonval.Object || memberRank(key, m) == 3 {
			continue
		}
		var in inner
		switch {
		case m.Kind() == jsonval.Object:
			in = innerRows(m, depth+1)
		case key == "tasks": // with trials, or those of a crew
			in = innerGroups(m.Elements(), depth+1)
		case !isPartList(key) || key == "content" && !slices.ContainsFunc(m.Elements(), mayBeBlock):
			in = innerList(m.Elements(), depth+1)
		}
		switch {
		case in.rows != nil && found.rows != nil && !areAlike(found.rows, in.rows) && !(mayHoldCall(m) && slices.ContainsFunc(found.rows, mayHoldCall)):
			cases := in.rows
			if !slices.ContainsFunc(found.rows, mayHoldCall) { // such as the metrics of all cases
				found, cases = in, found.rows
			}
			found.cases = append(found.cases, cases...)
		case in.rows != nil && found.rows != nil && len(found.groups)+len(in.groups) == 0: // such as passed and failed runs
			found = inner{rows: slices.Concat(found.rows, in.rows)}
		case in.rows != nil && found.rows != nil:
			return inner{}
		case in.rows != nil:
			found = in
		case countFacts([]jsonval.Value{m}).calls > 0:
			return inner{}
		}
	}
	if found.around != nil {
		found.around = append(found.around, o)
	}
	if found.rows != nil && found.beside == nil {
		found.beside = listsBeside(o, len(found.rows))
	}
	return found
}

// listsBeside returns the members of an object that say something of its records, in a list
// with one value for each of the n records: how they ended, or what should have been done.
// It returns nil if there are none.
func listsBeside(o *Object, n int) *Object {
	out := &Object{}
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != jsonval.Array || v.Len() != n {
			continue
		}
		name := foldOutcome(singularName(key))
		if isExpected(key) || FirstElement(v).Kind() != jsonval.Object && OneOf(name, "pass passed success succeeded correct resolved verdict outcome score reward") {
			out.Keys, out.Values = append(out.Keys, key), append(out.Values, v)
		}
	}
	if len(out.Keys) == 0 {
		return nil
	}
	return out
}

// recordBeside returns what the lists beside the records say of the record with a number.
func recordBeside(lists *Object, i int) *Object {
	out := &Object{}
	for k, key := range lists.Keys {
		if !isExpected(key) {
			key = singularName(key)
		}
		out.Keys, out.Values = append(out.Keys, key), append(out.Values, lists.Values[k].Elements()[i])
	}
	return out
}

// singularName returns the singular of a name such as scores, passes and success.
func singularName(name string) string {
	if strings.HasSuffix(name, "sses") {
		return strings.TrimSuffix(name, "es")
	}
	if strings.HasSuffix(name, "ss") {
		return name
	}
	return strings.TrimSuffix(name, "s")
}

// areAlike reports whether the records of two lists look alike.
func areAlike(a, b []jsonval.Value) bool {
	return len(a) == 0 || len(b) == 0 || looksLike(OpenObject(a[0]), OpenObject(b[0])) || looksLike(OpenObject(b[0]), OpenObject(a[0]))
}

// mayBeBlock reports whether an element of a message's content may be a part of the message.
func mayBeBlock(e jsonval.Value) bool {
	b := OpenBlock(e)
	return e.Kind() != jsonval.Object || !isSpanRow(OpenObject(e)) && mayBePart(b, OpenObject(e))
}

func mayBePart(b *Block, o *Object) bool {
	return b.Kind != "" || b.text != "" || b.nested.Exists() || o.HasAny("role text parts toolUse toolResult image json")
}

// recordsIn returns the records of a text, if its values are not the records: those inside its
// only value, or inside each of its values. The result has no rows if there are none.
func recordsIn(values []jsonval.Value) inner {
	switch {
	case len(values) == 1:
		return innerRows(values[0], 0)
	case len(values) == 0 || slices.ContainsFunc(OpenObject(values[0]).Keys, isPartList): // the record of a run
		return inner{}
	}
	return innerGroups(values, 0)
}

// innerList returns the records in a list: its elements, or what the lists in all of them hold.
func innerList(rows []jsonval.Value, depth int) inner {
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
	for _, row := range rows {
		o := OpenObject(row)
		if o.HasAny("trace") { // a record in this project's own format
			return inner{}
		}
		in := innerRows(row, depth+1)
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
	if !slices.ContainsFunc(all.rows, mayHoldCall) {
		return inner{}
	}
	return all
}

// mayHoldCall reports whether a value has an object that looks like a call.
func mayHoldCall(v jsonval.Value) bool {
	return countFacts([]jsonval.Value{v}).calls > 0 || len((&Decoder{}).callsAside([]jsonval.Value{v})) > 0
}

// holdsRuns reports whether the elements of a list are runs, and not the parts of one.
func holdsRuns(rows []jsonval.Value) bool {
	switch kindOfRows(rows) {
	case recordRows:
		return true
	case eventRows:
		return len(byThread(rows)) > 1
	case lookalikeRows:
	default:
		return false
	}
	n := 0
	for _, row := range rows[:min(len(rows), sample)] {
		o := OpenObject(row)
		n += IfElse(hasOpening(o) || hasRunSide(o) || RecordID(o) != "" && !o.HasAny("parent_id parentId parentUuid parent_span_id parentSpanId span_id spanId") && (hasCallList(o) || mayHoldCall(row)), 1, 0)
	}
	return 2*n > len(rows[:min(len(rows), sample)]) || areContainers(rows)
}

// hasCallList reports whether an object has a list of calls, perhaps an empty one.
func hasCallList(o *Object) bool {
	for i, key := range o.Keys {
		if o.Values[i].Kind() == jsonval.Array && isCallList(key) {
			return true
		}
	}
	return false
}

// areContainers reports whether rows are records of one kind, each with an id of its own, of
// which one holds several calls. The parts of a run do not hold them so.
func areContainers(rows []jsonval.Value) bool {
	ids, first, holds := map[string]bool{}, OpenObject(firstOf(rows)), false
	for _, row := range rows[:min(len(rows), sample)] {
		o := OpenObject(row)
		id := runID(o)
		if id == "" || ids[id] || !slices.Equal(o.Keys, first.Keys) || isPart(o) || o.HasAny("parent_id parentId parent_span_id parentSpanId span_id spanId") {
			return false
		}
		ids[id] = true
		holds = holds || len((&Decoder{}).callsAside([]jsonval.Value{row})) > 1
	}
	return holds && len(ids) > 1
}

// firstOf returns the first of the rows, or Missing.
func firstOf(rows []jsonval.Value) jsonval.Value {
	if len(rows) == 0 {
		return jsonval.Value{}
	}
	return rows[0]
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
func onlyRecord(o *Object) jsonval.Value {
	var only jsonval.Value
	for i, key := range o.Keys {
		switch v := o.Values[i]; {
		case isExpected(key) || v.Kind() < jsonval.Array || v.Kind() == jsonval.String:
		case v.Kind() == jsonval.Object && !only.Exists() && isRecord(OpenObject(v)):
			only = v
		case isRunSide(key) || mainList(v, 0) != nil || countFacts([]jsonval.Value{v}).calls > 0:
			return jsonval.Value{}
		}
	}
	return only
}

// isRecord reports whether an object is the record of a run: it says something of its own
// beside the run.
func isRecord(o *Object) bool {
	return (ownsSettings(o) || RecordID(o) != "") && !isPart(o) && !isExchange(o) &&
		(hasRunSide(o) || holdsCalls(o) || isOpening(mainList(o.Value, 0)) || hasOpening(o) && ownsSettings(o))
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
		o := OpenObject(v)
		id, used := RecordID(o), false
		if id == "" || !ownsSettings(o) {
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

// isPartList reports whether a list with this name contains the parts of one run.
func isPartList(name string) bool {
	return isSpanList(name) || isCallList(name) || isResultList(name) || OneOf(name, "messages turns conversation events history log logs contents content parts output choices candidates rounds iterations trajectory tasks_output tasks")
}

// isRecordMap reports whether the members of an object are records that look alike.
func isRecordMap(o *Object) bool {
	if len(o.Keys) < 2 {
		return false
	}
	first := OpenObject(o.Values[0])
	for _, v := range o.Values {
		m := OpenObject(v)
		if isConversation(v) {
			continue
		}
		if v.Kind() != jsonval.Object || !looksLike(first, m) || !hasOpening(m) && !ownsSettings(m) && !holdsCalls(m) && !hasRunSide(m) {
			return false
		}
	}
	return true
}

// isConversation reports whether a value is a list of messages that begins with the user or
// the system.
func isConversation(v jsonval.Value) bool {
	return v.Kind() == jsonval.Array && isOpening(v.Elements())
}

// looksLike reports whether two objects share at least half of the members of the first.
func looksLike(a, b *Object) bool {
	n := 0
	for _, key := range a.Keys {
		n += IfElse(b.MemberNamed(key).Exists(), 1, 0)
	}
	return 2*n >= len(a.Keys)
}
