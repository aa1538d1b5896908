//go:build !js

package proxy_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// speech is an API of models whose calls come whole, as a client and a model's server of a
// test speak it.
type speech struct {
	name     string
	path     func(stream bool) string
	streamed func(path, body string) bool
	kind     string // content type of a stream
	// answer writes an answer of the model's server: its objects, in order.
	answer func(stream bool, finish, text string, tools []tool) []string
	frame  func(object string) string
	body   func(t *talk) string
	read   func(v jsonval.Value, out *turn) (stored []any)
	// heard returns what a request has: the system prompt, and a line for each text, call
	// and result; and how many of the model's thoughts it has unchanged.
	heard func(v jsonval.Value) (system string, lines []string, thoughts int)
}

// speechOf returns the API of a path at the model's server of a test.
func speechOf(path string) *speech {
	switch {
	case strings.Contains(path, "/models/") && strings.Contains(path, "enerateContent"):
		return &geminiSpeech
	case path == "/v1/chat":
		return &ollamaSpeech
	}
	return nil
}

type speechWriter struct {
	http.ResponseWriter
	*speech
}

func (w speechWriter) sendAnswer(stream bool, finish, text string, tools []tool) {
	w.Header().Set("Content-Type", map[bool]string{true: w.kind, false: "application/json"}[stream])
	io.WriteString(w, w.wholeAnswer(stream, finish, text, tools))
}

func (sp *speech) wholeAnswer(stream bool, finish, text string, tools []tool) string {
	list := sp.answer(stream, finish, text, tools)
	if !stream {
		return list[0]
	}
	out := ""
	for _, o := range list {
		out += sp.frame(o)
	}
	return out
}

func sseFrame(object string) string  { return "data: " + object + "\r\n\r\n" }
func lineFrame(object string) string { return object + "\n" }

