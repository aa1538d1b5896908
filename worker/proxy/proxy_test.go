//go:build !js

package proxy_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/gatefile"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

const (
	agentKey = "agent-key-0123456789abcdef"
	otherKey = "other-agent-0123456789abcdef"
	aliceKey = "alice-key-0123456789abcdef"
	spyKey   = "spy-agent-0123456789abcdef"
	carolKey = "carol-key-0123456789abcdef"
	start    = int64(1_700_000_000_000)
)

const keyFile = `
t agent    bot   ` + agentKey + `
t agent    bot2  ` + otherKey + ` alice
t approver alice ` + aliceKey + `
u agent    bot   ` + spyKey + `
u approver carol ` + carolKey + `
`

// service is a gate with its proxy behind a real server, connected to a model's server
// that follows the test's script.
type service struct {
	t     testing.TB
	gate  *gate.Gate
	proxy *proxy.Proxy
	store *store.Store
	file  string
	url   string
	model *model
	now   atomic.Int64
	tick  atomic.Int64 // by how much the clock goes on each time it is read

	native   bool    // agents speak the Messages API
	responds bool    // its agents speak the Responses API
	speech   *speech // agents speak another API; nil for chat completions
}

func newTestService(t testing.TB, policy string, change ...func(*proxy.Options)) *service {
	t.Helper()
	s := &service{t: t, model: newModel(t), file: gatefile.New(t)}
	s.now.Store(start)
	var err error
	if s.store, err = sqlite.Open(context.Background(), s.file); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	keys, err := gate.ReadKeys(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	p := machine.Default()
	if policy != "" {
		if p, err = machine.ReadPolicy(policy); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if proxy.Serves(r.URL.Path) {
			s.proxy.ServeHTTP(w, r)
			return
		}
		s.gate.ServeHTTP(w, r)
	}))
	s.url = "http://" + server.Listener.Addr().String()
	if s.gate, err = gate.New(gate.Options{Store: s.store, Keys: keys, Policy: p, URL: s.url, Now: func() int64 { return s.now.Add(s.tick.Load()) }, Rate: -1}); err != nil {
		t.Fatal(err)
	}
	o := proxy.Options{Gate: s.gate, Upstream: proxy.Upstream{URL: s.model.url, Key: "upstream-secret", Transport: http.DefaultTransport}}
	for _, c := range change {
		c(&o)
	}
	if s.proxy, err = proxy.New(o); err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(server.Close)
	return s
}

// model is the model's server. Each request uses the next step of its script.
type model struct {
	t      testing.TB
	url    string
	mu     sync.Mutex
	script []step
	free   func(body string) step // answers when the script has ended
	asked  []string               // the bodies of the requests
	header []http.Header
}

type step func(w http.ResponseWriter, stream bool)

func newModel(t testing.TB) *model {
	m := &model{t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m.mu.Lock()
		m.asked, m.header = append(m.asked, string(body)), append(m.header, r.Header)
		var next step
		if len(m.script) > 0 {
			next, m.script = m.script[0], m.script[1:]
		} else if m.free != nil {
			next = m.free(string(body))
		}
		m.mu.Unlock()
		if next == nil {
			http.Error(w, `{"error":{"message":"the script has ended","type":"test"}}`, http.StatusTeapot)
			return
		}
		stream := strings.Contains(string(body), `"stream":true`)
		if r.URL.Path == "/v1/messages" {
			w = nativeWriter{w}
		} else if sp := speechOf(r.URL.Path); sp != nil {
			w, stream = speechWriter{w, sp}, sp.streamed(r.URL.Path, string(body))
		}
		next(w, stream)
	}))
	t.Cleanup(server.Close)
	m.url = server.URL + "/v1"
	return m
}

func (m *model) scriptSteps(steps ...step) {
	m.mu.Lock()
	m.script = append(m.script, steps...)
	m.mu.Unlock()
}

func (m *model) requestCount() int { m.mu.Lock(); defer m.mu.Unlock(); return len(m.asked) }

func (m *model) lastRequest() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.asked) == 0 {
		m.t.Fatal("the model was not asked")
	}
	return m.asked[len(m.asked)-1]
}

