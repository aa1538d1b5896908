package proxy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// query is one parsed request for a completion.
type query struct {
	who      machine.Principal
	body     string
	root     jsonval.Value
	stream   bool
	usage    bool // the client requests a chunk with the usage at the end of a stream
	messages []message
	session  string
	trace    string // of the agent; see gate.TraceOf
	tools    []mutation.Tool
	policy   string // the text of the operator's messages
	said     *proposal.Conversation
	failed   map[string]bool // ids of calls of which the client says that their tool failed

	spent *spending   // the usage of the answer
	other translation // of a request to another API; nil for chat completions
}

// readQuery parses a request. It returns an error if a member appears twice, because the
// gate and the model's server might read different ones.
func readQuery(body string) (*query, error) {
	v, err := jsonval.Parse(body)
	if err != nil {
		return nil, err
	}
	if v.Kind() != jsonval.Object {
		return nil, fmt.Errorf("invalid request: want an object, saw %s", v.Kind())
	}
	seen := map[string]bool{}
	for _, key := range v.Keys() {
		if seen[strings.ToLower(key)] {
			return nil, fmt.Errorf("invalid request: the member %.40q appears twice", key)
		}
		seen[strings.ToLower(key)] = true
	}
	q := &query{body: body, root: v}
	switch s := v.Get("stream"); s.Kind() {
	case jsonval.Missing, jsonval.Null, jsonval.Bool:
		q.stream, _ = s.Bool()
	default: // what the model's server makes of it is not known
		return nil, fmt.Errorf("invalid stream: want true or false, saw %s", s.Kind())
	}
	q.usage, _ = v.At("stream_options", "include_usage").Bool()
	list := v.Get("messages")
	if list.Kind() != jsonval.Array || list.Len() == 0 {
		return nil, errors.New("missing messages: want an array of at least one message")
	}
	for _, e := range list.Elements() {
		if e.Kind() != jsonval.Object {
			return nil, fmt.Errorf("invalid messages: want objects, saw %s", e.Kind())
		}
		q.messages = append(q.messages, readMessage(e))
	}
	q.said, _ = proposal.ReadConversation(list) // nil if the conversation cannot be read; then no source of a value is known
	if q.tools, err = readTools(v); err != nil {
		return nil, err
	}
	if n := v.Get("n"); values.Has(n) && n.Raw() != "1" && len(q.tools) > 0 {
		return nil, errors.New(`the gate allows only one choice in a request with tools. Remove the member "n"`)
	}
	q.setMessageKeys()
	return q, nil
}

// setMessageKeys sets the key of each message. The key names the conversation up to and
// including the message. The session comes from the key of the first message that is not
// an instruction.
func (q *query) setMessageKeys() {
	key := ""
	var policy []string
	for i := range q.messages {
		m := &q.messages[i]
		key = m.nextKey(key)
		if m.key = key; m.isOperators() {
			policy = append(policy, m.text)
		} else if q.session == "" {
			q.session = "chat-" + key[:16]
		}
	}
	q.policy = strings.Join(policy, "\n")
}

// conversationKey returns the name of the request's whole conversation.
func (q *query) conversationKey() string { return q.messages[len(q.messages)-1].key }

// readTools parses the tool definitions of the client: functions, custom tools, and the
// deprecated list of functions. The definitions can make a verdict stricter, but never
// milder.
func readTools(v jsonval.Value) ([]mutation.Tool, error) {
	var list []string
	for _, e := range v.Get("tools").Elements() {
		for _, kind := range [...]string{kindFunction, kindCustom} {
			if f := e.Get(kind); f.Kind() == jsonval.Object {
				list = append(list, f.Raw())
			}
		}
	}
	for _, f := range v.Get("functions").Elements() {
		list = append(list, f.Raw())
	}
	all, err := jsonval.Parse("[" + strings.Join(list, ",") + "]")
	if err != nil {
		return nil, err
	}
	return mutation.ReadTools(all)
}

// withMessages returns the request's body with the given messages in place of its own. If
// free is true, it also removes the requirement that the model calls a tool. Everything
// else stays the same, byte for byte.
func (q *query) withMessages(messages []string, free bool) string {
	patches := []patch{{q.root.Get("messages"), "[" + strings.Join(messages, ",") + "]"}}
	for _, name := range [...]string{"tool_choice", "function_call"} {
		if m := q.root.Get(name); free && values.Has(m) && m.Text() != "none" {
			patches = append(patches, patch{m, `"auto"`})
		}
	}
	return applyPatches(q.body, patches)
}

// patch is a new text for a value of a JSON text.
type patch struct {
	at   jsonval.Value
	text string
}

// applyPatches returns the body with the patches. Everything else stays the same, byte
// for byte.
func applyPatches(body string, patches []patch) string {
	slices.SortFunc(patches, func(a, b patch) int { return b.at.Offset() - a.at.Offset() }) // from the end, so that offsets stay valid
	for _, p := range patches {
		at := p.at.Offset()
		body = body[:at] + p.text + body[at+len(p.at.Raw()):]
	}
	return body
}
