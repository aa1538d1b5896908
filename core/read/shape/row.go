package shape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// RowKind says what the rows of a text are.
type RowKind int

const (
	// LookalikeRows are rows of which nothing is known. Those that continue each other are
	// joined.
	LookalikeRows RowKind = iota
	// RecordRows are runs, as an evaluator keeps them. Each is one run.
	RecordRows
	// PartRows are parts of a run, such as messages, calls, steps and answers of a model.
	PartRows
	// EventRows are the events of one stream.
	EventRows
	// ExchangeRows are requests to a model with its answers. A request may repeat the whole
	// conversation.
	ExchangeRows
)

// WholeLists are the members of a record with a whole conversation.
const WholeLists = "messages trajectory conversation transcript"

// IsWhole reports whether a row holds a whole run in a form without roles: a conversation that
// begins with the user, calls with their results beside the answer, or all steps to the answer of a prompt.
func IsWhole(o *Object) bool {
	if o.IsList("steps") && IsAnswer(o) && o.HasAny("prompt input question") {
		return true
	}
	list := o.firstWhere(WholeLists, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array })
	for FirstElement(list).Kind() == jsonval.Array {
		list = FirstElement(list)
	}
	first := OpenObject(FirstElement(list))
	if word := strings.ToLower(first.FirstString("source sender message_type")); RoleOf(first) == "" && (strings.HasPrefix(word, "user") || strings.HasPrefix(word, "human")) {
		return true
	}
	if !o.HasAny("response answer output final_output") || IsAnswer(o) {
		return false
	}
	for i, key := range o.Keys {
		if call := OpenBlock(FirstElement(o.Values[i])); IsCallList(key) && o.Values[i].Kind() == jsonval.Array {
			return call.Name != "" && call.Output.Exists()
		}
	}
	return false
}

// OwnsSettings reports whether a row says how its run must be judged: it has a reference, a
// profile or a number of a trial. Only a record of a run has such a member.
func OwnsSettings(o *Object) bool {
	for i, key := range o.Keys {
		if k := o.Values[i].Kind(); k != jsonval.Null && (IsExpected(key) || OneOf(key, "profile trial trial_index trialIndex trial_number trialNumber trial_id trialId")) {
			return true
		}
	}
	return slices.ContainsFunc(CaseObjects(o, 2), func(inner *Object) bool { return slices.ContainsFunc(inner.Keys, IsExpected) })
}

// CaseObjects returns the objects in a record that may say what its case is, such as the item
// of a data set, with those inside them, at most depth levels deep.
func CaseObjects(o *Object, depth int) []*Object {
	var inner []*Object
	for i, key := range o.Keys {
		if o.Values[i].Kind() == jsonval.Object && isCaseName(key) {
			c := OpenObject(o.Values[i])
			inner = append(inner, c)
			if depth > 1 {
				inner = append(inner, CaseObjects(c, depth-1)...)
			}
			if outputs := c.OpenMember("outputs output"); OneOf(key, "example dataset_item datasetItem") && len(outputs.Keys) > 0 {
				inner = append(inner, outputs) // of an example they are what is expected
			}
		}
	}
	return inner
}

// OpenSideTexts returns a record in which each text that is an object in JSON, of which the name says that it is of the
// case or of the outcome, is this object. A column of a data set keeps such members so. A record without one is
// returned as it is.
func OpenSideTexts(o *Object) *Object {
	out := o
	for i, v := range o.Values {
		if raw := v.Raw(); len(raw) < 4 || raw[0] != '"' || raw[1] != '{' || !isCaseName(o.Keys[i]) && !isPlace(o.Keys[i]) {
			continue
		}
		if inner := OpenText(v); inner.Kind() == jsonval.Object {
			if out == o {
				out = &Object{Value: o.Value, Keys: o.Keys, Values: slices.Clone(o.Values)}
			}
			out.Values[i] = inner
		}
	}
	return out
}

