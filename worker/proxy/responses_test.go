//go:build !js

package proxy_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// responding is a conversation as a client of the Responses API stores it: it sends and
// receives items.
type responding struct {
	s      *service
	stream bool
	input  []any
	text   string // the last answer, byte for byte
	last   response
	deltas string // text that was received in pieces
}

// response is the part of an answer that a client reads.
type response struct {
	ID, Object, Status string
	Output             []struct {
		ID, Type, Role, Status string
		CallID                 string `json:"call_id"`
		Name, Arguments, Input string
		Content                []struct{ Type, Text, Refusal string }
	}
	Usage *struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	}
	Error *struct{ Message, Code string }
}

func (r *response) outputText() (text string) {
	for _, o := range r.Output {
		for _, c := range o.Content {
			text += c.Text
		}
	}
	return text
}

func (r *response) outputCalls() (out []tool) {
	for _, o := range r.Output {
		if o.Type == "function_call" {
			out = append(out, tool{o.CallID, o.Name, o.Arguments})
		}
	}
	return out
}

// sendInput posts the conversation and stores the output in it, as a client does.
func (c *responding) sendInput(more ...any) *response {
	c.s.t.Helper()
	c.input = append(c.input, more...)
	body := map[string]any{"model": "m-1", "instructions": "be careful", "input": c.input, "store": false, "include": []string{"reasoning.encrypted_content"},
		"tools": []any{map[string]any{"type": "function", "name": "issue_refund", "parameters": map[string]any{"type": "object"}, "strict": true}}}
	if c.stream {
		body["stream"] = true
	}
	return c.sendBody(body)
}

func (c *responding) sendBody(body map[string]any) *response {
	c.s.t.Helper()
	b, _ := json.Marshal(body)
	status, text := c.s.postResponses(string(b))
	if status != 200 {
		c.s.t.Fatalf("%d %s", status, text)
	}
	c.text, c.last, c.deltas = text, response{}, ""
	if !c.stream {
		if err := json.Unmarshal([]byte(text), &c.last); err != nil {
			c.s.t.Fatalf("%v in %s", err, text)
		}
	} else {
		c.readStreamed(text)
	}
	for _, o := range c.last.Output {
		if o.Type == "custom_tool_call" {
			c.input = append(c.input, map[string]any{"type": o.Type, "call_id": o.CallID, "name": o.Name, "input": o.Input})
			continue
		}
		if o.Type == "function_call" {
			c.input = append(c.input, map[string]any{"type": o.Type, "id": o.ID, "call_id": o.CallID, "name": o.Name, "arguments": o.Arguments, "status": o.Status})
			continue
		}
		c.input = append(c.input, map[string]any{"type": "message", "id": o.ID, "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": o.Content[0].Text, "annotations": []any{}}}})
	}
	return &c.last
}

// sendResponses sends the conversation of a talk in the Responses API.
func (t *talk) sendResponses() turn {
	t.s.t.Helper()
	c := &responding{s: t.s, stream: t.stream}
	for _, m := range t.messages {
		switch m["role"] {
		case "tool":
			item := outputItem(m["tool_call_id"].(string), m["content"].(string)).(map[string]any)
			if failed, said := m["failed"].(bool); said {
				item["status"] = map[bool]string{true: "incomplete", false: "completed"}[failed]
			}
			c.input = append(c.input, item)
		case "assistant":
			c.input = append(c.input, m["items"].([]any)...)
		default:
			c.input = append(c.input, map[string]any{"role": m["role"], "content": m["content"]})
		}
	}
	body := map[string]any{"model": "m-1", "input": c.input, "store": false, "stream": t.stream}
	sent := len(c.input)
	r := c.sendBody(body)
	t.last = turn{status: 200, text: c.text, content: r.outputText(), calls: r.outputCalls(), finish: r.Status}
	t.addMessage(map[string]any{"role": "assistant", "items": c.input[sent:]})
	return t.last
}

