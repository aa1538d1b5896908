package proxy

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// messenger is an http.ResponseWriter that translates the proxy's chat completion back to
// the form of the Messages API, whole or as events. What the model's server sent passes
// byte for byte.
type messenger struct {
	http.ResponseWriter
	n      *native
	stream bool
	status int

	events splitter
	begun  bool
	blocks int    // the number of blocks that have begun
	open   string // the kind of the open block; "" for none
	offset int    // the number of blocks before the model's turn that is passing now
	finish string // the reason with which the gate ends the turn
	usage  string
	over   bool
}

func newMessenger(w http.ResponseWriter, n *native, stream bool) *messenger {
	return &messenger{ResponseWriter: w, n: n, stream: stream, events: splitter{limit: 3 * maxEvent}}
}

// WriteHeader sends the status at once, but for an answer that is not a stream and not an
// error: its length is known later.
func (m *messenger) WriteHeader(status int) {
	if m.status = status; status == 200 && !m.stream {
		return
	}
	m.ResponseWriter.WriteHeader(status)
}

// Write translates an answer. If the answer is not a stream, a single call of Write must
// contain all of it.
func (m *messenger) Write(b []byte) (int, error) {
	text := string(b)
	switch {
	case m.status != 200:
	case m.stream:
		text = m.translateEvents(b)
	default:
		text = m.convertAnswer(text)
		m.Header().Set("Content-Length", strconv.Itoa(len(text)))
		m.ResponseWriter.WriteHeader(200)
	}
	if text == "" {
		return len(b), nil
	}
	if _, err := m.ResponseWriter.Write([]byte(text)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// stopReason translates a finish reason back.
func stopReason(finish string) string {
	switch finish {
	case "stop", "":
		return "end_turn"
	case "tool_calls":
		return "tool_use"
	case "length":
		return "max_tokens"
	case "content_filter":
		return "refusal"
	}
	return finish
}

// nativeUsage returns a usage in the members of the Messages API.
func nativeUsage(v jsonval.Value) string {
	if v.Get("input_tokens").Exists() {
		return v.Raw()
	}
	return `{"input_tokens":0,"output_tokens":0}`
}

func nativeID(v jsonval.Value) string {
	id := v.Get("id").Text()
	if !strings.HasPrefix(id, "msg_") {
		id = "msg_" + strings.TrimPrefix(id, "chatcmpl-")
	}
	return jsonval.Quoted(id)
}

// convertAnswer converts a whole chat completion.
func (m *messenger) convertAnswer(body string) string {
	if body == m.n.wholeChat {
		return m.n.whole
	}
	v, _ := jsonval.Parse(body)
	var choice jsonval.Value
	if list := v.Get("choices").Elements(); len(list) > 0 {
		choice = list[0]
	}
	content, original := choice.At("message", verbatim).Str()
	if !original {
		var blocks []string
		if text := choice.At("message", "content").Text(); text != "" && choice.At("message", "content").Kind() == jsonval.String {
			blocks = append(blocks, `{"type":"text","text":`+jsonval.Quoted(text)+`}`)
		}
		for _, c := range choice.At("message", "tool_calls").Elements() {
			blocks = append(blocks, useBlock(c, inputOf(c)))
		}
		content = "[" + strings.Join(blocks, ",") + "]"
	}
	return `{"id":` + nativeID(v) + `,"type":"message","role":"assistant","model":` + values.OrEmpty(v.Get("model")) + `,"content":` + content +
		`,"stop_reason":` + jsonval.Quoted(stopReason(choice.Get("finish_reason").Text())) + `,"stop_sequence":null,"usage":` + nativeUsage(v.Get("usage")) + `}`
}

func useBlock(c jsonval.Value, input string) string {
	return `{"type":"tool_use","id":` + values.OrEmpty(c.Get("id")) + `,"name":` + values.OrEmpty(c.At("function", "name")) + `,"input":` + input + `}`
}

// inputOf returns the arguments of a call, which were read before.
func inputOf(c jsonval.Value) string {
	if s := strings.TrimSpace(c.At("function", "arguments").Text()); s != "" {
		return s
	}
	return "{}"
}

// translateEvents converts events of a chat completion.
func (m *messenger) translateEvents(b []byte) string {
	var out strings.Builder
	events, err := m.events.feed(b, false)
	if err != nil {
		m.failStream(&out, err.Error())
	}
	for i := range events {
		e := &events[i]
		switch {
		case m.over:
		case strings.TrimSpace(e.data) == "":
			out.Write(e.raw) // a comment
		case strings.TrimSpace(e.data) == "[DONE]":
			m.finishMessage(&out)
		default:
			m.translateChunk(&out, e.data)
		}
	}
	return out.String()
}

func writeNative(out *strings.Builder, kind, members string) {
	out.WriteString("event: " + kind + "\ndata: {\"type\":\"" + kind + "\"" + members + "}\n\n")
}

func (m *messenger) translateChunk(out *strings.Builder, data string) {
	v, err := jsonval.Parse(data)
	if err != nil {
		m.failStream(out, err.Error())
		return
	}
	if e := v.Get("error"); values.Has(e) {
		m.over = true
		kind := e.Get("type").Text()
		if v.Get("type").Text() != "error" { // the gate's own
			kind = "api_error"
		}
		writeNative(out, "error", `,"error":{"type":`+jsonval.Quoted(kind)+`,"message":`+jsonval.Quoted(e.Get("message").Text())+`}`)
		return
	}
	if raw, ok := v.Get(verbatim).Str(); ok {
		m.passEvent(out, raw, v)
		return
	}
	if u := v.Get("usage"); values.Has(u) {
		m.usage = u.Raw()
	}
	for _, c := range v.Get("choices").Elements() {
		m.beginMessage(out, v)
		if text := c.At("delta", "content"); text.Kind() == jsonval.String && text.Text() != "" {
			m.beginBlock(out, "text", `{"type":"text","text":""}`)
			writeNative(out, "content_block_delta", m.blockPlace()+`,"delta":{"type":"text_delta","text":`+text.Raw()+`}`)
		}
		for _, t := range c.At("delta", "tool_calls").Elements() {
			m.endBlock(out)
			m.beginBlock(out, "tool_use", useBlock(t, "{}"))
			writeNative(out, "content_block_delta", m.blockPlace()+`,"delta":{"type":"input_json_delta","partial_json":`+jsonval.Quoted(inputOf(t))+`}`)
			m.endBlock(out)
		}
		if f, ok := c.Get("finish_reason").Str(); ok {
			m.finish = f
		}
	}
}

func (m *messenger) blockPlace() string { return `,"index":` + strconv.Itoa(m.blocks-1) }

// beginBlock begins a block, unless one of this kind is open.
func (m *messenger) beginBlock(out *strings.Builder, kind, block string) {
	if m.open == kind {
		return
	}
	m.endBlock(out)
	m.blocks++
	m.open = kind
	writeNative(out, "content_block_start", m.blockPlace()+`,"content_block":`+block)
}

func (m *messenger) endBlock(out *strings.Builder) {
	if m.open != "" {
		m.open = ""
		writeNative(out, "content_block_stop", m.blockPlace())
	}
}

func (m *messenger) beginMessage(out *strings.Builder, v jsonval.Value) {
	if m.begun {
		return
	}
	m.begun = true
	writeNative(out, "message_start", `,"message":{"id":`+nativeID(v)+`,"type":"message","role":"assistant","model":`+values.OrEmpty(v.Get("model"))+
		`,"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`)
}

// passEvent passes an event of the model's server. In a later turn for the same answer,
// the message does not begin again, and its blocks get other numbers. The event that ends
// the turn gets the usage of all turns.
func (m *messenger) passEvent(out *strings.Builder, raw string, chunk jsonval.Value) {
	e := parseEvent([]byte(raw))
	v, err := jsonval.Parse(e.data)
	if err != nil {
		m.failStream(out, err.Error())
		return
	}
	switch kind := v.Get("type").Text(); kind {
	case "message_start":
		if m.begun {
			m.endBlock(out)
			m.offset = m.blocks
			return
		}
		m.begun = true
	case "content_block_start":
		m.blocks++
		m.open = v.At("content_block", "type").Text()
		raw = m.moveEvent(kind, raw, v)
	case "content_block_delta":
		raw = m.moveEvent(kind, raw, v)
	case "content_block_stop":
		m.open = ""
		raw = m.moveEvent(kind, raw, v)
	case "message_delta":
		if u := chunk.Get("usage"); values.Has(u) && u.Raw() != m.n.usage {
			at := v.Get("usage")
			data := e.data
			if at.Exists() {
				data = data[:at.Offset()] + u.Raw() + data[at.Offset()+len(at.Raw()):]
			}
			raw = "event: " + kind + "\n" + frameEvent(data)
		}
	case "message_stop":
		m.over = true
	}
	out.WriteString(raw)
}

// moveEvent returns an event of a block with the block's number in this answer.
func (m *messenger) moveEvent(kind, raw string, v jsonval.Value) string {
	if m.offset == 0 {
		return raw
	}
	at := v.Get("index")
	n, _ := at.Int()
	data := parseEvent([]byte(raw)).data
	return "event: " + kind + "\n" + frameEvent(data[:at.Offset()]+strconv.Itoa(int(n)+m.offset)+data[at.Offset()+len(at.Raw()):])
}

// finishMessage ends a message that the gate ends in the model's place.
func (m *messenger) finishMessage(out *strings.Builder) {
	m.over = true
	m.endBlock(out)
	usage, _ := jsonval.Parse(m.usage)
	writeNative(out, "message_delta", `,"delta":{"stop_reason":`+jsonval.Quoted(stopReason(m.finish))+`,"stop_sequence":null},"usage":`+nativeUsage(usage))
	writeNative(out, "message_stop", "")
}

// failStream ends a stream with an error.
func (m *messenger) failStream(out *strings.Builder, message string) {
	m.over = true
	writeNative(out, "error", `,"error":{"type":"api_error","message":`+jsonval.Quoted(message)+`}`)
}
