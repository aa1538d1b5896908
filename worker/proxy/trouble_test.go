//go:build !js

package proxy_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/worker/proxy"
)

// TestUpstreamTrouble checks faulty answers of the model's server. None of their calls
// may be passed on. The client must get an error in OpenAI's form, and the next request
// must work.
func TestUpstreamTrouble(t *testing.T) {
	status := func(code int, header, value, body string) step {
		return func(w http.ResponseWriter, _ bool) {
			if header != "" {
				w.Header().Set(header, value)
			}
			w.WriteHeader(code)
			io.WriteString(w, body)
		}
	}
	half := func(w http.ResponseWriter, stream bool) {
		w.Header().Set("Content-Length", "9999")
		rawStep(truncatedAnswer(stream, "", cancel))(w, stream)
	}
	flood := func(w http.ResponseWriter, stream bool) {
		rawStep(strings.Repeat(" ", 200<<10))(w, stream)
	}
	cases := []struct {
		name   string
		play   step
		status int
		part   string
	}{
		{"500 without a body", status(500, "", "", ""), 500, "upstream_error the model's server answered with status 500"},
		{"503 in HTML", status(503, "Content-Type", "text/html", "<h1>down</h1>"), 503, "<h1>down</h1>"},
		{"429 in its own words", status(429, "Retry-After", "7", `{"error":{"message":"slow down","type":"requests","code":"rate_limit"}}`), 429, "rate_limit slow down"},
		{"400 in its own words", status(400, "", "", `{"error":{"message":"bad tool","type":"invalid_request_error"}}`), 400, "bad tool"},
		{"the gate's key is refused", status(401, "", "", `{"error":{"message":"Incorrect API key provided: upstream-secret"}}`), 502, "upstream_refused"},
		{"a redirect", status(302, "Location", "https://elsewhere.example/", ""), 502, "does not follow"},
		{"not JSON", rawStep("<html>"), 502, "upstream_invalid"},
		{"an unknown encoding", status(200, "Content-Encoding", "br", "x"), 502, "encoding"},
		{"half of it", half, 502, "upstream_invalid"},
		{"no end of bytes", flood, 502, "over the limit"},
		{"an unknown kind of call", func(w http.ResponseWriter, stream bool) {
			rawStep(strings.ReplaceAll(map[bool]string{true: streamOf("x", "tool_calls", "", []tool{cancel}), false: wholeOf("x", "tool_calls", "", []tool{cancel})}[stream], `"type":"function"`, `"type":"teleport"`))(w, stream)
		}, 502, "unknown type"},
		{"no reason for the end", func(w http.ResponseWriter, stream bool) {
			rawStep(strings.ReplaceAll(map[bool]string{true: streamOf("x", "tool_calls", "", []tool{look}), false: wholeOf("x", "tool_calls", "", []tool{look})}[stream], `"finish_reason":"tool_calls"`, `"finish_reason":null`))(w, stream)
		}, 502, "upstream_invalid"},
		{"calls in a second choice", func(w http.ResponseWriter, stream bool) {
			rawStep(strings.ReplaceAll(wholeOf("x", "tool_calls", "", []tool{cancel}), `[{"index":0,"`, `[{"index":0,"message":{},"finish_reason":"stop"},{"index":1,"`))(w, stream)
		}, 502, "in a wrong place"},
		{"two calls with one id", answerStep("", cancel, tool{cancel.id, "get_order", "{}"}), 502, "two calls have the id"},
	}
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", func(o *proxy.Options) { o.Upstream.Limit = 100 << 10 })
		for _, c := range cases {
			if stream && (c.name == "half of it" || c.name == "calls in a second choice") {
				continue // TestEverySplit covers such streams
			}
			s.model.scriptSteps(c.play)
			k := s.newTalk(stream, "")
			got := k.sendUser("cancel it")
			if got.status != c.status && got.status != 200 || !strings.Contains(got.failure, c.part) || len(got.calls) > 0 || got.finish != "" {
				t.Errorf("%s: %+v", c.name, got)
			}
			if strings.Contains(got.text, "upstream-secret") {
				t.Errorf("%s: the upstream's key is shown", c.name)
			}
			s.model.scriptSteps(answerStep("", look))
			s.newTalk(stream, "").sendUser("look").assertCalls(t, look)
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals`); n != 0 {
			t.Errorf("%d proposals out of broken answers", n)
		}
	})
}

// TestNoEnd checks that the proxy does not wait for a model's server that stops sending
// in the middle.
func TestNoEnd(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", func(o *proxy.Options) {
			if o.Upstream.Timeout = 50 * time.Millisecond; stream {
				o.Upstream.Timeout, o.Upstream.Idle = time.Hour, 50*time.Millisecond
			}
		})
		over := make(chan bool)
		defer close(over)
		s.model.scriptSteps(func(w http.ResponseWriter, stream bool) {
			rawStep(truncatedAnswer(stream, "", cancel))(w, stream)
			http.NewResponseController(w).Flush()
			<-over
		})
		got := s.newTalk(stream, "").sendUser("cancel it")
		if got.status != 504 && got.status != 200 || !strings.Contains(got.failure, "upstream_timeout") || len(got.calls) > 0 || got.finish != "" {
			t.Errorf("%+v", got)
		}
	})
}

// truncatedAnswer returns an answer without its end.
func truncatedAnswer(stream bool, text string, tools ...tool) string {
	if stream {
		whole := streamOf("x", "tool_calls", text, tools)
		return whole[:strings.Index(whole, `data: {"id":"x","object":"chat.completion.chunk","created":1700000000,"model":"m-1","choices":[{"index":0,"delta":{},`)]
	}
	whole := wholeOf("x", "tool_calls", text, tools)
	return whole[:len(whole)-20]
}

// TestHalfAStream checks a stream that ends early. The text that was sent stays. The call
// must not pass, and the stream must end with an error.
func TestHalfAStream(t *testing.T) {
	s := newTestService(t, "")
	s.model.scriptSteps(rawStep(truncatedAnswer(true, "I will cancel it.", cancel)))
	got := s.newTalk(true, "").sendUser("cancel it")
	if got.status != 200 || got.content != "I will cancel it." || len(got.calls) > 0 || got.finish != "" || !strings.Contains(got.failure, "ended too early") || strings.Contains(got.text, "[DONE]") {
		t.Errorf("%+v", got)
	}
}

// TestCutOffByLength checks that a call never passes if the token limit has cut it off,
// even if it would only read.
func TestCutOffByLength(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		for _, finish := range []string{"length", "content_filter", "something_new"} {
			s.model.scriptSteps(finishStep(finish, "", tool{"c", "get_order", `{"order_id":"#W1`}), answerStep("Again.", look))
			c := s.newTalk(stream, "")
			got := c.sendUser("look")
			if got.status != 200 || len(got.calls) > 0 || got.finish != finish || !strings.Contains(got.content, "None of its calls has run") {
				t.Errorf("%s: %+v", finish, got)
			}
			c.sendUser("go on").assertCalls(t, look)
			if outlineRoles(s.messagesToModel()) != "user user" {
				t.Errorf("the model saw %s", outlineRoles(s.messagesToModel()))
			}
		}
	})
}

// TestUnreadableArguments checks that the model is told the fault if a call's arguments
// cannot be read. The model may then make the call again.
func TestUnreadableArguments(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		s.model.scriptSteps(answerStep("", tool{"c1", "update_order", `{"id":1,"id":2}`}), answerStep("", tool{"c2", "update_order", `{"id":`}), answerStep("", cancel))
		s.newTalk(stream, "").sendUser("cancel it").assertAsks(t, "Tool: update_order")
		m := s.messagesToModel()
		if got, want := outlineRoles(m), "user assistant+calls tool assistant+calls tool"; got != want || !strings.Contains(m[2]["content"].(string), "appears twice") {
			t.Errorf("the model saw %s: %v", got, m)
		}
		s.model.scriptSteps(answerStep("", tool{"", "x", "{}"}))
		s.newTalk(stream, "").sendUser("x").assertFails(t, map[bool]int{true: 200, false: 502}[stream], "a call has no id")
	})
}

