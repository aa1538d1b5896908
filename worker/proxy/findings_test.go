//go:build !js

package proxy_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/worker/proxy"
)

// The tests named after C5 to C7 are findings of a review of this gate; render_test.go
// has C5. docs/threat-model.md lists them all.

// TestC06TheAgentIsNobodyElse checks that a vote from the conversation is recorded as
// such (finding C6). It must never decide a call that is reserved for approvers.
func TestC06TheAgentIsNobodyElse(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", refundCall("1")))
		c.sendUser("refund me").assertAsks(t)
		c.sendUser("yes").assertCalls(t, refundCall("1"))
		id := s.proposalIDs()[0][0]
		if votes := s.getPath(aliceKey, "/v1/proposals/"+id); !strings.Contains(votes, `"by":"conversation of bot","channel":"conversation"`) || strings.Contains(votes, `"by":"alice"`) {
			t.Errorf("%s", votes)
		}
		if n := s.queryCount(`SELECT count(*) FROM audit WHERE entry LIKE '%"event":"decide"%' AND entry NOT LIKE '%"by":"conversation of bot","role":"conversation"%'`); n != 0 {
			t.Errorf("%d decisions by somebody else", n)
		}
		for name, policy := range map[string]string{
			"may not be undone": `{}`, "two people": `{"fourEyes":["wire_money"],"conversation":["wire_money"]}`, "not on the list": `{"conversation":["issue_refund"]}`,
		} {
			s := newTestService(t, policy)
			c := s.newTalk(stream, "")
			s.model.scriptSteps(answerStep("", tool{"c", "wire_money", "{}"}))
			code := codeOf(t, c.sendUser("hi").assertAsks(t, "Pending: "+s.url))
			for _, reply := range []string{"yes", "yes " + code, "done"} {
				c.sendUser(reply).assertAsks(t, "Pending: ")
			}
			if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state <> 'pending'`); n != 0 {
				t.Errorf("%s: decided in the conversation", name)
			}
		}
		s = newTestService(t, "")
		s.model.scriptSteps(answerStep("", tool{"c", "add_note", "{}"}))
		body := `{"stream":` + map[bool]string{true: "true", false: "false"}[stream] + `,"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"add_note","annotations":{"openWorldHint":true}}}]}`
		s.postChat(agentKey, body, stream).assertAsks(t, "Pending: ")
	})
}

func (s *service) getPath(key, path string) string {
	s.t.Helper()
	r, _ := http.NewRequest("GET", s.url+path, nil)
	r.Header.Set("Authorization", "Bearer "+key)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	text, _ := io.ReadAll(w.Body)
	return string(text)
}

// TestC07FaithfulIsBound checks which calls run after a person's comment on a question in
// mode faithful (finding C7). Only a revised call of the same tool may run without
// another question, and only as many calls as before.
func TestC07FaithfulIsBound(t *testing.T) {
	one := refundCall("1")
	for name, x := range map[string]struct {
		policy, reply string
		next          []tool
		runs          bool
	}{
		"the same tool":     {`{"mode":"faithful"}`, "make it two", []tool{refundCall("2")}, true},
		"and a read":        {`{"mode":"faithful"}`, "make it two", []tool{look, refundCall("2")}, true},
		"a no":              {`{"mode":"faithful"}`, "no", []tool{refundCall("2")}, false},
		"another tool":      {`{"mode":"faithful"}`, "make it two", []tool{cancel}, false},
		"one more call":     {`{"mode":"faithful"}`, "make it two", []tool{refundCall("2"), refundCall("3")}, false},
		"another beside it": {`{"mode":"faithful"}`, "make it two", []tool{refundCall("2"), cancel}, false},
		"the same call":     {`{"mode":"faithful"}`, "make it two", []tool{{"c2", one.name, one.args}}, false},
		"strict":            {`{}`, "make it two", []tool{refundCall("2")}, false},
		"not on the list":   {`{"mode":"faithful","conversation":["other"]}`, "make it two", []tool{refundCall("2")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			runBothWays(t, func(t *testing.T, stream bool) {
				s := newTestService(t, x.policy)
				c := s.newTalk(stream, "")
				s.model.scriptSteps(answerStep("", one), answerStep("", x.next...), answerStep("As you like."))
				c.sendUser("refund me").assertAsks(t, "amount = 1")
				got := c.sendUser(x.reply)
				if ran := len(got.calls) > 0; ran != x.runs {
					t.Fatalf("ran %v: %+v", ran, got)
				}
				want := 0
				if x.runs {
					want = 1
				}
				if n := s.queryCount(`SELECT count(*) FROM audit WHERE entry LIKE '%"event":"faithful"%"tool":"issue_refund"%in mode faithful, the call runs without a question after the person''s reply to %make it two%'`); n != want {
					t.Errorf("%d notes of what was let through", n)
				}
				if n := s.queryCount(`SELECT count(*) FROM audit WHERE entry LIKE '%"event":"decide"%"approve":true%' AND entry NOT LIKE '%"by":"conversation of bot"%'`); n != 0 {
					t.Errorf("%d approvals in another name", n)
				}
			})
		})
	}
}

