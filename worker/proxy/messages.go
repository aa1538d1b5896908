package proxy

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// messagesPath is the path of Anthropic's Messages API. The model's server speaks it, too.
// A request is translated into a chat completion for the proxy's own logic, and so is
// each answer. Every translated message and event carries the original in its member
// verbatim, as a string. So what passes unchanged passes byte for byte, and the model
// gets back its own blocks, with the thinking in them.
const messagesPath = "/v1/messages"

// verbatim is the member of a translated message with its original blocks as JSON text,
// and of a translated event with the original bytes.
const verbatim = "boundcheck_verbatim"

// turnMember is the member of the last chunk of a translated turn with the blocks of the
// whole turn as JSON text, and rewritten the member of its calls.
const (
	turnMember = "boundcheck_turn"
	rewritten  = "boundcheck_rewritten"
)

// native is the state of one request to the Messages API, for both directions.
type native struct {
	body  string
	root  jsonval.Value
	chat  string // the translated request
	query string // the request's query
	head  http.Header

	whole, wholeChat string // the model's last whole answer, and its translation
	usage            string // of the model's last streamed turn, as it was translated
}

// newNative reads a request and translates it.
func newNative(r *http.Request, body string) (*native, error) {
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
	n := &native{body: body, root: v, head: anthropicHeader(r)}
	if r.URL.RawQuery == "beta=true" {
		n.query = "?beta=true"
	}
	if values.Has(v.Get("mcp_servers")) {
		return nil, errors.New("the member mcp_servers is not supported, because the model's server would call these servers without the gate. Connect the agent to them through /mcp/NAME of the gate")
	}
	tools, err := chatTools(v.Get("tools"))
	if err != nil {
		return nil, err
	}
	messages, err := chatMessages(v)
	if err != nil {
		return nil, err
	}
	members := []string{`"model":` + values.OrEmpty(v.Get("model")), `"messages":[` + strings.Join(messages, ",") + `]`}
	if stream := v.Get("stream"); stream.Exists() {
		members = append(members, `"stream":`+stream.Raw())
	}
	if len(tools) > 0 {
		members = append(members, `"tools":[`+strings.Join(tools, ",")+`]`)
	}
	if choice := v.At("tool_choice", "type").Text(); choice == "any" || choice == "tool" {
		members = append(members, `"tool_choice":"required"`)
	}
	n.chat = "{" + strings.Join(members, ",") + "}"
	return n, nil
}

func (n *native) chatBody() string                { return n.chat }
func (n *native) targetOf() (string, http.Header) { return "/messages" + n.query, n.head }
func (n *native) streamType() string              { return "text/event-stream" }
func (n *native) newWriter(w http.ResponseWriter, stream bool) http.ResponseWriter {
	return newMessenger(w, n, stream)
}

// anthropicHeader returns the headers that the model's server gets from the client.
func anthropicHeader(r *http.Request) http.Header {
	head := http.Header{"Anthropic-Version": {"2023-06-01"}}
	for _, name := range [...]string{"Anthropic-Version", "Anthropic-Beta"} {
		if v := r.Header.Values(name); len(v) > 0 {
			head[name] = v
		}
	}
	return head
}

// hostRun holds the beginnings of the types of Anthropic's own tools that the client
// runs. All others run at the model's server.
var hostRun = []string{"bash_", "text_editor_", "computer_", "memory_"}

// chatTools translates the definitions of tools. It refuses those that the model's server
// would run by itself, because their calls would bypass the gate.
func chatTools(v jsonval.Value) (list []string, err error) {
	for _, e := range v.Elements() {
		kind := e.Get("type").Text()
		if kind != "" && kind != "custom" && !slices.ContainsFunc(hostRun, func(p string) bool { return strings.HasPrefix(kind, p) }) {
			return nil, fmt.Errorf("a tool of type %.40q is not supported, because the model's server would run it without the gate. Remove the tool, or let the client run it", kind)
		}
		f := `"name":` + values.OrEmpty(e.Get("name"))
		if m := e.Get("description"); values.Has(m) {
			f += `,"description":` + m.Raw()
		}
		if m := e.Get("input_schema"); values.Has(m) {
			f += `,"parameters":` + m.Raw()
		}
		list = append(list, `{"type":"function","function":{`+f+`}}`)
	}
	return list, nil
}

// chatMessages translates the system prompt and the messages.
func chatMessages(v jsonval.Value) (out []string, err error) {
	if s := v.Get("system"); values.Has(s) {
		_, text := blockTexts(blocksOf(s))
		out = append(out, textMessage("system", text))
	}
	list := v.Get("messages")
	if list.Kind() != jsonval.Array || list.Len() == 0 {
		return nil, errors.New("missing messages: want an array of at least one message")
	}
	for i, m := range list.Elements() {
		role, ok := m.Get("role").Str()
		if content := m.Get("content"); !ok || content.Kind() != jsonval.String && content.Kind() != jsonval.Array {
			return nil, fmt.Errorf("invalid message %d: want a role, and a content that is a string or an array", i)
		}
		blocks := blocksOf(m.Get("content"))
		if role == "assistant" {
			out = append(out, chatTurnOf(blocks))
			continue
		}
		out = append(out, userMessages(role, blocks)...)
	}
	return out, nil
}

// blocksOf returns the blocks of a content. A string is one block of text.
func blocksOf(content jsonval.Value) []jsonval.Value {
	if content.Kind() == jsonval.String {
		b, _ := jsonval.Parse(`{"type":"text","text":` + content.Raw() + `}`)
		return []jsonval.Value{b}
	}
	return content.Elements()
}

func rawBlocks(blocks []jsonval.Value) string {
	raws := make([]string, len(blocks))
	for i := range blocks {
		raws[i] = blocks[i].Raw()
	}
	return "[" + strings.Join(raws, ",") + "]"
}