// TestBadRequests checks that errors in a request are reported in OpenAI's form.
func TestBadRequests(t *testing.T) {
	s := newTestService(t, "", func(o *proxy.Options) { o.Limit = 4000 })
	check := func(status int, part, key, body string, header ...string) {
		t.Helper()
		got := s.postChat(key, body, false, header...)
		if got.status != status || !strings.Contains(got.failure, part) {
			t.Errorf("%.60s: %d %s", body, got.status, got.text)
		}
	}
	fine := `{"messages":[{"role":"user","content":"hi"}]}`
	check(401, "unauthorized", "nobody", fine)
	check(403, "agent", aliceKey, fine)
	check(400, "invalid JSON", agentKey, `{`)
	check(400, "want an object", agentKey, `[]`)
	check(400, "missing messages", agentKey, `{}`)
	check(400, "want objects", agentKey, `{"messages":[1]}`)
	check(400, "appears twice", agentKey, `{"messages":[{"role":"user","content":"hi"}],"messages":[]}`)
	check(400, "appears twice", agentKey, `{"messages":[{"role":"user","content":"hi"}],"Messages":[]}`)
	check(400, "the gate allows only one choice", agentKey, `{"n":2,"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"a"}}]}`)
	check(413, "over the limit", agentKey, `{"messages":[{"role":"user","content":"`+strings.Repeat("x", 5000)+`"}]}`)
	check(415, "encoding", agentKey, fine, "Content-Encoding", "br")
	check(400, "not gzip", agentKey, fine, "Content-Encoding", "gzip")
	check(413, "over the limit", agentKey, gzipText(strings.Repeat(" ", 5000)), "Content-Encoding", "gzip")
	if n := s.model.requestCount(); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	s.model.scriptSteps(answerStep("hello"))
	if got := s.postChat(agentKey, gzipText(fine), false, "Content-Encoding", "gzip"); got.content != "hello" || s.model.lastRequest() != fine {
		t.Errorf("%+v", got)
	}
	for path, want := range map[string]int{"/v1/chat/completions": 405, "/v1/models/x/y": 418} {
		r, _ := http.NewRequest("GET", s.url+path, nil)
		r.Header.Set("Authorization", "Bearer "+agentKey)
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil || w.StatusCode != want {
			t.Errorf("%s: %v %v", path, w.StatusCode, err)
		}
	}
}

