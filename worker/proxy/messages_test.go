//go:build !js

package proxy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

// nativeWriter marks requests to the Messages API at the model's server of a test.
type nativeWriter struct{ http.ResponseWriter }

// nativeFinish holds the reasons of the Messages API why a turn ended.
var nativeFinish = map[string]string{"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}

func sendNative(w http.ResponseWriter, stream bool, id, finish, text string, tools []tool) {
	if !stream {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, nativeWhole(id, finish, text, tools))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, nativeStreamOf(id, finish, text, tools))
}

const thought = `{"type":"thinking","thinking":"hm, \u00fc","signature":"c2lnbmVk"}`

func nativeWhole(id, finish, text string, tools []tool) string {
	blocks := []string{thought}
	if text != "" {
		blocks = append(blocks, `{"type":"text", "text":`+quoteJSON(text)+`}`)
	}
	for _, c := range tools {
		blocks = append(blocks, `{"type":"tool_use","id":`+quoteJSON(c.id)+`,"name":`+quoteJSON(c.name)+`,"input":`+c.args+`}`)
	}
	return `{"id":"msg_` + id + `", "type":"message","role":"assistant","model":"m-1","content":[` + strings.Join(blocks, ",") + `],"stop_reason":"` + nativeFinish[finish] +
		`","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":5}}`
}

func nativeStreamOf(id, finish, text string, tools []tool) string {
	var b strings.Builder
	send := func(kind, members string) {
		b.WriteString("event: " + kind + "\ndata: {\"type\": \"" + kind + "\"" + members + "}\n\n")
	}
	send("message_start", `,"message":{"id":"msg_`+id+`","type":"message","role":"assistant","model":"m-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}`)
	send("ping", "")
	at := 0
	block := func(start string, pieces ...string) {
		send("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":%s`, at, start))
		for _, p := range pieces {
			send("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":%s`, at, p))
		}
		send("content_block_stop", fmt.Sprintf(`,"index":%d`, at))
		at++
	}
	block(`{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":"hm, "}`, `{"type":"thinking_delta","thinking":"\u00fc"}`, `{"type":"signature_delta","signature":"c2lnbmVk"}`)
	pieces := func(s string, n int, kind, member string) (out []string) {
		for _, p := range splitPieces(s, n) {
			out = append(out, `{"type":"`+kind+`","`+member+`":`+quoteJSON(p)+`}`)
		}
		return out
	}
	if text != "" {
		block(`{"type":"text","text":""}`, pieces(text, 7, "text_delta", "text")...)
	}
	for _, c := range tools {
		block(`{"type":"tool_use","id":`+quoteJSON(c.id)+`,"name":`+quoteJSON(c.name)+`,"input":{}}`, pieces(c.args, 5, "input_json_delta", "partial_json")...)
	}
	send("message_delta", `,"delta":{"stop_reason":"`+nativeFinish[finish]+`","stop_sequence":null},"usage":{"output_tokens":5}`)
	send("message_stop", "")
	return b.String()
}

// nativeAnswer is an answer as a client of the Messages API stores it.
type nativeAnswer struct {
	turn
	blocks []map[string]any
	usage  map[string]any
}

func (s *service) postNative(key, path, body string, header ...string) (int, string) {
	s.t.Helper()
	return s.post(path, body, append([]string{"X-Api-Key", key, "Anthropic-Version", "2023-06-01"}, header...)...)
}

