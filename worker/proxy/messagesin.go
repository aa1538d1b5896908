package proxy

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// chatFinishes translates the reasons why a turn ended. Every other reason is kept, and
// counts as incomplete.
var chatFinishes = map[string]string{"end_turn": "stop", "stop_sequence": "stop", "tool_use": "tool_calls", "max_tokens": "length", "refusal": "content_filter"}

func chatFinish(reason string) string {
	if f, ok := chatFinishes[reason]; ok {
		return f
	}
	return reason
}

// isHosted reports whether a block is a call, or its result, that the model's server has
// run by itself.
func isHosted(kind string) bool {
	return kind != "tool_use" && (strings.Contains(kind, "tool") || strings.Contains(kind, "function") || strings.Contains(kind, "call"))
}

var errHosted = errors.New("the model's server answers with a call that it runs by itself")

// chatAnswer translates a whole answer of the model's server into a chat completion.
func (n *native) chatAnswer(body string) (string, error) {
	v, err := jsonval.Parse(body)
	if err != nil {
		return "", err
	}
	if err := checkUnambiguous(v); err != nil {
		return "", err
	}
	content := v.Get("content")
	if v.Get("role").Text() != "assistant" || content.Kind() != jsonval.Array {
		return "", errors.New("the answer is no message of an assistant")
	}
	for _, b := range content.Elements() {
		switch kind := b.Get("type").Text(); {
		case isHosted(kind):
			return "", errHosted
		case kind == "tool_use" && b.Get("input").Kind() != jsonval.Object:
			return "", errors.New("a call has no input, or its input is not an object")
		}
	}
	n.whole = body
	n.wholeChat = `{"id":` + values.OrEmpty(v.Get("id")) + `,"object":"chat.completion","model":` + values.OrEmpty(v.Get("model")) + `,"choices":[{"index":0,"message":` + chatTurnOf(content.Elements()) +
		`,"finish_reason":` + jsonval.Quoted(chatFinish(v.Get("stop_reason").Text())) + `}],"usage":` + orNullRaw(v.Get("usage")) + `}`
	return n.wholeChat, nil
}

func orNullRaw(v jsonval.Value) string {
	if !v.Exists() {
		return "null"
	}
	return v.Raw()
}

// nativeStream reads the events of the Messages API and returns them as the events of a
// chat completion. Events in a wrong order are an error.
type nativeStream struct {
	n      *native
	from   io.Reader
	events splitter
	ready  []byte
	err    error

	id, model string
	blocks    []*nativeBlock
	open      bool // the last block is open
	began     bool
	finish    string
	over      bool
}

// nativeBlock is a block of which pieces arrive.
type nativeBlock struct {
	kind  string
	start jsonval.Value
	text  strings.Builder // of text, or of the arguments
	calls int             // the number of calls before it
	more  []jsonval.Value // other pieces, such as thinking and signatures
}

func (n *native) newStream(from io.Reader) io.Reader {
	return &nativeStream{n: n, from: from, events: splitter{limit: maxEvent}}
}

// Read returns the translated events. It returns an error at the end of a stream that
// ended without its last event.
func (s *nativeStream) Read(b []byte) (int, error) {
	for len(s.ready) == 0 && s.err == nil {
		buffer := make([]byte, 16<<10)
		k, err := s.from.Read(buffer)
		events, broken := s.events.feed(buffer[:k], false)
		for i := 0; i < len(events) && s.err == nil && !s.over; i++ {
			s.err = s.translateEvent(&events[i])
		}
		switch {
		case s.err != nil:
		case s.over:
			s.err = io.EOF
		case broken != nil:
			s.err = broken
		case err == io.EOF:
			s.err = errors.New("the stream ended too early")
		case err != nil:
			s.err = err
		}
	}
	if len(s.ready) == 0 {
		return 0, s.err
	}
	k := copy(b, s.ready)
	s.ready = s.ready[k:]
	return k, nil
}

// emitChunk adds a chunk of a chat completion that carries the original event. The
// parameter choices is the content of the member with this name, and more holds further
// members.
func (s *nativeStream) emitChunk(e *event, choices, more string) {
	s.ready = append(s.ready, `data: {"id":`+s.id+`,"object":"chat.completion.chunk","model":`+s.model+`,"choices":[`+choices+`]`+more+`,"`+verbatim+`":`+jsonval.Quoted(string(e.raw))+"}\n\n"...)
}