var geminiSpeech = speech{
	name: "gemini", kind: "text/event-stream", frame: sseFrame,
	path: func(stream bool) string {
		if stream {
			return "/v1beta/models/m-1:streamGenerateContent?alt=sse"
		}
		return "/v1beta/models/m-1:generateContent"
	},
	streamed: func(path, _ string) bool { return strings.Contains(path, ":stream") },
	answer: func(stream bool, finish, text string, tools []tool) (out []string) {
		end := map[string]string{"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}[finish]
		object := func(parts []string, more string) string {
			return `{"candidates": [{"content":{"parts":[` + strings.Join(parts, ",") + `],"role":"model"}` + more + `,"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":5,"totalTokenCount":14},"modelVersion":"m-1","responseId":"r"}`
		}
		parts := []string{`{"text":"hm, \u00fc","thought":true}`}
		pieces := []string{text}
		if stream {
			pieces = splitPieces(text, 7)
		}
		for _, p := range pieces {
			if p != "" {
				parts = append(parts, `{"text":`+quoteJSON(p)+`}`)
			}
		}
		for _, c := range tools {
			parts = append(parts, `{"functionCall":{"name":`+quoteJSON(c.name)+`,"args":`+c.args+`},"thoughtSignature":"c2lnbmVk"}`)
		}
		last := `,"finishReason":"` + end + `"`
		if !stream {
			return []string{object(parts, last)}
		}
		for i := range parts[:len(parts)-1] {
			out = append(out, object(parts[i:i+1], ""))
		}
		return append(out, object(parts[len(parts)-1:], last))
	},
	body: func(t *talk) string {
		body := map[string]any{"tools": []any{}}
		var list []map[string]any
		add := func(role string, parts ...any) {
			if n := len(list); n > 0 && list[n-1]["role"] == role {
				list[n-1]["parts"] = append(list[n-1]["parts"].([]any), parts...)
				return
			}
			list = append(list, map[string]any{"role": role, "parts": parts})
		}
		var open []string
		for _, m := range t.messages {
			switch m["role"] {
			case "system":
				body["systemInstruction"] = map[string]any{"parts": []any{map[string]any{"text": m["content"]}}}
			case "tool":
				add("user", map[string]any{"functionResponse": map[string]any{"name": open[0], "response": map[string]any{"result": m["content"]}}})
				open = open[1:]
			case "assistant":
				open = namesOf(m)
				for _, part := range m["stored"].([]any) { // the official client makes a content of each piece
					list = append(list, map[string]any{"role": "model", "parts": []any{part}})
				}
			default:
				add("user", map[string]any{"text": m["content"]})
			}
		}
		body["contents"] = list
		b, _ := json.Marshal(body)
		return string(b)
	},
	read: func(v jsonval.Value, out *turn) (stored []any) {
		for _, c := range v.Get("candidates").Elements() {
			for _, p := range c.At("content", "parts").Elements() {
				var part any
				json.Unmarshal([]byte(p.Raw()), &part)
				stored = append(stored, part)
				if thought, _ := p.Get("thought").Bool(); !thought {
					out.content += p.Get("text").Text()
				}
				if f := p.Get("functionCall"); f.Exists() {
					out.calls = append(out.calls, tool{f.Get("id").Text(), f.Get("name").Text(), f.Get("args").Raw()})
				}
			}
			if f := c.Get("finishReason"); f.Exists() {
				out.finish = map[string]string{"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter"}[f.Text()]
			}
		}
		return stored
	},
	heard: func(v jsonval.Value) (system string, lines []string, thoughts int) {
		role, text := "", ""
		say := func() {
			if text != "" {
				lines = append(lines, role+" "+text)
			}
			text = ""
		}
		for _, c := range v.Get("contents").Elements() {
			if next := strings.Replace(c.Get("role").Text(), "model", "assistant", 1); next != role {
				say()
				role = next
			}
			for _, p := range c.Get("parts").Elements() {
				if thought, _ := p.Get("thought").Bool(); thought {
					thoughts++
					continue
				}
				if f := p.Get("functionCall"); f.Exists() {
					say()
					lines = append(lines, "call "+f.Get("name").Text()+" "+f.Get("args").Canonical())
				} else if f := p.Get("functionResponse"); f.Exists() {
					lines = append(lines, "result "+f.At("response", "result").Text()+f.At("response", "error").Text())
				}
				text += p.Get("text").Text()
			}
		}
		say()
		return v.Get("systemInstruction").Get("parts").Elements()[0].Get("text").Text(), lines, thoughts
	},
}

var ollamaSpeech = speech{
	name: "ollama", kind: "application/x-ndjson", frame: lineFrame,
	path:     func(bool) string { return "/api/chat" },
	streamed: func(_, body string) bool { return !strings.Contains(body, `"stream":false`) },
	answer: func(stream bool, finish, text string, tools []tool) (out []string) {
		end := map[string]string{"stop": "stop", "tool_calls": "stop", "length": "length", "content_filter": "refused"}[finish]
		var calls []string
		for i, c := range tools {
			calls = append(calls, fmt.Sprintf(`{"function": {"index":%d,"name":%s,"arguments":%s}}`, i, quoteJSON(c.name), c.args))
		}
		object := func(members, more string) string {
			return `{"model":"m-1","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant"` + members + `},` + more + `}`
		}
		last := `"done":true,"done_reason":"` + end + `","prompt_eval_count":9,"eval_count":5`
		if !stream {
			members := `,"content":` + quoteJSON(text) + `,"thinking":"hm, \u00fc"`
			if calls != nil {
				members += `,"tool_calls":[` + strings.Join(calls, ",") + `]`
			}
			return []string{object(members, last)}
		}
		out = []string{object(`,"content":"","thinking":"hm, "`, `"done":false`), object(`,"content":"","thinking":"\u00fc"`, `"done":false`)}
		for _, p := range splitPieces(text, 7) {
			out = append(out, object(`,"content":`+quoteJSON(p), `"done":false`))
		}
		for _, c := range calls {
			out = append(out, object(`,"content":"","tool_calls":[`+c+`]`, `"done":false`))
		}
		return append(out, object(`,"content":""`, last))
	},
	body: func(t *talk) string {
		var list []any
		var open []string
		for _, m := range t.messages {
			switch m["role"] {
			case "tool":
				list = append(list, map[string]any{"role": "tool", "content": m["content"], "tool_name": open[0]})
				open = open[1:]
			case "assistant":
				open = namesOf(m)
				list = append(list, m["stored"].([]any)[0])
			default:
				list = append(list, m)
			}
		}
		body := map[string]any{"model": "m-1", "tools": []any{}, "messages": list}
		if !t.stream {
			body["stream"] = false
		}
		b, _ := json.Marshal(body)
		return string(b)
	},
	read: func(v jsonval.Value, out *turn) (stored []any) {
		m := v.Get("message")
		out.content += m.Get("content").Text()
		for _, c := range m.Get("tool_calls").Elements() {
			out.calls = append(out.calls, tool{c.Get("id").Text(), c.At("function", "name").Text(), c.At("function", "arguments").Raw()})
		}
		if over, _ := v.Get("done").Bool(); over {
			out.finish = v.Get("done_reason").Text()
		}
		var one map[string]any
		json.Unmarshal([]byte(m.Raw()), &one)
		return []any{one}
	},
	heard: func(v jsonval.Value) (system string, lines []string, thoughts int) {
		for _, m := range v.Get("messages").Elements() {
			role, text := m.Get("role").Text(), m.Get("content").Text()
			switch role {
			case "system":
				system = text
				continue
			case "tool":
				lines = append(lines, "result "+text)
				continue
			}
			if text != "" {
				lines = append(lines, role+" "+text)
			}
			if m.Get("thinking").Text() == "hm, ü" {
				thoughts++
			}
			for _, c := range m.Get("tool_calls").Elements() {
				lines = append(lines, "call "+c.At("function", "name").Text()+" "+c.At("function", "arguments").Canonical())
			}
		}
		return system, lines, thoughts
	},
}

// namesOf returns the names of the calls in a stored answer.
func namesOf(m map[string]any) (names []string) {
	for _, c := range m["calls"].([]tool) {
		names = append(names, c.name)
	}
	return names
}

// sameCalls compares calls, without their ids if the API has none.
func (s *service) sameCalls(got, want []tool) bool {
	if s.speech == nil {
		return fmt.Sprint(got) == fmt.Sprint(want)
	}
	same := len(got) == len(want)
	for i := range got {
		same = same && got[i].name == want[i].name && got[i].args == want[i].args
	}
	return same
}

func (s *service) postSpeech(key, path, body string) (int, string) {
	s.t.Helper()
	header := []string{"Authorization", "Bearer " + key}
	if s.speech == &geminiSpeech {
		header = []string{"X-Goog-Api-Key", key}
	}
	return s.post(path, body, header...)
}

// readSpeech parses an answer as a simple client does. It joins the messages of Ollama's
// stream, as its clients do.
func (s *service) readSpeech(status int, text string, stream bool) (out turn, stored []any) {
	s.t.Helper()
	out.status, out.text = status, text
	list := []string{text}
	if stream && status == 200 {
		list = nil
		for _, e := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), map[bool]string{true: "\n\n", false: "\n"}[s.speech.kind == "text/event-stream"]) {
			if e != "" { // clients read each line with something in it as JSON, so a comment is an error
				list = append(list, strings.TrimPrefix(e, "data: "))
			}
		}
	}
	for _, e := range list {
		v, err := jsonval.Parse(e)
		if err != nil {
			s.t.Fatalf("%v in %q of %q", err, e, text)
		}
		if f := v.Get("error"); f.Exists() {
			out.failure = f.Raw()
			return out, stored
		}
		stored = append(stored, s.speech.read(v, &out)...)
	}
	if s.speech == &ollamaSpeech && len(stored) > 1 {
		whole := map[string]any{"role": "assistant", "content": out.content}
		thinking, calls := "", []any{}
		for _, m := range stored {
			part := m.(map[string]any)
			if text, ok := part["thinking"].(string); ok {
				thinking += text
			}
			if list, ok := part["tool_calls"].([]any); ok {
				calls = append(calls, list...)
			}
		}
		if whole["thinking"] = thinking; len(calls) > 0 {
			whole["tool_calls"] = calls
		}
		stored = []any{whole}
	}
	if out.finish == "" {
		s.t.Errorf("an answer without an end: %s", text)
	}
	return out, stored
}

