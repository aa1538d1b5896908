package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/saber"
)

// The kinds of calls that a model can make.
const (
	kindFunction = "function"
	kindCustom   = "custom"
	kindLegacy   = "function_call" // the deprecated member of that name, without an id
)

// call is one call that the model wants to make.
type call struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
	Text string `json:"text"` // arguments or input, decoded
	Raw  string `json:"raw"`  // its JSON object in the assistant's message
}

// arguments are what the gate is asked about: the function's own text, or a
// custom tool's free text as the one member of an object. Nothing at all is an
// object without members.
func (c *call) arguments() string {
	switch {
	case c.Kind == kindCustom:
		return `{"input":` + jsonval.Quoted(c.Text) + `}`
	case strings.TrimSpace(c.Text) == "":
		return "{}"
	}
	return c.Text
}

// reply is what the model answered, whole.
type reply struct {
	id, model, created string // raw JSON
	usage              string // raw JSON; only of an answer that came whole
	body               string // the whole answer, when it came whole
	content            string // what a person sees of it
	message            string // the assistant's message, verbatim, or put together from the stream
	calls              []call
	finish             string
	started            bool // whether there was a choice at all
}

// The reasons for which a model's turn counts as finished with its calls whole.
func whole(finish string) bool {
	return finish == "tool_calls" || finish == "function_call" || finish == "stop"
}

// readCall reads a whole tool call.
func readCall(v jsonval.Value) (call, error) {
	c := call{Raw: v.Raw(), Kind: kindFunction}
	c.ID, _ = v.Get("id").Str()
	if k, ok := v.Get("type").Str(); ok && k != "" {
		c.Kind = k
	}
	body, member := v.Get(kindFunction), "arguments"
	if c.Kind == kindCustom {
		body, member = v.Get(kindCustom), "input"
	}
	if c.Kind != kindFunction && c.Kind != kindCustom {
		return c, fmt.Errorf("a call of the unknown type %.40q", c.Kind)
	}
	return c, c.fill(body, member)
}

func readLegacy(v jsonval.Value) (call, error) {
	c := call{Raw: v.Raw(), Kind: kindLegacy}
	return c, c.fill(v, "arguments")
}

func (c *call) fill(body jsonval.Value, member string) error {
	var named, said bool
	c.Name, named = body.Get("name").Str()
	m := body.Get(member)
	if c.Text, said = m.Str(); !said && !full(m) {
		said = true
	}
	if err := errors.Join(paired(body.Get("name")), paired(m)); err != nil {
		return err
	}
	if !named || c.Name == "" || !said {
		return fmt.Errorf("a call without a name, or whose %s are no string", member)
	}
	return nil
}

// readReply reads an answer that came whole. Choices beyond the first may not
// make calls.
func readReply(body string) (reply, error) {
	var r reply
	v, err := jsonval.Parse(body)
	if err != nil {
		return r, err
	}
	if err := unambiguous(v); err != nil {
		return r, err
	}
	choices := v.Get("choices").Elements()
	if len(choices) == 0 {
		return r, errors.New("no choices in it")
	}
	r.about(v)
	r.started, r.body = true, body
	if u := v.Get("usage"); full(u) {
		r.usage = u.Raw()
	}
	m := choices[0].Get("message")
	if m.Kind() != jsonval.Object {
		return r, errors.New("its first choice has no message")
	}
	r.message, r.content = m.Raw(), m.Get("content").Text()
	r.finish, _ = choices[0].Get("finish_reason").Str()
	known := 0
	if f := m.Get("function_call"); full(f) {
		c, err := readLegacy(f)
		if err != nil {
			return r, err
		}
		r.calls, known = append(r.calls, c), known+1
	}
	if list := m.Get("tool_calls"); full(list) {
		known++
		for _, e := range list.Elements() {
			c, err := readCall(e)
			if err != nil {
				return r, err
			}
			r.calls = append(r.calls, c)
		}
	}
	if callsIn(v) != known || known > 1 {
		return r, errElsewhere
	}
	return r, r.distinct()
}

var errElsewhere = errors.New("calls where none belong, or in more than one choice")

