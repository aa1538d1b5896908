package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
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
func (r *Run) readStreamPiece(o *shape.Object) bool {
	switch {
	case o.IsList("choices") && shape.FirstElement(o.Get("choices")).Get("delta").Kind() == jsonval.Object:
		r.chatChunk(o.FirstText("id"), shape.OpenObject(shape.FirstElement(o.Get("choices"))).OpenMember("delta"))
	case shape.OneOf(o.FirstString("type"), "content_block_start content_block_delta content_block_stop"):
		r.contentBlock(o)
	case o.IsObject("contentBlockStart"), o.IsObject("contentBlockDelta"):
		r.converseBlock(o)
	case strings.HasPrefix(o.FirstString("event_type"), "step."):
		return r.interactionEvent(o)
	case o.IsText("type") && o.OpenMember("delta").IsObject("message"):
		r.cohereEvent(o)
	case o.IsList("tool_call_chunks") || o.OpenMember("kwargs").IsList("tool_call_chunks"):
		return r.messageChunk(o)
	default:
		return strings.HasPrefix(o.FirstString("type"), "response.") && strings.HasSuffix(o.FirstString("type"), ".delta")
	}
	return true
}

func (r *Run) chatChunk(stream string, delta *shape.Object) {
	r.AssistantTurn()
	for _, v := range delta.FirstList("tool_calls") {
		c := shape.OpenObject(v)
		function := c.OpenMember("function")
		r.addCallPiece(stream+"\x00"+c.FirstText("index"), c.FirstText("id"), function.FirstText("name"), function.FirstText("arguments"), v)
	}
	r.addTextPiece(delta.FirstString("content"))
}

// contentBlock reads an event of Anthropic's stream. The index in the event identifies
// the block within its message. A new block replaces an older block with the same index.
func (r *Run) contentBlock(o *shape.Object) {
	r.AssistantTurn()
	key := "block\x00" + o.FirstText("index")
	if start := o.OpenMember("content_block"); start.IsText("name") {
		delete(r.found.parts, key)
		r.addCallPiece(key, start.FirstText("id"), start.FirstString("name"), "", start.Value)
	} else if shape.IsResultKind(start.FirstString("type")) {
		r.resultBlock(shape.OpenBlock(start.Value))
	}
	delta := o.OpenMember("delta")
	r.addTextPiece(delta.FirstString("text"))
	if part, ok := delta.Get("partial_json").Str(); ok {
		r.addCallPiece(key, "", "", part, o.Value)
	}
}

// cohereEvent reads an event of Cohere's stream. A new call replaces an older call with the
// same index.
func (r *Run) cohereEvent(o *shape.Object) {
	r.AssistantTurn()
	m := o.OpenMember("delta").OpenMember("message")
	r.addTextPiece(m.OpenMember("content").FirstString("text"))
	if c := m.OpenMember("tool_calls"); c.IsObject("function") {
		key := "cohere\x00" + o.FirstText("index")
		if c.IsText("id") {
			delete(r.found.parts, key)
		}
		function := c.OpenMember("function")
		r.addCallPiece(key, c.FirstText("id"), function.FirstText("name"), function.FirstText("arguments"), c.Value)
	}
}

// converseBlock reads an event of Bedrock's Converse stream.
func (r *Run) converseBlock(o *shape.Object) {
	r.AssistantTurn()
	event := o.OpenMember("contentBlockStart contentBlockDelta")
	key := "converse\x00" + event.FirstText("contentBlockIndex")
	if start := event.OpenMember("start").OpenMember("toolUse"); start.IsText("name") {
		delete(r.found.parts, key)
		r.addCallPiece(key, start.FirstText("toolUseId"), start.FirstString("name"), "", start.Value)
	}
	delta := event.OpenMember("delta")
	r.addTextPiece(delta.FirstString("text"))
	if part, ok := delta.OpenMember("toolUse").Get("input").Str(); ok {
		r.addCallPiece(key, "", "", part, o.Value)
	}
}

