package proxy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// assembler reconstructs a streamed answer. Pass the data of each event to addEvent in
// order, then call wholeReply.
type assembler struct {
	reply   reply
	content strings.Builder
	piece   string  // content of the event that was added last
	parts   []*part // tool calls in the order in which they began
	legacy  *part
	inParts []call           // calls in parts of the content
	others  map[int64]string // texts of further choices
	done    bool
	blocks  string // of a turn in the Messages API: its blocks
}

// part is a call whose pieces are still arriving.
type part struct {
	index    int64
	id, kind string
	name     string
	text     strings.Builder
	body     string   // the member with the call: function or custom
	extra    []string // further members of the call, raw, as first received
	known    map[string]bool
}

// errUpstream is an error that the model's server reports inside the stream.
type errUpstream struct{ raw string }

func (e errUpstream) Error() string { return "the model's server stopped in the middle of its answer" }

// addEvent reads the data of one event, and reports whether the data contains a piece of
// a call.
func (a *assembler) addEvent(data string) (calls bool, err error) {
	if a.piece = ""; a.done {
		return false, errors.New("the stream contains data after its end")
	}
	if strings.TrimSpace(data) == "[DONE]" {
		a.done = true
		return false, nil
	}
	v, err := jsonval.Parse(data)
	if err != nil {
		return false, fmt.Errorf("an event of the stream is not JSON: %w", err)
	}
	if v.Kind() != jsonval.Object {
		return false, fmt.Errorf("an event of the stream must be an object; got %s", v.Kind())
	}
	if e := v.Get("error"); values.Has(e) {
		return false, errUpstream{data}
	}
	if err := checkUnambiguous(v); err != nil {
		return false, err
	}
	a.reply.storeIdentity(v)
	if u := v.Get("usage"); values.Has(u) {
		a.reply.usage = u.Raw()
	}
	if blocks, ok := v.Get(turnMember).Str(); ok {
		a.blocks = blocks
	}
	known, parts := 0, len(a.inParts)
	for _, c := range v.Get("choices").Elements() {
		n, err := a.addChoice(c)
		if err != nil {
			return false, err
		}
		known += n
	}
	if callsIn(v) != known {
		return false, errElsewhere
	}
	return known > 0 || len(a.inParts) > parts, nil
}

// addChoice adds the delta of one choice. The result known is the number of the delta's
// members tool_calls and function_call that contain calls.
func (a *assembler) addChoice(c jsonval.Value) (known int, err error) {
	delta := c.Get("delta")
	i, _ := c.Get("index").Int()
	if i != 0 {
		return 0, a.addOtherChoice(i, delta) // a later check finds calls in it in a wrong place
	}
	a.reply.started = true
	more, words := contentOf(delta.Get("content"))
	if a.inParts = append(a.inParts, more...); words != "" {
		a.content.WriteString(words)
		a.piece = words
	}
	if f := delta.Get("function_call"); values.Has(f) {
		known++
		if a.legacy == nil {
			a.legacy = &part{kind: kindLegacy}
		}
		if err := a.legacy.appendFields(f, "arguments"); err != nil {
			return known, err
		}
	}
	if list := delta.Get("tool_calls"); values.Has(list) {
		known++
		for n, e := range list.Elements() {
			if err := a.addPart(e, int64(n)); err != nil {
				return known, err
			}
		}
	}
	if a.reply.finish != "" && known > 0 {
		return known, errors.New("a part of a call came after the end of the turn")
	}
	if s, ok := c.Get("finish_reason").Str(); ok && s != "" {
		if a.reply.finish != "" && a.reply.finish != s {
			return known, errors.New("the turn has two finish reasons")
		}
		a.reply.finish = s
	}
	return known, nil
}

// addOtherChoice adds the text of a delta to a choice after the first. Such a choice may
// not contain a call, so a call in it is an error.
func (a *assembler) addOtherChoice(i int64, delta jsonval.Value) error {
	parts, words := contentOf(delta.Get("content"))
	if a.others == nil {
		a.others = map[int64]string{}
	}
	a.others[i] += words
	if len(parts)+len(textCalls(a.others[i])) > 0 {
		return errElsewhere
	}
	return nil
}