func (t *talk) sendSpeech() turn {
	t.s.t.Helper()
	status, text := t.s.postSpeech(t.key, t.s.speech.path(t.stream), t.s.speech.body(t))
	var stored []any
	if t.last, stored = t.s.readSpeech(status, text, t.stream); t.last.failure == "" {
		t.addMessage(map[string]any{"role": "assistant", "content": t.last.content, "stored": stored, "calls": t.last.calls})
	}
	return t.last
}

// sawSpeech checks that the model received the run as it was recorded, with its own
// thoughts, and without texts of the gate.
func (s *service) sawSpeech(t *testing.T, want []spoken) {
	t.Helper()
	v, _ := jsonval.Parse(s.model.lastRequest())
	system, have, thoughts := s.speech.heard(v)
	var wanted []string
	turns := 0
	for i := range want {
		m := &want[i]
		switch m.Role {
		case "system":
			if system != m.contentText() {
				t.Fatalf("the system prompt changed: %q", system)
			}
			continue
		case "tool":
			wanted = append(wanted, "result "+m.contentText())
			continue
		case "assistant":
			turns++
		}
		if m.contentText() != "" {
			wanted = append(wanted, m.Role+" "+m.contentText())
		}
		for _, c := range m.calledTools() {
			args, _ := jsonval.Parse(c.args)
			wanted = append(wanted, "call "+c.name+" "+args.Canonical())
		}
	}
	if strings.Join(have, "\n") != strings.Join(wanted, "\n") || thoughts != turns {
		t.Fatalf("the model was sent, with %d thoughts of %d,\n%s\nwant\n%s", thoughts, turns, strings.Join(have, "\n"), strings.Join(wanted, "\n"))
	}
}

