package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// fragment is a call that a stream sends in pieces.
type fragment struct {
	id, name string
	text     strings.Builder
	at       jsonval.Value
}

// readStreamPiece reads one piece of a model's stream. It returns false if the object o
// is not such a piece. It reads these forms:
//
//   - chunks of OpenAI's chat completions
//   - content block events of Anthropic and of Bedrock
//   - events of Cohere
//   - steps of Gemini's interactions
//   - LangChain's message chunks
//
// It skips the delta events of the Responses API.
func (r *run) readStreamPiece(o *object) bool {
	switch {
	case o.isList("choices") && firstElement(o.get("choices")).Get("delta").Kind() == jsonval.Object:
		r.chatChunk(o.firstText("id"), openObject(firstElement(o.get("choices"))).openMember("delta"))
	case oneOf(o.firstString("type"), "content_block_start content_block_delta content_block_stop"):
		r.contentBlock(o)
	case o.isObject("contentBlockStart"), o.isObject("contentBlockDelta"):
		r.converseBlock(o)
	case strings.HasPrefix(o.firstString("event_type"), "step."):
		return r.interactionEvent(o)
	case o.isText("type") && o.openMember("delta").isObject("message"):
		r.cohereEvent(o)
	case o.isList("tool_call_chunks") || o.openMember("kwargs").isList("tool_call_chunks"):
		return r.messageChunk(o)
	default:
		return strings.HasPrefix(o.firstString("type"), "response.") && strings.HasSuffix(o.firstString("type"), ".delta")
	}
	return true
}

func (r *run) chatChunk(stream string, delta *object) {
	r.assistantTurn()
	for _, v := range delta.firstList("tool_calls") {
		c := openObject(v)
		function := c.openMember("function")
		r.addCallPiece(stream+"\x00"+c.firstText("index"), c.firstText("id"), function.firstText("name"), function.firstText("arguments"), v)
	}
	r.addTextPiece(delta.firstString("content"))
}

// contentBlock reads an event of Anthropic's stream. The index in the event identifies
// the block within its message. A new block replaces an older block with the same index.
func (r *run) contentBlock(o *object) {
	r.assistantTurn()
	key := "block\x00" + o.firstText("index")
	if start := o.openMember("content_block"); start.isText("name") {
		delete(r.found.parts, key)
		r.addCallPiece(key, start.firstText("id"), start.firstString("name"), "", start.v)
	} else if isResultKind(start.firstString("type")) {
		r.resultBlock(openBlock(start.v))
	}
	delta := o.openMember("delta")
	r.addTextPiece(delta.firstString("text"))
	if part, ok := delta.get("partial_json").Str(); ok {
		r.addCallPiece(key, "", "", part, o.v)
	}
}

// cohereEvent reads an event of Cohere's stream. A new call replaces an older call with the
// same index.
func (r *run) cohereEvent(o *object) {
	r.assistantTurn()
	m := o.openMember("delta").openMember("message")
	r.addTextPiece(m.openMember("content").firstString("text"))
	if c := m.openMember("tool_calls"); c.isObject("function") {
		key := "cohere\x00" + o.firstText("index")
		if c.isText("id") {
			delete(r.found.parts, key)
		}
		function := c.openMember("function")
		r.addCallPiece(key, c.firstText("id"), function.firstText("name"), function.firstText("arguments"), c.v)
	}
}

// converseBlock reads an event of Bedrock's Converse stream.
func (r *run) converseBlock(o *object) {
	r.assistantTurn()
	event := o.openMember("contentBlockStart contentBlockDelta")
	key := "converse\x00" + event.firstText("contentBlockIndex")
	if start := event.openMember("start").openMember("toolUse"); start.isText("name") {
		delete(r.found.parts, key)
		r.addCallPiece(key, start.firstText("toolUseId"), start.firstString("name"), "", start.v)
	}
	delta := event.openMember("delta")
	r.addTextPiece(delta.firstString("text"))
	if part, ok := delta.openMember("toolUse").get("input").Str(); ok {
		r.addCallPiece(key, "", "", part, o.v)
	}
}

