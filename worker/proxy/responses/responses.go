// Package responses reads requests of the Responses API as chat completions, and keeps what
// a later request needs to continue a response.
package responses

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// Path is the path of the Responses API. Its requests are translated: the model's server
// is asked for a chat completion. So the whole proxy also works for the Responses API, and
// servers need only support chat completions.
const Path = "/v1/responses"

// Members of a Responses API request that a chat completion has under the same name,
// and those that make no difference to the model here.
var (
	sameInChat = []string{"model", "temperature", "top_p", "parallel_tool_calls", "user", "metadata", "service_tier", "safety_identifier", "prompt_cache_key", "stream"}
	idleInChat = []string{"instructions", "input", "tools", "tool_choice", "text", "reasoning", "max_output_tokens", "include", "store", "truncation", "prompt_cache_retention",
		"max_tool_calls", "top_logprobs", "stream_options", "previous_response_id", "conversation", "background", "prompt", "context_management", "moderation"}
)

// Chat converts a Responses API request to the body of a chat completion. If a part
// cannot be converted, it returns an error that says what the gate accepts.
func Chat(body string) (string, error) {
	v, err := jsonval.Parse(body)
	switch {
	case err != nil:
		return "", err
	case v.Kind() != jsonval.Object:
		return "", fmt.Errorf("invalid request: want an object, saw %s", v.Kind())
	}
	if key := values.Repeated(v); key != "" {
		return "", fmt.Errorf("invalid request: the member %.40q appears twice", key)
	}
	if err := checkStateless(v); err != nil {
		return "", err
	}
	var members []string
	for _, name := range v.Keys() {
		switch {
		case slices.Contains(sameInChat, name):
			members = append(members, jsonval.Quoted(name)+":"+v.Get(name).Raw())
		case !slices.Contains(idleInChat, name):
			return "", fmt.Errorf("unknown member %.40q. The gate translates the request into a chat completion, which has no such member", name)
		}
	}
	if stream, _ := v.Get("stream").Bool(); stream {
		members = append(members, `"stream_options":{"include_usage":true}`)
	}
	more, err := settingsOf(v)
	if err != nil {
		return "", err
	}
	messages, err := messagesOf(v)
	if err != nil {
		return "", err
	}
	tools, err := toolsOf(v)
	if err != nil {
		return "", err
	}
	members = append(append(members, more...), `"messages":[`+strings.Join(messages, ",")+`]`)
	return "{" + strings.Join(append(members, tools...), ",") + "}", nil
}

// checkStateless returns an error if the model's server would store a part of the request's
// conversation.
func checkStateless(v jsonval.Value) error {
	for _, name := range [...]string{"conversation", "prompt"} {
		if values.Has(v.Get(name)) {
			return fmt.Errorf("the member %s is not supported, because the gate would not see that part of the conversation. Send the whole conversation as input, or continue with previous_response_id", name)
		}
	}
	if background, _ := v.Get("background").Bool(); background {
		return errors.New(`the member "background" is not supported. The gate answers only while the request is open`)
	}
	return nil
}

// settingsOf converts the settings that have another name or form in a chat completion.
func settingsOf(v jsonval.Value) (members []string, err error) {
	if m := v.Get("max_output_tokens"); values.Has(m) {
		members = append(members, `"max_completion_tokens":`+m.Raw())
	}
	if m := v.At("reasoning", "effort"); values.Has(m) {
		members = append(members, `"reasoning_effort":`+m.Raw())
	}
	if m := v.At("text", "verbosity"); values.Has(m) {
		members = append(members, `"verbosity":`+m.Raw())
	}
	format := v.At("text", "format")
	switch kind, _ := format.Get("type").Str(); {
	case !values.Has(format), kind == "text":
	case kind == "json_object":
		members = append(members, `"response_format":{"type":"json_object"}`)
	case kind == "json_schema":
		var inner []string
		format.Each(func(key string, m jsonval.Value) bool {
			if key != "type" {
				inner = append(inner, jsonval.Quoted(key)+":"+m.Raw())
			}
			return true
		})
		members = append(members, `"response_format":{"type":"json_schema","json_schema":{`+strings.Join(inner, ",")+`}}`)
	default:
		return nil, fmt.Errorf("unknown text.format %.40q: want text, json_object or json_schema", kind)
	}
	return members, nil
}

// toolsOf converts functions and custom tools. A tool that the model's server would run by
// itself stays as it is, so that the proxy recognises it.
func toolsOf(v jsonval.Value) (members []string, err error) {
	var list []string
	for _, e := range v.Get("tools").Elements() {
		switch kind, _ := e.Get("type").Str(); kind {
		case "function", "custom":
			list = append(list, `{"type":`+jsonval.Quoted(kind)+`,`+jsonval.Quoted(kind)+`:`+values.Without(e, "type")+`}`)
		default:
			list = append(list, e.Raw())
		}
	}
	if len(list) > 0 {
		members = append(members, `"tools":[`+strings.Join(list, ",")+`]`)
	}
	choice := v.Get("tool_choice")
	switch kind, _ := choice.Get("type").Str(); {
	case !values.Has(choice):
	case choice.Kind() == jsonval.String:
		members = append(members, `"tool_choice":`+choice.Raw())
	case kind == "function" || kind == "custom":
		members = append(members, `"tool_choice":{"type":`+jsonval.Quoted(kind)+`,`+jsonval.Quoted(kind)+`:`+values.Without(choice, "type")+`}`)
	default:
		return nil, fmt.Errorf("unsupported tool_choice of type %.40q: want a string, or an object of type function or custom", kind)
	}
	return members, nil
}