// tool is a function call in a test: id, name, arguments.
type tool struct{ id, name, args string }

var ids atomic.Int64

// answerStep returns a step that answers with text and calls, streamed in small pieces or
// whole.
func answerStep(text string, tools ...tool) step { return finishStep("", text, tools...) }

// finishStep does the same as answerStep, but the answer has the given finish reason. If
// finish is "", the reason is the usual one.
func finishStep(finish, text string, tools ...tool) step {
	if finish == "" {
		if finish = "stop"; len(tools) > 0 {
			finish = "tool_calls"
		}
	}
	id := fmt.Sprintf("chatcmpl-%d", ids.Add(1))
	return func(w http.ResponseWriter, stream bool) {
		if _, native := w.(nativeWriter); native {
			sendNative(w, stream, id, finish, text, tools)
			return
		}
		if sp, ok := w.(speechWriter); ok {
			sp.sendAnswer(stream, finish, text, tools)
			return
		}
		if stream {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, streamOf(id, finish, text, tools))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, wholeOf(id, finish, text, tools))
	}
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s)
	return strings.TrimSpace(b.String())
}

func wholeOf(id, finish, text string, tools []tool) string {
	content, calls := "null", ""
	if text != "" {
		content = quoteJSON(text)
	}
	var list []string
	for _, c := range tools {
		list = append(list, `{"id":`+quoteJSON(c.id)+`, "type":"function","function":{"name":`+quoteJSON(c.name)+`,"arguments":`+quoteJSON(c.args)+`}}`)
	}
	if len(list) > 0 {
		calls = `,"tool_calls":[` + strings.Join(list, ",") + `]`
	}
	return `{"id":"` + id + `","object":"chat.completion","created":1700000000,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":` +
		content + calls + `,"refusal":null},"logprobs":null,"finish_reason":"` + finish + `"}],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}}`
}

func streamOf(id, finish, text string, tools []tool) string {
	var b strings.Builder
	chunk := func(delta, finish string) {
		b.WriteString(`data: {"id":"` + id + `","object":"chat.completion.chunk","created":1700000000,"model":"m-1","choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` + finish + "}]}\n\n")
	}
	chunk(`{"role":"assistant","content":`+map[bool]string{true: `""`, false: "null"}[text != ""]+`}`, "null")
	for _, piece := range splitPieces(text, 7) {
		chunk(`{"content":`+quoteJSON(piece)+`}`, "null")
	}
	for i, c := range tools {
		chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":""}}]}`, i, quoteJSON(c.id), quoteJSON(c.name)), "null")
		for _, piece := range splitPieces(c.args, 5) {
			chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, quoteJSON(piece)), "null")
		}
	}
	chunk("{}", quoteJSON(finish))
	b.WriteString(`data: {"id":"` + id + `","object":"chat.completion.chunk","created":1700000000,"model":"m-1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}}` + "\n\n")
	b.WriteString("data: [DONE]\n\n")
	return b.String()
}

func splitPieces(s string, n int) (out []string) {
	r := []rune(s)
	for len(r) > 0 {
		k := min(n, len(r))
		out, r = append(out, string(r[:k])), r[k:]
	}
	return out
}

// talk is a conversation as an agent stores it: it sends messages and receives turns.
type talk struct {
	s        *service
	key      string
	stream   bool
	messages []map[string]any
	last     turn
}

// turn is one answer from the agent's point of view.
type turn struct {
	status  int
	text    string // the answer, byte for byte
	content string
	calls   []tool
	finish  string
	failure string
}

func (s *service) newTalk(stream bool, system string) *talk {
	t := &talk{s: s, key: agentKey, stream: stream}
	if system != "" {
		t.messages = append(t.messages, map[string]any{"role": "system", "content": system})
	}
	return t
}

func (t *talk) addMessage(m map[string]any) *talk { t.messages = append(t.messages, m); return t }

// sendUser sends a user's message and returns the answer.
func (t *talk) sendUser(text string) turn {
	t.s.t.Helper()
	t.addMessage(map[string]any{"role": "user", "content": text})
	return t.sendConversation()
}

