//go:build !js

package proxy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// dialect is an API of models whose calls come whole: each call is in one object of the
// answer, with its arguments as an object, and often without an id.
type dialect interface {
	// readObject reads an answer, or one object of a stream. It returns an error if programs
	// may read it differently.
	readObject(v jsonval.Value) (piece, error)
	// joinTurn returns the turn of the model whose pieces these are, as it is in history.
	joinTurn(all []piece) string
	// patchHistory returns the patches of the request that put the messages of a chat completion
	// into it.
	patchHistory(root, chat jsonval.Value) []patch
	// writeObject writes an object of an answer that the gate itself makes: a text or calls, and
	// with a finish reason the end. The parameter turn is a whole turn instead of the text,
	// or "". The parameter usage is raw JSON or "".
	writeObject(r *parcel, said object) string
	// withUsage returns an object of the model's server with another usage.
	withUsage(text string, v jsonval.Value, usage string) string
	// failureObject writes an error in the middle of a stream.
	failureObject(message string) string
	// byLines reports whether a stream has one object on each line, and not server-sent events.
	byLines() bool
}

// piece is what the proxy reads in one object of an answer.
type piece struct {
	text   string          // for the person
	calls  []whole         // in their order
	finish string          // as a chat completion has it; "" if the turn goes on
	usage  string          // raw JSON, or ""
	model  jsonval.Value   // its name
	parts  []jsonval.Value // for joinTurn
}

// whole is one call.
type whole struct {
	id, name string
	args     jsonval.Value
}

// object is what the gate says in one object of an answer.
type object struct {
	text, turn    string
	calls         []jsonval.Value // of a chat completion
	finish, usage string
}

// parcel is the state of one request in a dialect.
type parcel struct {
	dialect
	body, chat string
	root       jsonval.Value
	path       string
	head       http.Header

	answer, answerChat string // the model's last whole answer, and its translation
	model              string // as the answer names it, raw
}

func (p *parcel) chatBody() string                   { return p.chat }
func (p *parcel) targetOf() (string, http.Header)    { return p.path, p.head }
func (p *parcel) newStream(from io.Reader) io.Reader { return &parcelStream{p: p, from: from} }
func (p *parcel) newWriter(w http.ResponseWriter, stream bool) http.ResponseWriter {
	return &parcelWriter{ResponseWriter: w, p: p, stream: stream, events: splitter{limit: 3 * maxEvent}}
}

func (p *parcel) streamType() string {
	if p.byLines() {
		return "application/x-ndjson"
	}
	return "text/event-stream"
}

// newParcel reads the text of a request.
func newParcel(d dialect, body string) (*parcel, error) {
	v, err := jsonval.Parse(body)
	switch {
	case err != nil:
		return nil, err
	case v.Kind() != jsonval.Object:
		return nil, fmt.Errorf("invalid request: want an object, saw %s", v.Kind())
	}
	if key := values.Repeated(v); key != "" {
		return nil, fmt.Errorf("invalid request: the member %.40q appears twice", key)
	}
	return &parcel{dialect: d, body: body, root: v}, nil
}

func (p *parcel) requestBody(chat string) string {
	if chat == p.chat {
		return p.body
	}
	v, _ := jsonval.Parse(chat)
	return applyPatches(p.body, p.patchHistory(p.root, v))
}

// madeID begins the ids that the gate gives to calls without one.
const madeID = "call_bc_"

// nameCalls gives an id to each call without one. Such an id says what the call is, because
// clients send no ids back: the same call has the same id in the answer and in each later
// request. The map before counts the calls of the turn, and belongs to the caller.
func nameCalls(calls []whole, before map[string]int) {
	for i := range calls {
		if calls[i].id != "" {
			continue
		}
		sum := sha256.Sum256([]byte(strconv.Itoa(len(calls[i].name)) + calls[i].name + calls[i].args.Canonical()))
		id := madeID + hex.EncodeToString(sum[:12])
		if before[id]++; before[id] > 1 {
			id += "_" + strconv.Itoa(before[id])
		}
		calls[i].id = id
	}
}

// givenID returns the id of a call for the model's server and the client: "" if a client
// would find it again without it. A call that an approver changed is not found so.
func givenID(c jsonval.Value) string {
	id := c.Get("id").Text()
	args, err := jsonval.Parse(inputOf(c))
	again := []whole{{name: c.At("function", "name").Text(), args: args}}
	if nameCalls(again, map[string]int{}); err == nil && (id == again[0].id || strings.HasPrefix(id, again[0].id+"_")) {
		return ""
	}
	return id
}

// chatCalls returns the calls of a piece as members of a chat completion.
func chatCalls(calls []whole, first int, streamed bool) string {
	raws := make([]string, len(calls))
	for i, c := range calls {
		id, _ := jsonval.Parse(jsonval.Quoted(c.id))
		name, _ := jsonval.Parse(jsonval.Quoted(c.name))
		if raws[i] = chatCall(id, name, c.args.Raw()); streamed {
			raws[i] = indexedCall(raws[i], first+i)
		}
	}
	return `"tool_calls":[` + strings.Join(raws, ",") + `]`
}

