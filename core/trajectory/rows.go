package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
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
	var n struct{ rows, settings, outcomes, parts, exchanges, openings int }
	ids := map[string]bool{}
	for _, row := range rows[:min(len(rows), sample)] {
		o := openObject(row)
		n.rows++
		n.settings += ifElse(ownsSettings(o), 1, 0)
		n.outcomes += ifElse(ownsOutcome(o), 1, 0)
		n.parts += ifElse(isPart(o), 1, 0)
		n.exchanges += ifElse(isExchange(o), 1, 0)
		if hasOpening(o) {
			n.openings++
			if id := recordID(o); id != "" {
				ids[id] = true
			}
		}
	}
	switch most := func(k int) bool { return 2*k > n.rows }; {
	case most(n.settings), most(n.openings) && len(ids) > 1 && len(ids) == n.openings:
		return recordRows
	case areEvents(rows):
		return eventRows
	case most(n.parts):
		return partRows
	case most(n.outcomes), n.settings > 0 && n.exchanges == 0:
		return recordRows
	case most(n.exchanges):
		return exchangeRows
	}
	return lookalikeRows
}

// ownsSettings reports whether a row says how its run must be judged: it has a reference, a
// profile or a number of a trial. Only a record of a run has such a member.
func ownsSettings(o *object) bool {
	for i, key := range o.keys {
		if k := o.values[i].Kind(); k != jsonval.Null && (isExpected(key) || oneOf(key, "profile trial")) {
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

// isExpected reports whether a member with this name contains what should have been done,
// in any spelling, such as expected_tools, referenceToolCalls and ground_truth.
func isExpected(name string) bool {
	word := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
	if oneOf(word, "reference expected expectations groundtruth gold golden ideal") {
		return true
	}
	for _, side := range [...]string{"expected", "reference", "groundtruth", "gold", "golden", "ideal"} {
		if rest, ok := strings.CutPrefix(word, side); ok && oneOf(strings.TrimSuffix(rest, "s"), "tool toolcall tooluse toolscalled trajectory trajectorie action call functioncall output step path message response answer") {
			return true
		}
	}
	return false
}

// recordID returns the id of the run in a row, or "" if there is none.
func recordID(o *object) string {
	return o.firstText("id case_id test_id sample_id example_id task_id instance_id eval_id question_id uid uuid name") + conversationOf(o)
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
	case len(o.keys) == 1 && o.values[0].Kind() == jsonval.Object: // an update or an event, under its name
		return !oneOf(o.keys[0], "trace run conversation sample record")
	}
	b := openBlock(o.v)
	return b.tool != "" && b.input.Exists() || b.callID != "" || b.kind != "" && (isCallKind(b.kind) || isResultKind(b.kind))
}