// isCaseName reports whether the object in a member with this name may say what a case is.
func isCaseName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"data", "item", "label", "input", "meta", "case", "test", "example", "task", "context", "config"} {
		if strings.Contains(name, word) && !strings.Contains(name, "output") {
			return true
		}
	}
	return false
}

// OwnsOutcome reports whether a row says how its run ended. An event may have such a member,
// too.
func OwnsOutcome(o *Object) bool {
	for i, key := range o.Keys {
		if v := o.Values[i]; (key == "scores" || IsOutcomeName(key)) && (v.Kind() < jsonval.Array || v.Len() > 0) {
			return true
		}
	}
	return false
}

// expectations are the words for what should have been done. Each may stand alone, or before
// or after a word of sideWords. A word of callExpectations has other meanings, too, so it must
// stand beside a word of callWords.
var (
	expectations     = [...]string{"expected", "reference", "groundtruth", "golden", "gold", "ideal", "canonical"}
	callExpectations = [...]string{"target", "correct", "should", "desired", "intended", "oracle", "required", "want", "annotated", "truth", "gt", "must"}
)

const (
	sideWords = callWords + runWords + " turn invocation path response answer solution history trace plan anyof oneof alternative"
	runWords  = " run rollout traj message output conversation transcript demonstration"
	callWords = "do tool toolcall toolcalled tooluse tooluses toolscalled toolused toolsused toolname trajectory trajectorie action call called functioncall function functionscalled step " +
		"toolcallsequence toolsequence actionsequence toolorder usetool calltool havecalled becalled havebeencalled"
)

// IsExpected reports whether a member with this name contains what should have been done,
// in any spelling, such as expected_tools, referenceToolCalls and ground_truth.
func IsExpected(name string) bool {
	if at := strings.LastIndexAny(name, "./"); at > 0 && !strings.HasSuffix(name, "/value") { // a column, such as reference.trajectory and inputs.ground_truth
		return IsExpected(name[at+1:]) || IsExpected(name[:at])
	}
	if len(name) < 4 || strings.IndexByte("ergitcsdowaERGITCSDOWA", name[0]) < 0 && !strings.HasPrefix(name, "must") && !endsInExpectation(name) {
		return isForeignExpected(name) // nearly all names, so that they cost nothing
	}
	name = strings.TrimSuffix(name, "/value") // a column of MLflow
	word := wordlist.FoldName(name)
	switch word {
	case "expectation", "expectations", "expect", "expects", "evaluationcriteria", "answerkey", "answerkeys", "solutionkey":
		return true
	case "requiredaction": // of a person, before the run goes on
		return false
	}
	return besideWord(word, expectations[:], sideWords, true) || besideWord(word, callExpectations[:], callWords+runWords, false) || isForeignExpected(name)
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
		if ok && (alone && (rest == "" || rest == "s" && side != "reference") || rest != "" && (OneOf(rest, words) || OneOf(strings.TrimSuffix(rest, "s"), words))) {
			return true
		}
	}
	return false
}

// CaseNames are the members in which test cases have their numbers. A number of a random
// generator tells trials apart, too.
const CaseNames = "case caseId case_number caseNumber case_name caseName test_case testCase testId test_name testName scenario scenario_id scenarioId ticket ticket_id exampleId sampleId sample_index sampleIndex item_id itemId row_id rowId seed"

// TrialNames are the members in which rows have the number of their trial.
const TrialNames = "attempt attempt_id attemptId attempt_number attemptNumber epoch rollout rollout_id rolloutId"

// The members with the id of a conversation or trace, and those that have it if they are no object.
const (
	threadNames = "conversation_id conversationId thread_id threadId session_id sessionId trace_id traceId chat_id chatId dialogue_id dialogueId dialog_id"
	threadWords = "session conversation thread chat dialogue"
)

