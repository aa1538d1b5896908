package trajectory

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
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
		o := openObject(row)
		n.rows++
		n.spans += ifElse(isSpanRow(o), 1, 0)
		n.wholes += ifElse(isWhole(o), 1, 0)
		n.settings += ifElse(ownsSettings(o), 1, 0)
		n.outcomes += ifElse(ownsOutcome(o), 1, 0)
		n.parts += ifElse(isPart(o), 1, 0)
		n.exchanges += ifElse(isExchange(o), 1, 0)
		id := recordID(o)
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
func isWhole(o *object) bool {
	list := o.firstWhere(wholeLists, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array })
	for firstElement(list).Kind() == jsonval.Array {
		list = firstElement(list)
	}
	first := openObject(firstElement(list))
	if word := strings.ToLower(first.firstString("source sender message_type")); roleOf(first) == "" && (strings.HasPrefix(word, "user") || strings.HasPrefix(word, "human")) {
		return true
	}
	if !o.hasAny("response answer output final_output") || isAnswer(o) {
		return false
	}
	for i, key := range o.keys {
		if call := openBlock(firstElement(o.values[i])); isCallList(key) && o.values[i].Kind() == jsonval.Array {
			return call.name != "" && call.output.Exists()
		}
	}
	return false
}

// areGrowing reports whether a row holds the conversation of the row before, and goes on.
func areGrowing(rows []jsonval.Value) bool {
	var last []jsonval.Value
	for _, row := range rows[:min(len(rows), sample)] {
		list := openObject(row).firstList(wholeLists)
		if isContinuedBy(last, list) || isContinuedBy(list, last) {
			return true
		}
		last = list
	}
	return false
}

// isSpanRow reports whether a row is one span of a trace, perhaps wrapped as the attributes of
// a thing.
func isSpanRow(o *object) bool {
	if inner := o.openMember("attributes"); inner.hasAny("span_id spanId") {
		o = inner
	}
	return o.hasAny("trace_id traceId") && o.hasAny("parent_span_id parentSpanId parent_id parentId span_id spanId") && (kindOf(o) != "" || o.hasAny("name")) && !holdsCalls(o)
}

// ownsSettings reports whether a row says how its run must be judged: it has a reference, a
// profile or a number of a trial. Only a record of a run has such a member.
func ownsSettings(o *object) bool {
	for i, key := range o.keys {
		if k := o.values[i].Kind(); k != jsonval.Null && (isExpected(key) || oneOf(key, "profile trial trial_index trialIndex trial_number trialNumber trial_id trialId")) {
			return true
		}
	}
	return slices.ContainsFunc(caseObjects(o, 2), func(inner *object) bool { return slices.ContainsFunc(inner.keys, isExpected) })
}