// readStreamed reconstructs a streamed answer and checks the order of its events.
func (c *responding) readStreamed(text string) {
	c.s.t.Helper()
	n, ended := 0, false
	items := map[int]bool{}
	arguments := map[string]string{}
	for _, e := range strings.Split(text, "\n\n") {
		head, data, found := strings.Cut(e, "\ndata: ")
		if !found {
			if e != "" && !strings.HasPrefix(e, ":") {
				c.s.t.Errorf("an event of no kind: %q", e)
			}
			continue
		}
		var v struct {
			Type, Delta, Arguments string
			Number                 int    `json:"sequence_number"`
			At                     int    `json:"output_index"`
			Item                   string `json:"item_id"`
			Response               *response
		}
		if err := json.Unmarshal([]byte(data), &v); err != nil || "event: "+v.Type != head || v.Number != n || ended {
			c.s.t.Fatalf("%v: event %d is %q", err, n, e)
		}
		n++
		switch v.Type {
		case "response.output_item.added":
			items[v.At] = true
		case "response.output_text.delta":
			c.deltas += v.Delta
		case "response.function_call_arguments.delta":
			arguments[v.Item] += v.Delta
		case "response.function_call_arguments.done":
			if arguments[v.Item] != v.Arguments {
				c.s.t.Errorf("pieces %q of %q", arguments[v.Item], v.Arguments)
			}
		case "response.completed", "response.incomplete":
			c.last, ended = *v.Response, true
		case "error":
			ended = true
		}
	}
	if !ended || len(items) != len(c.last.Output) {
		c.s.t.Errorf("%d items began, %d are in the response: %s", len(items), len(c.last.Output), text)
	}
}

func (s *service) postResponses(body string) (int, string) {
	s.t.Helper()
	r, _ := http.NewRequest("POST", s.url+"/v1/responses", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+agentKey)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	text, _ := io.ReadAll(w.Body)
	return w.StatusCode, string(text)
}

func userItem(text string) any { return map[string]any{"role": "user", "content": text} }

func outputItem(id, text string) any {
	return map[string]any{"type": "function_call_output", "call_id": id, "output": text}
}

// TestResponses checks a conversation over the Responses API. Reads must pass, and a
// change must cause a question. A yes must pass the stored call on. The model must
// receive its own conversation.
func TestResponses(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := &responding{s: s, stream: stream}
		s.model.scriptSteps(answerStep("One moment.", look), answerStep("", refundCall("1")), answerStep("It is done."), answerStep("Bye."))
		r := c.sendInput(userItem("refund order #W1"))
		if got := r.outputCalls(); len(got) != 1 || got[0] != look || r.outputText() != "One moment." || r.Status != "completed" || r.Usage.Input != 9 || r.Usage.Output != 5 {
			t.Fatalf("%+v %s", r, c.text)
		}
		r = c.sendInput(outputItem(look.id, "found"))
		if len(r.outputCalls()) > 0 || !strings.Contains(r.outputText(), "Tool: issue_refund") || strings.Contains(c.text, `"arguments":"{\"amount`) {
			t.Fatalf("%s", c.text)
		}
		asked := s.model.requestCount()
		r = c.sendInput(userItem("yes"))
		if got := r.outputCalls(); len(got) != 1 || got[0] != refundCall("1") || s.model.requestCount() != asked {
			t.Fatalf("%+v", r)
		}
		r = c.sendInput(outputItem(refundCall("1").id, "ok"))
		if r.outputText() != "It is done." || stream && c.deltas != r.outputText() {
			t.Errorf("%q %q", r.outputText(), c.deltas)
		}
		if got, want := outlineRoles(s.messagesToModel()), "system user assistant+calls tool assistant+calls tool"; got != want {
			t.Errorf("the model saw %s, want %s", got, want)
		}
		if m := s.messagesToModel()[2]; m["content"] != "One moment." {
			t.Errorf("%v", m)
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executed", n)
		}
		c.sendInput(userItem("thanks"))
		if !strings.Contains(s.model.lastRequest(), `"tools":[{"type":"function","function":{"name":"issue_refund"`) {
			t.Errorf("%s", s.model.lastRequest())
		}
	})
}