// sendAgreement answers the last question with the reply that it asks for.
func (t *talk) sendAgreement() turn {
	t.s.t.Helper()
	_, rest, _ := strings.Cut(t.last.content, "Reply \"")
	reply, _, ok := strings.Cut(rest, "\"")
	if !ok {
		t.s.t.Fatalf("no reply is asked for in %s", t.last.content)
	}
	return t.sendUser(reply)
}

// sendResults sends the tools' results for the calls of the last answer.
func (t *talk) sendResults(texts ...string) turn {
	t.s.t.Helper()
	for i, text := range texts {
		t.addMessage(map[string]any{"role": "tool", "tool_call_id": t.last.calls[i].id, "content": text})
	}
	return t.sendConversation()
}

func (t *talk) requestBody() string {
	b, err := json.Marshal(map[string]any{"model": "m-1", "stream": t.stream, "messages": t.messages, "tools": []any{}})
	if err != nil {
		t.s.t.Fatal(err)
	}
	return string(b)
}

// sendConversation sends the request, and stores the answer in the conversation as an
// agent would.
func (t *talk) sendConversation() turn {
	t.s.t.Helper()
	if t.s.native {
		return t.sendNativeConversation()
	}
	if t.s.speech != nil {
		return t.sendSpeech()
	}
	if t.s.responds {
		return t.sendResponses()
	}
	t.last = t.s.postChat(t.key, t.requestBody(), t.stream)
	if t.last.failure == "" {
		m := map[string]any{"role": "assistant", "content": t.last.content}
		var calls []any
		for _, c := range t.last.calls {
			calls = append(calls, map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": c.args}})
		}
		if calls != nil {
			m["tool_calls"] = calls
		}
		t.addMessage(m)
	}
	return t.last
}

func (s *service) postChat(key, body string, stream bool, header ...string) turn {
	s.t.Helper()
	status, text := s.post("/v1/chat/completions", body, append([]string{"Authorization", "Bearer " + key}, header...)...)
	return readAnswer(s.t, status, text, stream)
}

// post sends a request with pairs of names and values of headers, and returns the status and
// the body of the answer.
func (s *service) post(path, body string, header ...string) (int, string) {
	s.t.Helper()
	r, _ := http.NewRequest("POST", s.url+path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return w.StatusCode, string(text)
}

// readAnswer parses an answer as a simple client does.
func readAnswer(t testing.TB, status int, text string, stream bool) turn {
	t.Helper()
	out := turn{status: status, text: text}
	type fn struct {
		Index    int
		ID       string
		Function struct{ Name, Arguments string }
	}
	type said struct {
		Content   string
		ToolCalls []fn `json:"tool_calls"`
	}
	var v struct {
		ID      string
		Choices []struct {
			Delta, Message said
			Finish         string `json:"finish_reason"`
		}
		Error *struct{ Message, Type, Code string }
	}
	take := func(data string) {
		v.Choices, v.Error = nil, nil
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if v.Error != nil {
			out.failure = v.Error.Code + " " + v.Error.Message
		}
		for _, c := range v.Choices {
			out.content += c.Delta.Content + c.Message.Content
			for _, d := range append(c.Delta.ToolCalls, c.Message.ToolCalls...) {
				if stream && d.Index < len(out.calls) {
					out.calls[d.Index].args += d.Function.Arguments
					continue
				}
				out.calls = append(out.calls, tool{d.ID, d.Function.Name, d.Function.Arguments})
			}
			if c.Finish != "" {
				out.finish = c.Finish
			}
		}
	}
	if !stream || status != 200 {
		take(text)
		return out
	}
	ended := false
	for _, e := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		data, ok := strings.CutPrefix(e, "data: ")
		switch {
		case !ok:
		case data == "[DONE]":
			ended = true
		default:
			take(data)
		}
	}
	if !ended && out.failure == "" {
		t.Errorf("a stream without an end: %s", text)
	}
	return out
}

// runBothWays runs a test twice, with streamed answers and with answers that are not
// streamed.
func runBothWays(t *testing.T, test func(t *testing.T, stream bool)) {
	t.Run("streamed", func(t *testing.T) { test(t, true) })
	t.Run("whole", func(t *testing.T) { test(t, false) })
}

// assertAsks checks that the answer is a question that contains all parts.
func (a turn) assertAsks(t testing.TB, parts ...string) turn {
	t.Helper()
	if a.status != 200 || len(a.calls) > 0 || a.finish != "stop" || !strings.Contains(a.content, "Allow this call?") {
		t.Fatalf("no question: %+v", a)
	}
	for _, p := range parts {
		if !strings.Contains(a.content, p) {
			t.Errorf("no %q in %s", p, a.content)
		}
	}
	return a
}

// assertCalls checks that the answer contains exactly these calls.
func (a turn) assertCalls(t testing.TB, want ...tool) turn {
	t.Helper()
	if a.status != 200 || fmt.Sprint(a.calls) != fmt.Sprint(want) || a.finish != "tool_calls" {
		t.Fatalf("%+v, want %v", a, want)
	}
	return a
}

// assertText checks that the answer is only this text.
func (a turn) assertText(t testing.TB, text string) turn {
	t.Helper()
	if a.status != 200 || a.content != text || len(a.calls) > 0 || a.failure != "" {
		t.Fatalf("%+v, want %q", a, text)
	}
	return a
}

// assertFails checks that the answer is an error with this status, whose text contains
// part.
func (a turn) assertFails(t testing.TB, status int, part string) turn {
	t.Helper()
	if a.status != status || !strings.Contains(a.failure, part) || len(a.calls) > 0 {
		t.Fatalf("%+v, want %d %q", a, status, part)
	}
	return a
}

// messagesToModel returns the messages of the last request to the model.
func (s *service) messagesToModel() (out []map[string]any) {
	s.t.Helper()
	var v struct{ Messages []map[string]any }
	if err := json.Unmarshal([]byte(s.model.lastRequest()), &v); err != nil {
		s.t.Fatal(err)
	}
	return v.Messages
}

// outlineRoles returns a conversation as a text with one word for each message.
func outlineRoles(messages []map[string]any) string {
	var words []string
	for _, m := range messages {
		w := m["role"].(string)
		if m["tool_calls"] != nil {
			w += "+calls"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// rawStep returns a step that answers with the given bytes.
func rawStep(text string) step {
	return func(w http.ResponseWriter, stream bool) {
		if stream {
			w.Header().Set("Content-Type", "text/event-stream")
		} else {
			w.Header().Set("Content-Type", "application/json")
		}
		io.WriteString(w, text)
	}
}

// copyDatabase makes a copy of the current database and returns the name of the copy's
// file.
func (s *service) copyDatabase() string {
	s.t.Helper()
	to := filepath.Join(s.t.TempDir(), "copy.db")
	db := s.openDatabase()
	defer db.Close()
	if _, err := db.Exec(`VACUUM INTO ?`, to); err != nil {
		s.t.Fatal(err)
	}
	return to
}

// rewriteTurns replaces a text in the stored turns of a copied database.
func (s *service) rewriteTurns(file, from, to string) {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	if out, err := db.Exec(`UPDATE turns SET value = replace(value, ?, ?) WHERE instr(value, ?) > 0`, from, to, from); err != nil {
		s.t.Fatal(err)
	} else if n, _ := out.RowsAffected(); n == 0 {
		s.t.Fatal("nothing is stored")
	}
}

// switchDatabase makes the gate and the proxy use another database file.
func (s *service) switchDatabase(file string) {
	s.t.Helper()
	store, err := sqlite.Open(context.Background(), file)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { store.Close() })
	g := s.gate.Options
	g.Store, s.store, s.file = store, store, file
	if s.gate, err = gate.New(g); err != nil {
		s.t.Fatal(err)
	}
	o := s.proxy.Options
	o.Gate = s.gate
	if s.proxy, err = proxy.New(o); err != nil {
		s.t.Fatal(err)
	}
}

// queryCount returns the number that a query selects.
func (s *service) queryCount(query string) (n int) {
	s.t.Helper()
	db := s.openDatabase()
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *service) openDatabase() *sql.DB {
	db, err := sql.Open("sqlite", "file:"+s.file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		s.t.Fatal(err)
	}
	return db
}
