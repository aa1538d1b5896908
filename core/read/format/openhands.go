package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

func isOpenHandsV1(o *shape.Object) bool {
	return strings.HasSuffix(o.FirstString("kind"), "Event") && o.HasAny("source tool_name llm_message observation")
}

func isOpenHandsV0(o *shape.Object) bool {
	return o.IsText("source") && (o.IsText("action") && o.HasAny("args message tool_call_metadata") || o.IsText("observation"))
}

// isFlatHands reports whether an object is an event in the output of OpenHands' resolver.
// Such events have no source, and the arguments are members of the event.
func isFlatHands(o *shape.Object) bool {
	return !o.HasAny("source role") && o.HasAny("is_confirmed wait_for_response outputs") &&
		shape.OneOf(o.FirstString("action"), "message run run_ipython read write edit browse browse_interactive delegate finish reject")
}

// decodeFlatHands reads the events of OpenHands' resolver. The first message is from the
// user.
func decodeFlatHands(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		action := o.FirstString("action")
		switch {
		case o.IsText("observation"):
			f := shape.StrictestFlag(shape.ExitFlag(o.Get("exit_code")), shape.ExitFlag(o.OpenMember("extras").Get("exit_code")))
			if o.FirstString("observation") == "error" {
				f = shape.Failed
			}
			r.AttachResult("", "", shape.NewObservation(o.FirstText("content"), f), v)
		case action == "message":
			r.AddMessage(shape.IfElse(len(r.Trajectory.Messages) == 0, "user", "assistant"), o.FirstText("content"))
		case !handsSilent(action):
			r.BeginTurn("assistant")
			if s := o.FirstText("thought"); s != "" {
				r.AddText(s)
			}
			for _, name := range [...]string{"action", "thought", "is_confirmed", "action_risk", "keep_prompt", "kernel_init_code"} {
				v = withoutMember(v, name)
			}
			r.AddCall(engine.Call{Name: action, Arguments: v, At: o.Value})
		}
	}
	r.AddToDocument()
}

// decodeOpenHandsV1 reads the events of OpenHands 1, which have a member "kind".
func decodeOpenHandsV1(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r.Took.Enter(o)
		handsEvent(r, o)
	}
	r.AddToDocument()
}

func handsEvent(r *engine.Run, o *shape.Object) {
	switch o.FirstString("kind") {
	case "ActionEvent":
		r.BeginTurn("assistant")
		if s := shape.ContentText(o.Get("thought")); s != "" && s != "[]" {
			r.AddText(s)
		}
		arguments := o.Get("action")
		if s, ok := o.OpenMember("tool_call").Get("arguments").Str(); ok && s != "" {
			arguments = o.OpenMember("tool_call").Get("arguments")
		} else {
			arguments = withoutMember(arguments, "kind")
		}
		r.AddCall(engine.Call{ID: o.FirstText("tool_call_id"), Name: o.FirstText("tool_name"), Arguments: arguments, At: o.Value})
	case "ObservationEvent", "AgentErrorEvent", "UserRejectObservation":
		obs := o.OpenMember("observation")
		text := shape.ContentText(obs.FirstNonNull("content output text message"))
		if text == "" {
			text = o.FirstText("error rejection_reason")
		}
		f := shape.StrictestFlag(shape.ErrorFlag(obs.Get("is_error")), shape.ErrorFlag(obs.Get("error")), shape.ExitFlag(obs.OpenMember("metadata").Get("exit_code")), shape.ExitFlag(obs.Get("exit_code")))
		if o.FirstString("kind") != "ObservationEvent" {
			f = shape.Failed
		}
		r.AttachResult(o.FirstText("tool_call_id"), o.FirstText("tool_name"), shape.NewObservation(text, f), o.Value)
	case "MessageEvent":
		m := o.OpenMember("llm_message")
		r.AddMessage(shape.PlainRole(m.FirstText("role")), shape.ContentText(m.Get("content")))
	case "SystemPromptEvent":
		r.AddMessage("system", shape.ContentText(o.Get("system_prompt")))
	}
}

