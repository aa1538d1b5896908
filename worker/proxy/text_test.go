//go:build !js

package proxy_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// protocol writes a call into a text as one family of models does.
type protocol func(name, arguments string) string

var protocols = map[string]protocol{
	"hermes": func(n, a string) string {
		return "<tool_call>\n{\"name\": \"" + n + "\", \"arguments\": " + a + "}\n</tool_call>"
	},
	"hermes, open":  func(n, a string) string { return `<tool_call>{"name":"` + n + `","arguments":` + a + `}` },
	"llama":         func(n, a string) string { return "<function=" + n + ">" + a + "</function>" },
	"llama 3":       func(n, a string) string { return `<|python_tag|>{"name":"` + n + `","parameters":` + a + `}` },
	"llama 3, bare": func(n, a string) string { return `{"name": "` + n + `", "parameters": ` + a + `}` },
	"mistral":       func(n, a string) string { return `[TOOL_CALLS] [{"name": "` + n + `", "arguments": ` + a + `}]` },
	"mistral small": func(n, a string) string { return "[TOOL_CALLS]" + n + "[ARGS]" + a },
	"granite":       func(n, a string) string { return `<|tool_call|>[{"name":"` + n + `","arguments":` + a + `}]` },
	"function_call": func(n, a string) string {
		return `<function_call>{"name":"` + n + `","arguments":` + a + `}</function_call>`
	},
	"fenced":          func(n, a string) string { return "```json\n{\"tool\": \"" + n + "\", \"args\": " + a + "}\n```" },
	"react":           func(n, a string) string { return "Thought: I should.\nAction: " + n + "\nAction Input: " + a + "\n" },
	"react, brackets": func(n, a string) string { return "Thought: I should.\nAction 1: " + n + "[" + a + "]" },
	"react, bold":     func(n, a string) string { return "**Action:** " + n + "\n**Action Input:** " + a },
	"react, call": func(n, a string) string {
		return "Action: " + n + "(" + strings.NewReplacer("{", "", "}", "", `"`, "", ": ", "=").Replace(a) + ")"
	},
	"react, act": func(n, a string) string { return "Act: " + n + "[" + a + "]" },
	"react, blob": func(n, a string) string {
		return "Action:\n```json\n{\"action\": \"" + n + "\", \"action_input\": " + a + "}\n```"
	},
	"fenced, after words": func(n, a string) string {
		return "Thought: I should.\n```json\n{\"why\": 1}\n```\n```json\n{\"action\": \"" + n + "\", \"action_input\": " + a + "}\n```\nSo it is."
	},
	"an object, after words": func(n, a string) string {
		return "Thought: {ok}. {\"name\": \"" + n + "\", \"arguments\": " + a + "}"
	},
	"inside an object": func(n, a string) string {
		return "Thought: so.\n{\"thoughts\": {\"text\": \"x\"}, \"command\": {\"name\": \"" + n + "\", \"args\": " + a + "}}"
	},
	"parallel": func(n, a string) string {
		return `{"tool_uses": [{"recipient_name": "` + n + `", "parameters": ` + a + `}]}`
	},
	"a message in JSON": func(n, a string) string {
		return `{"role": "assistant", "content": [{"type": "tool_use", "name": "` + n + `", "input": ` + a + `}]}`
	},
	"openai, text": func(n, a string) string {
		return `{"tool_calls":[{"type":"function","function":{"name":"` + n + `","arguments":` + quoteJSON(a) + `}}]}`
	},
}