// eventName returns the value of the field event. Clients select what to do by this
// field or by the type in the data, so they must agree.
func eventName(raw []byte) (name string) {
	text := strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(string(raw), "\ufeff"), "\r\n", "\n"), "\r", "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if field, value, _ := strings.Cut(line, ":"); field == "event" {
			name = strings.TrimPrefix(value, " ")
		}
	}
	return name
}

func (s *nativeStream) translateEvent(e *event) error {
	if strings.TrimSpace(e.data) == "" {
		s.ready = append(s.ready, e.raw...) // a comment
		return nil
	}
	v, err := jsonval.Parse(e.data)
	if err != nil {
		return fmt.Errorf("an event of the stream is not JSON: %w", err)
	}
	if err := checkUnambiguous(v); err != nil {
		return err
	}
	kind := v.Get("type").Text()
	switch {
	case kind != eventName(e.raw):
		return fmt.Errorf("an event of the stream has the name %.40q and the type %.40q", eventName(e.raw), kind)
	case kind == "error":
		return errUpstream{e.data}
	case !s.began && kind != "message_start" && kind != "ping":
		return errors.New("the stream does not begin with message_start")
	case s.finish != "" && strings.HasPrefix(kind, "content_block"):
		return errors.New("a block came after the end of the turn")
	}
	switch kind {
	case "message_start":
		if s.began || v.At("message", "content").Len() > 0 {
			return errors.New("the stream begins twice, or with content")
		}
		s.began = true
		s.id, s.model = values.OrEmpty(v.At("message", "id")), values.OrEmpty(v.At("message", "model"))
		s.n.usage = sumlessUsage("", v.At("message", "usage"))
		s.emitChunk(e, `{"index":0,"delta":{"role":"assistant"}}`, "")
	case "content_block_start":
		return s.beginBlock(e, v)
	case "content_block_delta":
		return s.addPiece(e, v)
	case "content_block_stop":
		if at, ok := v.Get("index").Int(); !s.open || !ok || int(at) != len(s.blocks)-1 {
			return errors.New("the stream ends a block that is not open")
		}
		s.open = false
		s.emitChunk(e, "", "")
	case "message_delta":
		return s.endTurn(e, v)
	case "message_stop":
		if s.open || s.finish == "" {
			return errors.New("the stream ended too early")
		}
		s.over = true
		s.emitChunk(e, "", "")
		s.ready = append(s.ready, done...)
	default: // ping, and events of later versions, which clients skip
		if isHosted(kind) {
			return errElsewhere
		}
		if s.id == "" {
			s.id, s.model = `""`, `""`
		}
		s.emitChunk(e, "", "")
	}
	return nil
}

func (s *nativeStream) beginBlock(e *event, v jsonval.Value) error {
	b := &nativeBlock{start: v.Get("content_block"), kind: v.At("content_block", "type").Text()}
	if at, ok := v.Get("index").Int(); s.open || !ok || int(at) != len(s.blocks) {
		return errors.New("the stream begins a block in a wrong place")
	}
	if isHosted(b.kind) {
		return errHosted
	}
	for _, other := range s.blocks {
		if other.kind == "tool_use" {
			b.calls++
		}
	}
	s.blocks, s.open = append(s.blocks, b), true
	switch b.kind {
	case "text":
		text := b.start.Get("text").Text()
		b.text.WriteString(text)
		s.emitChunk(e, `{"index":0,"delta":{"content":`+jsonval.Quoted(text)+`}}`, "")
	case "tool_use":
		arguments := ""
		if in := b.start.Get("input"); in.Len() > 0 || in.Exists() && in.Kind() != jsonval.Object {
			arguments = in.Raw()
		}
		b.text.WriteString(arguments)
		call := chatCall(b.start.Get("id"), b.start.Get("name"), arguments)
		s.emitChunk(e, `{"index":0,"delta":{"tool_calls":[`+indexedCall(call, b.calls)+`]}}`, "")
	default:
		s.emitChunk(e, "", "")
	}
	return nil
}