// runSpeeches runs a test in each of the APIs, streamed and not.
func runSpeeches(t *testing.T, run func(t *testing.T, sp *speech, stream bool)) {
	for _, sp := range []*speech{&geminiSpeech, &ollamaSpeech} {
		t.Run(sp.name, func(t *testing.T) {
			runBothWays(t, func(t *testing.T, stream bool) { run(t, sp, stream) })
		})
	}
}

// TestSpeeches checks a conversation: reads pass byte for byte, a change is held and runs
// after the person's yes, and the model gets its own turns back. Calls have no ids, and two
// of them are the same.
func TestSpeeches(t *testing.T) {
	runSpeeches(t, func(t *testing.T, sp *speech, stream bool) {
		s := newTestService(t, `{"conversation":["issue_refund"]}`)
		s.speech = sp
		c := s.newTalk(stream, "be careful")
		read := tool{"", "get_order", `{ "id": "A-\u0031"}`}
		s.model.scriptSteps(answerStep("Looking.", read, read))
		got := c.sendUser("where is it?")
		if raw := sp.wholeAnswer(stream, "tool_calls", "Looking.", []tool{read, read}); got.text != raw {
			t.Errorf("a read changed:\n%q\nwant\n%q", got.text, raw)
		}
		first := *c
		first.messages = c.messages[:2]
		if sent := s.model.lastRequest(); sent != sp.body(&first) {
			t.Errorf("the request changed:\n%s\nwant\n%s", sent, sp.body(&first))
		}
		s.model.scriptSteps(answerStep("I will refund.", tool{"", "issue_refund", `{"amount": 5.0, "id":"A"}`}))
		c.sendResults("an order", "the same order").assertAsks(t, "amount", "issue_refund")
		asked := s.model.requestCount()
		got = c.sendAgreement()
		if len(got.calls) != 1 || got.calls[0] != (tool{"", "issue_refund", `{"amount": 5.0, "id":"A"}`}) || got.finish != "stop" || s.model.requestCount() != asked {
			t.Fatalf("released %+v", got)
		}
		s.model.scriptSteps(answerStep("Done."))
		c.sendResults("refunded")
		v, _ := jsonval.Parse(s.model.lastRequest())
		if _, lines, thoughts := sp.heard(v); thoughts != 2 || strings.Join(lines, "\n") != "user where is it?\nassistant Looking.\ncall get_order {\"id\":\"A-1\"}\ncall get_order {\"id\":\"A-1\"}\nresult an order\nresult the same order\nassistant I will refund.\ncall issue_refund {\"amount\":5e0,\"id\":\"A\"}\nresult refunded" {
			t.Errorf("the model was sent %d thoughts and %q", thoughts, lines)
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executions", n)
		}
		s.model.scriptSteps(answerStep("", tool{"", "issue_refund", `{}`}, tool{"", "get_order", `{}`}))
		c.sendUser("again").assertAsks(t)
		s.model.scriptSteps(answerStep("I did not."))
		if got := c.sendUser("no"); got.content != "I did not." {
			t.Errorf("%+v", got)
		}
		if sent := s.model.lastRequest(); strings.Count(sent, "Not executed") != 2 || strings.Contains(sent, `"no"`) || strings.Contains(sent, "call_bc_") {
			t.Errorf("the model was sent %s", sent)
		}
	})
}