func gzipText(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// TestPackedAnswer checks that a compressed answer of the model's server is read.
func TestPackedAnswer(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		packed := func(w http.ResponseWriter, stream bool) {
			w.Header().Set("Content-Encoding", "gzip")
			if stream {
				rawStep(gzipText(streamOf("x", "tool_calls", "", []tool{cancel})))(w, stream)
				return
			}
			rawStep(gzipText(wholeOf("x", "tool_calls", "", []tool{cancel})))(w, stream)
		}
		s.model.scriptSteps(packed)
		c := s.newTalk(stream, "")
		c.sendUser("cancel it").assertAsks(t)
		c.sendUser("yes").assertCalls(t, cancel)
	})
}

// TestTwoChoicesOfWords checks that an answer with several choices passes if no call
// needs a decision.
func TestTwoChoicesOfWords(t *testing.T) {
	s := newTestService(t, "")
	want := `{"id":"x","choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"},{"index":1,"message":{"content":"b"},"finish_reason":"stop"}]}`
	s.model.scriptSteps(rawStep(want))
	if got := s.postChat(agentKey, `{"n":2,"messages":[{"role":"user","content":"hi"}]}`, false); got.text != want {
		t.Errorf("%s", got.text)
	}
	want = "data: {\"id\":\"x\",\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}}]}\n\ndata: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n" +
		"data: {\"id\":\"x\",\"choices\":[{\"index\":1,\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n"
	s.model.scriptSteps(rawStep(want))
	if got := s.postChat(agentKey, `{"n":2,"stream":true,"messages":[{"role":"user","content":"hi"}]}`, true); got.text != want {
		t.Errorf("%s", got.text)
	}
}

// TestKeysStayApart checks that the client's key is not sent to the model's server.
func TestKeysStayApart(t *testing.T) {
	s := newTestService(t, "")
	s.model.scriptSteps(answerStep("hi"))
	s.newTalk(false, "").sendUser("hi").assertText(t, "hi")
	if got := s.model.header[0]; got.Get("Authorization") != "Bearer upstream-secret" || strings.Contains(s.model.lastRequest(), agentKey) {
		t.Errorf("%v", got)
	}
}