// blockTexts returns the blocks other than text, and the text.
func blockTexts(blocks []jsonval.Value) (others []jsonval.Value, text string) {
	for _, b := range blocks {
		if s, ok := b.Get("text").Str(); ok && b.Get("type").Text() == "text" {
			text += s
			continue
		}
		others = append(others, b)
	}
	return others, text
}

// chatTurnOf translates the blocks of an assistant's turn.
func chatTurnOf(blocks []jsonval.Value) string {
	others, text := blockTexts(blocks)
	var calls []string
	for _, b := range others {
		if b.Get("type").Text() == "tool_use" {
			calls = append(calls, chatCall(b.Get("id"), b.Get("name"), b.Get("input").Raw()))
		}
	}
	out := `{"role":"assistant","content":` + jsonval.Quoted(text)
	if len(calls) > 0 {
		out += `,"tool_calls":[` + strings.Join(calls, ",") + `]`
	}
	return out + `,"` + verbatim + `":` + jsonval.Quoted(rawBlocks(blocks)) + `}`
}

// chatCall returns a call in the form of a chat completion. Clients of the Messages API
// parse the arguments and write them again, so the call's id stands for them in the name
// of the conversation.
func chatCall(id, name jsonval.Value, arguments string) string {
	return `{"id":` + values.OrEmpty(id) + `,"type":"function","function":{"name":` + values.OrEmpty(name) + `,"arguments":` + jsonval.Quoted(arguments) + `},"` + rewritten + `":true}`
}

// userMessages translates the blocks of a message that is not the assistant's: each
// result of a tool is a message of its own.
func userMessages(role string, blocks []jsonval.Value) (out []string) {
	var rest []jsonval.Value
	for _, b := range blocks {
		if b.Get("type").Text() != "tool_result" {
			rest = append(rest, b)
			continue
		}
		out = append(out, `{"role":"tool","tool_call_id":`+values.OrEmpty(b.Get("tool_use_id"))+`,"content":`+chatParts(blocksOf(b.Get("content")))+
			`,"`+verbatim+`":`+jsonval.Quoted("["+b.Raw()+"]")+`}`)
	}
	if len(rest) > 0 || len(out) == 0 {
		out = append(out, `{"role":`+jsonval.Quoted(role)+`,"content":`+chatParts(rest)+`,"`+verbatim+`":`+jsonval.Quoted(rawBlocks(rest))+`}`)
	}
	return out
}

// chatParts returns blocks as the content of a chat message: a string if they are only
// text. Marks for the cache are left out, because clients move them.
func chatParts(blocks []jsonval.Value) string {
	others, text := blockTexts(blocks)
	if len(others) == 0 {
		return jsonval.Quoted(text)
	}
	parts := make([]string, len(blocks))
	for i := range blocks {
		parts[i] = values.Without(blocks[i], "cache_control")
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// requestBody translates a chat completion of the proxy back into a request to the model's
// server. If the proxy changed nothing, this is the client's own request.
func (n *native) requestBody(chat string) string {
	if chat == n.chat {
		return n.body
	}
	v, _ := jsonval.Parse(chat)
	patches := []patch{{n.root.Get("messages"), nativeMessages(v.Get("messages").Elements(), values.Has(n.root.Get("system")))}}
	if choice := n.root.Get("tool_choice"); v.Get("tool_choice").Text() == "auto" && choice.Exists() {
		patches = append(patches, patch{choice, `{"type":"auto"}`})
	}
	return applyPatches(n.body, patches)
}

// nativeMessages returns the list of messages for the model's server. Messages that follow
// each other with the same role are one message, in which the results of tools come first.
// The parameter hasSystem says that the list begins with the system prompt.
func nativeMessages(list []jsonval.Value, hasSystem bool) string {
	type message struct {
		role          string
		results, rest []string
	}
	var all []message
	for i, m := range list {
		role := m.Get("role").Text()
		text, original := m.Get(verbatim).Str()
		switch {
		case !original && role == "system" && i == 0 && hasSystem:
			continue // the request has the system prompt in a member of its own
		case role == "tool", !original && role == "system":
			role = "user"
		case role == "assistant" && !original && i == len(list)-1:
			role = "user" // a turn of the model cannot begin with the gate's text
		}
		blocks, _ := jsonval.Parse(text)
		if !original {
			blocks, _ = jsonval.Parse(ownBlock(m))
		}
		if blocks.Len() == 0 {
			continue
		}
		if len(all) == 0 || all[len(all)-1].role != role {
			all = append(all, message{role: role})
		}
		to := &all[len(all)-1]
		for _, b := range blocks.Elements() {
			if b.Get("type").Text() == "tool_result" {
				to.results = append(to.results, b.Raw())
			} else {
				to.rest = append(to.rest, b.Raw())
			}
		}
	}
	raws := make([]string, len(all))
	for i, m := range all {
		raws[i] = `{"role":` + jsonval.Quoted(m.role) + `,"content":[` + strings.Join(append(m.results, m.rest...), ",") + `]}`
	}
	return "[" + strings.Join(raws, ",") + "]"
}

// ownBlock returns the block of a message that the gate has written.
func ownBlock(m jsonval.Value) string {
	s, _ := m.Get("content").Str()
	switch {
	case s == "":
		return "[]"
	case m.Get("role").Text() == "tool":
		return `[{"type":"tool_result","tool_use_id":` + values.OrEmpty(m.Get("tool_call_id")) + `,"content":` + jsonval.Quoted(s) + `,"is_error":true}]`
	}
	return `[{"type":"text","text":` + jsonval.Quoted(s) + `}]`
}