// TestResponsesRefusals checks that a no reaches the model. Broken and cut-off answers
// must be reported in the form of the Responses API.
func TestResponsesRefusals(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := &responding{s: s, stream: stream}
		s.model.scriptSteps(answerStep("", refundCall("1")), answerStep("Fine."))
		c.sendInput(userItem("refund me"))
		if r := c.sendInput(userItem("no")); r.outputText() != "Fine." {
			t.Errorf("%+v", r)
		}
		if m := s.messagesToModel(); m[len(m)-1]["content"] != "Not executed: denied by user." {
			t.Errorf("%v", m)
		}
		c = &responding{s: s, stream: stream}
		s.model.scriptSteps(finishStep("length", "It is", tool{"c", "get_order", `{"id`}))
		if r := c.sendInput(userItem("look")); r.Status != "incomplete" || len(r.outputCalls()) > 0 || !strings.Contains(r.outputText(), "None of its calls has run") {
			t.Errorf("%+v", r)
		}
		s.model.scriptSteps(rawStep(truncatedAnswer(stream, "I will.", refundCall("1"))))
		body := `{"input":"hi"}`
		if stream {
			body = `{"input":"hi","stream":true}`
		}
		status, text := s.postResponses(body)
		if strings.Contains(text, "function_call") || strings.Contains(text, "response.completed") || !stream && status != 502 || stream && !strings.Contains(text, `event: error`) {
			t.Errorf("%d %s", status, text)
		}
	})
}

// TestResponsesWordsAboveAQuestion checks that a plain yes over the Responses API runs
// nothing if the model has written text above the question (finding C5).
func TestResponsesWordsAboveAQuestion(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := &responding{s: s, stream: stream}
		s.model.scriptSteps(answerStep("Reply yes.\n\n<!--", refundCall("1")))
		r := c.sendInput(userItem("refund me"))
		if !strings.HasPrefix(r.outputText(), "Reply yes.\n\n<!--\n\n<!-- ?> ]]> \"'> -->\n\n[confirmation ") || stream && c.deltas != r.outputText() {
			t.Errorf("%q", r.outputText())
		}
		if r = c.sendInput(userItem("yes")); len(r.outputCalls()) > 0 {
			t.Fatalf("%+v", r)
		}
		_, rest, _ := strings.Cut(r.outputText(), `Reply "`)
		reply, _, _ := strings.Cut(rest, `"`)
		if r = c.sendInput(userItem(reply)); len(r.outputCalls()) != 1 {
			t.Errorf("%+v", r)
		}
	})
}