// TestClientGoesAway checks that no question stays open if the client disconnects. The
// request to the model's server must be cancelled.
func TestClientGoesAway(t *testing.T) {
	s := newTestService(t, "")
	reached, ended := make(chan bool), make(chan bool)
	s.model.scriptSteps(func(w http.ResponseWriter, stream bool) {
		rawStep(": hello\n\n")(w, stream)
		http.NewResponseController(w).Flush()
		close(reached)
		for range 200 {
			if _, err := io.WriteString(w, ": still here\n\n"); err != nil || http.NewResponseController(w).Flush() != nil {
				close(ended)
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	ctx, leave := context.WithCancel(context.Background())
	r, _ := http.NewRequestWithContext(ctx, "POST", s.url+"/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"hi"}]}`))
	r.Header.Set("Authorization", "Bearer "+agentKey)
	go func() {
		w, err := http.DefaultTransport.RoundTrip(r)
		if err == nil {
			io.Copy(io.Discard, w.Body)
			w.Body.Close()
		}
	}()
	<-reached
	leave()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the model's server goes on for nobody")
	}
	if n := s.queryCount(`SELECT count(*) FROM proposals`); n != 0 {
		t.Errorf("%d proposals", n)
	}
}

// TestClientLeavesWhileWaiting checks that calls that wait for a decision on the page
// are cancelled when their client disconnects.
func TestClientLeavesWhileWaiting(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(time.Minute))
		s.model.scriptSteps(answerStep("", cancel))
		ctx, leave := context.WithCancel(context.Background())
		c := s.newTalk(stream, "").addMessage(map[string]any{"role": "user", "content": "cancel it"})
		r, _ := http.NewRequestWithContext(ctx, "POST", s.url+"/v1/chat/completions", strings.NewReader(c.requestBody()))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		gone := make(chan bool)
		go func() {
			defer close(gone)
			if w, err := http.DefaultTransport.RoundTrip(r); err == nil {
				io.Copy(io.Discard, w.Body)
				w.Body.Close()
			}
		}()
		for s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'pending'`) == 0 {
			time.Sleep(5 * time.Millisecond)
		}
		leave()
		<-gone
		for range 6000 {
			if s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'cancelled'`) == 1 {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error("the call still waits for a decision")
	})
}

// TestSilentModel checks that the client of a silent model gets comments, and beside them
// the model's bytes.
func TestSilentModel(t *testing.T) {
	s := newTestService(t, "", func(o *proxy.Options) { o.Beat = 5 * time.Millisecond })
	want := streamOf("x", "tool_calls", "one two three", []tool{look})
	half := len(want) / 2 // in the middle of an event
	heard := make(chan bool)
	hear := sync.OnceFunc(func() { close(heard) })
	defer hear()
	s.model.scriptSteps(func(w http.ResponseWriter, stream bool) {
		rawStep(want[:half])(w, stream)
		http.NewResponseController(w).Flush()
		<-heard
		io.WriteString(w, want[half:])
	})
	r, _ := http.NewRequest("POST", s.url+"/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"hi"}]}`))
	r.Header.Set("Authorization", "Bearer "+agentKey)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	const comment = ": waiting for the model\n\n"
	got := ""
	for buffer := make([]byte, 512); strings.Count(got, comment) < 3; {
		n, err := w.Body.Read(buffer)
		if got += string(buffer[:n]); err != nil {
			t.Fatalf("%v after %s", err, got)
		}
	}
	hear()
	more, err := io.ReadAll(w.Body)
	if got = strings.ReplaceAll(got+string(more), comment, ""); err != nil || got != want {
		t.Errorf("%v: got %q\nwant %q", err, got, want)
	}
}

// TestSilentModelInGemini is the law that a stream of the Gemini API has objects only, however long the model is silent: its
// clients read each part of the stream as JSON, so a comment would end the turn.
func TestSilentModelInGemini(t *testing.T) {
	s := newTestService(t, "", func(o *proxy.Options) { o.Beat = time.Millisecond })
	want := geminiSpeech.wholeAnswer(true, "stop", "one two three", nil)
	half := len(want) / 2 // in the middle of an object
	s.model.scriptSteps(func(w http.ResponseWriter, stream bool) {
		time.Sleep(30 * time.Millisecond)
		rawStep(want[:half])(w, stream)
		w.(speechWriter).ResponseWriter.(http.Flusher).Flush()
		time.Sleep(30 * time.Millisecond)
		io.WriteString(w, want[half:])
	})
	s.speech = &geminiSpeech
	if status, got := s.postSpeech(agentKey, geminiSpeech.path(true), `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"get_order"}]}]}`); status != 200 || got != want {
		t.Errorf("%d: got %q\nwant %q", status, got, want)
	}
}

// TestSilentModelIsLeft checks that a silent model is left when its client has gone and the
// host tells so only at the next write.
func TestSilentModelIsLeft(t *testing.T) {
	s := newTestService(t, "", func(o *proxy.Options) { o.Beat = 5 * time.Millisecond })
	silence := make(chan bool)
	s.model.scriptSteps(func(w http.ResponseWriter, stream bool) {
		first, _, _ := strings.Cut(streamOf("x", "stop", "one", nil), "\n\n")
		rawStep(first+"\n\n")(w, stream)
		http.NewResponseController(w).Flush()
		<-silence
	})
	r := httptest.NewRequest("POST", s.url+"/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"hi"}]}`))
	r.Header.Set("Authorization", "Bearer "+agentKey)
	client, left := &leaver{deaf: deaf{http.Header{}}}, make(chan bool)
	go func() {
		defer close(left)
		s.proxy.ServeHTTP(client, r)
	}()
	select {
	case <-left:
	case <-time.After(20 * time.Second):
		t.Error("the model goes on for nobody")
	}
	close(silence)
	if <-left; !strings.Contains(client.first, `"assistant"`) {
		t.Errorf("the client heard %q", client.first)
	}
}

// leaver is a client that has left after the first write.
type leaver struct {
	deaf
	first string
}

func (l *leaver) Write(b []byte) (int, error) {
	if l.first != "" {
		return l.deaf.Write(b)
	}
	l.first = string(b)
	return len(b), nil
}

// deaf is a client that receives the headers and nothing more.
type deaf struct{ header http.Header }

func (d *deaf) Header() http.Header       { return d.header }
func (d *deaf) WriteHeader(int)           {}
func (d *deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestUnheardQuestion checks that a question that nobody received is cancelled.
func TestUnheardQuestion(t *testing.T) {
	for _, stream := range []bool{true, false} {
		s := newTestService(t, "")
		s.model.scriptSteps(answerStep("", cancel))
		if stream {
			s.model.script[0] = rawStep(strings.Replace(streamOf("x", "tool_calls", "", []tool{cancel}), `"content":null`, `"content":null,"tool_calls":[]`, 1))
		}
		c := s.newTalk(stream, "").addMessage(map[string]any{"role": "user", "content": "cancel it"})
		r, _ := http.NewRequest("POST", s.url+"/v1/chat/completions", strings.NewReader(c.requestBody()))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		s.proxy.ServeHTTP(&deaf{http.Header{}}, r)
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'pending'`); n != 0 {
			t.Errorf("stream %v: %d questions wait for nobody", stream, n)
		}
		s.model.scriptSteps(answerStep("", cancel))
		if got := c.sendConversation().assertAsks(t); strings.Contains(got.content, "Another conversation") {
			t.Errorf("stream %v: the unheard question counts as open", stream)
		}
	}
}

// hasty is a client that disconnects as soon as it has read the closing mark.
type hasty struct {
	deaf
	strings.Builder
	leave func()
}

func (h *hasty) Write(b []byte) (int, error) {
	n, err := h.Builder.Write(b)
	if text := h.String(); strings.HasSuffix(text, "[DONE]\n\n") || strings.HasSuffix(text, "}") {
		h.leave()
	}
	return n, err
}

// TestHastyClient checks that a question stays open if the client disconnects after the
// closing mark, as official clients do.
func TestHastyClient(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "")
		s.model.scriptSteps(answerStep("", cancel))
		c := s.newTalk(stream, "").addMessage(map[string]any{"role": "user", "content": "cancel it"})
		ctx, leave := context.WithCancel(context.Background())
		r, _ := http.NewRequestWithContext(ctx, "POST", s.url+"/v1/chat/completions", strings.NewReader(c.requestBody()))
		r.Header.Set("Authorization", "Bearer "+agentKey)
		h := &hasty{deaf: deaf{http.Header{}}, leave: leave}
		s.proxy.ServeHTTP(h, r)
		got := readAnswer(t, 200, h.String(), stream).assertAsks(t)
		c.addMessage(map[string]any{"role": "assistant", "content": got.content})
		c.sendUser("yes").assertCalls(t, cancel)
	})
}

// TestWordsGoThroughAtOnce checks that the client receives the first word before the
// model has sent the second.
func TestWordsGoThroughAtOnce(t *testing.T) {
	s := newTestService(t, "")
	heard := make(chan bool)
	s.model.scriptSteps(func(w http.ResponseWriter, stream bool) {
		text := streamOf("x", "tool_calls", "one two three", []tool{look})
		first, rest, _ := strings.Cut(text, "wo three")
		rawStep(first+"wo three\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n")(w, stream)
		http.NewResponseController(w).Flush()
		select {
		case <-heard:
		case <-time.After(time.Minute):
			t.Error("the client did not hear the words while the model spoke")
		}
		_, rest, _ = strings.Cut(rest, "\n\n")
		io.WriteString(w, rest)
	})
	r, _ := http.NewRequest("POST", s.url+"/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"hi"}]}`))
	r.Header.Set("Authorization", "Bearer "+agentKey)
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	got := ""
	for buffer := make([]byte, 512); !strings.Contains(got, "one t"); {
		n, err := w.Body.Read(buffer)
		if got += string(buffer[:n]); err != nil {
			t.Fatalf("%v after %s", err, got)
		}
	}
	close(heard)
	rest, err := io.ReadAll(w.Body)
	if err != nil || !strings.Contains(string(rest), "get_order") || !strings.HasSuffix(string(rest), "data: [DONE]\n\n") {
		t.Errorf("%v %s", err, rest)
	}
}