// readNative parses an answer as a simple client does, and checks the order of its events.
func readNative(t testing.TB, status int, text string, stream bool) (out nativeAnswer) {
	t.Helper()
	out.status, out.text = status, text
	type message struct {
		Type    string
		Content []map[string]any
		Stop    string `json:"stop_reason"`
		Usage   map[string]any
		Error   *struct{ Type, Message string }
	}
	var inputs []string
	if !stream || status != 200 {
		var m message
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if m.Error != nil {
			if out.failure = m.Error.Type + " " + m.Error.Message; m.Type != "error" {
				t.Errorf("an error of another form: %s", text)
			}
			return out
		}
		out.blocks, out.finish, out.usage = m.Content, m.Stop, m.Usage
		v, _ := jsonval.Parse(text)
		for _, b := range v.Get("content").Elements() {
			inputs = append(inputs, b.Get("input").Raw())
		}
	} else {
		out.readEvents(t, text, &inputs)
	}
	for i, b := range out.blocks {
		switch b["type"] {
		case "text":
			out.content += b["text"].(string)
		case "tool_use":
			out.calls = append(out.calls, tool{b["id"].(string), b["name"].(string), inputs[i]})
		}
	}
	for chat, native := range nativeFinish {
		if out.finish == native {
			out.finish = chat
			break
		}
	}
	return out
}

func (a *nativeAnswer) readEvents(t testing.TB, text string, inputs *[]string) {
	t.Helper()
	open, state := -1, "start"
	for _, e := range strings.Split(text, "\n\n") {
		head, data, found := strings.Cut(e, "\ndata: ")
		if !found {
			if e != "" && !strings.HasPrefix(e, ":") {
				t.Errorf("an event of no kind: %q", e)
			}
			continue
		}
		var v struct {
			Type    string
			Index   int
			Message struct{ Usage map[string]any }
			Block   map[string]any `json:"content_block"`
			Delta   struct {
				Type, Text, Thinking, Signature string
				Input                           string `json:"partial_json"`
				Stop                            string `json:"stop_reason"`
			}
			Usage map[string]any
			Error *struct{ Type, Message string }
		}
		if err := json.Unmarshal([]byte(data), &v); err != nil || "event: "+v.Type != head {
			t.Fatalf("%v: %q", err, e)
		}
		wrong := false
		switch v.Type {
		case "message_start":
			wrong, state, a.usage = state != "start", "open", v.Message.Usage
		case "content_block_start":
			wrong, open = state != "open" || open >= 0 || v.Index != len(a.blocks), v.Index
			a.blocks, *inputs = append(a.blocks, v.Block), append(*inputs, "")
		case "content_block_delta":
			if wrong = open < 0 || v.Index != open; !wrong {
				b := a.blocks[open]
				for name, piece := range map[string]string{"text": v.Delta.Text, "thinking": v.Delta.Thinking, "signature": v.Delta.Signature} {
					if piece != "" {
						b[name] = b[name].(string) + piece
					}
				}
				(*inputs)[open] += v.Delta.Input
			}
		case "content_block_stop":
			if wrong = v.Index != open; !wrong && a.blocks[open]["type"] == "tool_use" {
				var input any
				if err := json.Unmarshal([]byte((*inputs)[open]), &input); err != nil {
					t.Fatalf("%v in %q", err, (*inputs)[open])
				}
				a.blocks[open]["input"] = input
			}
			open = -1
		case "message_delta":
			wrong, a.finish, state = open >= 0 || state != "open", v.Delta.Stop, "ended"
			for k, n := range v.Usage {
				a.usage[k] = n
			}
		case "message_stop":
			wrong, state = state != "ended", "over"
		case "error":
			a.failure, state = v.Error.Type+" "+v.Error.Message, "over"
		}
		if wrong {
			t.Fatalf("an event in a wrong place: %q in\n%s", e, text)
		}
	}
	if state != "over" {
		t.Errorf("a stream without an end: %s", text)
	}
}