// addPart adds the piece e to the call with the same index. If e has no index, the index
// is the parameter at, which is the position of e in its list.
func (a *assembler) addPart(e jsonval.Value, at int64) error {
	if m := e.Get("index"); m.Exists() {
		var ok bool
		if at, ok = m.Int(); !ok || at < 0 || at > 1000 {
			return errors.New("the index of a call must be a whole number from 0 to 1000")
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
			return errors.New("a call has two ids")
		}
		p.id = id
	}
	if kind, ok := e.Get("type").Str(); ok && kind != "" {
		if p.kind != "" && p.kind != kind {
			return errors.New("a call has two types")
		}
		p.kind = kind
	}
	if err := p.oneBody(e); err != nil {
		return err
	}
	if err := p.appendFields(e.Get(kindFunction), "arguments"); err != nil {
		return err
	}
	if err := p.appendFields(e.Get(kindCustom), "input"); err != nil {
		return err
	}
	if values.Has(e.Get(kindCustom)) && p.kind == "" {
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

// oneBody returns an error if the pieces of a call have both a function and a custom
// body. It also returns an error if the body of e does not fit the type of the call, or
// if the function oneBody refuses e.
func (p *part) oneBody(e jsonval.Value) error {
	for _, kind := range [...]string{kindFunction, kindCustom} {
		if !values.Has(e.Get(kind)) {
			continue
		}
		if p.body != "" && p.body != kind || p.kind != "" && p.kind != kind && (p.kind == kindFunction || p.kind == kindCustom) {
			return errors.New("a call has both function and custom, so it is unclear which of the two would run")
		}
		p.body = kind
	}
	return oneBody(e)
}

func (p *part) appendFields(v jsonval.Value, member string) error {
	name, text := v.Get("name"), v.Get(member)
	if err := errors.Join(checkSurrogates(name), checkSurrogates(text)); err != nil {
		return err
	}
	if s, ok := name.Str(); ok && s != "" {
		if p.name != "" {
			return errors.New("the name of a call comes twice, and clients differ in which tool they run then")
		}
		p.name = s
	}
	switch s, ok := text.Str(); {
	case ok:
		p.text.WriteString(s)
	case values.Has(text):
		return fmt.Errorf("a piece of the %s of a call is not text, so it is unclear what a client would make of it", member)
	}
	return nil
}

// checkSurrogates returns an error if a JSON string contains half of a surrogate pair.
// Different programs decode such a string differently.
func checkSurrogates(m jsonval.Value) error {
	if m.Kind() == jsonval.String && proposal.Unpaired(m.Raw()) {
		return errors.New("a call contains an unpaired UTF-16 surrogate")
	}
	return nil
}

// callJSON returns the call as JSON, in the form that it has in an answer that is not
// streamed.
func (p *part) callJSON() string {
	if p.kind == kindLegacy {
		return `{"name":` + jsonval.Quoted(p.name) + `,"arguments":` + jsonval.Quoted(p.text.String()) + `}`
	}
	kind, member := kindFunction, "arguments"
	if p.kind != "" {
		kind = p.kind
	}
	switch kind {
	case kindFunction:
	case kindCustom:
		member = "input"
	default: // these pieces are not read further
		return `{"type":` + jsonval.Quoted(kind) + "}"
	}
	parts := append([]string{
		`"id":` + jsonval.Quoted(p.id), `"type":` + jsonval.Quoted(kind),
		jsonval.Quoted(kind) + `:{"name":` + jsonval.Quoted(p.name) + `,` + jsonval.Quoted(member) + `:` + jsonval.Quoted(p.text.String()) + `}`,
	}, p.extra...)
	return "{" + strings.Join(parts, ",") + "}"
}

// wholeReply returns the reply at the end of the stream. It returns an error if the
// stream is incomplete, for example without a finish reason.
func (a *assembler) wholeReply() (reply, error) {
	r := a.reply
	r.content = a.content.String()
	if !r.started || r.finish == "" {
		return r, errors.New("the stream ended too early")
	}
	var raws []string
	for _, p := range a.parts {
		if known := p.kind == kindFunction || p.kind == kindCustom; known && p.body != "" && p.kind != p.body {
			return r, fmt.Errorf("a call has the type %.40q, but its body has the type %s", p.kind, p.body)
		}
		raws = append(raws, p.callJSON())
	}
	b := `{"role":"assistant","content":` + orNull(r.content)
	if len(raws) > 0 {
		b += `,"tool_calls":[` + strings.Join(raws, ",") + `]`
	}
	if a.legacy != nil {
		b += `,"function_call":` + a.legacy.callJSON()
	}
	if a.blocks != "" {
		b += `,"` + verbatim + `":` + jsonval.Quoted(a.blocks)
	}
	r.message = b + "}"
	if len(raws) == 0 && a.legacy == nil {
		r.addTextCalls(a.inParts)
		return r, nil
	}
	again, err := readReply(`{"choices":[{"message":` + r.message + `,"finish_reason":` + jsonval.Quoted(r.finish) + `}]}`)
	r.calls = append(again.calls, a.inParts...)
	return r, err
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return jsonval.Quoted(s)
}
