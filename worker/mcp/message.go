package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/wire"
)

// JSON-RPC and MCP error codes. Those from -32020 on are the protocol's own and are
// used only with its meanings.
const (
	codeParse       = -32700
	codeRequest     = -32600
	codeMethod      = -32601
	codeParams      = -32602
	codeInternal    = -32603
	codeHeader      = -32020
	codeCapability  = -32021
	codeUnsupported = -32022
)

// fault is an error answer.
type fault struct {
	status int // HTTP status
	code   int
	text   string
	data   any
}

func (f *fault) Error() string { return f.text }

func invalidFault(code int, format string, a ...any) *fault {
	return &fault{status: 400, code: code, text: fmt.Sprintf(format, a...)}
}

// troubleFault returns the fault for a failure of the gate or of the server. It has the
// HTTP status 200, because clients treat an HTTP error as the end of the connection.
func troubleFault(format string, a ...any) *fault {
	return &fault{status: 200, code: codeInternal, text: fmt.Sprintf(format, a...)}
}

// message is one message of a client, checked so that every reader understands it in
// the same way.
type message struct {
	text   string
	id     jsonval.Value // Missing for a notification or a response
	method string        // "" for a response
	params jsonval.Value
}

// readMessage reads and checks a body. If it returns an error and the body has a valid
// id, it also returns the id.
func readMessage(body []byte) (m message, err *fault) {
	m.text = string(body)
	if !utf8.ValidString(m.text) {
		return m, invalidFault(codeParse, "the body is not valid UTF-8")
	}
	v, broken := jsonval.Parse(m.text)
	if broken != nil {
		return m, invalidFault(codeParse, "the body is not JSON: %v", broken)
	}
	if v.Kind() != jsonval.Object {
		return m, invalidFault(codeRequest, "the body must be one JSON-RPC message; got %s. Send the messages of a batch one by one", v.Kind())
	}
	if id := v.Get("id"); validID(id) {
		m.id = id
	}
	if twice := checkDuplicates(v, "the message", "jsonrpc", "id", "method", "params", "result", "error"); twice != nil {
		return m, invalidFault(codeRequest, "invalid message: %v", twice)
	}
	if s, _ := v.Get("jsonrpc").Str(); s != "2.0" {
		return m, invalidFault(codeRequest, `invalid message: want "jsonrpc": "2.0"`)
	}
	if id := v.Get("id"); id.Exists() && !validID(id) {
		return m, invalidFault(codeRequest, "invalid id: want a string or a whole number, saw %.40s", id.Raw())
	}
	method := v.Get("method")
	if !method.Exists() && (v.Get("result").Exists() || v.Get("error").Exists()) {
		m.id = jsonval.Value{}
		return m, nil
	}
	if m.method, _ = method.Str(); m.method == "" {
		return m, invalidFault(codeRequest, "missing method")
	}
	m.params = v.Get("params")
	if m.params.Exists() && m.params.Kind() != jsonval.Object {
		return m, invalidFault(codeParams, "invalid params: want an object, saw %s", m.params.Kind())
	}
	if twice := checkDuplicates(m.params, "params", "name", "uri", "arguments", "_meta", "inputResponses", "requestState", "cursor", "task", "taskId", "notifications"); twice != nil {
		return m, invalidFault(codeParams, "invalid params: %v", twice)
	}
	return m, nil
}

func validID(v jsonval.Value) bool {
	if v.Kind() == jsonval.String {
		return true
	}
	_, whole := v.Int()
	return whole
}

// maxDepth is the deepest nesting of a message.
const maxDepth = 100

// checkDuplicates returns an error if a member name appears twice in one object anywhere
// in v. It also returns an error if a member of v itself differs from a known name only
// in upper or lower case.
func checkDuplicates(v jsonval.Value, what string, known ...string) error {
	if err := checkCase(v, what, known); err != nil {
		return err
	}
	return checkDeepDuplicates(v, 1)
}

func checkCase(v jsonval.Value, what string, known []string) error {
	for _, key := range v.Keys() {
		for _, k := range known {
			if key != k && strings.EqualFold(key, k) {
				return fmt.Errorf("%s has the member %.40q. The protocol writes this member as %q, with other upper or lower case letters", what, key, k)
			}
		}
	}
	return nil
}