// opaque holds calls in a text that cannot be read reliably.
var opaque = map[string]string{
	"broken hermes":    `<tool_call>{"name":"update_order","arguments":{"id":1}`,
	"two names":        `<tool_call>{"name":"get_order","name":"update_order","arguments":{}}</tool_call>`,
	"two arguments":    `<tool_call>{"name":"get_order","arguments":{},"parameters":{"x":1}}</tool_call>`,
	"more in it":       `<tool_call>{"name":"get_order","arguments":{},"then":"update_order"}</tool_call>`,
	"deepseek":         "<\uff5ctool\u2581calls\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>update_order\n```json\n{}\n```",
	"deepseek, xml":    "<\uff5cDSML\uff5cfunction_calls>\n<\uff5cDSML\uff5cinvoke name=\"update_order\">",
	"qwen-agent":       "\u273fFUNCTION\u273f: update_order\n\u273fARGS\u273f: {\"id\": 1}",
	"a namespace":      `<x:function_calls><x:invoke name="update_order"></x:invoke></x:function_calls>`,
	"first xml":        "<function_calls><invoke><tool_name>update_order</tool_name></invoke></function_calls>",
	"xml agent":        "<tool>update_order</tool><tool_input>1",
	"tool block":       "```tool\nTOOL_NAME: update_order\nBEGIN_ARG: id\n1\nEND_ARG\n```",
	"a tag's name":     "I run it.\n<execute_command>\n<command>rm x</command>\n</execute_command>",
	"a tag for a file": "<write_to_file><path>x</path><content>y</content></write_to_file>",
	"a tag for a diff": "<apply_diff><path>x</path></apply_diff>",
	"codeact":          "<execute_bash>rm x</execute_bash>",
	"an action's tag":  `<boltAction type="shell">rm x</boltAction>`,
	"harmony, own":     "<|channel|>analysis to=container.exec <|message|>{}",
	"camel case":       `{"toolName":"update_order","toolCallId":"1","input":{"id":1},"args":{"id":2}}`,
	"two words":        `{"command_name":"update_order","command_args":{"id":1},"then":"x"}`,
	"kimi":             "<|tool_calls_section_begin|><|tool_call_begin|>functions.update_order:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
	"harmony":          "<|channel|>commentary to=functions.update_order <|message|>{}",
	"python tag, code": "<|python_tag|>update_order(id=1)",
	"gemma":            "```tool_code\nupdate_order(1)\n```",
	"nested qwen":      "<tool_call><function=get_order><parameter=id>1<parameter=x>2</parameter></function></tool_call>",
	"twice one key":    `<invoke name="get_order"><parameter name="id">1</parameter><parameter name="id">2</parameter></invoke>`,
	"no name":          "Action:\nAction Input: {}",
	"two calls":        "Action: get_order(1); update_order(2)",
	"twice one name":   "Action: get_order(id=1, id=2)",
	"a first member":   `{"note":"x","action":"update_order","action_input":{}}`,
	"beside function":  `{"function":{},"name":"update_order","arguments":{}}`,
	"cut off":          `{"action":"update_order","action_input":{"id":1}`,
	"twice, fenced":    "Look:\n```json\n{\"name\":1,\"name\":\"update_order\",\"args\":{}}\n```",
	"Python's dict":    "I call {'name': 'update_order', 'arguments': {}}",
	"escaped":          `{"\u006eame":"update_order","\u0061rgs":{},}`,
	"a fence in it":    "```json\n{\"a\":\"```\",\"action\":\"update_order\",\"action_input\":{}}\n```",
}

// TestTextBlocksAreHeld checks that a block of code after the name of an action counts as
// a call.
func TestTextBlocksAreHeld(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		s.model.scriptSteps(answerStep("Action: Operation\n```sql\nUPDATE orders SET paid = 1\n```"))
		s.newTalk(stream, "").sendUser("look").assertAsks(t, "Tool: Operation")
	})
}

// TestTextCallsInsideOthers checks that a call that only reads does not hide another
// call that some agents would find in the same text.
func TestTextCallsInsideOthers(t *testing.T) {
	refund := `{"action": "issue_refund", "action_input": {"amount": 1}}`
	for name, words := range map[string]string{
		"in brackets, fenced": "Action: get_order[\n```json\n" + refund + "\n```\n]",
		"in brackets, second": `Action: get_order[{"a": 1} ` + refund + "]",
		"in a call":           "Action: get_order(id=" + refund + ")",
		"in an input":         "Action: get_order\nAction Input: " + refund,
		"in a fenced input":   "Action: get_order\nAction Input:\n```json\n" + refund + "\n```",
		"in an observation":   "Action: get_order\nAction Input: {}\nObservation: " + refund,
		"after a mark":        `<tool_call>{"name": "get_order", "arguments": {}}</tool_call> ` + refund,
	} {
		t.Run(name, func(t *testing.T) {
			runBothWays(t, func(t *testing.T, stream bool) {
				s := newTestService(t, "")
				s.model.scriptSteps(answerStep("Thought: now.\n"+words), answerStep("As you like."))
				c := s.newTalk(stream, "")
				c.sendUser("look").assertAsks(t, "Tool: issue_refund")
				c.sendUser("no").assertText(t, "As you like.")
			})
		})
	}
}

