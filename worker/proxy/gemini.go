//go:build !js

package proxy

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// gemini is the dialect of Gemini's generateContent.
type gemini struct{}

// The operations of Gemini's API that the proxy understands.
const (
	geminiWhole  = ":generateContent"
	geminiStream = ":streamGenerateContent"
)

// geminiModel returns what a path of Gemini's API has after the version: the name of a
// model, perhaps with an operation. The result ok is false for other paths.
func geminiModel(name string) (model string, ok bool) {
	for _, version := range [...]string{"/v1beta", "/v1"} {
		if model, ok = strings.CutPrefix(name, version+"/models/"); ok {
			return model, path.Clean(name) == name && !strings.ContainsAny(model, `/\%;?`)
		}
	}
	return "", false
}

// geminiOperation returns the operation of a path, or "".
func geminiOperation(name string) string {
	rest, ok := geminiModel(name)
	if !ok {
		return ""
	}
	for _, op := range [...]string{geminiWhole, geminiStream} {
		if model, ok := strings.CutSuffix(rest, op); ok && model != "" && !strings.Contains(model, ":") {
			return op
		}
	}
	return ""
}

// newGemini reads a request and translates it.
func newGemini(r *http.Request, body string) (*parcel, error) {
	p, err := newParcel(gemini{}, body)
	if err != nil {
		return nil, err
	}
	operation := geminiOperation(r.URL.Path)
	streamed := operation == geminiStream
	switch query := r.URL.RawQuery; {
	case streamed && query != "alt=sse":
		return nil, errors.New("want ?alt=sse and nothing else in the address: the gate streams server-sent events only, and takes the key in the header x-goog-api-key")
	case !streamed && query != "" && query != "alt=json":
		return nil, errors.New("the address has parameters that the gate does not know. Send the key in the header x-goog-api-key")
	}
	model, _ := geminiModel(r.URL.Path)
	p.path = "/models/" + model
	if p.head = (http.Header{googKey: {""}}); streamed {
		p.path += "?alt=sse"
	}
	tools, err := geminiTools(p.root.Get("tools"))
	if err != nil {
		return nil, err
	}
	if n := eitherMember(eitherMember(p.root, "generationConfig", "generation_config"), "candidateCount", "candidate_count"); values.Has(n) && n.Raw() != "1" {
		return nil, errors.New("the gate allows only one candidate")
	}
	var messages []string
	if s := eitherMember(p.root, "systemInstruction", "system_instruction"); values.Has(s) {
		text, _ := geminiText(s.Get("parts").Elements())
		messages = append(messages, textMessage("system", text))
	}
	turns, err := geminiMessages(p.root.Get("contents"))
	if err != nil {
		return nil, err
	}
	members := []string{`"model":` + jsonval.Quoted(strings.TrimSuffix(model, operation)), `"messages":[` + strings.Join(append(messages, turns...), ",") + `]`, `"stream":` + strconv.FormatBool(streamed)}
	if len(tools) > 0 {
		members = append(members, `"tools":[`+strings.Join(tools, ",")+`]`)
	}
	if mode := geminiMode(p.root).Get("mode").Text(); strings.EqualFold(mode, "any") {
		members = append(members, `"tool_choice":"required"`)
	}
	p.chat = "{" + strings.Join(members, ",") + "}"
	return p, nil
}

// eitherMember returns a member by one of its two names: servers take both spellings in requests.
func eitherMember(v jsonval.Value, camel, snake string) jsonval.Value {
	if m := v.Get(camel); m.Exists() {
		return m
	}
	return v.Get(snake)
}

func geminiMode(root jsonval.Value) jsonval.Value {
	return eitherMember(eitherMember(root, "toolConfig", "tool_config"), "functionCallingConfig", "function_calling_config")
}

