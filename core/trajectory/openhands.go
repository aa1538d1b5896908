package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func isOpenHandsV1(o *object) bool {
	return strings.HasSuffix(o.firstString("kind"), "Event") && o.hasAny("source tool_name llm_message observation")
}

func isOpenHandsV0(o *object) bool {
	return o.isText("source") && (o.isText("action") && o.hasAny("args message tool_call_metadata") || o.isText("observation"))
}

// isFlatHands reports whether an object is an event in the output of OpenHands' resolver.
// Such events have no source, and the arguments are members of the event.
func isFlatHands(o *object) bool {
	return !o.hasAny("source role") && o.hasAny("is_confirmed wait_for_response outputs") &&
		oneOf(o.firstString("action"), "message run run_ipython read write edit browse browse_interactive delegate finish reject")
}

// decodeFlatHands reads the events of OpenHands' resolver. The first message is from the
// user.
func decodeFlatHands(d *decoder, in batch) {
	r := d.newRun()
	r.t.copyMeta(in.outer)
	for _, v := range in.values {
		o := openObject(v)
		action := o.firstString("action")
		switch {
		case o.isText("observation"):
			f := strictestFlag(exitFlag(o.get("exit_code")), exitFlag(o.openMember("extras").get("exit_code")))
			if o.firstString("observation") == "error" {
				f = failed
			}
			r.attachResult("", "", newObservation(o.firstText("content"), f), v)
		case action == "message":
			r.addMessage(ifElse(len(r.t.Messages) == 0, "user", "assistant"), o.firstText("content"))
		case !handsSilent(action):
			r.beginTurn("assistant")
			if s := o.firstText("thought"); s != "" {
				r.addText(s)
			}
			for _, name := range [...]string{"action", "thought", "is_confirmed", "action_risk", "keep_prompt", "kernel_init_code"} {
				v = withoutMember(v, name)
			}
			r.addCall(call{name: action, arguments: v, at: o.v})
		}
	}
	r.addToDocument()
}

// decodeOpenHandsV1 reads the events of OpenHands 1, which have a member "kind".
func decodeOpenHandsV1(d *decoder, in batch) {
	r := d.newRun()
	r.t.copyMeta(in.outer)
	for _, v := range in.values {
		r.handsEvent(openObject(v))
	}
	r.addToDocument()
}

func (r *run) handsEvent(o *object) {
	switch o.firstString("kind") {
	case "ActionEvent":
		r.beginTurn("assistant")
		if s := contentText(o.get("thought")); s != "" && s != "[]" {
			r.addText(s)
		}
		arguments := o.get("action")
		if s, ok := o.openMember("tool_call").get("arguments").Str(); ok && s != "" {
			arguments = o.openMember("tool_call").get("arguments")
		} else {
			arguments = withoutMember(arguments, "kind")
		}
		r.addCall(call{id: o.firstText("tool_call_id"), name: o.firstText("tool_name"), arguments: arguments, at: o.v})
	case "ObservationEvent", "AgentErrorEvent", "UserRejectObservation":
		obs := o.openMember("observation")
		text := contentText(obs.firstNonNull("content output text message"))
		if text == "" {
			text = o.firstText("error rejection_reason")
		}
		f := strictestFlag(errorFlag(obs.get("is_error")), errorFlag(obs.get("error")), exitFlag(obs.openMember("metadata").get("exit_code")), exitFlag(obs.get("exit_code")))
		if o.firstString("kind") != "ObservationEvent" {
			f = failed
		}
		r.attachResult(o.firstText("tool_call_id"), o.firstText("tool_name"), newObservation(text, f), o.v)
	case "MessageEvent":
		m := o.openMember("llm_message")
		r.addMessage(plainRole(m.firstText("role")), contentText(m.get("content")))
	case "SystemPromptEvent":
		r.addMessage("system", contentText(o.get("system_prompt")))
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
			members = append(members, quoteJSON(key)+":"+m.Raw())
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
func decodeOpenHandsV0(d *decoder, in batch) {
	r := d.newRun()
	r.strict = true
	r.t.copyMeta(in.outer)
	for _, v := range in.values {
		o := openObject(v)
		if o.isText("observation") {
			r.handsObservation(o)
		} else {
			r.handsAction(o)
		}
	}
	r.addToDocument()
}

// handsSilent reports whether an event of the given type is internal, for example a
// change of the agent's state. An internal event does not become an action.
func handsSilent(action string) bool {
	return action == "" || oneOf(action, "null system change_agent_state recall condensation start initialize")
}

func (r *run) handsAction(o *object) {
	action, args := o.firstString("action"), o.openMember("args")
	role := ifElse(o.firstString("source") == "user", "user", "assistant")
	switch {
	case handsSilent(action):
	case action == "message":
		r.addMessage(role, ifElse(args.firstText("content") != "", args.firstText("content"), o.firstText("message")))
	default:
		r.beginTurn(role)
		if s := args.firstText("thought"); s != "" {
			r.addText(s)
		}
		meta := o.openMember("tool_call_metadata")
		name := ifElse(meta.firstText("function_name") != "", meta.firstText("function_name"), action)
		r.addCall(call{id: "event\x00" + o.firstText("id"), name: name, arguments: handsArguments(o, meta), at: o.v})
		r.t.Actions[len(r.t.Actions)-1].CallID = meta.firstText("tool_call_id")
	}
}

// handsArguments returns the arguments that the model wrote, if the event still contains
// them. Otherwise it returns the arguments of the event without the agent's thought.
func handsArguments(o, meta *object) jsonval.Value {
	id := meta.firstText("tool_call_id")
	for _, choice := range meta.openMember("model_response").firstList("choices") {
		for _, c := range choice.At("message", "tool_calls").Elements() {
			if c.Get("id").Text() == id {
				return c.At("function", "arguments")
			}
		}
	}
	return withoutMember(o.get("args"), "thought")
}

func (r *run) handsObservation(o *object) {
	if o.firstString("observation") == "agent_state_changed" || o.firstString("observation") == "null" || o.firstString("observation") == "recall" {
		return
	}
	extras := o.openMember("extras")
	text := o.firstText("content")
	if text == "" {
		text = o.firstText("message")
	}
	f := strictestFlag(successFlag(o.get("success")), exitFlag(extras.get("exit_code")), exitFlag(extras.openMember("metadata").get("exit_code")), errorFlag(extras.get("error")))
	if o.firstString("observation") == "error" {
		f = failed
	}
	if cause := o.get("cause"); cause.Kind() == jsonval.Number {
		r.attachResult("event\x00"+cause.Text(), "", newObservation(text, f), o.v)
		return
	}
	if o.firstString("observation") == "error" { // said to the agent, not about a call
		r.addMessage("tool", text)
		return
	}
	r.attachResult("", "", newObservation(text, f), o.v)
}
