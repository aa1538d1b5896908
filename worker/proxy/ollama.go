//go:build !js

package proxy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// ollama is the dialect of Ollama's chat.
type ollama struct{}

// ollamaPath is the path of Ollama's chat.
const ollamaPath = "/api/chat"

// newOllama reads a request and translates it. Without the member stream, the answer is
// streamed.
func newOllama(body string) (*parcel, error) {
	p, err := newParcel(ollama{}, body)
	if err != nil {
		return nil, err
	}
	p.path = "/chat"
	stream := true
	if m := p.root.Get("stream"); m.Exists() {
		var ok bool
		if stream, ok = m.Bool(); !ok {
			return nil, errors.New("invalid stream: want true or false")
		}
	}
	messages, err := ollamaMessages(p.root.Get("messages"))
	if err != nil {
		return nil, err
	}
	members := []string{`"model":` + values.OrEmpty(p.root.Get("model")), `"messages":[` + strings.Join(messages, ",") + `]`, `"stream":` + strconv.FormatBool(stream)}
	if tools := p.root.Get("tools"); values.Has(tools) {
		members = append(members, `"tools":`+tools.Raw())
	}
	p.chat = "{" + strings.Join(members, ",") + "}"
	return p, nil
}

// ollamaCalls returns the calls of a message.
func ollamaCalls(m jsonval.Value) (calls []whole, err error) {
	for _, c := range m.Get("tool_calls").Elements() {
		f := c.Get("function")
		name, ok := f.Get("name").Str()
		args := f.Get("arguments")
		if !values.Has(args) {
			args, _ = jsonval.Parse("{}")
		}
		if err := errors.Join(checkSurrogates(f.Get("name")), checkSurrogates(c.Get("id")), oneBody(c)); err != nil {
			return nil, err
		}
		if !ok || name == "" || args.Kind() != jsonval.Object {
			return nil, errors.New("a call has no name, or its arguments are not an object")
		}
		id, _ := c.Get("id").Str()
		calls = append(calls, whole{id, name, args})
	}
	return calls, nil
}

func ollamaMessages(list jsonval.Value) (out []string, err error) {
	if list.Kind() != jsonval.Array || list.Len() == 0 {
		return nil, errors.New("missing messages: want an array of at least one message")
	}
	var asked asking
	for i, m := range list.Elements() {
		role, ok := m.Get("role").Str()
		text, isText := m.Get("content").Str()
		if !ok || m.Get("content").Exists() && !isText {
			return nil, fmt.Errorf("invalid message %d: want a role, and a content that is a string", i)
		}
		switch role {
		case "assistant":
			calls, err := ollamaCalls(m)
			if err != nil {
				return nil, fmt.Errorf("message %d: %w", i, err)
			}
			nameCalls(calls, map[string]int{})
			asked.open = calls
			out = append(out, chatTurnWith(text, calls, m.Raw()))
		case "tool":
			id, _ := m.Get("tool_call_id").Str()
			name, named := m.Get("tool_name").Str()
			if !named && len(asked.open) > 0 { // older clients say nothing: results come in order
				name = asked.open[0].name
			}
			out = append(out, resultOf(asked.takeCall(id, name), text, m.Raw()))
		default:
			content := jsonval.Quoted(text)
			if images := m.Get("images"); values.Has(images) {
				content = `[{"type":"text","text":` + content + `},{"type":"image","images":` + images.Raw() + `}]`
			}
			out = append(out, `{"role":`+jsonval.Quoted(role)+`,"content":`+content+`,"`+verbatim+`":`+jsonval.Quoted(m.Raw())+`}`)
		}
	}
	return out, nil
}

func (ollama) readObject(v jsonval.Value) (one piece, err error) {
	if err := checkUnambiguous(v); err != nil {
		return one, err
	}
	m := v.Get("message")
	if role := m.Get("role"); m.Kind() != jsonval.Object || role.Exists() && role.Text() != "assistant" {
		return one, errors.New("the answer has no message of an assistant")
	}
	if one.calls, err = ollamaCalls(m); err != nil {
		return one, err
	}
	known := 0
	if values.Has(m.Get("tool_calls")) {
		known = 1
	}
	if callsIn(v) != known {
		return one, errElsewhere
	}
	text := m.Get("content")
	if one.text, _ = text.Str(); values.Has(text) && text.Kind() != jsonval.String {
		return one, errors.New("the content of the answer is no text")
	}
	one.model, one.parts = v.Get("model"), []jsonval.Value{m}
	if over, _ := v.Get("done").Bool(); !over {
		return one, nil
	}
	one.usage = `{"prompt_eval_count":` + numberOf(v.Get("prompt_eval_count")) + `,"eval_count":` + numberOf(v.Get("eval_count")) + `}`
	switch reason := v.Get("done_reason").Text(); reason {
	case "", "stop":
		one.finish = "stop"
	default:
		one.finish = reason // length counts as incomplete, and so does a reason that is not known
	}
	return one, nil
}