// geminiTools translates the declarations of functions. Every other tool would run at the
// model's server, without the gate.
func geminiTools(v jsonval.Value) (list []string, err error) {
	for _, t := range v.Elements() {
		for _, name := range t.Keys() {
			if name != "functionDeclarations" && name != "function_declarations" {
				return nil, fmt.Errorf("the tool %.40q is not supported, because the model's server would run it without the gate. Remove it, or declare a function", name)
			}
		}
		for _, d := range eitherMember(t, "functionDeclarations", "function_declarations").Elements() {
			f := `"name":` + values.OrEmpty(d.Get("name"))
			if m := d.Get("description"); values.Has(m) {
				f += `,"description":` + m.Raw()
			}
			if m := eitherMember(d, "parametersJsonSchema", "parameters_json_schema"); values.Has(m) {
				f += `,"parameters":` + m.Raw()
			} else if m := d.Get("parameters"); values.Has(m) {
				f += `,"parameters":` + m.Raw()
			}
			list = append(list, `{"type":"function","function":{`+f+`}}`)
		}
	}
	return list, nil
}

// geminiText returns the text of parts for a person, and whether they are only text.
// Thoughts are not for a person.
func geminiText(parts []jsonval.Value) (text string, only bool) {
	only = true
	for _, p := range parts {
		if thought, _ := p.Get("thought").Bool(); thought {
			continue
		}
		if s, ok := p.Get("text").Str(); ok {
			text += s
		} else {
			only = false
		}
	}
	return text, only
}

// geminiCalls returns the calls among parts.
func geminiCalls(parts []jsonval.Value) (calls []whole, err error) {
	for _, p := range parts {
		f := eitherMember(p, "functionCall", "function_call")
		if !f.Exists() {
			continue
		}
		name, ok := f.Get("name").Str()
		args := f.Get("args")
		if !values.Has(args) {
			args, _ = jsonval.Parse("{}")
		}
		if err := errors.Join(checkSurrogates(f.Get("name")), checkSurrogates(f.Get("id"))); err != nil {
			return nil, err
		}
		if !ok || name == "" || args.Kind() != jsonval.Object {
			return nil, errors.New("a call has no name, or its args are not an object")
		}
		id, _ := f.Get("id").Str()
		calls = append(calls, whole{id, name, args})
	}
	return calls, nil
}

// geminiMessages translates the contents of a request.
func geminiMessages(list jsonval.Value) (out []string, err error) {
	if list.Kind() != jsonval.Array || list.Len() == 0 {
		return nil, errors.New("missing contents: want an array of at least one content")
	}
	var asked asking
	var turn []jsonval.Value // the parts of the model's turn, of which clients make a content for each piece of a stream
	all := list.Elements()
	for i, c := range all {
		parts := c.Get("parts").Elements()
		if c.Get("parts").Kind() != jsonval.Array {
			return nil, fmt.Errorf("invalid content %d: want an array of parts", i)
		}
		for _, p := range parts {
			if err := checkPart(p); err != nil {
				return nil, err
			}
		}
		switch role := c.Get("role").Text(); role {
		case "model":
			if turn = append(turn, parts...); i+1 < len(all) && all[i+1].Get("role").Text() == "model" {
				continue
			}
			calls, err := geminiCalls(turn)
			if err != nil {
				return nil, fmt.Errorf("content %d: %w", i, err)
			}
			nameCalls(calls, map[string]int{})
			asked.open = calls
			text, _ := geminiText(turn)
			out = append(out, chatTurnWith(text, calls, rawBlocks(turn)))
			turn = nil
		case "user", "function", "":
			out = append(out, geminiUser(parts, &asked)...)
		default:
			return nil, fmt.Errorf("content %d has the unknown role %.40q", i, role)
		}
	}
	return out, nil
}

// geminiUser translates the parts of a user's content. Each result of a tool becomes a
// message of its own.
func geminiUser(parts []jsonval.Value, asked *asking) (out []string) {
	var rest []jsonval.Value
	for _, p := range parts {
		f := eitherMember(p, "functionResponse", "function_response")
		if !f.Exists() {
			rest = append(rest, p)
			continue
		}
		id, _ := f.Get("id").Str()
		out = append(out, resultOf(asked.takeCall(id, f.Get("name").Text()), f.Get("response").Raw(), "["+p.Raw()+"]"))
	}
	if len(rest) == 0 {
		return out
	}
	content := rawBlocks(rest)
	if text, only := geminiText(rest); only {
		content = jsonval.Quoted(text)
	}
	return append(out, `{"role":"user","content":`+content+`,"`+verbatim+`":`+jsonval.Quoted(rawBlocks(rest))+`}`)
}