// withoutMember returns an object without the member of the given name. Some producers
// write such a member among the arguments of a call, although it is not an argument.
func withoutMember(v jsonval.Value, name string) jsonval.Value {
	if !v.Get(name).Exists() {
		return v
	}
	var members []string
	v.Each(func(key string, m jsonval.Value) bool {
		if key != name {
			members = append(members, literal.Quote(key)+":"+m.Raw())
		}
		return true
	})
	out, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	if err != nil {
		return v
	}
	return out
}

// decodeOpenHandsV0 reads the events of OpenHands versions before 1. In these versions,
// an observation contains the number of the action that caused it.
func decodeOpenHandsV0(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	r.Strict = true
	engine.CopyMeta(&r.Trajectory, in.Outer)
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if o.IsText("observation") {
			r.Took.Enter(o)
			handsObservation(r, o)
		} else {
			handsAction(r, o)
		}
	}
	r.AddToDocument()
}

// handsSilent reports whether an event of the given type is internal, for example a
// change of the agent's state. An internal event does not become an action.
func handsSilent(action string) bool {
	return action == "" || shape.OneOf(action, "null system change_agent_state recall condensation start initialize")
}

func handsAction(r *engine.Run, o *shape.Object) {
	action, args := o.FirstString("action"), o.OpenMember("args")
	role := shape.IfElse(o.FirstString("source") == "user", "user", "assistant")
	meta := o.OpenMember("tool_call_metadata")
	answer := meta.OpenMember("model_response")
	r.Took.EnterAnswer(r.Trajectory.Messages, answer.FirstText("id"), o, answer)
	switch {
	case handsSilent(action):
	case action == "message":
		r.AddMessage(role, shape.IfElse(args.FirstText("content") != "", args.FirstText("content"), o.FirstText("message")))
	default:
		r.BeginTurn(role)
		if s := args.FirstText("thought"); s != "" {
			r.AddText(s)
		}
		name := shape.IfElse(meta.FirstText("function_name") != "", meta.FirstText("function_name"), action)
		r.AddCall(engine.Call{ID: "event\x00" + o.FirstText("id"), Name: name, Arguments: handsArguments(o, meta), At: o.Value})
		r.Trajectory.Actions[len(r.Trajectory.Actions)-1].CallID = meta.FirstText("tool_call_id")
	}
}

// handsArguments returns the arguments that the model wrote, if the event still contains
// them. Otherwise it returns the arguments of the event without the agent's thought.
func handsArguments(o, meta *shape.Object) jsonval.Value {
	id := meta.FirstText("tool_call_id")
	for _, choice := range meta.OpenMember("model_response").FirstList("choices") {
		for _, c := range choice.At("message", "tool_calls").Elements() {
			if c.Get("id").Text() == id {
				return c.At("function", "arguments")
			}
		}
	}
	return withoutMember(o.Get("args"), "thought")
}

func handsObservation(r *engine.Run, o *shape.Object) {
	if o.FirstString("observation") == "agent_state_changed" || o.FirstString("observation") == "null" || o.FirstString("observation") == "recall" {
		return
	}
	extras := o.OpenMember("extras")
	text := o.FirstText("content")
	if text == "" {
		text = o.FirstText("message")
	}
	f := shape.StrictestFlag(shape.SuccessFlag(o.Get("success")), shape.ExitFlag(extras.Get("exit_code")), shape.ExitFlag(extras.OpenMember("metadata").Get("exit_code")), shape.ErrorFlag(extras.Get("error")))
	if o.FirstString("observation") == "error" {
		f = shape.Failed
	}
	if cause := o.Get("cause"); cause.Kind() == jsonval.Number {
		r.AttachResult("event\x00"+cause.Text(), "", shape.NewObservation(text, f), o.Value)
		return
	}
	if o.FirstString("observation") == "error" { // said to the agent, not about a call
		r.AddMessage("tool", text)
		return
	}
	r.AttachResult("", "", shape.NewObservation(text, f), o.Value)
}