// chatTurnWith returns a turn of the model in a request as a message of a chat completion.
func chatTurnWith(text string, calls []whole, original string) string {
	out := `{"role":"assistant","content":` + jsonval.Quoted(text)
	if len(calls) > 0 {
		out += "," + chatCalls(calls, 0, false)
	}
	return out + `,"` + verbatim + `":` + jsonval.Quoted(original) + `}`
}

// resultOf returns a result of a tool in a request as a message of a chat completion.
func resultOf(id, content, original string) string {
	return `{"role":"tool","tool_call_id":` + jsonval.Quoted(id) + `,"content":` + jsonval.Quoted(content) + `,"` + verbatim + `":` + jsonval.Quoted(original) + `}`
}

// asking finds the calls to which the results in a request belong.
type asking struct{ open []whole }

// takeCall returns the id of the call that a result answers: by its id, or else the first open
// one of this name. If there is none, the result belongs to no call.
func (a *asking) takeCall(id, name string) string {
	for i, c := range a.open {
		if id != "" && c.id == id || id == "" && c.name == name {
			a.open = append(a.open[:i:i], a.open[i+1:]...)
			return c.id
		}
	}
	if id != "" {
		return id
	}
	return madeID + "none"
}

// finishWith returns the finish reason of a turn.
func finishWith(finish string, calls int) string {
	if finish == "stop" && calls > 0 {
		return "tool_calls"
	}
	return finish
}

func (p *parcel) chatAnswer(body string) (string, error) {
	v, err := jsonval.Parse(body)
	if err != nil {
		return "", err
	}
	one, err := p.readObject(v)
	if err != nil {
		return "", err
	}
	nameCalls(one.calls, map[string]int{})
	p.model = values.OrEmpty(one.model)
	p.answer = body
	p.answerChat = `{"id":"","object":"chat.completion","model":` + p.model + `,"choices":[{"index":0,"message":` + chatTurnWith(one.text, one.calls, p.joinTurn([]piece{one})) +
		`,"finish_reason":` + jsonval.Quoted(finishWith(one.finish, len(one.calls))) + `}],"usage":` + rawOrNull(one.usage) + `}`
	return p.answerChat, nil
}

// parcelStream reads the objects of a stream and returns them as the events of a chat
// completion.
type parcelStream struct {
	p      *parcel
	from   io.Reader
	events splitter
	buf    []byte // of lines
	ready  []byte
	err    error

	all    []piece
	before map[string]int
	calls  int
	finish string
}

