package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// fragment is a call that a stream sends in pieces.
type fragment struct {
	id, name string
	text     strings.Builder
	at       jsonval.Value
}

// piece reads one piece of a model's stream, and reports whether the object is one. It
// reads chunks of OpenAI's chat completions, content block events of Anthropic and of
// Bedrock, and LangChain's message chunks.
func (r *run) piece(o *object) bool {
	switch {
	case o.isList("choices") && first(o.get("choices")).Get("delta").Kind() == jsonval.Object:
		r.chatChunk(o.text("id"), open(first(o.get("choices"))).in("delta"))
	case oneOf(o.word("type"), "content_block_start content_block_delta content_block_stop"):
		r.contentBlock(o)
	case o.isObject("contentBlockStart"), o.isObject("contentBlockDelta"):
		r.converseBlock(o)
	case o.isList("tool_call_chunks") || o.in("kwargs").isList("tool_call_chunks"):
		return r.messageChunk(o)
	default:
		return strings.HasPrefix(o.word("type"), "response.") && strings.HasSuffix(o.word("type"), ".delta")
	}
	return true
}

func (r *run) chatChunk(stream string, delta *object) {
	r.assistantTurn()
	for _, v := range delta.list("tool_calls") {
		c := open(v)
		function := c.in("function")
		r.fragment(stream+"\x00"+c.text("index"), c.text("id"), function.text("name"), function.text("arguments"), v)
	}
	r.spoken(delta.word("content"))
}

// contentBlock reads an event of Anthropic's stream. The index in the event identifies
// the block within its message. A new block replaces an older block with the same index.
func (r *run) contentBlock(o *object) {
	r.assistantTurn()
	key := "block\x00" + o.text("index")
	if start := o.in("content_block"); start.isText("name") {
		delete(r.found.parts, key)
		r.fragment(key, start.text("id"), start.word("name"), "", start.v)
	}
	delta := o.in("delta")
	r.spoken(delta.word("text"))
	if part, ok := delta.get("partial_json").Str(); ok {
		r.fragment(key, "", "", part, o.v)
	}
}

// converseBlock reads an event of Bedrock's Converse stream.
func (r *run) converseBlock(o *object) {
	r.assistantTurn()
	event := o.in("contentBlockStart contentBlockDelta")
	key := "converse\x00" + event.text("contentBlockIndex")
	if start := event.in("start").in("toolUse"); start.isText("name") {
		delete(r.found.parts, key)
		r.fragment(key, start.text("toolUseId"), start.word("name"), "", start.v)
	}
	delta := event.in("delta")
	r.spoken(delta.word("text"))
	if part, ok := delta.in("toolUse").get("input").Str(); ok {
		r.fragment(key, "", "", part, o.v)
	}
}

// messageChunk reads a chunk of a message in LangChain's stream. Besides the pieces of
// calls, a chunk has a list of calls, which is only a guess from the pieces so far. So
// messageChunk reads only the pieces. It returns false for a chunk with a list of calls
// but no pieces.
func (r *run) messageChunk(o *object) bool {
	m := o
	if o.isObject("kwargs") {
		m = o.in("kwargs")
	}
	chunks := m.list("tool_call_chunks")
	if len(chunks) == 0 && len(m.list("tool_calls")) > 0 {
		return false
	}
	r.assistantTurn()
	for _, v := range chunks {
		c := open(v)
		r.fragment("chunk\x00"+m.text("id")+"\x00"+c.text("index"), c.text("id"), c.text("name"), c.text("args"), v)
	}
	r.spoken(contentText(m.get("content")))
	return true
}

// assistantTurn begins a turn of the assistant, unless the current turn is the
// assistant's.
func (r *run) assistantTurn() {
	if r.role != "assistant" {
		r.turn("assistant")
	}
}

// spoken adds a piece of text to the assistant's message.
func (r *run) spoken(text string) {
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

// fragment adds a piece to the call with the given key. The first piece adds the call.
func (r *run) fragment(key, id, name, text string, at jsonval.Value) {
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
		r.call(call{id: id, name: name, at: at})
	}
	if said := p.text.String(); said != "" && strings.HasPrefix(text, "{") && jsonval.Valid(said) {
		return // a repetition of the whole call
	}
	p.text.WriteString(text)
}

// assemble sets the arguments of the calls that were sent in pieces.
func (r *run) assemble() {
	for _, p := range r.found.order {
		i, known := r.found.calls[p.id+"\x00"+p.name]
		if p.id == "" || !known {
			i = r.bare(p.name)
		}
		if i < 0 || p.text.Len() == 0 || r.t.Actions[i].Arguments.Len() > 0 {
			continue
		}
		r.t.Actions[i].Arguments, r.t.Actions[i].Broken = r.d.arguments(p.name, textValue(p.text.String()))
	}
}

// bare returns the index of the first action that has the given name, no id and no
// arguments. It returns -1 if there is none.
func (r *run) bare(name string) int {
	for i := range r.t.Actions {
		if a := &r.t.Actions[i]; a.Name == name && a.CallID == "" && !a.Arguments.Exists() && a.Broken == "" {
			return i
		}
	}
	return -1
}

// textValue returns a text as a JSON string.
func textValue(text string) jsonval.Value {
	v, err := jsonval.Parse(quote(text))
	if err != nil {
		return jsonval.Value{}
	}
	return v
}