// nativeBody returns the conversation as a request of the Messages API. It writes the
// arguments of calls again, as clients do.
func (t *talk) nativeBody() string {
	body := map[string]any{"model": "m-1", "max_tokens": 100, "tools": []any{}}
	if t.stream {
		body["stream"] = true
	}
	var list []map[string]any
	add := func(role string, blocks ...any) {
		if n := len(list); n > 0 && list[n-1]["role"] == role {
			list[n-1]["content"] = append(list[n-1]["content"].([]any), blocks...)
			return
		}
		list = append(list, map[string]any{"role": role, "content": blocks})
	}
	for _, m := range t.messages {
		switch m["role"] {
		case "system":
			body["system"] = m["content"]
		case "tool":
			result := map[string]any{"type": "tool_result", "tool_use_id": m["tool_call_id"], "content": m["content"]}
			if failed, said := m["failed"]; said {
				result["is_error"] = failed
			}
			add("user", result)
		case "assistant":
			if blocks, ok := m["blocks"].([]map[string]any); ok {
				for _, b := range blocks {
					add("assistant", b)
				}
				continue
			}
			add("assistant", map[string]any{"type": "text", "text": m["content"]})
		default:
			add("user", map[string]any{"type": "text", "text": m["content"]})
		}
	}
	body["messages"] = list
	b, err := json.Marshal(body)
	if err != nil {
		t.s.t.Fatal(err)
	}
	return string(b)
}

func (t *talk) sendNativeConversation() turn {
	t.s.t.Helper()
	status, text := t.s.postNative(t.key, "/v1/messages", t.nativeBody())
	a := readNative(t.s.t, status, text, t.stream)
	if t.last = a.turn; t.last.failure == "" {
		t.addMessage(map[string]any{"role": "assistant", "content": a.content, "blocks": a.blocks})
	}
	return t.last
}

// sawNative checks that the model received the run as it was recorded, with its own
// thinking, and without texts of the gate.
func (s *service) sawNative(t *testing.T, want []spoken) {
	t.Helper()
	var have, wanted []string
	v, _ := jsonval.Parse(s.model.lastRequest())
	thoughts := 0
	for _, m := range v.Get("messages").Elements() {
		for _, b := range m.Get("content").Elements() {
			switch b.Get("type").Text() {
			case "text":
				have = append(have, m.Get("role").Text()+" "+b.Get("text").Text())
			case "tool_use":
				have = append(have, "call "+b.Get("id").Text()+" "+b.Get("name").Text()+" "+b.Get("input").Canonical())
			case "tool_result":
				have = append(have, "result "+b.Get("tool_use_id").Text()+" "+b.Get("content").Text())
			case "thinking":
				if thoughts++; b.Get("signature").Text() != "c2lnbmVk" || b.Get("thinking").Text() != "hm, ü" {
					t.Fatalf("the thinking changed: %s", b.Raw())
				}
			}
		}
	}
	turns := 0
	for i := range want {
		m := &want[i]
		switch m.Role {
		case "system":
			if v.Get("system").Text() != m.contentText() {
				t.Fatalf("the system prompt changed: %s", v.Get("system").Raw())
			}
			continue
		case "tool":
			wanted = append(wanted, "result "+m.CallID+" "+m.contentText())
			continue
		case "assistant":
			turns++
		}
		if m.contentText() != "" {
			wanted = append(wanted, m.Role+" "+m.contentText())
		}
		for _, c := range m.calledTools() {
			args, _ := jsonval.Parse(c.args)
			wanted = append(wanted, "call "+c.id+" "+c.name+" "+args.Canonical())
		}
	}
	if strings.Join(have, "\n") != strings.Join(wanted, "\n") || thoughts != turns {
		t.Fatalf("the model was sent, with %d thoughts of %d,\n%s\nwant\n%s", thoughts, turns, strings.Join(have, "\n"), strings.Join(wanted, "\n"))
	}
}