// checkPart refuses parts of calls that the model's server has run by itself.
func checkPart(p jsonval.Value) error {
	for _, key := range p.Keys() {
		switch folded := strings.ReplaceAll(strings.ToLower(key), "_", ""); folded {
		case "executablecode", "codeexecutionresult", "toolcall", "toolresponse":
			return errHosted
		}
	}
	return nil
}

// geminiNames holds the members that decide what a client runs, by their letters.
var geminiNames = map[string]string{"candidates": "candidates", "content": "content", "parts": "parts", "functioncall": "functionCall", "args": "args", "name": "name", "id": "id",
	"text": "text", "thought": "thought", "finishreason": "finishReason", "index": "index", "role": "role"}

// checkGemini returns an error if programs may read an object differently. It returns the
// number of calls in it, wherever they are.
func checkGemini(v jsonval.Value) (calls int, err error) {
	seen := map[string]bool{}
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		folded := strings.ReplaceAll(strings.ToLower(key), "_", "")
		switch want := geminiNames[folded]; {
		case object && seen[folded]:
			err = fmt.Errorf("the member %.40q appears twice in one object", key)
		case object && want != "" && want != key:
			err = fmt.Errorf("the member %.40q differs only in its letters from a member that the gate checks", key)
		case object && folded == "functioncall":
			calls++
			err = checkCall(m)
		default:
			n := 0
			n, err = checkGemini(m)
			calls += n
		}
		seen[folded] = true
		return err == nil
	})
	return calls, err
}

// checkCall returns an error if a call has members that the gate does not know, or one twice.
// The names of arguments are the model's.
func checkCall(v jsonval.Value) error {
	for _, key := range v.Keys() {
		if key != "name" && key != "args" && key != "id" {
			return fmt.Errorf("a call has the unknown member %.40q", key)
		}
	}
	if key := values.Repeated(v); key != "" {
		return fmt.Errorf("a call has the member %.40q twice", key)
	}
	return nil
}

var geminiFinish = map[string]string{"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter", "RECITATION": "content_filter", "BLOCKLIST": "content_filter",
	"PROHIBITED_CONTENT": "content_filter", "SPII": "content_filter", "IMAGE_SAFETY": "content_filter"}

func (gemini) readObject(v jsonval.Value) (one piece, err error) {
	n, err := checkGemini(v)
	if err != nil {
		return one, err
	}
	one.model = v.Get("modelVersion")
	if u := v.Get("usageMetadata"); values.Has(u) {
		one.usage = u.Raw()
	}
	list := v.Get("candidates").Elements()
	if len(list) > 1 {
		return one, errElsewhere
	}
	if len(list) == 0 {
		if values.Has(v.At("promptFeedback", "blockReason")) {
			one.finish = "content_filter"
		} else if one.usage == "" {
			err = errors.New("the answer has no candidate")
		}
		return one, err
	}
	c := list[0]
	if role := c.At("content", "role"); role.Exists() && role.Text() != "model" {
		return one, errors.New("the answer is no content of the model")
	}
	if at := c.Get("index"); at.Exists() && at.Raw() != "0" {
		return one, errElsewhere
	}
	one.parts = c.At("content", "parts").Elements()
	for _, p := range one.parts {
		if err := checkPart(p); err != nil {
			return one, err
		}
	}
	if one.calls, err = geminiCalls(one.parts); err != nil {
		return one, err
	}
	if len(one.calls) != n {
		return one, errElsewhere
	}
	one.text, _ = geminiText(one.parts)
	if reason, ok := c.Get("finishReason").Str(); ok && reason != "" {
		if one.finish = geminiFinish[reason]; one.finish == "" {
			one.finish = reason
		}
	}
	return one, nil
}

func (gemini) joinTurn(all []piece) string {
	var parts []jsonval.Value
	for _, one := range all {
		parts = append(parts, one.parts...)
	}
	return rawBlocks(parts)
}

