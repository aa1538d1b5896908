package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isVSCodeChat reports whether an object is a chat that VS Code exported, or the replay of
// such a chat with its log.
func isVSCodeChat(o *object) bool {
	return inFirst(o, "requests", func(q *object) bool { return q.isObject("message") && q.isList("response") }) ||
		inFirst(o, "prompts", func(p *object) bool { return p.isText("prompt") && p.isList("logs") })
}

func decodeVSCodeChat(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		r := d.newRun()
		r.t.ID = o.firstText("sessionId")
		for _, q := range o.firstList("requests") {
			r.chatRequest(openObject(q))
		}
		prompt := ""
		for _, v := range o.firstList("prompts") {
			p := openObject(v)
			if again, _ := p.get("hasSeen").Bool(); !again || p.firstString("prompt") != prompt {
				prompt = p.firstString("prompt")
				r.addMessage("user", prompt)
			}
			for _, e := range p.firstList("logs") {
				r.replayEntry(openObject(e))
			}
		}
		r.addToDocument()
	}
}

// chatRequest reads a request of the user and the answer, which consists of rounds. The
// results of calls are in a separate object, by the ids of the calls. If there are no
// rounds, the parts of the response are the answer.
func (r *run) chatRequest(o *object) {
	r.addMessage("user", o.openMember("message").firstText("text"))
	meta := o.openMember("result").openMember("metadata")
	results := meta.openMember("toolCallResults")
	rounds := meta.firstList("toolCallRounds")
	for _, v := range rounds {
		round := openObject(v)
		r.beginTurn("assistant")
		if s := round.firstText("response"); s != "" {
			r.addText(s)
		}
		calls := round.firstList("toolCalls")
		for _, c := range calls {
			r.toolCall(c)
		}
		for _, c := range calls {
			id := c.Get("id").Text()
			if result := results.memberNamed(id); result.Exists() {
				r.attachResult(id, "", newObservation(treeText(result.Get("content")), unsaid), result)
			}
		}
	}
	if len(rounds) > 0 {
		return
	}
	var texts []string
	for _, v := range o.firstList("response") {
		part := openObject(v)
		switch {
		case part.firstString("kind") == "toolInvocationSerialized":
			r.d.warnAt("calls-not-read", "a call of "+part.firstText("toolId")+" was recorded without its arguments, so the call was not read", v)
		case !part.hasAny("kind"):
			texts = append(texts, part.firstText("value"))
		}
	}
	if len(texts) > 0 {
		r.addMessage("assistant", strings.Join(texts, ""))
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
		if key == "" || oneOf(key, "text value node children") {
			out += treeText(m)
		}
		return true
	})
	return out
}

// replayEntry reads an entry of a replay's log. The entry is a call with its result, or a
// request to the model. From a request, only the system's message and the model's answer
// are read.
func (r *run) replayEntry(o *object) {
	switch o.firstString("kind") {
	case "toolCall":
		r.assistantTurn()
		id, _, _ := strings.Cut(o.firstText("id"), "__vscode")
		name := o.firstText("tool")
		r.addCall(call{id: id, name: name, arguments: o.get("args"), at: o.v})
		if response := o.firstNonNull("response"); response.Exists() {
			r.attachResult(id, name, newObservation(contentText(response), unsaid), o.v)
		}
	case "request":
		for _, m := range o.openMember("requestMessages").firstList("messages") {
			if m.Get("role").Raw() == "0" && r.t.Policy == "" {
				r.t.Policy = contentText(m.Get("content"))
			}
		}
		if s := contentText(o.openMember("response").get("message")); s != "" {
			r.addMessage("assistant", s)
		}
	}
}