// addPiece adds a piece to the open block. A piece of another kind than its block is an
// error if one of the two is a call.
func (s *nativeStream) addPiece(e *event, v jsonval.Value) error {
	at, ok := v.Get("index").Int()
	if !s.open || !ok || int(at) != len(s.blocks)-1 {
		return errors.New("the stream has a piece of a block that is not open")
	}
	b, delta := s.blocks[len(s.blocks)-1], v.Get("delta")
	kind := delta.Get("type").Text()
	if err := checkSurrogates(delta.Get("partial_json")); err != nil {
		return err
	}
	switch {
	case (kind == "input_json_delta") != (b.kind == "tool_use") || (kind == "text_delta") && b.kind != "text" || isHosted(kind):
		return errors.New("the stream has a piece that does not fit its block")
	case kind == "input_json_delta":
		piece, ok := delta.Get("partial_json").Str()
		if !ok || b.start.Get("input").Len() > 0 && piece != "" {
			return errors.New("a call has its input twice, or a piece of it is no string")
		}
		b.text.WriteString(piece)
		s.emitChunk(e, `{"index":0,"delta":{"tool_calls":[{"index":`+strconv.Itoa(b.calls)+`,"function":{"arguments":`+jsonval.Quoted(piece)+`}}]}}`, "")
	case kind == "text_delta":
		b.text.WriteString(delta.Get("text").Text())
		s.emitChunk(e, `{"index":0,"delta":{"content":`+jsonval.Quoted(delta.Get("text").Text())+`}}`, "")
	default:
		b.more = append(b.more, delta)
		s.emitChunk(e, "", "")
	}
	return nil
}

// endTurn translates the event with the reason why the turn ended. The chunk also has the
// blocks of the whole turn, for the model's history.
func (s *nativeStream) endTurn(e *event, v jsonval.Value) error {
	s.n.usage = sumlessUsage(s.n.usage, v.Get("usage"))
	reason := v.At("delta", "stop_reason").Text()
	switch {
	case s.open || s.finish != "":
		return errors.New("the turn ends twice, or inside a block")
	case reason == "":
		return errors.New("the turn ends without a reason")
	}
	s.finish = chatFinish(reason)
	raws := make([]string, len(s.blocks))
	for i, b := range s.blocks {
		raws[i] = b.wholeBlock()
	}
	s.emitChunk(e, `{"index":0,"delta":{},"finish_reason":`+jsonval.Quoted(s.finish)+`}`, `,"usage":`+s.n.usage+`,"`+turnMember+`":`+jsonval.Quoted("["+strings.Join(raws, ",")+"]"))
	return nil
}

// wholeBlock returns the block as it is in an answer that is not streamed.
func (b *nativeBlock) wholeBlock() string {
	var members []string
	set := func(name, raw string) {
		for i := range members {
			if strings.HasPrefix(members[i], jsonval.Quoted(name)+":") {
				members[i] = jsonval.Quoted(name) + ":" + raw
				return
			}
		}
		members = append(members, jsonval.Quoted(name)+":"+raw)
	}
	b.start.Each(func(key string, m jsonval.Value) bool { set(key, m.Raw()); return true })
	switch b.kind {
	case "text":
		set("text", jsonval.Quoted(b.text.String()))
	case "tool_use":
		input := strings.TrimSpace(b.text.String())
		if v, err := jsonval.Parse(input); err != nil || v.Kind() != jsonval.Object {
			input = "{}" // such a call is refused; the model is told why
		}
		set("input", input)
	}
	grown := map[string]string{}
	lists := map[string][]string{}
	for _, d := range b.more {
		d.Each(func(key string, m jsonval.Value) bool {
			switch s, ok := m.Str(); {
			case key == "type":
			case key == "citation":
				lists["citations"] = append(lists["citations"], m.Raw())
			case ok:
				if _, begun := grown[key]; !begun {
					grown[key] = b.start.Get(key).Text()
				}
				grown[key] += s
				set(key, jsonval.Quoted(grown[key]))
			default:
				set(key, m.Raw())
			}
			return true
		})
	}
	for key, list := range lists {
		set(key, "["+strings.Join(list, ",")+"]")
	}
	return "{" + strings.Join(members, ",") + "}"
}

// sumlessUsage returns a usage whose members a later one replaces.
func sumlessUsage(earlier string, later jsonval.Value) string {
	a, _ := jsonval.Parse(earlier)
	var members []string
	a.Each(func(key string, m jsonval.Value) bool {
		if !values.Has(later.Get(key)) {
			members = append(members, jsonval.Quoted(key)+":"+m.Raw())
		}
		return true
	})
	later.Each(func(key string, m jsonval.Value) bool {
		if values.Has(m) || !a.Get(key).Exists() {
			members = append(members, jsonval.Quoted(key)+":"+m.Raw())
		}
		return true
	})
	return "{" + strings.Join(members, ",") + "}"
}
