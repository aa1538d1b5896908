package proxy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
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
	Raw  string `json:"raw"`  // the call as JSON in the assistant's message
	Bad  string `json:"-"`    // the reason why it cannot be read reliably; "" if it can

	rewritten bool // clients write the arguments again, so the id stands for them
}

// argumentsJSON returns the arguments on which the gate decides. For a custom tool, these
// are an object with the tool's text as its only member. An empty text becomes {}.
func (c *call) argumentsJSON() string {
	switch {
	case c.Kind == kindCustom:
		return `{"input":` + jsonval.Quoted(c.Text) + `}`
	case strings.TrimSpace(c.Text) == "":
		return "{}"
	}
	return c.Text
}

// reply is the model's complete answer.
type reply struct {
	id, model, created string // raw JSON
	usage              string // raw JSON; only of an answer that was not streamed
	body               string // the whole answer, if it was not streamed
	content            string // its text
	shown              string // the part of the text that may be sent without the calls
	message            string // the assistant's message, verbatim, or assembled from the stream
	calls              []call
	finish             string
	started            bool // there was a choice
}

// isCompleteFinish reports whether a finish reason means that the calls of the turn are
// complete.
func isCompleteFinish(finish string) bool {
	return finish == "tool_calls" || finish == "function_call" || finish == "stop"
}

// readCall reads a whole tool call.
func readCall(v jsonval.Value) (call, error) {
	c := call{Raw: v.Raw(), Kind: kindFunction}
	c.ID, _ = v.Get("id").Str()
	c.rewritten, _ = v.Get(rewritten).Bool()
	if k, ok := v.Get("type").Str(); ok && k != "" {
		c.Kind = k
	}
	if err := oneBody(v); err != nil {
		return c, err
	}
	body, member := v.Get(kindFunction), "arguments"
	if c.Kind == kindCustom {
		body, member = v.Get(kindCustom), "input"
	}
	if c.Kind != kindFunction && c.Kind != kindCustom {
		return c, fmt.Errorf("a call has the unknown type %.40q", c.Kind)
	}
	return c, c.fillFields(body, member)
}

// oneBody returns an error if programs may read a call differently. Such a call has the
// bodies of both types, or a name or arguments next to its body.
func oneBody(v jsonval.Value) error {
	if values.Has(v.Get(kindFunction)) && values.Has(v.Get(kindCustom)) {
		return errors.New("a call has both function and custom, so it is unclear which of the two would run")
	}
	for _, key := range [...]string{"name", "arguments", "input", "parameters", "args"} {
		if values.Has(v.Get(key)) {
			return fmt.Errorf("a call has the member %s next to its body, so it is unclear what would run", key)
		}
	}
	return nil
}

func readLegacy(v jsonval.Value) (call, error) {
	c := call{Raw: v.Raw(), Kind: kindLegacy}
	return c, c.fillFields(v, "arguments")
}

func (c *call) fillFields(body jsonval.Value, member string) error {
	var named, said bool
	c.Name, named = body.Get("name").Str()
	m := body.Get(member)
	if c.Text, said = m.Str(); !said && !values.Has(m) {
		said = true
	}
	if err := errors.Join(checkSurrogates(body.Get("name")), checkSurrogates(m)); err != nil {
		return err
	}
	if !named || c.Name == "" || !said {
		return fmt.Errorf("a call has no name, or its member %s is not a string", member)
	}
	return nil
}

// readReply parses an answer that was not streamed. A call in a choice after the first is
// an error.
func readReply(body string) (reply, error) {
	var r reply
	v, err := jsonval.Parse(body)
	if err != nil {
		return r, err
	}
	if err := checkUnambiguous(v); err != nil {
		return r, err
	}
	choices := v.Get("choices").Elements()
	if len(choices) == 0 {
		return r, errors.New("the answer has no choices")
	}
	r.storeIdentity(v)
	r.started, r.body = true, body
	if u := v.Get("usage"); values.Has(u) {
		r.usage = u.Raw()
	}
	m := choices[0].Get("message")
	if m.Kind() != jsonval.Object {
		return r, errors.New("the first choice of the answer has no message")
	}
	parts, words := contentOf(m.Get("content"))
	r.message, r.content = m.Raw(), words
	r.finish, _ = choices[0].Get("finish_reason").Str()
	known := 0
	if f := m.Get("function_call"); values.Has(f) {
		c, err := readLegacy(f)
		if err != nil {
			return r, err
		}
		r.calls, known = append(r.calls, c), known+1
	}
	if list := m.Get("tool_calls"); values.Has(list) {
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
	for _, other := range choices[1:] {
		if more, words := contentOf(other.At("message", "content")); len(more)+len(textCalls(words)) > 0 {
			return r, errElsewhere
		}
	}
	r.addTextCalls(parts)
	return r, r.checkIDs()
}

// addTextCalls adds the calls that the model has written into its text, and the given
// calls from other parts of the content. If the reply already has tool calls, the calls
// in the text get the member Bad, because the gate cannot know which of the two kinds an
// agent runs.
func (r *reply) addTextCalls(parts []call) {
	written := textCalls(r.content)
	if r.shown = r.content; len(written) > 0 {
		r.shown = strings.TrimSpace(r.content[:textStart(r.content)])
	}
	for i := range written {
		if len(r.calls) > 0 {
			written[i].Bad = "the call is written as text, next to real tool calls"
		}
	}
	r.calls = append(append(r.calls, written...), parts...)
}

// contentOf reads the content of a message. The result words is the text of the content.
// The result parts has the calls that are parts of the content. The member Bad of these
// calls is set, so the proxy never lets them pass.
func contentOf(v jsonval.Value) (parts []call, words string) {
	if s, ok := v.Str(); ok {
		return nil, s
	}
	list := v.Elements()
	if v.Kind() == jsonval.Object {
		list = []jsonval.Value{v}
	}
	for _, e := range list {
		kind, _ := e.Get("type").Str()
		if s, ok := e.Get("text").Str(); ok {
			words += s
		}
		if strings.Contains(kind, "tool") || strings.Contains(kind, "function") || strings.Contains(kind, "call") {
			parts = append(parts, call{ID: "part_" + strconv.Itoa(len(parts)+1), Kind: kindText, Name: "content_call", Text: "{}",
				Bad: fmt.Sprintf("the call is in a part of the content (%.40s), but not in the message's list of calls", kind)})
		}
	}
	return parts, words
}

var errElsewhere = errors.New("the answer has calls in a wrong place or in more than one choice")

// checkIDs returns an error if two calls have the same id, or if a call has no id. Calls
// of the kind function_call need no id.
func (r *reply) checkIDs() error {
	seen := map[string]bool{}
	for i := range r.calls {
		id := r.calls[i].ID
		if r.calls[i].Kind != kindLegacy && (id == "" || seen[id]) {
			return fmt.Errorf("two calls have the id %.60q, or a call has no id", id)
		}
		seen[id] = true
	}
	return nil
}

// storeIdentity stores the id, the model and the time of an answer, because the proxy's
// own chunks must repeat them.
func (r *reply) storeIdentity(v jsonval.Value) {
	for name, to := range map[string]*string{"id": &r.id, "model": &r.model, "created": &r.created} {
		if m := v.Get(name); *to == "" && values.Has(m) && m.Raw() != `""` {
			*to = m.Raw()
		}
	}
}