// TestMessages checks a conversation in the Messages API: reads pass byte for byte, a
// change is held and runs after the person's yes, and the model gets its own turn back.
func TestMessages(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"conversation":["issue_refund"]}`)
		s.native = true
		c := s.newTalk(stream, "be careful")
		read := tool{"toolu_1", "get_order", `{ "id": "A-\u0031"}`}
		s.model.scriptSteps(answerStep("Looking.", read))
		got := c.sendUser("where is it?")
		raw := nativeWhole(fmt.Sprintf("chatcmpl-%d", ids.Load()), "tool_calls", "Looking.", []tool{read})
		if stream {
			raw = nativeStreamOf(fmt.Sprintf("chatcmpl-%d", ids.Load()), "tool_calls", "Looking.", []tool{read})
		}
		if got.text != raw {
			t.Errorf("a read changed:\n%s\nwant\n%s", got.text, raw)
		}
		if sent := s.model.lastRequest(); sent != mustBody(c, 1) {
			t.Errorf("the request changed:\n%s\nwant\n%s", sent, mustBody(c, 1))
		}
		s.model.scriptSteps(answerStep("I will refund.", tool{"toolu_2", "issue_refund", `{"amount": 5.0, "id":"A"}`}))
		c.sendResults("an order").assertAsks(t, "amount", "issue_refund")
		asked := s.model.requestCount()
		got = c.sendAgreement()
		if fmt.Sprint(got.calls) != `[{toolu_2 issue_refund {"amount": 5.0, "id":"A"}}]` || got.finish != "tool_calls" || s.model.requestCount() != asked {
			t.Fatalf("released %+v", got)
		}
		s.model.scriptSteps(answerStep("Done."))
		c.sendResults("refunded")
		sent := s.model.lastRequest()
		if strings.Contains(sent, "Allow this call") || !strings.Contains(sent, `"amount": 5.0`) || strings.Count(sent, "c2lnbmVk") != 2 || !strings.Contains(sent, `"tool_use_id":"toolu_2"`) {
			t.Errorf("the model was sent %s", sent)
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executions", n)
		}
		s.model.scriptSteps(answerStep("", tool{"toolu_3", "issue_refund", `{}`}, tool{"toolu_4", "get_order", `{}`}))
		c.sendUser("again").assertAsks(t)
		s.model.scriptSteps(answerStep("I did not."))
		if got := c.sendUser("no"); got.content != "I did not." {
			t.Errorf("%+v", got)
		}
		if sent := s.model.lastRequest(); strings.Count(sent, "Not executed") != 2 || strings.Contains(sent, `"no"`) {
			t.Errorf("the model was sent %s", sent)
		}
	})
}

// TestMessagesLaterTurns checks answers to which two turns of the model belong: the first
// is refused. The client gets one message, with the usage of both.
func TestMessagesLaterTurns(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, `{"tools":{"issue_refund":{"deny":"never"}}}`)
		s.native = true
		s.model.scriptSteps(answerStep("Trying.", tool{"toolu_1", "issue_refund", `{"a":1}`}), answerStep("Reading.", tool{"toolu_2", "get_order", `{"id":"A"}`}))
		c := s.newTalk(stream, "")
		got := c.sendUser("go")
		want := "Reading."
		if stream {
			want = "Trying.\n\nReading."
		}
		if got.content != want || fmt.Sprint(got.calls) != `[{toolu_2 get_order {"id":"A"}}]` || got.finish != "tool_calls" {
			t.Errorf("%+v", got)
		}
		if a := readNative(t, got.status, got.text, stream); fmt.Sprint(a.usage["output_tokens"]) != "10" || fmt.Sprint(a.usage["input_tokens"]) != "18" {
			t.Errorf("the usage is %v: %s", a.usage, got.text)
		}
		if sent := s.model.lastRequest(); !strings.Contains(sent, `"tool_use_id":"toolu_1"`) || !strings.Contains(sent, "the policy denies this call") || !strings.Contains(sent, "c2lnbmVk") {
			t.Errorf("the model was sent %s", sent)
		}
		s.model.scriptSteps(answerStep("Fine."))
		if got := c.sendResults("an order"); got.content != "Fine." {
			t.Errorf("%+v", got)
		}
	})
}

// TestMessagesShortened checks that a long conversation is sent with summaries of its
// earlier parts, and that the system prompt stays where it is.
func TestMessagesShortened(t *testing.T) {
	s := newTestService(t, "", func(o *proxy.Options) { o.Filter = proxy.Filter{Blocks: 2, Budget: 1000} })
	s.native = true
	c := s.newTalk(true, "be careful")
	for i := range 6 {
		s.model.scriptSteps(answerStep(strings.Repeat("word ", 60)))
		c.sendUser(fmt.Sprintf("question %d about the order", i))
	}
	v, err := jsonval.Parse(s.model.lastRequest())
	list := v.Get("messages").Elements()
	if err != nil || v.Get("system").Text() != "be careful" || len(list) != 1 || !strings.Contains(list[0].Raw(), "question 5") || list[0].Get("content").Len() < 2 {
		t.Errorf("%v: the model was sent %s", err, s.model.lastRequest())
	}
}

// TestMessagesOnThePage checks that a held call whose decision comes in time passes as the
// model made it.
func TestMessagesOnThePage(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(20*time.Second))
		s.native = true
		call := tool{"toolu_1", "issue_refund", `{ "a": 1}`}
		s.model.scriptSteps(answerStep("Now.", call))
		done := make(chan bool)
		go func() {
			defer close(done)
			for range 2000 {
				if s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'pending'`) > 0 {
					s.decideWaiting(true)
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		got := s.newTalk(stream, "").sendUser("go")
		<-done
		if fmt.Sprint(got.calls) != `[{toolu_1 issue_refund { "a": 1}}]` || got.content != "Now." {
			t.Errorf("%+v", got)
		}
	})
}