func numberOf(v jsonval.Value) string {
	if n, ok := v.Int(); ok {
		return strconv.FormatInt(n, 10)
	}
	return "0"
}

func (ollama) joinTurn(all []piece) string {
	if len(all) == 1 {
		return all[0].parts[0].Raw()
	}
	text, thinking := "", ""
	var calls, more []string
	for _, one := range all {
		one.parts[0].Each(func(key string, m jsonval.Value) bool {
			switch s, _ := m.Str(); key {
			case "role":
			case "content":
				text += s
			case "thinking":
				thinking += s
			case "tool_calls":
				for _, c := range m.Elements() {
					calls = append(calls, c.Raw())
				}
			default:
				more = append(more, jsonval.Quoted(key)+":"+m.Raw())
			}
			return true
		})
	}
	out := `{"role":"assistant","content":` + jsonval.Quoted(text)
	if thinking != "" {
		out += `,"thinking":` + jsonval.Quoted(thinking)
	}
	if len(calls) > 0 {
		out += `,"tool_calls":[` + strings.Join(calls, ",") + `]`
	}
	if len(more) == 1 { // two pieces with such a member cannot be joined
		out += "," + more[0]
	}
	return out + "}"
}

func (ollama) patchHistory(root, chat jsonval.Value) []patch {
	names, ids := map[string]string{}, map[string]string{}
	var raws []string
	for _, m := range chat.Get("messages").Elements() {
		for _, c := range m.Get("tool_calls").Elements() {
			names[c.Get("id").Text()], ids[c.Get("id").Text()] = c.At("function", "name").Text(), givenID(c)
		}
		text, original := m.Get(verbatim).Str()
		if !original {
			text = textMessage(m.Get("role").Text(), m.Get("content").Text())
			if id := m.Get("tool_call_id").Text(); m.Get("role").Text() == "tool" {
				text = `{"role":"tool","content":` + m.Get("content").Raw() + `,"tool_name":` + jsonval.Quoted(names[id])
				if ids[id] != "" {
					text += `,"tool_call_id":` + jsonval.Quoted(ids[id])
				}
				text += "}"
			}
		}
		raws = append(raws, text)
	}
	return []patch{{root.Get("messages"), "[" + strings.Join(raws, ",") + "]"}}
}

func (ollama) writeObject(p *parcel, said object) string {
	message := said.turn
	if message == "" {
		message = `{"role":"assistant","content":` + jsonval.Quoted(said.text)
		var list []string
		for _, c := range said.calls {
			id := ""
			if given := givenID(c); given != "" {
				id = `"id":` + jsonval.Quoted(given) + ","
			}
			list = append(list, `{`+id+`"function":{"name":`+values.OrEmpty(c.At("function", "name"))+`,"arguments":`+inputOf(c)+`}}`)
		}
		if len(list) > 0 {
			message += `,"tool_calls":[` + strings.Join(list, ",") + `]`
		}
		message += "}"
	}
	model := p.model
	if model == "" {
		model = values.OrEmpty(p.root.Get("model"))
	}
	out := `{"model":` + model + `,"created_at":` + jsonval.Quoted(time.Now().UTC().Format(time.RFC3339Nano)) + `,"message":` + message
	if said.finish == "" {
		return out + `,"done":false}`
	}
	reason := said.finish
	if reason == "tool_calls" {
		reason = "stop"
	}
	usage, _ := jsonval.Parse(said.usage)
	return out + `,"done":true,"done_reason":` + jsonval.Quoted(reason) + `,"prompt_eval_count":` + numberOf(usage.Get("prompt_eval_count")) + `,"eval_count":` + numberOf(usage.Get("eval_count")) + `}`
}

func (ollama) withUsage(text string, v jsonval.Value, usage string) string {
	u, _ := jsonval.Parse(usage)
	var patches []patch
	for _, name := range [...]string{"prompt_eval_count", "eval_count"} {
		if m := v.Get(name); m.Exists() {
			patches = append(patches, patch{m, numberOf(u.Get(name))})
		}
	}
	return applyPatches(text, patches)
}

func (ollama) failureObject(message string) string {
	return `{"error":` + jsonval.Quoted(message) + `}`
}

func (ollama) byLines() bool { return true }