// patchHistory returns the contents for the model's server. Contents that follow each other with
// the same role are one content, in which the results of tools come first.
func (gemini) patchHistory(root, chat jsonval.Value) (patches []patch) {
	type content struct {
		role          string
		results, rest []string
	}
	var all []content
	names, ids := map[string]string{}, map[string]string{}
	list := chat.Get("messages").Elements()
	hasSystem := values.Has(eitherMember(root, "systemInstruction", "system_instruction"))
	for i, m := range list {
		for _, c := range m.Get("tool_calls").Elements() {
			names[c.Get("id").Text()], ids[c.Get("id").Text()] = c.At("function", "name").Text(), givenID(c)
		}
		role, own := m.Get("role").Text(), m.Get("content").Text()
		text, original := m.Get(verbatim).Str()
		switch {
		case !original && role == "system" && i == 0 && hasSystem:
			continue
		case role == "assistant" && (original || i < len(list)-1):
			role = "model"
		default:
			role = "user"
		}
		if !original {
			text = "[]"
			if m.Get("role").Text() == "tool" {
				id := m.Get("tool_call_id").Text()
				text = `[{"functionResponse":{` + geminiID(ids[id]) + `"name":` + jsonval.Quoted(names[id]) + `,"response":{"error":` + jsonval.Quoted(own) + `}}}]`
			} else if own != "" {
				text = `[{"text":` + jsonval.Quoted(own) + `}]`
			}
		}
		parts, _ := jsonval.Parse(text)
		if parts.Len() == 0 {
			continue
		}
		if len(all) == 0 || all[len(all)-1].role != role {
			all = append(all, content{role: role})
		}
		to := &all[len(all)-1]
		for _, p := range parts.Elements() {
			if eitherMember(p, "functionResponse", "function_response").Exists() {
				to.results = append(to.results, p.Raw())
			} else {
				to.rest = append(to.rest, p.Raw())
			}
		}
	}
	raws := make([]string, len(all))
	for i, c := range all {
		raws[i] = `{"role":` + jsonval.Quoted(c.role) + `,"parts":[` + strings.Join(append(c.results, c.rest...), ",") + `]}`
	}
	patches = []patch{{root.Get("contents"), "[" + strings.Join(raws, ",") + "]"}}
	if mode := geminiMode(root); chat.Get("tool_choice").Text() == "auto" && mode.Exists() {
		patches = append(patches, patch{mode, `{"mode":"AUTO"}`})
	}
	return patches
}

// geminiID returns the member with an id, or "".
func geminiID(id string) string {
	if id == "" {
		return ""
	}
	return `"id":` + jsonval.Quoted(id) + ","
}

func (gemini) writeObject(p *parcel, said object) string {
	parts := said.turn
	if parts == "" {
		var list []string
		if said.text != "" {
			list = append(list, `{"text":`+jsonval.Quoted(said.text)+`}`)
		}
		for _, c := range said.calls {
			list = append(list, `{"functionCall":{`+geminiID(givenID(c))+`"name":`+values.OrEmpty(c.At("function", "name"))+`,"args":`+inputOf(c)+`}}`)
		}
		parts = "[" + strings.Join(list, ",") + "]"
	}
	finish := ""
	switch said.finish {
	case "":
	case "stop", "tool_calls":
		finish = "STOP"
	case "length":
		finish = "MAX_TOKENS"
	case "content_filter":
		finish = "SAFETY"
	default:
		finish = said.finish
	}
	out := `{"candidates":[{"content":{"parts":` + parts + `,"role":"model"}`
	if finish != "" {
		out += `,"finishReason":` + jsonval.Quoted(finish)
	}
	out += `,"index":0}]`
	if strings.Contains(said.usage, "TokenCount") {
		out += `,"usageMetadata":` + said.usage
	}
	if p.model != "" && p.model != `""` {
		out += `,"modelVersion":` + p.model
	}
	return out + "}"
}

func (gemini) withUsage(text string, v jsonval.Value, usage string) string {
	return applyPatches(text, []patch{{v.Get("usageMetadata"), usage}})
}

func (gemini) failureObject(message string) string {
	return `{"error":{"code":502,"message":` + jsonval.Quoted(message) + `,"status":"INTERNAL"}}`
}

func (gemini) byLines() bool { return false }

// passingModel returns the operation of a path about one of Gemini's models, or nil.
func passingModel(name string) *passing {
	model, _ := geminiModel(name)
	_, operation, _ := strings.Cut(model, ":")
	switch {
	case strings.HasPrefix(name, "/v1beta/") && model != "" && operation == "":
		return &passing{methods: "GET"}
	case operation == "countTokens", operation == "embedContent", operation == "batchEmbedContents":
		return &passing{methods: "POST"}
	}
	return nil
}