// threadIn returns the id in the first of the named members, or in one of threadWords.
func (o *Object) threadIn(names string) string {
	if id := o.FirstText(names); id != "" {
		return id
	}
	id := o.firstWhere(threadWords, func(v jsonval.Value) bool {
		if v.Kind() == jsonval.Object {
			return v.Len() < 8 && v.Get("id").Text() != ""
		}
		return (v.Kind() == jsonval.String || v.Kind() == jsonval.Number) && v.Text() != "" && len(v.Text()) <= 128 && !strings.Contains(v.Text(), " ")
	})
	if id.Kind() == jsonval.Object {
		return id.Get("id").Text() // {"session": {"id": "a"}}
	}
	return id.Text()
}

// ConversationOf returns the id of the conversation in a row, or "" if there is none.
func ConversationOf(o *Object) string {
	const names = threadNames + " run_id runId"
	if id := o.threadIn(names); id != "" {
		return id
	}
	if IsExchange(o) { // a log of requests keeps the id beside them, or in what was sent
		if id := o.OpenMember("request_properties requestProperties properties").FirstText(names); id != "" {
			return id
		}
		if id := o.OpenMember("request request_body requestBody").OpenMember("metadata").FirstText(names); id != "" {
			return id
		}
	}
	if id := o.OpenMember("config").OpenMember("configurable").FirstText(names); id != "" {
		return id
	}
	if id := o.OpenMember("metadata").FirstText(names); id != "" {
		return id
	}
	return o.threadAbout()
}

// aboutWords are words of the names of objects that say something about a row, and nothing of what was done.
const aboutWords = "meta metadata property attribute label tag"

// threadAbout returns the id of the conversation in an object that is about a row, such as requestMetadata, in a member
// of any name that is one of a conversation, such as X-Session-Id.
func (o *Object) threadAbout() string {
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != jsonval.Object || len(key) < 4 || !wordlist.HasAny(aboutWords, SplitWords(key)) {
			continue
		}
		if id := threadInside(OpenObject(v)); id != "" {
			return id
		}
	}
	return ""
}

// threadInside returns the id of a conversation in a member of any name that is one of a conversation; "" for none.
func threadInside(inner *Object) string {
	for k, name := range inner.Keys {
		words := SplitWords(name)
		if id := inner.Values[k]; len(words) > 1 && words[len(words)-1] == "id" && OneOf(words[len(words)-2], threadWords) && (id.Kind() == jsonval.String || id.Kind() == jsonval.Number) {
			return id.Text()
		}
	}
	return ""
}

// ThreadOf returns the id of the conversation or trace of an event, or "" if there is none. The
// parts of one run may be runs of their own, so the id of a run is none.
func ThreadOf(o *Object) string {
	if id := o.threadIn(threadNames); id != "" {
		return id
	}
	return o.OpenMember("attributes").FirstText(threadNames)
}

// RunNames are the members in which the parts of several runs say of which one they are.
const RunNames = "run run_name runName episode episode_id episodeId rollout rollout_id rolloutId trial trial_id trialId attempt execution execution_id executionId case case_id caseId sample sample_id sampleId scenario dialog"