// interactionEvent reads an event about a step of Gemini's Interactions API, if the step is
// a call, a result or a text. It returns false for other steps.
func (r *Run) interactionEvent(o *shape.Object) bool {
	key := "step\x00" + o.FirstText("index")
	step, delta := o.OpenMember("step"), o.OpenMember("delta")
	kind := step.FirstString("type") + delta.FirstString("type")
	switch {
	case strings.HasSuffix(kind, "_call") && len(step.Keys) > 0:
		r.AssistantTurn()
		delete(r.found.parts, key)
		name := shape.IfElse(step.IsText("name"), step.FirstText("name"), TrimCall(kind))
		r.addCallPiece(key, step.FirstText("id call_id"), name, "", step.Value)
	case strings.HasSuffix(kind, "_call"), kind == "arguments_delta":
		r.addCallPiece(key, "", "", delta.FirstText("arguments"), o.Value)
	case strings.HasSuffix(kind, "_result") && len(step.Keys) > 0:
		r.found.parts[key] = &fragment{id: step.FirstText("call_id")}
	case strings.HasSuffix(kind, "_result") && r.found.parts[key] != nil:
		r.AttachResult(r.found.parts[key].id, "", shape.NewObservation(ToolText(delta.Get("result")), shape.ErrorFlag(delta.Get("is_error"))), o.Value)
	case kind == "text":
		r.AssistantTurn()
		r.addTextPiece(delta.FirstString("text"))
	default:
		return false
	}
	return true
}

// messageChunk reads a chunk of a message in LangChain's stream. It reads only the pieces
// of calls, because the chunk's list of calls may be incomplete. It returns false for a
// chunk with a list of calls but no pieces.
func (r *Run) messageChunk(o *shape.Object) bool {
	m := o
	if o.IsObject("kwargs") {
		m = o.OpenMember("kwargs")
	}
	chunks := m.FirstList("tool_call_chunks")
	if len(chunks) == 0 && len(m.FirstList("tool_calls")) > 0 {
		return false
	}
	r.AssistantTurn()
	for _, v := range chunks {
		c := shape.OpenObject(v)
		r.addCallPiece("chunk\x00"+m.FirstText("id")+"\x00"+c.FirstText("index"), c.FirstText("id"), c.FirstText("name"), c.FirstText("args"), v)
	}
	r.addTextPiece(shape.ContentText(m.Get("content")))
	return true
}

// AssistantTurn begins a turn of the assistant. It does nothing if the current turn is
// already the assistant's.
func (r *Run) AssistantTurn() {
	if r.Role != "assistant" {
		r.BeginTurn("assistant")
	}
}

// addTextPiece adds a piece of text to the assistant's message.
func (r *Run) addTextPiece(text string) {
	if text == "" || r.found.muted {
		return
	}
	if n := len(r.Trajectory.Messages) - 1; n >= 0 && r.at == n {
		r.Trajectory.Messages[n].Text += text
		return
	}
	r.Trajectory.Messages = append(r.Trajectory.Messages, trajectory.Message{Role: "assistant", Text: text})
	r.at = len(r.Trajectory.Messages) - 1
}

// addCallPiece adds a piece of the arguments to the call with the given key. If this is
// the first piece of the call, it also adds the call with its id and name.
func (r *Run) addCallPiece(key, id, name, text string, at jsonval.Value) {
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
		r.AddCall(Call{ID: id, Name: name, At: at})
	}
	if said := p.text.String(); said != "" && strings.HasPrefix(text, "{") && jsonval.Valid(said) {
		return // a repetition of the whole call
	}
	p.text.WriteString(text)
}

// assembleCalls sets the arguments of the calls that were sent in pieces.
func (r *Run) assembleCalls() {
	for _, p := range r.found.order {
		i, known := r.found.knownCall(p.id, p.name)
		if p.id == "" || !known {
			i = r.findBareCall(p.name)
		}
		if i < 0 || p.text.Len() == 0 || r.Trajectory.Actions[i].Arguments.Len() > 0 {
			continue
		}
		r.Trajectory.Actions[i].Arguments, r.Trajectory.Actions[i].Broken = r.Decoder.readArguments(p.name, textValue(p.text.String()))
	}
}

// findBareCall returns the index of the first action that has the given name, no id and
// no arguments. It returns -1 if there is none.
func (r *Run) findBareCall(name string) int {
	for i := range r.Trajectory.Actions {
		if a := &r.Trajectory.Actions[i]; a.Name == name && a.CallID == "" && !a.Arguments.Exists() && a.Broken == "" {
			return i
		}
	}
	return -1
}

// textValue returns a text as a JSON string.
func textValue(text string) jsonval.Value {
	v, err := jsonval.Parse(literal.Quote(text))
	if err != nil {
		return jsonval.Value{}
	}
	return v
}