// TestC07FaithfulAsksBeforeDestruction checks that, in mode faithful, a call that cannot
// be undone always needs a question (finding C7).
func TestC07FaithfulAsksBeforeDestruction(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		wire := func(n string) tool { return tool{"call_" + n, "wire_money", `{"amount":` + n + `}`} }
		s := newTestService(t, `{"mode":"faithful","conversation":["wire_money"]}`)
		c := s.newTalk(stream, "")
		s.model.scriptSteps(answerStep("", wire("1")), answerStep("", wire("2")))
		c.sendUser("hi").assertAsks(t, "amount = 1")
		c.sendUser("make it two").assertAsks(t, "amount = 2")
	})
}

// TestC07Warnings checks that the proxy warns about settings that let changes run without
// a question (finding C7).
func TestC07Warnings(t *testing.T) {
	check := func(policy string, want string, change func(*proxy.Options)) {
		t.Helper()
		got := strings.Join(newTestService(t, policy, change).proxy.Warnings(), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", policy, got, want)
		}
	}
	check(`{}`, "", func(*proxy.Options) {})
	check(`{"mode":"faithful"}`, "the mode faithful is only for research", func(*proxy.Options) {})
	check(`{"mode":"faithful"}`, "", onPage(0))
	check(`{}`, "verification is off", func(o *proxy.Options) { o.NoVerify = true })
}