// ByThread groups events by their conversation or trace, in the order of the first ones. Events
// are one group if one of them has no id.
func ByThread(rows []jsonval.Value) [][]jsonval.Value {
	var groups [][]jsonval.Value
	index := map[string]int{}
	for _, row := range rows {
		id := ThreadOf(OpenObject(row))
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

// AreAllOther reports whether each row names another conversation. If the rows are parts of a run, these are ids of
// parts: a conversation has several.
func AreAllOther(rows []jsonval.Value) bool {
	seen := map[string]bool{}
	for _, row := range rows {
		id := ConversationOf(OpenObject(row))
		if id == "" || seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}

// IsExchange reports whether a row is a request to a model beside the answer.
func IsExchange(o *Object) bool {
	return o.HasAny("request request_body requestBody") && o.HasAny("response response_body responseBody") || o.HasAny("messages input contents") && IsAnswer(OpenObject(encodedObject(o.Get("response output completion"))))
}

// encodedObject returns the object in a text that begins like one. It returns any other value
// unchanged.
func encodedObject(v jsonval.Value) jsonval.Value {
	if raw := v.Raw(); strings.HasPrefix(raw, `"{`) {
		return EncodedValue(v)
	}
	return v
}

// IsAnswer reports whether an object is the answer of a model's API.
func IsAnswer(o *Object) bool {
	return o.IsList("choices") || o.IsList("candidates") || OneOf(o.FirstString("object"), "response chat.completion chat.completion.chunk") ||
		o.HasAny("output content text toolCalls") && o.HasAny("stopReason stop_reason finishReason finish_reason finish_details")
}

// IsWrappedMessage reports whether a row is one message, or one call or result, with data
// about it.
func IsWrappedMessage(o *Object) bool {
	m := o.OpenMember("message")
	b := OpenBlock(m.Value)
	return RoleOf(m) != "" || b.CallID != "" && b.Tool != ""
}

// SingularName returns the singular of a name such as scores, passes and success.
func SingularName(name string) string {
	if strings.HasSuffix(name, "sses") {
		return strings.TrimSuffix(name, "es")
	}
	if strings.HasSuffix(name, "ss") {
		return name
	}
	return strings.TrimSuffix(name, "s")
}

// AreAlike reports whether the records of two lists look alike.
func AreAlike(a, b []jsonval.Value) bool {
	return len(a) == 0 || len(b) == 0 || LooksLike(OpenObject(a[0]), OpenObject(b[0])) || LooksLike(OpenObject(b[0]), OpenObject(a[0]))
}

// MayBePart reports whether an object has a member of a message or of a part of one. b and o
// are the same object.
func MayBePart(b *Block, o *Object) bool {
	return b.Kind != "" || b.text != "" || b.Nested.Exists() || o.HasAny("role text parts toolUse toolResult image json")
}

// HasCallList reports whether an object has a list of calls, perhaps an empty one.
func HasCallList(o *Object) bool {
	for i, key := range o.Keys {
		if o.Values[i].Kind() == jsonval.Array && IsCallList(key) {
			return true
		}
	}
	return false
}

// IsPartList reports whether a list with this name contains the parts of one run.
func IsPartList(name string) bool {
	return IsSpanList(name) || IsCallList(name) || IsResultList(name) || OneOf(name, PartLists)
}

// PartLists are members with the parts of one run, besides those of calls, spans and results.
const PartLists = "messages message_list messageList turns conversation events history log logs contents content parts output choices candidates rounds iterations trajectory tasks_output tasks"

// LooksLike reports whether two objects share at least half of the members of the first.
func LooksLike(a, b *Object) bool {
	n := 0
	for _, key := range a.Keys {
		n += IfElse(b.MemberNamed(key).Exists(), 1, 0)
	}
	return 2*n >= len(a.Keys)
}

// AreEvents reports whether rows are events of at least two types.
func AreEvents(rows []jsonval.Value) bool {
	kind := ""
	for _, row := range rows {
		o := OpenObject(row)
		word := o.FirstString("event type event_type")
		if word == "" || LangChainRole(word) != "" {
			return false
		}
		if kind != "" && word != kind {
			return true
		}
		kind = word
	}
	return false
}

// AreTagged reports whether each row is a list of two objects: a message, and
// metadata about the message. LangGraph streams messages in this form.
func AreTagged(rows []jsonval.Value) bool {
	for _, row := range rows {
		pair := row.Elements()
		if len(pair) != 2 || pair[1].Kind() != jsonval.Object || RoleOf(OpenObject(pair[0])) == "" || RoleOf(OpenObject(pair[1])) != "" {
			return false
		}
	}
	return len(rows) > 0
}

// ListsTools reports whether a member of an object is a list that begins with an object which names a tool. The
// result of a call has none.
func ListsTools(o *Object) bool {
	return slices.ContainsFunc(o.Values, func(v jsonval.Value) bool { return v.Kind() == jsonval.Array && OpenBlock(FirstElement(v)).Tool != "" })
}