// interactionEvent reads an event about a step of Gemini's Interactions API, if the step is
// a call, a result or a text. It returns false for other steps.
func (r *run) interactionEvent(o *object) bool {
	key := "step\x00" + o.firstText("index")
	step, delta := o.openMember("step"), o.openMember("delta")
	kind := step.firstString("type") + delta.firstString("type")
	switch {
	case strings.HasSuffix(kind, "_call") && len(step.keys) > 0:
		r.assistantTurn()
		delete(r.found.parts, key)
		name := ifElse(step.isText("name"), step.firstText("name"), trimCall(kind))
		r.addCallPiece(key, step.firstText("id call_id"), name, "", step.v)
	case strings.HasSuffix(kind, "_call"), kind == "arguments_delta":
		r.addCallPiece(key, "", "", delta.firstText("arguments"), o.v)
	case strings.HasSuffix(kind, "_result") && len(step.keys) > 0:
		r.found.parts[key] = &fragment{id: step.firstText("call_id")}
	case strings.HasSuffix(kind, "_result") && r.found.parts[key] != nil:
		r.attachResult(r.found.parts[key].id, "", newObservation(toolText(delta.get("result")), errorFlag(delta.get("is_error"))), o.v)
	case kind == "text":
		r.assistantTurn()
		r.addTextPiece(delta.firstString("text"))
	default:
		return false
	}
	return true
}

// messageChunk reads a chunk of a message in LangChain's stream. It reads only the pieces
// of calls, because the chunk's list of calls may be incomplete. It returns false for a
// chunk with a list of calls but no pieces.
func (r *run) messageChunk(o *object) bool {
	m := o
	if o.isObject("kwargs") {
		m = o.openMember("kwargs")
	}
	chunks := m.firstList("tool_call_chunks")
	if len(chunks) == 0 && len(m.firstList("tool_calls")) > 0 {
		return false
	}
	r.assistantTurn()
	for _, v := range chunks {
		c := openObject(v)
		r.addCallPiece("chunk\x00"+m.firstText("id")+"\x00"+c.firstText("index"), c.firstText("id"), c.firstText("name"), c.firstText("args"), v)
	}
	r.addTextPiece(contentText(m.get("content")))
	return true
}

// assistantTurn begins a turn of the assistant. It does nothing if the current turn is
// already the assistant's.
func (r *run) assistantTurn() {
	if r.role != "assistant" {
		r.beginTurn("assistant")
	}
}

// addTextPiece adds a piece of text to the assistant's message.
func (r *run) addTextPiece(text string) {
	if text == "" || r.found.muted {
		return
	}
	if n := len(r.t.Messages) - 1; n >= 0 && r.at == n {
		r.t.Messages[n].Text += text
		return
	}
	r.t.Messages = append(r.t.Messages, Message{Role: "assistant", Text: text})
	r.at = len(r.t.Messages) - 1
}

// addCallPiece adds a piece of the arguments to the call with the given key. If this is
// the first piece of the call, it also adds the call with its id and name.
func (r *run) addCallPiece(key, id, name, text string, at jsonval.Value) {
	f := r.found
	if f.muted {
		return
	}
	p := f.parts[key]
	if p == nil || id != "" && p.id != "" && id != p.id {
		if name == "" {
			return
		}
		p = &fragment{id: id, name: name, at: at}
		f.parts[key] = p
		f.order = append(f.order, p)
		r.addCall(call{id: id, name: name, at: at})
	}
	if said := p.text.String(); said != "" && strings.HasPrefix(text, "{") && jsonval.Valid(said) {
		return // a repetition of the whole call
	}
	p.text.WriteString(text)
}

// assembleCalls sets the arguments of the calls that were sent in pieces.
func (r *run) assembleCalls() {
	for _, p := range r.found.order {
		i, known := r.found.knownCall(p.id, p.name)
		if p.id == "" || !known {
			i = r.findBareCall(p.name)
		}
		if i < 0 || p.text.Len() == 0 || r.t.Actions[i].Arguments.Len() > 0 {
			continue
		}
		r.t.Actions[i].Arguments, r.t.Actions[i].Broken = r.d.readArguments(p.name, textValue(p.text.String()))
	}
}

// findBareCall returns the index of the first action that has the given name, no id and
// no arguments. It returns -1 if there is none.
func (r *run) findBareCall(name string) int {
	for i := range r.t.Actions {
		if a := &r.t.Actions[i]; a.Name == name && a.CallID == "" && !a.Arguments.Exists() && a.Broken == "" {
			return i
		}
	}
	return -1
}

// textValue returns a text as a JSON string.
func textValue(text string) jsonval.Value {
	v, err := jsonval.Parse(quoteJSON(text))
	if err != nil {
		return jsonval.Value{}
	}
	return v
}
