// Package permit speaks the Model Context Protocol as the server of one tool: the one that
// Claude Code calls before it makes a call of its own, with --permission-prompt-tool. It
// reads messages and writes answers; whether the call may run is decided elsewhere.
package permit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Tool is the name of the tool. In Claude Code it is mcp__NAME__approve, with the name of
// the server in its settings.
const Tool = "approve"

// versions are the revisions of the protocol that a server of plain tools speaks, newest
// first.
var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// list is the answer to tools/list. The names of the arguments are those that Claude Code
// sends.
const list = `{"tools":[{"name":"` + Tool + `","title":"Ask before a call","description":"Asks the approvers of this gate about a call, and waits for their decision.",` +
	`"inputSchema":{"type":"object","properties":{"tool_name":{"type":"string","description":"name of the tool"},` +
	`"input":{"type":"object","description":"arguments of the call"},"tool_use_id":{"type":"string","description":"id of the call"}},"required":["tool_name","input"]}}]}`

// Question is a call about which the tool is asked, with its raw arguments.
type Question struct {
	Tool, Input string // JSON; "null" if it is missing
}

// Message is what a client sent. If Ask is nil, Answer is the whole answer, and "" for a
// message that gets none.
type Message struct {
	Ask    *Question
	Answer string
	Begins bool // the client begins a session
	id     jsonval.Value
}

// Codes of JSON-RPC errors.
const (
	codeRequest = -32600
	codeMethod  = -32601
	codeParams  = -32602
)

// Read reads one message. What the tool does not know is answered with an error, never
// with a decision.
func Read(v jsonval.Value) Message {
	m := Message{id: v.Get("id")}
	method, named := v.Get("method").Str()
	_, whole := m.id.Int()
	switch {
	case v.Kind() != jsonval.Object || v.Get("jsonrpc").Text() != "2.0" || m.id.Exists() && !whole && m.id.Kind() != jsonval.String:
		m.id = jsonval.Value{}
		return m.refuseMessage(codeRequest, `want one message of JSON-RPC 2.0, whose id is a string or a whole number`)
	case !named && (v.Get("result").Exists() || v.Get("error").Exists()):
		return m
	case !m.id.Exists() && strings.HasPrefix(method, "notifications/"):
		return m
	case !m.id.Exists():
		return m.refuseMessage(codeRequest, "a request needs an id")
	}
	params := v.Get("params")
	switch method {
	case "initialize":
		m.Begins = true
		version := versions[0]
		if asked := params.Get("protocolVersion").Text(); slices.Contains(versions, asked) {
			version = asked
		}
		return m.replyWith(`{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"boundcheck","version":"1"}}`)
	case "ping":
		return m.replyWith(`{}`)
	case "tools/list":
		return m.replyWith(list)
	case "tools/call":
		if name := params.Get("name").Text(); name != Tool {
			return m.refuseMessage(codeParams, fmt.Sprintf("unknown tool %.80q: this server has only %s", name, Tool))
		}
		a := params.Get("arguments")
		m.Ask = &Question{Tool: rawOrNull(a.Get("tool_name")), Input: rawOrNull(a.Get("input"))}
		return m
	}
	return m.refuseMessage(codeMethod, fmt.Sprintf("unknown method %.80q", method))
}

func rawOrNull(v jsonval.Value) string {
	if !v.Exists() {
		return "null"
	}
	return v.Raw()
}

// Allow returns the answer that lets a call run with the given arguments, which are JSON.
func (m Message) Allow(input string) string {
	return m.decideCall(`{"behavior":"allow","updatedInput":` + input + `}`)
}

// Deny returns the answer that does not let a call run. The model reads the text.
func (m Message) Deny(text string) string {
	return m.decideCall(`{"behavior":"deny","message":` + jsonval.Quoted(text) + `}`)
}

// decideCall returns the result of the tool: one block of text, which is the decision as JSON.
func (m Message) decideCall(decision string) string {
	return m.replyWith(`{"content":[{"type":"text","text":` + jsonval.Quoted(decision) + `}]}`).Answer
}

func (m Message) replyWith(result string) Message {
	m.Answer = `{"jsonrpc":"2.0","id":` + m.id.Raw() + `,"result":` + result + "}\n"
	return m
}

func (m Message) refuseMessage(code int, text string) Message {
	m.Answer = `{"jsonrpc":"2.0","id":` + rawOrNull(m.id) + `,"error":` + strings.TrimSpace(string(wire.Marshal(map[string]any{"code": code, "message": text}))) + "}\n"
	return m
}