// distinct refuses calls that cannot be told apart by their ids.
func (r *reply) distinct() error {
	seen := map[string]bool{}
	for i := range r.calls {
		id := r.calls[i].ID
		if r.calls[i].Kind != kindLegacy && (id == "" || seen[id]) {
			return fmt.Errorf("two calls with the id %.60q, or a call without one", id)
		}
		seen[id] = true
	}
	return nil
}

// about keeps what chunks of our own must repeat.
func (r *reply) about(v jsonval.Value) {
	for name, to := range map[string]*string{"id": &r.id, "model": &r.model, "created": &r.created} {
		if m := v.Get(name); *to == "" && full(m) && m.Raw() != `""` {
			*to = m.Raw()
		}
	}
}

// assembler puts a streamed answer together. Add each event's data in order,
// then take reply.
type assembler struct {
	reply   reply
	content strings.Builder
	piece   string  // of the content, in the event that was added last
	parts   []*part // tool calls in the order in which they began
	legacy  *part
	done    bool
}

// part is a call that grows.
type part struct {
	index      int64
	id, kind   string
	name, text strings.Builder
	extra      []string // further members of the call, raw, as first seen
	known      map[string]bool
}

// errUpstream is an error that the model's server reports inside the stream.
type errUpstream struct{ raw string }

func (e errUpstream) Error() string { return "the model's server broke off" }

// add takes one event's data. calls tells whether it carries a piece of a call.
func (a *assembler) add(data string) (calls bool, err error) {
	if a.piece = ""; a.done {
		return false, errors.New("something after the end of the stream")
	}
	if strings.TrimSpace(data) == "[DONE]" {
		a.done = true
		return false, nil
	}
	v, err := jsonval.Parse(data)
	if err != nil {
		return false, fmt.Errorf("an event that is no JSON: %w", err)
	}
	if v.Kind() != jsonval.Object {
		return false, fmt.Errorf("an event that is no object but %s", v.Kind())
	}
	if e := v.Get("error"); full(e) {
		return false, errUpstream{data}
	}
	if err := unambiguous(v); err != nil {
		return false, err
	}
	a.reply.about(v)
	known := 0
	for _, c := range v.Get("choices").Elements() {
		n, err := a.choice(c)
		if err != nil {
			return false, err
		}
		known += n
	}
	if callsIn(v) != known {
		return false, errElsewhere
	}
	return known > 0, nil
}

// choice adds one choice's delta and tells how many members with calls it had.
func (a *assembler) choice(c jsonval.Value) (known int, err error) {
	delta := c.Get("delta")
	i, _ := c.Get("index").Int()
	if i != 0 {
		return 0, nil // calls in it are found to be elsewhere
	}
	a.reply.started = true
	if s, ok := delta.Get("content").Str(); ok {
		a.content.WriteString(s)
		a.piece = s
	}
	if f := delta.Get("function_call"); full(f) {
		known++
		if a.legacy == nil {
			a.legacy = &part{kind: kindLegacy}
		}
		if err := a.legacy.grow(f, "arguments"); err != nil {
			return known, err
		}
	}
	if list := delta.Get("tool_calls"); full(list) {
		known++
		for n, e := range list.Elements() {
			if err := a.part(e, int64(n)); err != nil {
				return known, err
			}
		}
	}
	if a.reply.finish != "" && known > 0 {
		return known, errors.New("a piece of a call after the turn had finished")
	}
	if s, ok := c.Get("finish_reason").Str(); ok && s != "" {
		if a.reply.finish != "" && a.reply.finish != s {
			return known, errors.New("two reasons for the end of the turn")
		}
		a.reply.finish = s
	}
	return known, nil
}