// TestSpeechesLaterTurns checks answers to which two turns of the model belong: the first is
// refused. The client gets one answer, with the usage of both.
func TestSpeechesLaterTurns(t *testing.T) {
	runSpeeches(t, func(t *testing.T, sp *speech, stream bool) {
		s := newTestService(t, `{"tools":{"issue_refund":{"deny":"never"}}}`)
		s.speech = sp
		s.model.scriptSteps(answerStep("Trying.", tool{"", "issue_refund", `{"a":1}`}), answerStep("Reading.", tool{"", "get_order", `{"id":"A"}`}))
		c := s.newTalk(stream, "")
		got := c.sendUser("go")
		want := "Reading."
		if stream {
			want = "Trying.\n\nReading."
		}
		if got.content != want || fmt.Sprint(got.calls) != `[{ get_order {"id":"A"}}]` || got.finish != "stop" {
			t.Errorf("%+v", got)
		}
		if !strings.Contains(got.text, `oken`+`Count":10`) && !strings.Contains(got.text, `"candidatesTokenCount":10`) && !strings.Contains(got.text, `"eval_count":10`) {
			t.Errorf("the usage is not the sum: %s", got.text)
		}
		if sent := s.model.lastRequest(); !strings.Contains(sent, "the policy denies this call") || !strings.Contains(sent, "issue_refund") || !strings.Contains(sent, "hm, ") {
			t.Errorf("the model was sent %s", sent)
		}
		s.model.scriptSteps(answerStep("Fine."))
		if got := c.sendResults("an order"); got.content != "Fine." {
			t.Errorf("%+v", got)
		}
	})
}