// mustBody returns the body of the first n messages of a conversation.
func mustBody(c *talk, n int) string {
	first := *c
	first.messages = c.messages[:n+1]
	return first.nativeBody()
}

// TestMessagesMisbehave checks answers that two readers may read differently, or that
// contain calls in wrong places. Nothing of them passes.
func TestMessagesMisbehave(t *testing.T) {
	s := newTestService(t, "")
	good := nativeStreamOf("1", "tool_calls", "", []tool{{"toolu_1", "get_order", `{"id":"A"}`}})
	for what, change := range map[string][2]string{
		"another name":      {"event: content_block_start\ndata: {\"type\": \"content_block_start\",\"index\":1", "event: ping\ndata: {\"type\": \"content_block_start\",\"index\":1"},
		"hosted":            {`"type":"tool_use"`, `"type":"server_tool_use"`},
		"index":             {`"index":1,"delta"`, `"index":0,"delta"`},
		"twice":             {`"name":"get_order"`, `"name":"get_order","name":"delete_order"`},
		"case":              {`"name":"get_order"`, `"name":"get_order","Name":"delete_order"`},
		"both":              {`"input":{}`, `"input":{"id":"B"}`},
		"no start":          {"event: message_start", "event: message_begin"},
		"text in a call":    {`{"type":"input_json_delta","partial_json":"{\"id`, `{"type":"text_delta","text":"{\"id`},
		"call in a thought": {`{"type":"thinking_delta","thinking":"hm, "}`, `{"type":"input_json_delta","partial_json":"{}"}`},
		"no reason":         {`"stop_reason":"tool_use"`, `"stop_reason":null`},
		"late":              {"event: message_stop", "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"delete_order\",\"input\":{}}}\n\nevent: message_stop"},
		"error":             {"event: message_stop\ndata: {\"type\": \"message_stop\"}", "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}"},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("%s: nothing to change", what)
		}
		s.model.scriptSteps(func(w http.ResponseWriter, _ bool) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, bad)
		})
		status, text := s.postNative(agentKey, "/v1/messages", `{"model":"m","stream":true,"messages":[{"role":"user","content":"`+what+`"}]}`)
		if a := readNative(t, status, text, true); a.failure == "" || strings.Contains(text, "input_json_delta") || strings.Contains(text, "order") {
			t.Errorf("%s passes: %d %s", what, status, text)
		}
		if what == "error" && !strings.Contains(text, `"overloaded_error","message":"Overloaded"`) {
			t.Errorf("the server's error: %s", text)
		}
	}
	whole := nativeWhole("1", "tool_calls", "", []tool{{"toolu_1", "get_order", `{"id":"A"}`}})
	for what, change := range map[string][2]string{
		"hosted": {`"type":"tool_use"`, `"type":"mcp_tool_use"`}, "no object": {`"input":{"id":"A"}`, `"input":"{}"`}, "twice": {`"input":{`, `"input":{},"input":{`},
		"no message": {`"role":"assistant"`, `"role":"user"`}, "no id": {`"id":"toolu_1"`, `"id":""`}, "cut": {`"usage"`, ``},
	} {
		s.model.scriptSteps(func(w http.ResponseWriter, _ bool) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, strings.Replace(whole, change[0], change[1], 1))
		})
		status, text := s.postNative(agentKey, "/v1/messages", `{"model":"m","messages":[{"role":"user","content":"`+what+`"}]}`)
		if a := readNative(t, status, text, false); a.failure == "" || strings.Contains(text, "get_order") {
			t.Errorf("%s passes: %d %s", what, status, text)
		}
	}
}