// part adds a piece to the call with its index; servers that leave the index
// out send whole calls, which are counted.
func (a *assembler) part(e jsonval.Value, at int64) error {
	if m := e.Get("index"); m.Exists() {
		var ok bool
		if at, ok = m.Int(); !ok || at < 0 || at > 1000 {
			return errors.New("a call with an index that is no small number")
		}
	}
	var p *part
	for _, x := range a.parts {
		if x.index == at {
			p = x
		}
	}
	if p == nil {
		p = &part{index: at, known: map[string]bool{}}
		a.parts = append(a.parts, p)
	}
	if id, ok := e.Get("id").Str(); ok && id != "" {
		if p.id != "" && p.id != id {
			return errors.New("two ids for one call")
		}
		p.id = id
	}
	if kind, ok := e.Get("type").Str(); ok && kind != "" {
		if p.kind != "" && p.kind != kind {
			return errors.New("two types for one call")
		}
		p.kind = kind
	}
	if err := p.grow(e.Get(kindFunction), "arguments"); err != nil {
		return err
	}
	if err := p.grow(e.Get(kindCustom), "input"); err != nil {
		return err
	}
	if full(e.Get(kindCustom)) && p.kind == "" {
		p.kind = kindCustom
	}
	e.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "index", "id", "type", kindFunction, kindCustom:
		default:
			if !p.known[key] {
				p.known[key] = true
				p.extra = append(p.extra, jsonval.Quoted(key)+":"+m.Raw())
			}
		}
		return true
	})
	return nil
}

func (p *part) grow(v jsonval.Value, member string) error {
	name, text := v.Get("name"), v.Get(member)
	if err := errors.Join(paired(name), paired(text)); err != nil {
		return err
	}
	if s, ok := name.Str(); ok {
		p.name.WriteString(s)
	}
	if s, ok := text.Str(); ok {
		p.text.WriteString(s)
	}
	return nil
}

// paired refuses half of a surrogate pair, which readers decode differently.
func paired(m jsonval.Value) error {
	if m.Kind() == jsonval.String && saber.Unpaired(m.Raw()) {
		return errors.New("a call with an unpaired surrogate")
	}
	return nil
}

// raw writes the call as it stands in a message that came whole.
func (p *part) raw() string {
	if p.kind == kindLegacy {
		return `{"name":` + jsonval.Quoted(p.name.String()) + `,"arguments":` + jsonval.Quoted(p.text.String()) + `}`
	}
	kind, member := kindFunction, "arguments"
	if p.kind != "" {
		kind = p.kind
	}
	switch kind {
	case kindFunction:
	case kindCustom:
		member = "input"
	default: // nobody reads it further
		return `{"type":` + jsonval.Quoted(kind) + "}"
	}
	parts := append([]string{
		`"id":` + jsonval.Quoted(p.id), `"type":` + jsonval.Quoted(kind),
		jsonval.Quoted(kind) + `:{"name":` + jsonval.Quoted(p.name.String()) + `,` + jsonval.Quoted(member) + `:` + jsonval.Quoted(p.text.String()) + `}`,
	}, p.extra...)
	return "{" + strings.Join(parts, ",") + "}"
}

// whole gives the reply at the end of the stream. A stream without a reason for
// its end is half a stream.
func (a *assembler) whole() (reply, error) {
	r := a.reply
	r.content = a.content.String()
	if !r.started || r.finish == "" {
		return r, errors.New("the stream ended in the middle")
	}
	var raws []string
	for _, p := range a.parts {
		raws = append(raws, p.raw())
	}
	b := `{"role":"assistant","content":` + orNull(r.content)
	if len(raws) > 0 {
		b += `,"tool_calls":[` + strings.Join(raws, ",") + `]`
	}
	if a.legacy != nil {
		b += `,"function_call":` + a.legacy.raw()
	}
	r.message = b + "}"
	if len(raws) == 0 && a.legacy == nil {
		return r, nil
	}
	again, err := readReply(`{"choices":[{"message":` + r.message + `,"finish_reason":` + jsonval.Quoted(r.finish) + `}]}`)
	r.calls = again.calls
	return r, err
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return jsonval.Quoted(s)
}

// chunk is one event of our own in the model's stream.
func (r *reply) chunk(delta, finish string) string {
	if finish = orNull(finish); delta == "" {
		delta = "{}"
	}
	return "data: " + r.head("chat.completion.chunk") + `"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + "}]}\n\n"
}

// head begins an object of ours that belongs to the model's answer.
func (r *reply) head(object string) string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	return `{"id":` + or(r.id, `"chatcmpl-boundcheck"`) + `,"object":` + strconv.Quote(object) +
		`,"created":` + or(r.created, "0") + `,"model":` + or(r.model, `""`) + `,`
}

// encode is for values of our own types only.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
