package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isVSCodeChat reports whether an object is a chat that VS Code exported, or the replay of
// such a chat with its log.
func isVSCodeChat(o *shape.Object) bool {
	return engine.InFirst(o, "requests", func(q *shape.Object) bool { return q.IsObject("message") && q.IsList("response") }) ||
		engine.InFirst(o, "prompts", func(p *shape.Object) bool { return p.IsText("prompt") && p.IsList("logs") })
}

func decodeVSCodeChat(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r := d.NewRun()
		r.Trajectory.ID = o.FirstText("sessionId")
		for _, q := range o.FirstList("requests") {
			chatRequest(r, shape.OpenObject(q))
		}
		prompt := ""
		for _, v := range o.FirstList("prompts") {
			p := shape.OpenObject(v)
			if again, _ := p.Get("hasSeen").Bool(); !again || p.FirstString("prompt") != prompt {
				prompt = p.FirstString("prompt")
				r.AddMessage("user", prompt)
			}
			for _, e := range p.FirstList("logs") {
				replayEntry(r, shape.OpenObject(e))
			}
		}
		r.AddToDocument()
	}
}

// chatRequest reads a request of the user and the answer, which consists of rounds. The
// results of calls are in a separate object, by the ids of the calls. If there are no
// rounds, the parts of the response are the answer.
func chatRequest(r *engine.Run, o *shape.Object) {
	r.AddMessage("user", o.OpenMember("message").FirstText("text"))
	meta := o.OpenMember("result").OpenMember("metadata")
	results := meta.OpenMember("toolCallResults")
	rounds := meta.FirstList("toolCallRounds")
	for _, v := range rounds {
		round := shape.OpenObject(v)
		r.BeginTurn("assistant")
		if s := round.FirstText("response"); s != "" {
			r.AddText(s)
		}
		calls := round.FirstList("toolCalls")
		for _, c := range calls {
			r.ToolCall(c)
		}
		for _, c := range calls {
			id := c.Get("id").Text()
			if result := results.MemberNamed(id); result.Exists() {
				r.AttachResult(id, "", shape.NewObservation(treeText(result.Get("content")), shape.Unsaid), result)
			}
		}
	}
	if len(rounds) > 0 {
		return
	}
	var texts []string
	for _, v := range o.FirstList("response") {
		part := shape.OpenObject(v)
		switch {
		case part.FirstString("kind") == "toolInvocationSerialized":
			r.Decoder.WarnAt("calls-not-read", "a call of "+part.FirstText("toolId")+" was recorded without its arguments, so the call was not read", v)
		case !part.HasAny("kind"):
			texts = append(texts, part.FirstText("value"))
		}
	}
	if len(texts) > 0 {
		r.AddMessage("assistant", strings.Join(texts, ""))
	}
}

// treeText returns the text of a result. The result is a string, or a tree whose nodes
// have texts.
func treeText(v jsonval.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	out := ""
	if b, _ := v.Get("lineBreakBefore").Bool(); b {
		out = "\n"
	}
	v.Each(func(key string, m jsonval.Value) bool {
		if key == "" || shape.OneOf(key, "text value node children") {
			out += treeText(m)
		}
		return true
	})
	return out
}

// replayEntry reads an entry of a replay's log. The entry is a call with its result, or a
// request to the model. From a request, only the system's message and the model's answer
// are read.
func replayEntry(r *engine.Run, o *shape.Object) {
	switch o.FirstString("kind") {
	case "toolCall":
		r.AssistantTurn()
		id, _, _ := strings.Cut(o.FirstText("id"), "__vscode")
		name := o.FirstText("tool")
		r.AddCall(engine.Call{ID: id, Name: name, Arguments: o.Get("args"), At: o.Value})
		if response := o.FirstNonNull("response"); response.Exists() {
			r.AttachResult(id, name, shape.NewObservation(shape.ContentText(response), shape.Unsaid), o.Value)
		}
	case "request":
		for _, m := range o.OpenMember("requestMessages").FirstList("messages") {
			if m.Get("role").Raw() == "0" && r.Trajectory.Policy == "" {
				r.Trajectory.Policy = shape.ContentText(m.Get("content"))
			}
		}
		if s := shape.ContentText(o.OpenMember("response").Get("message")); s != "" {
			r.AddMessage("assistant", s)
		}
	}
}
