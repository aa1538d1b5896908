package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/remote/openai"
)

var _ judge.Judge = (*Client)(nil)

// fake is a chat server. The task of a case selects the handler, so that order and
// parallelism cannot mix up the cases.
type fake struct {
	mu       sync.Mutex
	requests []request
	treat    map[string]http.HandlerFunc
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q request
	var c struct{ Task string }
	if json.Unmarshal(body, &q) != nil || r.URL.Path != "/v1/chat/completions" || len(q.Messages) != 2 {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	user := q.Messages[1].Content
	json.Unmarshal([]byte(user[strings.Index(user, "{"):]), &c)
	f.mu.Lock()
	f.requests = append(f.requests, q)
	h := f.treat[c.Task]
	f.mu.Unlock()
	if h != nil {
		h(w, r)
		return
	}
	answerHandler(`{"label":"SCOPE_OVER","confidence":0.8,"reason":"`+c.Task+`"}`)(w, r)
}

func (f *fake) requestCount() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.requests)
}

func answerHandler(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		content, _ := json.Marshal(text)
		fmt.Fprintf(w, `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":%s}}]}`, content)
	}
}

func rawHandler(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func hangRequest(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func resetConnection(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

func truncateAnswer(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	w.Write([]byte(`{"choices":[{"message":{"content":"{\"label\":\"NONE\",\"confidence\":1}`))
	panic(http.ErrAbortHandler)
}

// onceHandler returns a handler that calls the given handler for the first request, and
// answers all later requests normally.
func onceHandler(first http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	done := false
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		was := done
		done = true
		mu.Unlock()
		if was {
			answerHandler(`{"label":"NONE","confidence":1}`)(w, r)
			return
		}
		first(w, r)
	}
}

func newTestClient(t *testing.T, treat map[string]http.HandlerFunc, o Options) (*Client, *fake) {
	t.Helper()
	f := &fake{treat: treat}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	o.BaseURL, o.Model, o.Backoff = s.URL, "big", time.Millisecond
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

func newTestCase(task string) judge.Case {
	return judge.Case{Task: task, Observed: &judge.Action{Name: "cancel"}, Finding: violation.Finding{Type: violation.OverAction, Confidence: 0.75}}
}

func newTestCases(tasks ...string) []judge.Case {
	var out []judge.Case
	for _, task := range tasks {
		out = append(out, newTestCase(task))
	}
	return out
}

func TestJudge(t *testing.T) {
	c, f := newTestClient(t, nil, Options{Parallel: 3})
	tasks := strings.Fields("a b c a d e f b g")
	got, err := c.Judge(newTestCases(tasks...))
	if err != nil || len(got) != len(tasks) {
		t.Fatal(err, got)
	}
	for i, o := range got {
		if o.Label != judge.ScopeOver || o.Confidence != 0.8 || o.Reason != tasks[i] {
			t.Errorf("case %d, %s: %+v", i, tasks[i], o)
		}
	}
	if _, err := c.Judge(newTestCases("a", "h")); err != nil || f.requestCount() != 8 {
		t.Errorf("%v; %d requests for 8 distinct cases", err, f.requestCount())
	}
	if r := f.requests[0]; r.Model != "big" || r.Temperature != 0 || r.MaxTokens != 4096 || r.Stream || r.Format.Type != "json_object" || r.Messages[0].Role != "system" {
		t.Errorf("sent %+v", r)
	}
	if got, err := c.Judge(nil); err != nil || len(got) != 0 || c.String() != "big" {
		t.Errorf("no cases: %v, %v", got, err)
	}
}

// TestMisbehaviour checks that a bad answer on one case changes no opinion on other
// cases. If the opinion on that case has no label, it must contain the reason.
func TestMisbehaviour(t *testing.T) {
	check := func(name, reason string, h http.HandlerFunc) {
		t.Helper()
		c, _ := newTestClient(t, map[string]http.HandlerFunc{"bad": h}, Options{Options: openai.Options{Timeout: time.Second, Retries: 1, MaxBytes: 1 << 16}, Parallel: 2})
		got, err := c.Judge(newTestCases("first", "bad", "last"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if got[0].Reason != "first" || got[2].Reason != "last" {
			t.Errorf("%s spoiled others: %+v", name, got)
		}
		if reason == "" && got[1].Label != judge.None || reason != "" && (got[1].Label != "" || !strings.Contains(got[1].Reason, reason)) {
			t.Errorf("%s: %+v, want %q", name, got[1], reason)
		}
	}
	check("fenced", "", answerHandler("Sure!\n```json\n{\"label\":\"NONE\",\"confidence\":1}\n```"))
	check("parts", "", rawHandler(200, `{"choices":[{"message":{"content":[{"type":"text","text":"{\"label\":\"NONE\","},{"type":"text","text":"\"confidence\":1}"}]}}]}`))
	check("429, then fine", "", onceHandler(rawHandler(429, "")))
	check("500, then fine", "", onceHandler(rawHandler(500, "")))
	check("reset, then fine", "", onceHandler(resetConnection))
	check("truncated, then fine", "", onceHandler(truncateAnswer))
	check("refusal in words", "no JSON object: I'm sorry", answerHandler("I'm sorry, I cannot help with that."))
	check("refusal", "the judge refused: no", rawHandler(200, `{"choices":[{"message":{"content":null,"refusal":"no"}}]}`))
	check("bad JSON inside", "no JSON object", answerHandler(`{"label":"NONE","confidence":1`))
	check("wrong label", `unknown label: "FINE"`, answerHandler(`{"label":"FINE","confidence":1}`))
	check("wrong confidence", "not a number from 0 to 1: 100", answerHandler(`{"label":"NONE","confidence":100}`))
	check("bad JSON around", "invalid character", rawHandler(200, `<html>`))
	check("another form", "no choice", rawHandler(200, `{"message":"hello"}`))
	check("empty choices", "no choice", rawHandler(200, `{"choices":[]}`))
	check("null content", "contains no text", rawHandler(200, `{"choices":[{"message":{"content":null}}]}`))
	check("empty content", "is empty", answerHandler(""))
	check("cut off", "cut off", rawHandler(200, `{"choices":[{"finish_reason":"length","message":{"content":"{\"label\":\"NONE\",\"confidence\":1}"}}]}`))
	check("filtered", "content filter", rawHandler(200, `{"choices":[{"finish_reason":"content_filter","message":{"content":""}}]}`))
	check("truncated body", "the answer was cut off (after 2 attempts)", truncateAnswer)
	check("time-out", "waited 1s", hangRequest)
	check("always 429", "busy (status 429)", rawHandler(429, ""))
	check("always 500", "the server failed (status 500): oh", rawHandler(500, "oh"))
	check("giant body", "too large", answerHandler(strings.Repeat("x", 1<<17)))
	check("always reset", "the connection broke", resetConnection)
	check("too long", "too long", rawHandler(400, `{"error":{"message":"maximum context length"}}`))
}

func TestUnusable(t *testing.T) {
	check := func(want string, h http.HandlerFunc) {
		t.Helper()
		c, f := newTestClient(t, map[string]http.HandlerFunc{"a": h, "b": h}, Options{Parallel: 1})
		_, err := c.Judge(newTestCases("a", "b"))
		if err == nil || !strings.Contains(err.Error(), want) || f.requestCount() != 1 {
			t.Errorf("%v after %d requests, want %q", err, f.requestCount(), want)
		}
	}
	check("no key was sent", rawHandler(401, ""))
	check("model not found", rawHandler(404, `{"error":"model not found"}`))

	s := httptest.NewServer(nil)
	s.Close()
	c, err := New(Options{Options: openai.Options{BaseURL: s.URL, Retries: -1}, Model: "big"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Judge(newTestCases("a")); err == nil || !strings.Contains(err.Error(), "the judge's server cannot be used") || !strings.Contains(err.Error(), "cannot connect") {
		t.Errorf("%v", err)
	}
	if _, err := New(Options{Options: openai.Options{BaseURL: s.URL}}); err == nil {
		t.Error("no model is fine")
	}
	if _, err := New(Options{Model: "big"}); err == nil {
		t.Error("no address is fine")
	}
}

// TestGivesUp checks that a judge that stops answering is not asked any more.
func TestGivesUp(t *testing.T) {
	treat := map[string]http.HandlerFunc{}
	tasks := []string{"good"}
	for i := range 20 {
		tasks = append(tasks, fmt.Sprint("bad", i))
		treat[tasks[i+1]] = hangRequest
	}
	c, f := newTestClient(t, treat, Options{Options: openai.Options{Timeout: 100 * time.Millisecond}, Parallel: 2})
	got, err := c.Judge(newTestCases(tasks...))
	if err != nil || got[0].Label != judge.ScopeOver || !strings.Contains(got[1].Reason, "no answer in time") ||
		!strings.Contains(got[20].Reason, "not asked, because 3 cases in a row got no answer") || f.requestCount() != 4 {
		t.Errorf("%v, %d requests: %+v", err, f.requestCount(), got)
	}
	f.mu.Lock()
	f.treat = nil
	f.mu.Unlock()
	if got, err = c.Judge(newTestCases("bad0")); err != nil || got[0].Label == "" {
		t.Errorf("trouble was remembered: %+v", got)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c, _ := newTestClient(t, map[string]http.HandlerFunc{"b": hangRequest}, Options{Options: openai.Options{Context: ctx}, Parallel: 1})
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := c.Judge(newTestCases("a", "b", "c")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestWithoutFormat checks that no request contains response_format after the server has
// refused it.
func TestWithoutFormat(t *testing.T) {
	var mu sync.Mutex
	formatted := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		json.NewDecoder(r.Body).Decode(&q)
		if q.Format != nil {
			mu.Lock()
			formatted++
			mu.Unlock()
			rawHandler(400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`)(w, r)
			return
		}
		answerHandler(`{"label":"NONE","confidence":1}`)(w, r)
	}))
	defer s.Close()
	c, err := New(Options{Options: openai.Options{BaseURL: s.URL}, Model: "big", Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Judge(newTestCases("a", "b", "c")); err != nil || got[0].Label != judge.None || got[2].Label != judge.None || formatted != 1 {
		t.Errorf("%v, %+v, %d with a format", err, got, formatted)
	}
}