// TestCallsOfTwoBodies checks that a call is refused if clients may read it in different
// ways. For example, such a call has both a function and a custom body, or a name or
// arguments next to its body.
func TestCallsOfTwoBodies(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		for _, call := range []string{
			`{"index":0,"id":"c","type":"function","function":{"name":"get_order","arguments":"{}"},"custom":{"name":"run_sql","input":"drop table t"}}`,
			`{"index":0,"id":"c","type":"custom","function":{"name":"delete_all","arguments":"{}"},"custom":{"name":"get_order","input":"x"}}`,
			`{"index":0,"id":"c","custom":{"name":"run_sql","input":"x"},"function":{"name":"get_order","arguments":"{}"}}`,
			`{"index":0,"id":"c","type":"function","custom":{"name":"get_order","input":"x"}}`,
			`{"index":0,"id":"c","type":"custom","function":{"name":"get_order","arguments":"{}"}}`,
			`{"index":0,"id":"c","type":"function","name":"delete_all","function":{"name":"get_order","arguments":"{}"}}`,
			`{"index":0,"id":"c","type":"function","arguments":{"all":true},"function":{"name":"get_order","arguments":"{}"}}`,
		} {
			s := newTestService(t, "")
			s.model.scriptSteps(rawStep(answerWith(stream, `"tool_calls":[`+call+`]`)))
			got := s.newTalk(stream, "").sendUser("hi")
			if len(got.calls) > 0 || !strings.Contains(got.failure, "upstream_invalid") || strings.Contains(got.text, "delete_all") {
				t.Errorf("%s: %+v", call, got)
			}
		}
		// pieces of a stream that change the type of a call
		if stream {
			s := newTestService(t, "")
			s.model.scriptSteps(rawStep(`data: {"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"get_order","arguments":"{}"}}]}}]}` + "\n\n" +
				`data: {"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"type":"custom"}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"))
			if got := s.newTalk(true, "").sendUser("hi"); len(got.calls) > 0 || got.failure == "" {
				t.Errorf("%+v", got)
			}
		}
	})
}

// answerWith returns an answer of the model whose message has the given members.
func answerWith(stream bool, members string) string {
	if stream {
		return `data: {"id":"x","choices":[{"index":0,"delta":{"role":"assistant",` + members + `},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	}
	return `{"id":"x","choices":[{"index":0,"message":{"role":"assistant",` + members + `},"finish_reason":"tool_calls"}]}`
}

// TestOtherAPIs checks requests to APIs that the proxy does not support. The answer must
// be an error in the form of the requested API. The model's server must not be called.
func TestOtherAPIs(t *testing.T) {
	s := newTestService(t, "")
	for path, part := range map[string]string{
		"/v1/responses/resp_1":                   `{"error":{"message":"this gate does not support stored responses, only /v1/chat/completions, /v1/responses, /v1/messages, Gemini's generateContent and streamGenerateContent, Ollama's /api/chat, and what contains no calls: models, embeddings, completions, audio, files, images and moderations. Instead, send POST /v1/responses with the whole conversation as input"`,
		"/v1/conversations":                      `"code":"unsupported_api"`,
		"/v1/messages/batches":                   `{"type":"error","error":{"type":"not_found_error","message":"this gate does not support Anthropic's Message Batches API`,
		"/v1/audio/voices":                       `this operation of the Audio API`,
		"/v1/batches":                            `nobody could decide about the calls of a batch`,
		"/v1beta/models/g:predict":               `"status":"NOT_FOUND"`,
		"/v1beta/cachedContents":                 `BOUNDCHECK_UPSTREAM) https://generativelanguage`,
		"/v1beta/models/a/../g:generateContent":  `this operation of Gemini's API`,
		"/model/m/converse":                      `{"message":"this gate does not support Bedrock`,
		"/api/generate":                          `{"error":"this gate does not support Ollama's generate`,
		"/api/pull":                              `this operation of Ollama's API`,
		"/openai/deployments/d/chat/completions": `Azure`,
		"/v1/files/../chat/completions":          `this operation of the Files API`,
		"/v1/files/%2e%2e/chat/completions":      `this operation of the Files API`,
		"/v1/files//x":                           `this operation of the Files API`,
		"/v1/chat/completions/x/more":            `unknown path`,
	} {
		r, _ := http.NewRequest("POST", s.url+path, strings.NewReader(`{"model":"m"}`))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(w.Body)
		if w.Body.Close(); w.StatusCode != 404 || !strings.Contains(string(text), part) {
			t.Errorf("%s: %d %s", path, w.StatusCode, text)
		}
	}
	if s.model.requestCount() != 0 {
		t.Error("the model's server was asked")
	}
}

// TestPassing checks what contains no calls: requests and answers pass unchanged, with the
// model server's key in place of the agent's. A completion whose text contains a call does
// not pass.
func TestPassing(t *testing.T) {
	s := newTestService(t, "")
	send := func(method, path, body, kind string) (int, string, http.Header) {
		t.Helper()
		r, _ := http.NewRequest(method, s.url+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		r.Header.Set("Content-Type", kind)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		return w.StatusCode, string(text), w.Header
	}
	answer := func(kind, text string) step {
		return func(w http.ResponseWriter, _ bool) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Set-Cookie", "a=b")
			io.WriteString(w, text)
		}
	}
	for _, c := range []struct{ method, path, kind, body, answer string }{
		{"POST", "/v1/embeddings", "application/json", `{"input":"delete all", "model":"e"}`, `{"data": []}`}, {"GET", "/v1/models", "", "", `{"data":[ ]}`},
		{"POST", "/v1/audio/transcriptions", "multipart/form-data; boundary=x", "--x\r\n\x00\xff\r\n--x--", `{"text":"delete"}`}, {"POST", "/v1/audio/speech", "application/json", `{"input":"x"}`, "\xff\xf3\x00"},
		{"GET", "/v1/files/file-1/content?after=x", "", "", "a,b\n"}, {"DELETE", "/v1/files/file-1", "", "", `{"deleted":true}`}, {"POST", "/v1/moderations", "application/json", `{}`, `{}`},
		{"POST", "/v1/completions", "application/json", `{"prompt":"x"}`, `{"choices":[{"index":0,"text":"hello"}]}`},
		{"POST", "/v1/completions", "application/json", `{"prompt":"x","stream":true}`, "data: {\"choices\":[{\"index\":0,\"text\":\"hello\"}]}\n\ndata: [DONE]\n\n"},
	} {
		s.model.scriptSteps(answer("x/y", c.answer))
		status, text, head := send(c.method, c.path, c.body, c.kind)
		if status != 200 || text != c.answer || head.Get("Content-Type") != "x/y" || head.Get("Set-Cookie") != "" || s.model.lastRequest() != c.body {
			t.Errorf("%s: %d %q %v, the model's server got %q", c.path, status, text, head, s.model.lastRequest())
		}
		if sent := s.model.header[len(s.model.header)-1]; sent.Get("Authorization") != "Bearer upstream-secret" || c.kind != "" && sent.Get("Content-Type") != c.kind {
			t.Errorf("%s: the model's server gets %v", c.path, sent)
		}
	}
	for _, text := range []string{
		`{"choices":[{"index":0,"text":"Action: delete_order\nAction Input: {}"}]}`, `{"choices":[{"index":0,"text":"<tool_call>{\"name\":\"delete_order\",\"arguments\":{}}</tool_call>"}]}`,
		"data: {\"choices\":[{\"index\":0,\"text\":\"<tool_c\"}]}\n\ndata: {\"choices\":[{\"index\":0,\"text\":\"all>{\\\"name\\\":\\\"delete_order\\\"}</tool_call>\"}]}\n\n",
		`{"choices":[{"index":0,"text":"x","Text":"y","text":"Action: a"}]}`, `no JSON`,
	} {
		s.model.scriptSteps(answer("application/json", text))
		if status, got, _ := send("POST", "/v1/completions", `{}`, "application/json"); status != 502 || strings.Contains(got, "delete_order") {
			t.Errorf("%s passes: %d %s", text, status, got)
		}
	}
	if status, text, _ := send("GET", "/v1/embeddings", "", ""); status != 405 || !strings.Contains(text, "takes POST") {
		t.Errorf("%d %s", status, text)
	}
	n := s.model.requestCount()
	r, _ := http.NewRequest("POST", s.url+"/v1/embeddings", strings.NewReader("{}"))
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || w.StatusCode != 401 || s.model.requestCount() != n {
		t.Errorf("without a key: %v %v", w.StatusCode, err)
	}
}