// TestTextCallsAreHeld checks that a call in the text passes if it only reads. Any other
// call in the text must cause a question. After an approval, the text must be passed on
// unchanged.
func TestTextCallsAreHeld(t *testing.T) {
	for name, write := range protocols {
		t.Run(name, func(t *testing.T) {
			runBothWays(t, func(t *testing.T, stream bool) {
				s := newTestService(t, "")
				c := s.newTalk(stream, "")
				read := write("get_order", `{"id": 1}`)
				s.model.scriptSteps(answerStep(read))
				c.sendUser("look").assertText(t, read)

				words := write("issue_refund", `{"amount": 1.0}`)
				s.model.scriptSteps(answerStep(words), answerStep("Done."))
				a := c.sendUser("refund me").assertAsks(t, "Tool: issue_refund", "amount = 1.0")
				if !strings.HasPrefix(a.content, "Thought") && stream && strings.Contains(a.content, words[:12]) {
					t.Errorf("a piece of the call went out: %s", a.content)
				}
				asked := s.model.requestCount()
				c.sendAgreement().assertText(t, words)
				if s.model.requestCount() != asked {
					t.Error("the model was asked although the call stood")
				}
				c.sendUser("Observation: refunded").assertText(t, "Done.")
				if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'ambiguous'`); n != 1 { // nothing proves that the agent's program ran it
					t.Errorf("%d ambiguous on record", n)
				}
				if got, want := outlineRoles(s.messagesToModel()), "user assistant user assistant user"; got != want {
					t.Errorf("the model saw %s, want %s", got, want)
				}

				d := s.newTalk(stream, "")
				s.model.scriptSteps(answerStep(words), answerStep("As you like."))
				d.sendUser("refund me").assertAsks(t)
				d.sendUser("no").assertText(t, "As you like.")
				if m := s.messagesToModel(); outlineRoles(m) != "user assistant user" || m[2]["content"] != "[issue_refund] Not executed: denied by user." {
					t.Errorf("the model was told %v", m)
				}
			})
		})
	}
}

// TestTextCallsUnreadable checks that a text is refused if it looks like a call but is
// ambiguous. A call in the text next to calls of the protocol must be refused too. The
// model must be told why.
func TestTextCallsUnreadable(t *testing.T) {
	for name, words := range opaque {
		t.Run(name, func(t *testing.T) {
			runBothWays(t, func(t *testing.T, stream bool) {
				s := newTestService(t, "")
				s.model.scriptSteps(answerStep("Let me see.\n"+words), answerStep("By tools then.", look))
				got := s.newTalk(stream, "").sendUser("hi").assertCalls(t, look)
				if strings.Contains(got.text, words[len(words)-8:]) && name != "twice one key" {
					t.Errorf("it went out: %s", got.text)
				}
				m := s.messagesToModel()
				if why := m[len(m)-1]["content"].(string); !strings.Contains(why, "Do not write calls into your text") {
					t.Errorf("the model was told %q", why)
				}
			})
		})
	}
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		s.model.scriptSteps(answerStep(`<tool_call>{"name":"get_order","arguments":{}}</tool_call>`, look), answerStep("", look))
		s.newTalk(stream, "").sendUser("both").assertCalls(t, look)
		if s.model.requestCount() != 2 {
			t.Error("calls of two kinds went through together")
		}
	})
}

// TestCallsInParts checks that a call in a part of the content never passes.
func TestCallsInParts(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, part := range []string{`{"type":"tool_use","id":"x","name":"delete_all","input":{}}`, `{"type":"function_call","name":"delete_all","arguments":"{}"}`, `{"type":"mcp_tool_call","name":"x"}`} {
			s := newTestService(t, "")
			text := answerWith(stream, `"content":[{"type":"text","text":"I do it."},`+part+`]`)
			s.model.scriptSteps(rawStep(strings.ReplaceAll(text, `"tool_calls"}`, `"stop"}`)), answerStep("", look))
			if got := s.newTalk(stream, "").sendUser("hi").assertCalls(t, look); strings.Contains(got.text, "delete_all") {
				t.Errorf("%s", got.text)
			}
		}
	})
}

// TestTextCallsInFurtherChoices checks that an answer is refused if a choice after the
// first contains a call in its text.
func TestTextCallsInFurtherChoices(t *testing.T) {
	s := newTestService(t, "")
	s.model.scriptSteps(rawStep(`{"id":"x","choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"},{"index":1,"message":{"content":"<tool_call>{\"name\":\"delete_all\"}</tool_call>"},"finish_reason":"stop"}]}`))
	if got := s.postChat(agentKey, `{"n":2,"messages":[{"role":"user","content":"hi"}]}`, false); got.status != 502 || strings.Contains(got.text, "delete_all") {
		t.Errorf("%+v", got)
	}
	s.model.scriptSteps(rawStep("data: {\"id\":\"x\",\"choices\":[{\"index\":1,\"delta\":{\"content\":\"<tool_\"}}]}\n\n" +
		"data: {\"id\":\"x\",\"choices\":[{\"index\":1,\"delta\":{\"content\":\"call>{\\\"name\\\":\\\"delete_all\\\"}\"}}]}\n\ndata: [DONE]\n\n"))
	if got := s.postChat(agentKey, `{"n":2,"stream":true,"messages":[{"role":"user","content":"hi"}]}`, true); got.failure == "" || strings.Contains(got.text, "delete_all") {
		t.Errorf("%+v", got)
	}
}

// TestWordsAboutCalls checks that a text is passed on unchanged if it only mentions
// calls, or if it only looks like the beginning of a call at first.
func TestWordsAboutCalls(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, words := range []string{
			"Use `<tool_call>` for that.", "Action is needed: none yet.", "My next action: rest.", "<tool", "a < b and <b>x</b>", "{\"answer\": 42}", "[1, 2, 3]",
			"```js\nlet a = 1;\n```", "{\"name\": \"Ann\", \"age\": 7}", "Action items\n* one\n* two", "Reaction: good.", "[TOOL", "the mark <tool_call>", "Action: none needed.\nBye.",
			"Observation: the door is open", `{"note": "x", "names": ["a"], "input": {}}`, `[{"a": 1}, {"b": "Action: go"}]`, "Here: {\"a\": 1} and {name}.",
			"```json\n{\"id\": 1, // one\n}\n```\nSo.", "let a = { 'x': 1 }", "It ends in {", "`{\"action\": ` begins it.", "a {\"name\": \"Ann\"} b ```", `{"fields": [{"name": "mail", "type": "text"}]}`, strings.Repeat("Act ", 200), "Actions: see above",
		} {
			s := newTestService(t, "")
			s.model.scriptSteps(answerStep(words))
			s.newTalk(stream, "").sendUser("hi").assertText(t, words)
		}
	})
}

