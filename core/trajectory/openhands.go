package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

func isOpenHandsV1(o *object) bool {
	return strings.HasSuffix(o.word("kind"), "Event") && o.any("source tool_name llm_message observation")
}

func isOpenHandsV0(o *object) bool {
	return o.isText("source") && (o.isText("action") && o.any("args message tool_call_metadata") || o.isText("observation"))
}

// decodeOpenHandsV1 reads the events of OpenHands 1, which have a member "kind".
func decodeOpenHandsV1(d *decoder, in batch) {
	r := d.run()
	r.t.meta(in.outer)
	for _, v := range in.values {
		r.handsEvent(open(v))
	}
	r.done()
}

func (r *run) handsEvent(o *object) {
	switch o.word("kind") {
	case "ActionEvent":
		r.turn("assistant")
		if s := contentText(o.get("thought")); s != "" && s != "[]" {
			r.say(s)
		}
		arguments := o.get("action")
		if s, ok := o.in("tool_call").get("arguments").Str(); ok && s != "" {
			arguments = o.in("tool_call").get("arguments")
		} else {
			arguments = without(arguments, "kind")
		}
		r.call(call{id: o.text("tool_call_id"), name: o.text("tool_name"), arguments: arguments, at: o.v})
	case "ObservationEvent", "AgentErrorEvent", "UserRejectObservation":
		obs := o.in("observation")
		text := contentText(obs.some("content output text message"))
		if text == "" {
			text = o.text("error rejection_reason")
		}
		f := strictest(errorFlag(obs.get("is_error")), errorFlag(obs.get("error")), exitFlag(obs.in("metadata").get("exit_code")), exitFlag(obs.get("exit_code")))
		if o.word("kind") != "ObservationEvent" {
			f = failed
		}
		r.answer(o.text("tool_call_id"), o.text("tool_name"), observe(text, f), o.v)
	case "MessageEvent":
		m := o.in("llm_message")
		r.message(plainRole(m.text("role")), contentText(m.get("content")))
	case "SystemPromptEvent":
		r.message("system", contentText(o.get("system_prompt")))
	}
}

// without returns an object without the member of the given name. Some producers write
// such a member among the arguments of a call, although it is not an argument.
func without(v jsonval.Value, name string) jsonval.Value {
	if !v.Get(name).Exists() {
		return v
	}
	var members []string
	v.Each(func(key string, m jsonval.Value) bool {
		if key != name {
			members = append(members, quote(key)+":"+m.Raw())
		}
		return true
	})
	out, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	if err != nil {
		return v
	}
	return out
}

// decodeOpenHandsV0 reads the events of older versions. In these, an observation contains
// the number of the action that caused it.
func decodeOpenHandsV0(d *decoder, in batch) {
	r := d.run()
	r.strict = true
	r.t.meta(in.outer)
	for _, v := range in.values {
		o := open(v)
		if o.isText("observation") {
			r.handsObservation(o)
		} else {
			r.handsAction(o)
		}
	}
	r.done()
}

// handsSilent reports whether an event is not an action of the agent on its environment.
func handsSilent(action string) bool {
	return action == "" || oneOf(action, "null system change_agent_state recall condensation start initialize")
}

func (r *run) handsAction(o *object) {
	action, args := o.word("action"), o.in("args")
	role := either(o.word("source") == "user", "user", "assistant")
	switch {
	case handsSilent(action):
	case action == "message":
		r.message(role, either(args.text("content") != "", args.text("content"), o.text("message")))
	default:
		r.turn(role)
		if s := args.text("thought"); s != "" {
			r.say(s)
		}
		meta := o.in("tool_call_metadata")
		name := either(meta.text("function_name") != "", meta.text("function_name"), action)
		r.call(call{id: "event\x00" + o.text("id"), name: name, arguments: handsArguments(o, meta), at: o.v})
		r.t.Actions[len(r.t.Actions)-1].CallID = meta.text("tool_call_id")
	}
}

// handsArguments returns the arguments that the model wrote, if the event still contains
// them. Otherwise it returns the arguments in the event, except for the agent's thought.
func handsArguments(o, meta *object) jsonval.Value {
	id := meta.text("tool_call_id")
	for _, choice := range meta.in("model_response").list("choices") {
		for _, c := range choice.At("message", "tool_calls").Elements() {
			if c.Get("id").Text() == id {
				return c.At("function", "arguments")
			}
		}
	}
	return without(o.get("args"), "thought")
}

func (r *run) handsObservation(o *object) {
	if o.word("observation") == "agent_state_changed" || o.word("observation") == "null" || o.word("observation") == "recall" {
		return
	}
	extras := o.in("extras")
	text := o.text("content")
	if text == "" {
		text = o.text("message")
	}
	f := strictest(successFlag(o.get("success")), exitFlag(extras.get("exit_code")), exitFlag(extras.in("metadata").get("exit_code")), errorFlag(extras.get("error")))
	if o.word("observation") == "error" {
		f = failed
	}
	if cause := o.get("cause"); cause.Kind() == jsonval.Number {
		r.answer("event\x00"+cause.Text(), "", observe(text, f), o.v)
		return
	}
	if o.word("observation") == "error" { // said to the agent, not about a call
		r.message("tool", text)
		return
	}
	r.answer("", "", observe(text, f), o.v)
}