// caseObjects returns the objects in a record that may say what its case is, such as the item
// of a data set, with those inside them, at most depth levels deep.
func caseObjects(o *object, depth int) []*object {
	var inner []*object
	for i, key := range o.keys {
		if o.values[i].Kind() == jsonval.Object && isCaseName(key) {
			c := openObject(o.values[i])
			inner = append(inner, c)
			if depth > 1 {
				inner = append(inner, caseObjects(c, depth-1)...)
			}
			if outputs := c.openMember("outputs output"); oneOf(key, "example dataset_item datasetItem") && len(outputs.keys) > 0 {
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
func ownsOutcome(o *object) bool {
	return o.hasAny("success passed pass score scores reward outcome")
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
	return len(name) > 8 && oneOf(strings.ToLower(name[len(name)-4:]), "cted ence ruth lden gold deal rget")
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
		if ok && (rest == "" && alone || rest != "" && (oneOf(rest, words) || oneOf(strings.TrimSuffix(rest, "s"), words))) {
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

// recordID returns the id of the run in a row, or "" if there is none. Parts of a run and
// requests to a model have numbers, too, so these are no ids there.
func recordID(o *object) string {
	id := o.firstText("id _id case_id test_id sample_id example_id task_id instance_id eval_id question_id problem_id problemId execution_id executionId uid uuid name " + caseNames)
	if id == "" {
		if id = o.firstText("request_id requestId idx index"); id != "" && (isPart(o) || isExchange(o)) {
			id = ""
		}
	}
	return id + o.firstText(trialNames) + conversationOf(o)
}

// conversationOf returns the id of the conversation in a row, or "" if there is none.
func conversationOf(o *object) string {
	const names = "conversation_id conversationId thread_id threadId session_id sessionId trace_id traceId run_id runId chat_id chatId"
	if id := o.firstText(names); id != "" {
		return id
	}
	if id := o.openMember("config").openMember("configurable").firstText(names); id != "" {
		return id
	}
	return o.openMember("metadata").firstText(names)
}

// threadOf returns the id of the conversation or trace of an event, or "" if there is none. The
// parts of one run may be runs of their own, so the id of a run is none.
func threadOf(o *object) string {
	const names = "conversation_id conversationId thread_id threadId session_id sessionId trace_id traceId chat_id chatId"
	if id := o.firstText(names); id != "" {
		return id
	}
	return o.openMember("attributes").firstText(names)
}

// byThread groups events by their conversation or trace, in the order of the first ones. Events
// are one group if one of them has no id.
func byThread(rows []jsonval.Value) [][]jsonval.Value {
	var groups [][]jsonval.Value
	index := map[string]int{}
	for _, row := range rows {
		id := threadOf(openObject(row))
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
func hasOpening(o *object) bool {
	if o.firstString("input prompt question query user_input userInput goal instruction task user") != "" {
		return true
	}
	return isOpening(mainList(o.v, 0))
}

// isExchange reports whether a row is a request to a model beside the answer.
func isExchange(o *object) bool {
	return o.hasAny("request") && o.hasAny("response") || o.hasAny("messages input contents") && isAnswer(o.openMember("response output completion"))
}

// isAnswer reports whether an object is the answer of a model's API.
func isAnswer(o *object) bool {
	return o.isList("choices") || o.isList("candidates") || oneOf(o.firstString("object"), "response chat.completion chat.completion.chunk") ||
		o.hasAny("output content text toolCalls") && o.hasAny("stopReason stop_reason finishReason finish_reason finish_details")
}

// isPart reports whether a row can only be a part of a run: a message, a call, an event, a
// step, or an answer of a model.
func isPart(o *object) bool {
	switch {
	case len(o.keys) == 0: // such as a pair of a message and its metadata
		return o.v.Kind() == jsonval.Array
	case roleOf(o) != "", isGeneric(o), isAnswer(o):
		return true
	case o.hasAny("step step_number stepNumber step_index stepIndex stepType step_id step_num turn timestep invocationId invocation_id"):
		return true
	case o.hasAny("thought action") && o.hasAny("action observation tool tool_name"):
		return true
	case o.isText("type") && o.hasAny("data payload"): // an event
		return true
	case isWrappedMessage(o):
		return true
	case len(o.keys) == 1 && o.values[0].Kind() == jsonval.Object: // an update or an event, under its name
		return !oneOf(o.keys[0], "trace run conversation sample record")
	}
	b := openBlock(o.v)
	return b.tool != "" && (b.input.Exists() || o.otherArguments().Exists()) || b.callID != "" || b.kind != "" && (isCallKind(b.kind) || isResultKind(b.kind))
}

// isWrappedMessage reports whether a row is one message, or one call or result, with data
// about it.
func isWrappedMessage(o *object) bool {
	m := o.openMember("message")
	b := openBlock(m.v)
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
	around []*object
	groups []*object
	beside *object
}

// innerRows returns the records inside an object: the elements of its only list of records,
// or the members of an object whose members are records. It also searches in objects inside,
// down to a depth of three. The result has no rows if there are none, or if other parts of
// the object have calls, too.
func innerRows(v jsonval.Value, depth int) inner {
	o := openObject(v)
	if depth > 3 || len(o.keys) == 0 || roleOf(o) != "" || isAnswer(o) || isExchange(o) {
		return inner{}
	}
	if isRecordMap(o) {
		return inner{rows: o.values, names: o.keys}
	}
	if only := onlyRecord(o); only.Exists() {
		return inner{rows: []jsonval.Value{only}, around: []*object{o}}
	}
	var found inner
	for i, key := range o.keys {
		m := o.values[i]
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
func listsBeside(o *object, n int) *object {
	out := &object{}
	for i, key := range o.keys {
		v := o.values[i]
		if v.Kind() != jsonval.Array || v.Len() != n {
			continue
		}
		name := foldOutcome(singularName(key))
		if isExpected(key) || firstElement(v).Kind() != jsonval.Object && oneOf(name, "pass passed success succeeded correct resolved verdict outcome score reward") {
			out.keys, out.values = append(out.keys, key), append(out.values, v)
		}
	}
	if len(out.keys) == 0 {
		return nil
	}
	return out
}

// recordBeside returns what the lists beside the records say of the record with a number.
func recordBeside(lists *object, i int) *object {
	out := &object{}
	for k, key := range lists.keys {
		if !isExpected(key) {
			key = singularName(key)
		}
		out.keys, out.values = append(out.keys, key), append(out.values, lists.values[k].Elements()[i])
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
	return len(a) == 0 || len(b) == 0 || looksLike(openObject(a[0]), openObject(b[0])) || looksLike(openObject(b[0]), openObject(a[0]))
}

// mayBeBlock reports whether an element of a message's content may be a part of the message.
func mayBeBlock(e jsonval.Value) bool {
	b := openBlock(e)
	return e.Kind() != jsonval.Object || !isSpanRow(openObject(e)) && mayBePart(b, openObject(e))
}

func mayBePart(b *block, o *object) bool {
	return b.kind != "" || b.text != "" || b.nested.Exists() || o.hasAny("role text parts toolUse toolResult image json")
}

// recordsIn returns the records of a text, if its values are not the records: those inside its
// only value, or inside each of its values. The result has no rows if there are none.
func recordsIn(values []jsonval.Value) inner {
	switch {
	case len(values) == 1:
		return innerRows(values[0], 0)
	case len(values) == 0 || slices.ContainsFunc(openObject(values[0]).keys, isPartList): // the record of a run
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
		o := openObject(row)
		if o.hasAny("trace") { // a record in this project's own format
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
	return countFacts([]jsonval.Value{v}).calls > 0 || len((&decoder{}).callsAside([]jsonval.Value{v})) > 0
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
		o := openObject(row)
		n += ifElse(hasOpening(o) || hasRunSide(o) || recordID(o) != "" && !o.hasAny("parent_id parentId parentUuid parent_span_id parentSpanId span_id spanId") && (hasCallList(o) || mayHoldCall(row)), 1, 0)
	}
	return 2*n > len(rows[:min(len(rows), sample)]) || areContainers(rows)
}

// hasCallList reports whether an object has a list of calls, perhaps an empty one.
func hasCallList(o *object) bool {
	for i, key := range o.keys {
		if o.values[i].Kind() == jsonval.Array && isCallList(key) {
			return true
		}
	}
	return false
}

// areContainers reports whether rows are records of one kind, each with an id of its own, of
// which one holds several calls. The parts of a run do not hold them so.
func areContainers(rows []jsonval.Value) bool {
	ids, first, holds := map[string]bool{}, openObject(firstOf(rows)), false
	for _, row := range rows[:min(len(rows), sample)] {
		o := openObject(row)
		id := runID(o)
		if id == "" || ids[id] || !slices.Equal(o.keys, first.keys) || isPart(o) || o.hasAny("parent_id parentId parent_span_id parentSpanId span_id spanId") {
			return false
		}
		ids[id] = true
		holds = holds || len((&decoder{}).callsAside([]jsonval.Value{row})) > 1
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
func (in *inner) nameRuns(runs []Trajectory) {
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
func onlyRecord(o *object) jsonval.Value {
	var only jsonval.Value
	for i, key := range o.keys {
		switch v := o.values[i]; {
		case isExpected(key) || v.Kind() < jsonval.Array || v.Kind() == jsonval.String:
		case v.Kind() == jsonval.Object && !only.Exists() && isRecord(openObject(v)):
			only = v
		case isRunSide(key) || mainList(v, 0) != nil || countFacts([]jsonval.Value{v}).calls > 0:
			return jsonval.Value{}
		}
	}
	return only
}

// isRecord reports whether an object is the record of a run: it says something of its own
// beside the run.
func isRecord(o *object) bool {
	return (ownsSettings(o) || recordID(o) != "") && !isPart(o) && !isExchange(o) &&
		(hasRunSide(o) || holdsCalls(o) || isOpening(mainList(o.v, 0)) || hasOpening(o) && ownsSettings(o))
}

// complete gives the runs their names, or what the objects around their only record say.
func (in *inner) complete(d *decoder, runs []Trajectory) {
	in.completeCases(d, runs)
	if in.beside != nil && len(runs) == len(in.rows) {
		for i := range runs {
			d.copySides(runs[i:i+1], recordBeside(in.beside, i), false)
		}
	}
	if in.around == nil {
		in.nameRuns(runs)
		in.completeGroups(d, runs)
		return
	}
	for _, o := range in.around {
		copyRowMeta(runs, o)
		d.copySides(runs, o, false)
	}
}

// completeCases gives each run the expected side of the case with its id.
func (in *inner) completeCases(d *decoder, runs []Trajectory) {
	for _, v := range in.cases {
		o := openObject(v)
		id, used := recordID(o), false
		if id == "" || !ownsSettings(o) {
			continue
		}
		for i := range runs {
			if t := &runs[i]; t.Task == id || t.ID == id {
				d.setExpected(runs[i:i+1], o, false)
				used = true
			}
		}
		if !used {
			d.addTally("expected-not-used", expectedUnused, 1)
		}
	}
}

// completeGroups gives each run what the object around its list says, if each record is one
// run.
func (in *inner) completeGroups(d *decoder, runs []Trajectory) {
	if len(runs) != len(in.groups) {
		return
	}
	for i, o := range in.groups {
		copyRowMeta(runs[i:i+1], o)
		d.copySides(runs[i:i+1], o, false)
	}
}

// isPartList reports whether a list with this name contains the parts of one run.
func isPartList(name string) bool {
	return isSpanList(name) || isCallList(name) || isResultList(name) || oneOf(name, "messages turns conversation events history log logs contents content parts output choices candidates rounds iterations trajectory tasks_output tasks")
}

// isRecordMap reports whether the members of an object are records that look alike.
func isRecordMap(o *object) bool {
	if len(o.keys) < 2 {
		return false
	}
	first := openObject(o.values[0])
	for _, v := range o.values {
		m := openObject(v)
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
func looksLike(a, b *object) bool {
	n := 0
	for _, key := range a.keys {
		n += ifElse(b.memberNamed(key).Exists(), 1, 0)
	}
	return 2*n >= len(a.keys)
}
