package trajectory

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// readEvent reads an event with calls, results or text, as one of several frameworks
// writes it. It returns false if the object is not such an event.
func (r *run) readEvent(o *object) bool {
	kind := o.firstString("type event")
	if partial, _ := o.get("partial").Bool(); partial && o.isObject("content") {
		return true // ADK sends the complete content after its parts
	}
	switch {
	case strings.HasPrefix(kind, "on_tool_"):
		r.toolEvent(kind, o)
	case oneOf(kind, "ToolCallRequestEvent AssistantMessage") && o.isList("content"):
		r.callList("content", o.get("content"))
	case oneOf(kind, "ToolCallExecutionEvent FunctionExecutionResultMessage") && o.isList("content"):
		r.resultList(o.get("content"))
	case oneOf(kind, "TextMessage UserMessage SystemMessage") && o.isText("content"):
		r.addMessage(ifElse(kind == "SystemMessage", "system", ifElse(kind == "UserMessage" || o.firstString("source") == "user", "user", "assistant")), o.firstText("content"))
	case kind == "text-delta":
		r.assistantTurn()
		r.addTextPiece(o.firstString("delta text textDelta"))
	case o.isText("user") && o.isText("assistant") && o.isList("tool_calls"): // OWL
		r.addMessage("user", o.firstText("user"))
		r.callList("tool_calls", o.get("tool_calls"))
		r.addMessage("assistant", o.firstText("assistant"))
	case o.isList("tool_calls") && o.hasAny("observations"):
		r.observedStep(o)
	case o.isObject("action") && o.hasAny("observation"):
		r.langChainStep(o.openMember("action"), o.get("observation"))
	case o.hasAny("tool_name_0"):
		r.readNumberedSteps(o)
	default:
		return false
	}
	return true
}

// toolEvent reads LangChain's event for a tool that ended or failed. The event has the
// tool's name, input and output. The call's id is known only if the output contains it.
func (r *run) toolEvent(kind string, o *object) {
	data := o.openMember("data")
	output := data.get("output")
	switch kind {
	case "on_tool_end":
		r.findValue(output)
	case "on_tool_error":
		output = data.firstNonNull("error")
	default:
		return
	}
	e := execution{call: call{name: o.firstText("name"), arguments: toolArguments(data.get("input")), at: o.v}, result: output, done: true}
	e.id = output.Get("kwargs").Get("tool_call_id").Text() + output.Get("tool_call_id").Text()
	e.flag = ifElse(kind == "on_tool_error", failed, unsaid)
	r.found.ended = append(r.found.ended, e)
}

// observedStep reads a step of smolagents. The step has several calls, and one result for
// all of them.
func (r *run) observedStep(o *object) {
	r.beginTurn("assistant")
	before := len(r.t.Actions)
	r.callList("tool_calls", o.get("tool_calls"))
	text, f := o.firstText("observations"), errorFlag(o.get("error"))
	if f == failed {
		text = errorWords(o.get("error"))
	}
	for i := before; i < len(r.t.Actions); i++ {
		if r.t.Actions[i].Observation == nil {
			r.setObservation(i, newObservation(text, f))
		}
	}
	r.addToolMessage(text)
}

// isLangChainStep reports whether a pair consists of an agent's action and its result.
// The slice must have two elements.
func isLangChainStep(pair []jsonval.Value) bool {
	a := openObject(pair[0])
	return a.isText("tool") && a.hasAny("tool_input toolInput") && pair[1].Kind() != jsonval.Object
}

func (r *run) langChainStep(action *object, observation jsonval.Value) {
	r.beginTurn("assistant")
	name, id := action.firstText("tool name tool_name"), action.firstText("tool_call_id toolCallId id")
	r.addCall(call{id: id, name: name, arguments: action.firstNonNull("tool_input toolInput arguments args input"), at: action.v})
	r.attachResult(id, name, newObservation(contentText(observation), unsaid), observation)
}

// readNumberedSteps reads a trajectory of DSPy. The name of each member ends in the
// number of its step, for example tool_name_0.
func (r *run) readNumberedSteps(o *object) {
	for i := 0; ; i++ {
		n := "_" + strconv.Itoa(i)
		if !o.hasAny("tool_name" + n) {
			return
		}
		r.beginTurn("assistant")
		name := o.firstText("tool_name" + n)
		r.addCall(call{name: name, arguments: o.get("tool_args" + n), at: o.get("tool_name" + n)})
		if observation := o.get("observation" + n); observation.Exists() {
			r.attachResult("", name, newObservation(contentText(observation), unsaid), observation)
		}
	}
}

// addExecutions adds the tool executions that were recorded as separate events. The
// result of an execution is attached to the call with the same id, or else with the same
// name and arguments. An execution without such a call becomes a new action.
func (r *run) addExecutions() {
	taken := map[int]bool{}
	for _, e := range r.found.ended {
		i, known := r.found.knownCall(e.id, e.name)
		if !known || e.id == "" {
			i = r.matchExecution(&e, taken)
		}
		o := newObservation(toolText(e.result), e.flag)
		if i < 0 {
			r.beginTurn("assistant")
			r.found.calls = map[string][]int{}
			if i = r.addCall(e.call); i < 0 {
				continue
			}
		}
		taken[i] = true
		if a := &r.t.Actions[i]; a.Observation == nil {
			r.setObservation(i, o)
			r.addToolMessage(o.Text)
		} else if e.flag == failed {
			a.Observation.Error = true
		}
	}
}

// matchExecution returns the index of the first action with the name and arguments of an
// execution. It skips the actions whose indices are in the map taken. It returns -1 if
// there is no such action.
func (r *run) matchExecution(e *execution, taken map[int]bool) int {
	for i := range r.t.Actions {
		if a := &r.t.Actions[i]; !taken[i] && a.Name == e.name && jsonval.Equal(a.Arguments, e.arguments) {
			return i
		}
	}
	return -1
}