// chatTurn is one message that is assembled from items: an assistant's text and the
// calls after it are one message of a chat completion.
type chatTurn struct {
	content string   // raw JSON; "" for none
	calls   []string // raw JSON
}

func (t *chatTurn) encodeMessage() string {
	content := t.content
	if content == "" {
		content = "null"
	}
	if len(t.calls) == 0 {
		return `{"role":"assistant","content":` + content + `}`
	}
	return `{"role":"assistant","content":` + content + `,"tool_calls":[` + strings.Join(t.calls, ",") + `]}`
}

func textMessage(role, text string) string {
	return `{"role":` + jsonval.Quoted(role) + `,"content":` + jsonval.Quoted(text) + `}`
}

// messagesOf converts instructions and input to the messages of a chat completion.
func messagesOf(v jsonval.Value) (messages []string, err error) {
	if s, ok := v.Get("instructions").Str(); ok && s != "" {
		messages = append(messages, textMessage("system", s))
	}
	input := v.Get("input")
	if s, ok := input.Str(); ok {
		return append(messages, textMessage("user", s)), nil
	}
	if input.Kind() != jsonval.Array || input.Len() == 0 {
		return nil, errors.New("missing input: want a string, or an array of at least one item")
	}
	var open *chatTurn
	closeTurn := func() {
		if open != nil {
			messages = append(messages, open.encodeMessage())
			open = nil
		}
	}
	for i, e := range input.Elements() {
		if call := callItem(e); call != "" {
			if open == nil {
				open = &chatTurn{}
			}
			open.calls = append(open.calls, call)
			continue
		}
		kind, _ := e.Get("type").Str()
		role, _ := e.Get("role").Str()
		if kind == "reasoning" {
			continue // a chat completion has no equivalent
		}
		closeTurn()
		content, err := chatContent(e)
		switch {
		case err != nil:
			return nil, fmt.Errorf("input item %d: %w", i, err)
		case (kind == "" || kind == "message") && role == "assistant":
			open = &chatTurn{content: content}
		case (kind == "" || kind == "message") && role != "":
			messages = append(messages, `{"role":`+jsonval.Quoted(role)+`,"content":`+content+`}`)
		case kind == "function_call_output" || kind == "custom_tool_call_output":
			messages = append(messages, `{"role":"tool","tool_call_id":`+values.OrEmpty(e.Get("call_id"))+`,"content":`+content+`}`)
		default:
			return nil, fmt.Errorf("input item %d has the unsupported type %.40q. Use message, function_call, function_call_output, custom_tool_call or custom_tool_call_output", i, kind)
		}
	}
	closeTurn()
	return messages, nil
}

// callItem returns the item of a call in the form that it has in a chat completion. It
// returns "" if e is not the item of a call.
func callItem(e jsonval.Value) string {
	id, name := values.OrEmpty(e.Get("call_id")), values.OrEmpty(e.Get("name"))
	switch kind, _ := e.Get("type").Str(); kind {
	case "function_call":
		return `{"id":` + id + `,"type":"function","function":{"name":` + name + `,"arguments":` + values.OrEmpty(e.Get("arguments")) + `}}`
	case "custom_tool_call":
		return `{"id":` + id + `,"type":"custom","custom":{"name":` + name + `,"input":` + values.OrEmpty(e.Get("input")) + `}}`
	}
	return ""
}

// chatContent converts an item's content or output to its form in a chat completion.
func chatContent(e jsonval.Value) (string, error) {
	v := e.Get("content")
	if !v.Exists() {
		v = e.Get("output")
	}
	switch v.Kind() {
	case jsonval.String:
		return v.Raw(), nil
	case jsonval.Missing, jsonval.Null:
		return `""`, nil
	case jsonval.Array:
	default:
		return "", fmt.Errorf("invalid content: want a string or an array of parts, saw %s", v.Kind())
	}
	var parts []string
	text, words := "", true
	for _, p := range v.Elements() {
		switch kind, _ := p.Get("type").Str(); kind {
		case "input_text", "output_text", "text", "refusal":
			s, ok := p.Get("text").Str()
			if !ok {
				s, _ = p.Get("refusal").Str()
			}
			text += s
			parts = append(parts, `{"type":"text","text":`+jsonval.Quoted(s)+`}`)
		case "input_image":
			words = false
			if p.Get("image_url").Kind() != jsonval.String {
				return "", errors.New("an input_image must have the member image_url")
			}
			parts = append(parts, `{"type":"image_url","image_url":{"url":`+p.Get("image_url").Raw()+`}}`)
		default:
			return "", fmt.Errorf("unsupported part of type %.40q: want input_text, output_text, refusal or input_image", kind)
		}
	}
	if words {
		return jsonval.Quoted(text), nil // servers that accept parts of text also accept a string
	}
	return "[" + strings.Join(parts, ",") + "]", nil
}