// checkOwnDuplicates makes the same check as checkDuplicates, but only for the members of
// v itself.
func checkOwnDuplicates(v jsonval.Value, what string, known ...string) error {
	seen := map[string]bool{}
	for _, key := range v.Keys() {
		if seen[key] {
			return fmt.Errorf("%s has the member %.40q twice", what, key)
		}
		seen[key] = true
	}
	return checkCase(v, what, known)
}

func checkDeepDuplicates(v jsonval.Value, depth int) (err error) {
	if depth > maxDepth {
		return fmt.Errorf("the JSON is nested more than %d levels deep", maxDepth)
	}
	seen := map[string]bool{}
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		if object && seen[key] {
			err = fmt.Errorf("the member %.40q appears twice in one object", key)
		} else if k := m.Kind(); k == jsonval.Object || k == jsonval.Array {
			err = checkDeepDuplicates(m, depth+1)
		}
		seen[key] = true
		return err == nil
	})
	return err
}

// resultAnswer returns a JSON-RPC response with a result.
func resultAnswer(id jsonval.Value, result string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + id.Raw() + `,"result":` + result + "}\n")
}

// errorAnswer returns a JSON-RPC error response. If the id is not known, the response has
// no id.
func errorAnswer(id jsonval.Value, f *fault) []byte {
	body := map[string]any{"code": f.code, "message": f.text}
	if f.data != nil {
		body["data"] = f.data
	}
	out := `{"jsonrpc":"2.0",`
	if id.Exists() {
		out += `"id":` + id.Raw() + `,`
	}
	return []byte(out + `"error":` + encodeLine(body) + "}\n")
}

// encodeLine returns a value as JSON on one line. The members of maps are sorted.
func encodeLine(v any) string { return strings.TrimSpace(string(wire.Marshal(v))) }

// quoteJSON returns s as a JSON string.
func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// member is a change to an object. An empty raw removes the member.
type member struct{ name, raw string }

// withMembers returns the object v as text with some members replaced, added or removed.
// All other members keep their bytes and their order. If v is not an object, it counts as
// {}.
func withMembers(v jsonval.Value, changes ...member) string {
	var parts []string
	done := make([]bool, len(changes))
	put := func(name, raw string) {
		if raw != "" {
			parts = append(parts, quoteJSON(name)+":"+raw)
		}
	}
	if v.Kind() == jsonval.Object {
		v.Each(func(key string, m jsonval.Value) bool {
			raw := m.Raw()
			for i, c := range changes {
				if c.name == key {
					raw, done[i] = c.raw, true
				}
			}
			put(key, raw)
			return true
		})
	}
	for i, c := range changes {
		if !done[i] {
			put(c.name, c.raw)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// response is a server's answer to one request: a result or an error.
type response struct {
	text   string
	result jsonval.Value
	failed jsonval.Value
}

var errOther = errors.New("another message")

// readResponse reads the response to the request with the given id. It returns errOther
// for any other well-formed message.
func readResponse(text string, id jsonval.Value) (response, error) {
	v, err := jsonval.Parse(text)
	if err != nil {
		return response{}, err
	}
	if v.Kind() != jsonval.Object {
		return response{}, fmt.Errorf("the answer must be a JSON-RPC message; got %s", v.Kind())
	}
	if err := checkOwnDuplicates(v, "the message", "jsonrpc", "id", "method", "params", "result", "error"); err != nil {
		return response{}, err
	}
	if err := checkOwnDuplicates(v.Get("result"), "the result", "resultType", "isError", "requestState", "inputRequests", "tools", "nextCursor", "task", "taskId"); err != nil {
		return response{}, err
	}
	out := response{text: text, result: v.Get("result"), failed: v.Get("error")}
	if v.Get("method").Exists() || !out.result.Exists() && !out.failed.Exists() {
		return out, errOther
	}
	if got := v.Get("id"); !jsonval.Equal(got, id) && !(out.failed.Exists() && (!got.Exists() || got.Kind() == jsonval.Null)) {
		return out, fmt.Errorf("the answer is for another request (id %.40s)", got.Raw())
	}
	return out, nil
}