// Read returns the translated events. It returns an error at the end of a stream that
// ended without its last object.
func (s *parcelStream) Read(b []byte) (int, error) {
	for len(s.ready) == 0 && s.err == nil {
		buffer := make([]byte, 16<<10)
		k, err := s.from.Read(buffer)
		events, broken := s.splitObjects(buffer[:k])
		for i := 0; i < len(events) && s.err == nil; i++ {
			s.err = s.translateEvent(&events[i])
		}
		switch {
		case s.err != nil:
		case broken != nil:
			s.err = broken
		case err == io.EOF && (s.finish == "" || len(s.buf) > 0 || len(s.events.buf) > 0):
			s.err = errors.New("the stream ended too early")
		case err == io.EOF:
			s.ready, s.err = append(s.ready, done...), io.EOF
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

// splitObjects returns the objects of a stream that are now complete, each with its own bytes.
func (s *parcelStream) splitObjects(b []byte) (out []event, err error) {
	if !s.p.byLines() {
		s.events.limit = maxEvent
		return s.events.feed(b, false)
	}
	s.buf = append(s.buf, b...)
	for {
		i := strings.IndexByte(string(s.buf), '\n')
		if i < 0 {
			break
		}
		out = append(out, event{raw: append([]byte(nil), s.buf[:i+1]...), data: string(s.buf[:i])})
		s.buf = s.buf[i+1:]
	}
	if len(s.buf) > maxEvent {
		return out, errEvent
	}
	return out, nil
}

func (s *parcelStream) translateEvent(e *event) error {
	if strings.TrimSpace(e.data) == "" {
		return nil // a comment
	}
	v, err := jsonval.Parse(e.data)
	if err != nil {
		return fmt.Errorf("an object of the stream is not JSON: %w", err)
	}
	if values.Has(v.Get("error")) {
		return errUpstream{e.data}
	}
	one, err := s.p.readObject(v)
	switch {
	case err != nil:
		return err
	case s.finish != "" && (len(one.calls) > 0 || one.text != ""):
		return errors.New("a part of the turn came after its end")
	case s.finish != "" && one.finish != "" && one.finish != s.finish:
		return errors.New("the turn ends twice")
	}
	if s.before == nil {
		s.before, s.p.model = map[string]int{}, values.OrEmpty(one.model)
	}
	nameCalls(one.calls, s.before)
	s.all = append(s.all, one)
	delta := `"content":` + jsonval.Quoted(one.text)
	if len(one.calls) > 0 {
		delta += "," + chatCalls(one.calls, s.calls, true)
	}
	s.calls += len(one.calls)
	choice, more := `{"index":0,"delta":{`+delta+`}`, ""
	if one.finish != "" {
		s.finish = one.finish
		choice += `,"finish_reason":` + jsonval.Quoted(finishWith(one.finish, s.calls))
		more = `,"` + turnMember + `":` + jsonval.Quoted(s.p.joinTurn(s.all))
	}
	if one.usage != "" {
		more += `,"usage":` + one.usage
	}
	s.ready = append(s.ready, `data: {"id":"","object":"chat.completion.chunk","model":`+s.p.model+`,"choices":[`+choice+`}]`+more+`,"`+verbatim+`":`+jsonval.Quoted(string(e.raw))+"}\n\n"...)
	return nil
}

// parcelWriter is an http.ResponseWriter that translates the proxy's chat completion back
// into a dialect, whole or streamed.
type parcelWriter struct {
	http.ResponseWriter
	p      *parcel
	stream bool
	status int

	events splitter
	said   object // what the gate says, until it is known whether its turn ends there: clients drop a turn with an empty end
	usage  string
	over   bool
}

// WriteHeader sends the status at once, but for an answer that is not a stream and not an
// error: its length is known later.
func (m *parcelWriter) WriteHeader(status int) {
	if m.status = status; status == 200 && !m.stream {
		return
	}
	if status == 200 {
		m.Header().Set("Content-Type", m.p.streamType())
	}
	m.ResponseWriter.WriteHeader(status)
}

// Write translates an answer. If the answer is not a stream, a single call of Write must
// contain all of it.
func (m *parcelWriter) Write(b []byte) (int, error) {
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

// Unwrap returns the writer inside, for http.ResponseController.
func (m *parcelWriter) Unwrap() http.ResponseWriter { return m.ResponseWriter }

func (m *parcelWriter) convertAnswer(body string) string {
	if body == m.p.answerChat {
		return m.p.answer
	}
	v, _ := jsonval.Parse(body)
	said := object{}
	for _, c := range v.Get("choices").Elements() {
		said.turn, _ = c.At("message", verbatim).Str()
		said.text, _ = c.At("message", "content").Str()
		said.calls = c.At("message", "tool_calls").Elements()
		said.finish = c.Get("finish_reason").Text()
	}
	if u := v.Get("usage"); values.Has(u) {
		said.usage = u.Raw()
	}
	return m.p.writeObject(m.p, said)
}

// frameObject returns an object as a part of the stream.
func (m *parcelWriter) frameObject(text string) string {
	if m.p.byLines() {
		return text + "\n"
	}
	return frameEvent(text)
}

func (m *parcelWriter) translateEvents(b []byte) string {
	var out strings.Builder
	events, err := m.events.feed(b, false)
	if err != nil && !m.over {
		m.over = true
		out.WriteString(m.frameObject(m.p.failureObject(err.Error())))
	}
	for i := range events {
		e := &events[i]
		switch data := strings.TrimSpace(e.data); {
		case m.over:
		case data == "": // a comment, which clients of these APIs may take for an object that is not JSON
		case data == "[DONE]":
			m.over = true
			m.said.usage = m.usage
			m.writeSaid(&out)
		default:
			m.translateChunk(&out, data)
		}
	}
	return out.String()
}

func (m *parcelWriter) translateChunk(out *strings.Builder, data string) {
	v, err := jsonval.Parse(data)
	if e := v.Get("error"); err != nil || values.Has(e) {
		message := e.Get("message").Text()
		if text, ok := e.Str(); ok {
			message = text
		}
		m.over = true
		out.WriteString(m.frameObject(m.p.failureObject(message)))
		return
	}
	if raw, ok := v.Get(verbatim).Str(); ok {
		m.writeSaid(out)
		out.WriteString(m.passObject(raw, v))
		return
	}
	if u := v.Get("usage"); values.Has(u) {
		m.usage = u.Raw()
	}
	for _, c := range v.Get("choices").Elements() {
		said := object{text: c.At("delta", "content").Text(), calls: c.At("delta", "tool_calls").Elements()}
		if c.At("delta", "content").Kind() != jsonval.String {
			said.text = ""
		}
		if said.text != "" || len(said.calls) > 0 {
			m.writeSaid(out)
			m.said = said
		}
		if f, ok := c.Get("finish_reason").Str(); ok {
			m.said.finish = f
		}
	}
}

// writeSaid writes what the gate has said and was not written yet.
func (m *parcelWriter) writeSaid(out *strings.Builder) {
	if said := m.said; said.text != "" || len(said.calls) > 0 || said.finish != "" {
		out.WriteString(m.frameObject(m.p.writeObject(m.p, said)))
	}
	m.said = object{}
}

// passObject passes an object of the model's server, with the usage of all turns.
func (m *parcelWriter) passObject(raw string, chunk jsonval.Value) string {
	text := raw
	if !m.p.byLines() {
		text = parseEvent([]byte(raw)).data
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return ""
	}
	one, _ := m.p.readObject(v)
	if u := chunk.Get("usage"); values.Has(u) && u.Raw() != one.usage {
		return m.frameObject(strings.TrimRight(m.p.withUsage(text, v, u.Raw()), "\r\n"))
	}
	return raw
}