// TestWordsStillComeAtOnce checks that a text without the mark of a call is not held back
// until the end of the stream.
func TestWordsStillComeAtOnce(t *testing.T) {
	s := newTestService(t, "")
	first, second := make(chan bool), make(chan bool)
	chunk := func(text string) string {
		return `data: {"id":"x","choices":[{"index":0,"delta":{"content":` + quoteJSON(text) + `}}]}` + "\n\n"
	}
	s.model.scriptSteps(func(w http.ResponseWriter, stream bool) {
		rawStep(chunk("Hello <b")+chunk(">you</b>"))(w, stream)
		http.NewResponseController(w).Flush()
		close(first)
		<-second
		rawStep(`data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")(w, stream)
	})
	r, _ := http.NewRequest("POST", s.url+"/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"hi"}]}`))
	r.Header.Set("Authorization", "Bearer "+agentKey)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	<-first
	got := make(chan string)
	go func() {
		b := make([]byte, 4096)
		text := ""
		for !strings.Contains(text, "</b>") {
			n, err := w.Body.Read(b)
			if text += string(b[:n]); err != nil {
				break
			}
		}
		got <- text
	}()
	select {
	case text := <-got:
		if !strings.Contains(text, "</b>") {
			t.Errorf("%q", text)
		}
	case <-time.After(20 * time.Second):
		t.Error("the words wait for the end of the stream")
	}
	close(second)
}