// TestSpeechesEdited checks that an approver's change reaches the agent, and that the model
// is told what ran.
func TestSpeechesEdited(t *testing.T) {
	runSpeeches(t, func(t *testing.T, sp *speech, stream bool) {
		s := newTestService(t, `{"edit":[{"name":"all","tool":"*","arguments":["*"],"counts":true}]}`, onPage(20*time.Second))
		s.speech = sp
		s.model.scriptSteps(answerStep("Now.", tool{"", "issue_refund", `{"amount":9}`}))
		done := make(chan bool)
		go func() {
			defer close(done)
			for range 2000 {
				if s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'pending'`) > 0 {
					s.editWaiting("issue_refund", `{"amount":7}`, true)
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		c := s.newTalk(stream, "")
		got := c.sendUser("go")
		<-done
		if len(got.calls) != 1 || got.calls[0].args != `{"amount":7}` || !strings.HasPrefix(got.calls[0].id, "call_bc_") {
			t.Fatalf("%+v", got)
		}
		s.model.scriptSteps(answerStep("Done."))
		c.sendResults("refunded")
		if sent := s.model.lastRequest(); !strings.Contains(sent, "An approver changed this call") || !strings.Contains(sent, `\"amount\":7`) || !strings.Contains(sent, "refunded") || !strings.Contains(sent, `{"amount":9}`) {
			t.Errorf("the model was sent %s", sent)
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); n != 1 {
			t.Errorf("%d executions", n)
		}
	})
}

// TestSpeechesMisbehave checks answers that two readers may read differently, or that have
// calls in wrong places. Nothing of them passes.
func TestSpeechesMisbehave(t *testing.T) {
	runSpeeches(t, func(t *testing.T, sp *speech, stream bool) {
		s := newTestService(t, "")
		s.speech = sp
		good := sp.wholeAnswer(stream, "tool_calls", "", []tool{{"", "get_order", `{"id":"A"}`}})
		cases := map[string][2]string{
			"name twice": {`"name":"get_order"`, `"name":"get_order","name":"delete_order"`},
			"no name":    {`"name":"get_order"`, `"name":""`},
			"no object":  {`{"id":"A"}`, `"{}"`},
			"arguments":  {`{"id":"A"}`, `{"id":"A","id":"B"}`},
			"not JSON":   {`"get_order"`, `get_order`},
			"half":       {`"get_order"`, `"get_order\ud800"`},
		}
		if sp == &geminiSpeech {
			for name, change := range map[string][2]string{
				"hosted":     {`{"functionCall"`, `{"executableCode":{"code":"delete_order()"}},{"functionCall"`},
				"letters":    {`"functionCall"`, `"function_call"`},
				"elsewhere":  {`"role":"model"`, `"role":"model","functionCall":{"name":"delete_order","args":{}}`},
				"candidates": {`"index":0}]`, `"index":0},{"content":{"parts":[{"functionCall":{"name":"delete_order","args":{}}}]},"index":1}]`},
				"user":       {`"role":"model"`, `"role":"user"`},
				"unfinished": {`"finishReason":"STOP"`, `"finishReason":"MALFORMED_FUNCTION_CALL"`},
				"no end":     {`,"finishReason":"STOP"`, ``},
				"in parts":   {`"args":{"id":"A"}`, `"args":{"id":"A"},"willContinue":true`},
				"both":       {`"name":"get_order"`, `"name":"get_order","Args":{}`},
			} {
				cases[name] = change
			}
		} else {
			for name, change := range map[string][2]string{
				"letters":   {`"tool_calls"`, `"Tool_Calls"`},
				"elsewhere": {`"model":"m-1"`, `"model":"m-1","tool_calls":[{"function":{"name":"delete_order","arguments":{}}}]`},
				"user":      {`"role":"assistant","content":"","tool_calls"`, `"role":"user","content":"","tool_calls"`},
				"beside":    {`{"function": {`, `{"name":"delete_order","function": {`},
				"cut off":   {`"done_reason":"stop"`, `"done_reason":"length"`},
				"no end":    {`"done":true`, `"done":false`},
			} {
				cases[name] = change
			}
			if !stream {
				delete(cases, "user")
			}
		}
		for name, change := range cases {
			bad := strings.ReplaceAll(good, change[0], change[1])
			if bad == good {
				t.Fatalf("%s: nothing to change in %s", name, good)
			}
			s.model.scriptSteps(func(w http.ResponseWriter, _ bool) {
				w.Header().Set("Content-Type", map[bool]string{true: sp.kind, false: "application/json"}[stream])
				io.WriteString(w, bad)
			})
			s.model.scriptSteps(answerStep("Sorry.")) // if the gate asks the model again
			c := s.newTalk(stream, "")
			c.addMessage(map[string]any{"role": "user", "content": name})
			status, text := s.postSpeech(agentKey, sp.path(stream), sp.body(c))
			if got := strings.Contains(text, "get_order") || strings.Contains(text, "delete_order") || strings.Contains(text, "unctionCall") || strings.Contains(text, "tool_calls"); got {
				t.Errorf("%s passes: %d %s", name, status, text)
			}
			s.model.mu.Lock()
			s.model.script = nil
			s.model.mu.Unlock()
		}
	})
}

// TestSpeechRequests checks what a request may have, what passes, and the form of errors.
func TestSpeechRequests(t *testing.T) {
	s := newTestService(t, "")
	s.speech = &geminiSpeech
	const hi = `"contents":[{"role":"user","parts":[{"text":"hi"}]}]`
	for _, c := range []struct{ path, body, part string }{
		{":generateContent", `{` + hi + `,"tools":[{"googleSearch":{}}]}`, "would run it without the gate"},
		{":generateContent", `{` + hi + `,"tools":[{"functionDeclarations":[]},{"code_execution":{}}]}`, "would run it without the gate"},
		{":generateContent", `{` + hi + `,"generationConfig":{"candidateCount":2}}`, "one candidate"},
		{":generateContent", `{` + hi + `,` + hi + `}`, "appears twice"},
		{":generateContent", `{"contents":[]}`, "missing contents"},
		{":generateContent?key=" + agentKey, `{` + hi + `}`, "x-goog-api-key"},
		{":streamGenerateContent", `{` + hi + `}`, "alt=sse"},
		{":generateContent", `{"contents":[{"role":"model","parts":[{"codeExecutionResult":{}}]}]}`, "runs by itself"},
	} {
		status, text := s.postSpeech(agentKey, "/v1beta/models/m-1"+c.path, c.body)
		if status != 400 || !strings.Contains(text, c.part) || !strings.Contains(text, `"status":"INVALID_ARGUMENT"`) {
			t.Errorf("%s: %d %s", c.body, status, text)
		}
	}
	if status, text := s.postSpeech("wrong", "/v1beta/models/m-1:generateContent", `{}`); status != 401 || !strings.Contains(text, "UNAUTHENTICATED") {
		t.Errorf("%d %s", status, text)
	}
	if s.model.requestCount() != 0 {
		t.Error("the model was asked")
	}
	s.model.scriptSteps(answerStep("Hi."))
	if status, text := s.postSpeech(agentKey, "/v1beta/models/m-1:generateContent", `{`+hi+`,"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`); status != 200 || !strings.Contains(text, "Hi.") {
		t.Errorf("%d %s", status, text)
	}
	if head := s.model.header[0]; head.Get("X-Goog-Api-Key") != "upstream-secret" || head.Get("Authorization") != "" {
		t.Errorf("the model's server gets %v", head)
	}
	s.model.scriptSteps(func(w http.ResponseWriter, _ bool) { io.WriteString(w, `{"totalTokens": 7}`) })
	if status, text := s.postSpeech(agentKey, "/v1beta/models/m-1:countTokens", `{`+hi+`}`); status != 200 || text != `{"totalTokens": 7}` || s.model.header[1].Get("X-Goog-Api-Key") != "upstream-secret" {
		t.Errorf("%d %s", status, text)
	}
	s.model.scriptSteps(func(w http.ResponseWriter, _ bool) {
		w.WriteHeader(429)
		io.WriteString(w, `{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`)
	})
	if status, text := s.postSpeech(agentKey, "/v1beta/models/m-1:generateContent", `{`+hi+`}`); status != 429 || !strings.Contains(text, "slow down") {
		t.Errorf("%d %s", status, text)
	}
	s.model.scriptSteps(func(w http.ResponseWriter, _ bool) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"promptFeedback":{"blockReason":"SAFETY"}}`)
	})
	if status, text := s.postSpeech(agentKey, "/v1beta/models/m-1:generateContent", `{`+hi+`}`); status != 200 || text != `{"promptFeedback":{"blockReason":"SAFETY"}}` {
		t.Errorf("%d %s", status, text)
	}
	s.model.scriptSteps(answerStep("Hi."))
	if status, text := s.postSpeech(agentKey, "/v1/models/m-1:generateContent", `{`+hi+`}`); status != 200 || !strings.Contains(text, "Hi.") {
		t.Errorf("the stable version: %d %s", status, text)
	}
	s.speech = &ollamaSpeech
	if status, text := s.postSpeech("wrong", "/api/chat", `{}`); status != 401 || !strings.HasPrefix(text, `{"error":"`) {
		t.Errorf("%d %s", status, text)
	}
	for _, body := range []string{`{"model":"m","messages":[]}`, `{"messages":[{"role":"user","content":[]}]}`, `{"stream":1,"messages":[{"role":"user","content":"x"}]}`} {
		if status, text := s.postSpeech(agentKey, "/api/chat", body); status != 400 || !strings.HasPrefix(text, `{"error":"`) {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	s.model.scriptSteps(func(w http.ResponseWriter, _ bool) {
		w.WriteHeader(404)
		io.WriteString(w, `{"error":"model 'm' not found"}`)
	})
	if status, text := s.postSpeech(agentKey, "/api/chat", `{"model":"m","messages":[{"role":"user","content":"x"}]}`); status != 404 || text != `{"error":"model 'm' not found"}` {
		t.Errorf("%d %s", status, text)
	}
}