// TestMessagesRequests checks what a request may have, and the form of errors.
func TestMessagesRequests(t *testing.T) {
	s := newTestService(t, "")
	ask := func(more string) (int, string) {
		return s.postNative(agentKey, "/v1/messages", `{"model":"m","messages":[{"role":"user","content":"hi"}]`+more+`}`)
	}
	for more, part := range map[string]string{
		`,"tools":[{"type":"web_search_20250305","name":"web_search"}]`: "would run it without the gate", `,"mcp_servers":[{"url":"https://x"}]`: "/mcp/NAME", `,"model":"x"`: "appears twice",
	} {
		if status, text := ask(more); status != 400 || !strings.Contains(text, part) || !strings.HasPrefix(text, `{"type":"error","error":{"type":"invalid_request_error"`) {
			t.Errorf("%s: %d %s", more, status, text)
		}
	}
	if status, text := s.postNative("wrong", "/v1/messages", `{}`); status != 401 || !strings.Contains(text, `"type":"authentication_error"`) {
		t.Errorf("%d %s", status, text)
	}
	if s.model.requestCount() != 0 {
		t.Error("the model was asked")
	}
	s.model.scriptSteps(answerStep("Hi."))
	if status, text := ask(`,"tools":[{"type":"bash_20250124","name":"bash"},{"name":"x","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}`); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	head := s.model.header[0]
	if head.Get("X-Api-Key") != "upstream-secret" || head.Get("Authorization") != "" || head.Get("Anthropic-Version") != "2023-06-01" {
		t.Errorf("the model's server gets %v", head)
	}
	s.model.scriptSteps(func(w http.ResponseWriter, _ bool) { io.WriteString(w, `{"input_tokens": 7}`) })
	if status, text := s.postNative(agentKey, "/v1/messages/count_tokens", `{"model":"m", "messages":[]}`, "Anthropic-Beta", "b-1"); status != 200 || text != `{"input_tokens": 7}` || s.model.lastRequest() != `{"model":"m", "messages":[]}` {
		t.Errorf("%d %s", status, text)
	}
	s.model.scriptSteps(func(w http.ResponseWriter, _ bool) {
		w.WriteHeader(529)
		io.WriteString(w, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
	})
	if status, text := ask(""); status != 529 || !strings.Contains(text, "overloaded_error") {
		t.Errorf("%d %s", status, text)
	}
}

// TestWiresAgree makes the same calls in each API of models, streamed and not, and as a
// proposal. No API may pass a call that another one holds.
func TestWiresAgree(t *testing.T) {
	for i, c := range []tool{
		{"toolu_1", "get_order", `{"id":"A"}`}, {"toolu_1", "get_order", `{"id":"A","delete":true}`}, {"toolu_1", "delete_order", `{}`}, {"toolu_1", "bash", `{"command":"ls"}`},
		{"toolu_1", "bash", `{"command":"rm x"}`}, {"toolu_1", "frob", `{}`}, {"toolu_1", "query", `{"sql":"select 1"}`}, {"toolu_1", "query", `{"sql":"drop table t"}`},
		{"toolu_1", "think", `{"thought":"x"}`}, {"toolu_1", "str_replace_based_edit_tool", `{"command":"create","path":"a"}`}, {"toolu_1", "http_get", `{"url":"https://x.example/delete"}`},
		{"toolu_1", "get_page", `{"restore_version":3}`}, {"toolu_1", "computer", `{"action":"left_click"}`}, {"toolu_1", "list_items", `{"q":{"deep":[{"delete":1}]}}`},
	} {
		held := map[string]bool{}
		for _, stream := range []bool{true, false} {
			for _, native := range []bool{true, false} {
				s := newTestService(t, "")
				s.native = native
				s.model.scriptSteps(answerStep("", c))
				got := s.newTalk(stream, "").sendUser("go")
				if got.failure != "" {
					t.Fatalf("%v: %s", c, got.failure)
				}
				held[fmt.Sprintf("messages %v, streamed %v", native, stream)] = len(got.calls) == 0
			}
			s := newTestService(t, "")
			s.model.scriptSteps(answerStep("", c))
			for name, sp := range map[string]*speech{"gemini": &geminiSpeech, "ollama": &ollamaSpeech} {
				s := newTestService(t, "")
				s.speech = sp
				s.model.scriptSteps(answerStep("", c))
				got := s.newTalk(stream, "").sendUser("go")
				if got.failure != "" {
					t.Fatalf("%v: %s", c, got.failure)
				}
				held[fmt.Sprintf("%s, streamed %v", name, stream)] = len(got.calls) == 0
			}
			r := responding{s: s, stream: stream}
			held[fmt.Sprintf("responses, streamed %v", stream)] = len(r.sendInput(map[string]any{"role": "user", "content": "go"}).outputCalls()) == 0
		}
		s := newTestService(t, "")
		r, _ := http.NewRequest("POST", s.url+"/v1/proposals", bytes.NewReader([]byte(`{"tool":"`+c.name+`","arguments":`+c.args+`}`)))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		want := w.StatusCode != 200
		for wire, is := range held {
			if is != want {
				t.Errorf("call %d %v: as a proposal it is held %v, in %s %v", i, c, want, wire, is)
			}
		}
	}
}

// callsInBlocks reports whether a stored message of the Messages API has a call.
func callsInBlocks(v any) bool {
	blocks, _ := v.([]map[string]any)
	for _, b := range blocks {
		if b["type"] == "tool_use" {
			return true
		}
	}
	return false
}

// spokenNative returns the messages of a request to the Messages API, each result of a
// tool as a message of its own. It checks the API's own rules: the roles take turns, the
// user begins, results come before text, and no message and no text is empty.
func spokenNative(t testing.TB, body string) (out []spoken) {
	v, err := jsonval.Parse(body)
	if err != nil {
		t.Errorf("%v in %s", err, body)
	}
	last := "assistant"
	for _, m := range v.Get("messages").Elements() {
		role := m.Get("role").Text()
		if role == last || m.Get("content").Len() == 0 {
			t.Errorf("two messages of the %s in turn, or an empty one: %s", role, body)
		}
		last = role
		s, text := spoken{Role: role}, ""
		for _, b := range m.Get("content").Elements() {
			switch b.Get("type").Text() {
			case "text":
				if b.Get("text").Text() == "" {
					t.Errorf("an empty text: %s", body)
				}
				text += b.Get("text").Text()
			case "tool_use":
				var c struct {
					ID       string
					Function struct{ Name, Arguments string }
				}
				c.ID, c.Function.Name, c.Function.Arguments = b.Get("id").Text(), b.Get("name").Text(), b.Get("input").Raw()
				s.Calls = append(s.Calls, c)
			case "tool_result":
				if text != "" {
					t.Errorf("a result after a text: %s", body)
				}
				out = append(out, spoken{Role: "tool", CallID: b.Get("tool_use_id").Text()})
			}
		}
		if s.Content = &text; text != "" || role == "assistant" {
			out = append(out, s)
		}
	}
	return out
}
