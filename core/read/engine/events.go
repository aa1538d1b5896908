package engine

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// readEvent reads an event with calls, results or text, as one of several frameworks
// writes it. It returns false if the object is not such an event.
func (r *Run) readEvent(o *shape.Object) bool {
	kind := o.FirstString("type event")
	if partial, _ := o.Get("partial").Bool(); partial && o.IsObject("content") {
		return true // ADK sends the complete content after its parts
	}
	switch {
	case strings.HasPrefix(kind, "on_tool_"):
		r.toolEvent(kind, o)
	case shape.OneOf(kind, "ToolCallRequestEvent AssistantMessage") && o.IsList("content"):
		r.callList("content", o.Get("content"))
	case shape.OneOf(kind, "ToolCallExecutionEvent FunctionExecutionResultMessage") && o.IsList("content"):
		r.resultList(o.Get("content"))
	case shape.OneOf(kind, "TextMessage UserMessage SystemMessage") && o.IsText("content"):
		r.AddMessage(shape.IfElse(kind == "SystemMessage", "system", shape.IfElse(kind == "UserMessage" || o.FirstString("source") == "user", "user", "assistant")), o.FirstText("content"))
	case kind == "text-delta":
		r.AssistantTurn()
		r.addTextPiece(o.FirstString("delta text textDelta"))
	case o.IsText("user") && o.IsText("assistant") && o.IsList("tool_calls"): // OWL
		r.AddMessage("user", o.FirstText("user"))
		r.callList("tool_calls", o.Get("tool_calls"))
		r.AddMessage("assistant", o.FirstText("assistant"))
	case o.IsList("tool_calls") && o.HasAny("observations"):
		r.observedStep(o)
	case o.IsObject("action") && o.HasAny("observation"):
		r.langChainStep(o.OpenMember("action"), o.Get("observation"))
	case o.HasAny("tool_name_0"):
		r.readNumberedSteps(o)
	default:
		return false
	}
	return true
}

// toolEvent reads LangChain's event for a tool that ended or failed. The event has the
// tool's name, input and output. The call's id is known only if the output contains it.
func (r *Run) toolEvent(kind string, o *shape.Object) {
	data := o.OpenMember("data")
	output := data.Get("output")
	switch kind {
	case "on_tool_end":
		r.findValue(output)
	case "on_tool_error":
		output = data.FirstNonNull("error")
	default:
		return
	}
	e := Execution{Call: Call{Name: o.FirstText("name"), Arguments: ToolArguments(data.Get("input")), At: o.Value}, Result: output, Done: true}
	e.ID = output.Get("kwargs").Get("tool_call_id").Text() + output.Get("tool_call_id").Text()
	e.Flag = shape.IfElse(kind == "on_tool_error", shape.Failed, shape.Unsaid)
	r.found.ended = append(r.found.ended, e)
}

// observedStep reads a step of smolagents. The step has several calls, and one result for
// all of them.
func (r *Run) observedStep(o *shape.Object) {
	r.BeginTurn("assistant")
	before := len(r.Trajectory.Actions)
	r.callList("tool_calls", o.Get("tool_calls"))
	text, f := o.FirstText("observations"), shape.ErrorFlag(o.Get("error"))
	if f == shape.Failed {
		text = shape.ErrorWords(o.Get("error"))
	}
	for i := before; i < len(r.Trajectory.Actions); i++ {
		if r.Trajectory.Actions[i].Observation == nil {
			r.SetObservation(i, shape.NewObservation(text, f))
		}
	}
	r.AddToolMessage(text)
}

// isLangChainStep reports whether a pair consists of an agent's action and its result.
// The slice must have two elements.
func isLangChainStep(pair []jsonval.Value) bool {
	a := shape.OpenObject(pair[0])
	return a.IsText("tool") && a.HasAny("tool_input toolInput") && pair[1].Kind() != jsonval.Object
}

func (r *Run) langChainStep(action *shape.Object, observation jsonval.Value) {
	r.BeginTurn("assistant")
	name, id := action.FirstText("tool name tool_name"), action.FirstText("tool_call_id toolCallId id")
	r.AddCall(Call{ID: id, Name: name, Arguments: action.FirstNonNull("tool_input toolInput arguments args input"), At: action.Value})
	r.AttachResult(id, name, shape.NewObservation(shape.ContentText(observation), shape.Unsaid), observation)
}

// readNumberedSteps reads a trajectory of DSPy. The name of each member ends in the
// number of its step, for example tool_name_0.
func (r *Run) readNumberedSteps(o *shape.Object) {
	for i := 0; ; i++ {
		n := "_" + strconv.Itoa(i)
		if !o.HasAny("tool_name" + n) {
			return
		}
		r.BeginTurn("assistant")
		name := o.FirstText("tool_name" + n)
		r.AddCall(Call{Name: name, Arguments: o.Get("tool_args" + n), At: o.Get("tool_name" + n)})
		if observation := o.Get("observation" + n); observation.Exists() {
			r.AttachResult("", name, shape.NewObservation(shape.ContentText(observation), shape.Unsaid), observation)
		}
	}
}

// addExecutions adds the tool executions that were recorded as separate events. The
// result of an execution is attached to the call with the same id, or else with the same
// name and arguments. An execution without such a call becomes a new action.
func (r *Run) addExecutions() {
	taken := map[int]bool{}
	for _, e := range r.found.ended {
		i, known := r.found.knownCall(e.ID, e.Name)
		if !known || e.ID == "" {
			i = r.matchExecution(&e, taken)
		}
		o := shape.NewObservation(ToolText(e.Result), e.Flag)
		if i < 0 {
			r.BeginTurn("assistant")
			r.found.calls = map[string][]int{}
			if i = r.AddCall(e.Call); i < 0 {
				continue
			}
		}
		taken[i] = true
		if a := &r.Trajectory.Actions[i]; a.Observation == nil {
			r.SetObservation(i, o)
			r.AddToolMessage(o.Text)
		} else if e.Flag == shape.Failed {
			a.Observation.Error = true
		}
	}
}

// matchExecution returns the index of the first action with the name and arguments of an
// execution. It skips the actions whose indices are in the map taken. It returns -1 if
// there is no such action.
func (r *Run) matchExecution(e *Execution, taken map[int]bool) int {
	for i := range r.Trajectory.Actions {
		if a := &r.Trajectory.Actions[i]; !taken[i] && a.Name == e.Name && jsonval.Equal(a.Arguments, e.Arguments) {
			return i
		}
	}
	return -1
}