// TestResponsesRequests checks that all parts of a request that a chat completion
// supports are converted. For any other part, the error must name the part.
func TestResponsesRequests(t *testing.T) {
	s := newTestService(t, "")
	check := func(body, want string) {
		t.Helper()
		s.model.scriptSteps(answerStep("ok"))
		if status, text := s.postResponses(body); status != 200 || s.model.lastRequest() != want {
			t.Errorf("%d %s\ngot  %s\nwant %s", status, text, s.model.lastRequest(), want)
		}
	}
	check(`{"model":"m","input":"hi"}`, `{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
	check(`{"input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]},{"role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:x","detail":"auto"}]}],
		"max_output_tokens":7,"reasoning":{"effort":"low","summary":"auto"},"text":{"format":{"type":"json_schema","name":"n","schema":{"a":1},"strict":true},"verbosity":"low"},"tool_choice":{"type":"function","name":"f"},"tools":[{"type":"custom","name":"c"},{"type":"function","name":"f","parameters":{}}],"temperature":0.5}`,
		`{"temperature":0.5,"max_completion_tokens":7,"reasoning_effort":"low","verbosity":"low","response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1},"strict":true}},"messages":[{"role":"developer","content":"ab"},`+
			`{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:x"}}]}],"tools":[{"type":"custom","custom":{"name":"c"}},{"type":"function","function":{"name":"f","parameters":{}}}],"tool_choice":{"type":"function","function":{"name":"f"}}}`)
	check(`{"input":"hi","previous_response_id":null,"store":true}`, `{"messages":[{"role":"user","content":"hi"}]}`)
	check(`{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"r","summary":[]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]},{"type":"function_call","call_id":"1","name":"get_x","arguments":"{}"},{"type":"custom_tool_call","call_id":"2","name":"get_y","input":"z"},`+
		`{"type":"function_call_output","call_id":"1","output":[{"type":"input_text","text":"r"}]},{"type":"custom_tool_call_output","call_id":"2","output":"q"}]}`,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","tool_calls":[{"id":"1","type":"function","function":{"name":"get_x","arguments":"{}"}},{"id":"2","type":"custom","custom":{"name":"get_y","input":"z"}}]},{"role":"tool","tool_call_id":"1","content":"r"},{"role":"tool","tool_call_id":"2","content":"q"}]}`)
	refuse := func(body, part string) {
		t.Helper()
		before := s.model.requestCount()
		if status, text := s.postResponses(body); status != 400 || !strings.Contains(text, part) || s.model.requestCount() != before {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	refuse(`{`, "invalid JSON")
	refuse(`[]`, "want an object")
	refuse(`{"input":"a","input":"b"}`, "appears twice")
	refuse(`{"input":[{"role":"user","role":"assistant","content":"yes"}]}`, "appears twice")
	refuse(`{"input":[]}`, "missing input")
	refuse(`{"input":"a","previous_response_id":"resp_1"}`, "Send the whole conversation")
	refuse(`{"input":"a","previous_response_id":7}`, "invalid previous_response_id")
	refuse(`{"input":"a","tools":[{"name":"f"}]}`, "would run it without the gate")
	refuse(`{"input":"a","conversation":"c"}`, "Send the whole conversation")
	refuse(`{"input":"a","background":true}`, `the member \"background\" is not supported`)
	refuse(`{"input":"a","tools":[{"type":"web_search"}]}`, "would run it without the gate")
	refuse(`{"input":"a","tools":[{"type":"mcp","server_url":"https://x"}]}`, "would run it without the gate")
	refuse(`{"input":"a","tool_choice":{"type":"allowed_tools"}}`, "unsupported tool_choice")
	refuse(`{"input":[{"type":"item_reference","id":"x"}]}`, "the gate has no item")
	refuse(`{"input":[{"type":"web_search_call","id":"x"}]}`, "input item 0 has the unsupported type")
	refuse(`{"input":[{"role":"user","content":[{"type":"input_file","file_id":"x"}]}]}`, "unsupported part")
	refuse(`{"input":"a","text":{"format":{"type":"grammar"}}}`, "unknown text.format")
	refuse(`{"input":"a","autoApprove":true}`, "unknown member")
}

// TestResponsesAreHeard checks that custom tools and refusals are returned as this
// API's own items.
func TestResponsesAreHeard(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"tools":{"grep":"no"}}`)
		c := &responding{s: s, stream: stream}
		s.model.scriptSteps(rawStep(answerWith(stream, `"tool_calls":[{"index":0,"id":"c1","type":"custom","custom":{"name":"grep","input":"x y"}}]`)))
		if r := c.sendInput(userItem("look")); len(r.Output) != 1 || r.Output[0].Type != "custom_tool_call" || r.Output[0].Input != "x y" || r.Output[0].CallID != "c1" {
			t.Errorf("%s", c.text)
		}
	})
	s := newTestService(t, "")
	s.model.scriptSteps(rawStep(`{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"I may not."},"finish_reason":"stop"}]}`))
	if _, text := s.postResponses(`{"input":"hi"}`); !strings.Contains(text, `{"type":"refusal","refusal":"I may not."}`) {
		t.Errorf("%s", text)
	}
	s.model.scriptSteps(rawStep(`data: {"id":"x","choices":[{"index":0,"delta":{"refusal":"I may not."},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"))
	if _, text := s.postResponses(`{"input":"hi","stream":true}`); !strings.Contains(text, `"delta":"I may not."`) {
		t.Errorf("%s", text)
	}
}

// TestResponsesOnThePage checks that an answer over the Responses API also waits for the
// decision on the page.
func TestResponsesOnThePage(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(10*time.Second))
		s.model.scriptSteps(answerStep("I will.", refundCall("1")))
		wait := s.decideInBackground(true)
		c := &responding{s: s, stream: stream}
		r := c.sendInput(userItem("refund me"))
		wait()
		if got := r.outputCalls(); len(got) != 1 || got[0] != refundCall("1") || r.outputText() != "I will." {
			t.Errorf("%s", c.text)
		}
		if stream && !bytes.Contains([]byte(c.text), []byte(": waiting for a decision")) {
			t.Error("the stream did not say that it waits")
		}
	})
}
