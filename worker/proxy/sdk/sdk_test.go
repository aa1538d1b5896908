package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/sqlite"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

const agentKey = "agent-key-0123456789abcdef"

// bench is a gate with its proxy in front of a server that sends one stream.
type bench struct {
	direct, through openai.Client
	stream          string
	asked           int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{}
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.asked++
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, b.stream)
	}))
	t.Cleanup(model.Close)
	client := func(url string) openai.Client {
		return openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey(agentKey), option.WithMaxRetries(0))
	}
	b.direct, b.through = client(model.URL), client(gateInFront(t, model.URL, ""))
	return b
}

// gateInFront starts a gate with its proxy in front of a model's server, and returns its
// address.
func gateInFront(t *testing.T, model, secret string) string {
	t.Helper()
	store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "gate.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	key, err := gate.NewKey(machine.Principal{Tenant: "t", Name: "bot", Role: machine.Agent}, agentKey)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	policy, err := machine.ReadPolicy(`{"conversation":["cancel_order","update_order","add_note","frobnicate","get_order","list_orders","issue_refund","search_web","get_weather"]}`)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Options{Store: store, Keys: []gate.Key{key}, Policy: policy, URL: "http://" + server.Listener.Addr().String(), Rate: -1, Waiting: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	p, err := proxy.New(proxy.Options{Gate: g, Upstream: proxy.Upstream{URL: model + "/v1", Key: secret, Transport: http.DefaultTransport}})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = p
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// heard is the official client's result for a stream.
type heard struct {
	content, finish string
	calls           []string
	err             error
}

func (h heard) String() string { return fmt.Sprintf("%q %s %q", h.content, h.finish, h.calls) }

func listen(t *testing.T, c openai.Client, messages ...openai.ChatCompletionMessageParamUnion) (h heard) {
	t.Helper()
	var acc openai.ChatCompletionAccumulator
	s := c.Chat.Completions.NewStreaming(context.Background(), openai.ChatCompletionNewParams{Model: "m-1", Messages: messages})
	for s.Next() {
		if !acc.AddChunk(s.Current()) {
			h.err = fmt.Errorf("the accumulator refuses a chunk")
		}
	}
	if err := s.Err(); err != nil {
		h.err = err
	}
	if len(acc.Choices) > 0 {
		h.content, h.finish = acc.Choices[0].Message.Content, string(acc.Choices[0].FinishReason)
		for _, x := range acc.Choices[0].Message.ToolCalls {
			h.calls = append(h.calls, x.ID+" "+x.Function.Name+" "+x.Function.Arguments)
		}
	}
	return h
}

// compare reads one stream directly and through the proxy, and checks that the official
// client has the same result. If the proxy asks a question, compare answers yes and
// checks the result after it. It returns whether the proxy asked a question.
func (b *bench) compare(t *testing.T, stream string) (held bool) {
	t.Helper()
	b.stream = stream
	want := listen(t, b.direct, openai.UserMessage("request"))
	// The user names the values of the calls: values from nowhere cannot be approved in the conversation.
	user := openai.UserMessage(fmt.Sprintf("request %d: %s", b.asked, want.calls))
	got := listen(t, b.through, user)
	if want.err != nil {
		t.Fatalf("the stream is not sound: %v\n%s", want.err, stream)
	}
	if !strings.Contains(got.content, "Allow this call?") {
		if got.err != nil || got.String() != want.String() {
			t.Errorf("through the proxy %v %v, directly %v\n%s", got, got.err, want, stream)
		}
		return false
	}
	if len(got.calls) > 0 || got.finish != "stop" || got.err != nil || !strings.HasPrefix(got.content, want.content) {
		t.Errorf("the question: %v %v", got, got.err)
	}
	asked := b.asked
	yes := listen(t, b.through, user, openai.AssistantMessage(got.content), openai.UserMessage(reply(t, got.content)))
	want.content = ""
	want.finish = "tool_calls"
	if yes.err != nil || yes.String() != want.String() || b.asked != asked {
		t.Errorf("after the yes %v %v, directly %v\n%s", yes, yes.err, want, stream)
	}
	return true
}

// reply returns the reply that a question asks for.
func reply(t *testing.T, question string) string {
	t.Helper()
	_, rest, _ := strings.Cut(question, "Reply \"")
	text, _, found := strings.Cut(rest, "\"")
	if !found {
		t.Fatalf("no reply is asked for in %s", question)
	}
	return text
}

// TestResponses checks the official client over the streamed Responses API. The client
// must receive the text, a question, and the stored call after a yes.
func TestResponses(t *testing.T) {
	b := newBench(t)
	ask := func(input ...responses.ResponseInputItemUnionParam) (done responses.Response, deltas string) {
		t.Helper()
		s := b.through.Responses.NewStreaming(context.Background(), responses.ResponseNewParams{Model: "m-1", Input: responses.ResponseNewParamsInputUnion{OfInputItemList: input}})
		for s.Next() {
			switch e := s.Current().AsAny().(type) {
			case responses.ResponseTextDeltaEvent:
				deltas += e.Delta
			case responses.ResponseCompletedEvent:
				done = e.Response
			}
		}
		if err := s.Err(); err != nil || done.ID == "" {
			t.Fatal(err, done.ID)
		}
		return done, deltas
	}
	says := func(text, role string) responses.ResponseInputItemUnionParam {
		return responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRole(role))
	}
	chunk := func(delta, finish string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + "}]}\n\n"
	}
	b.stream = chunk(`{"content":"I do it."}`, "null") + chunk(`{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"add_note","arguments":"{}"}}]}`, `"tool_calls"`) + "data: [DONE]\n\n"
	question, deltas := ask(says("note it", "user"))
	if text := question.OutputText(); text != deltas || !strings.Contains(text, "Tool: add_note") {
		t.Fatalf("%q %q", text, deltas)
	}
	done, _ := ask(says("note it", "user"), says(question.OutputText(), "assistant"), says(reply(t, question.OutputText()), "user"))
	if len(done.Output) != 1 || done.Output[0].Name != "add_note" || done.Output[0].CallID != "call_1" || b.asked != 1 {
		t.Errorf("%+v", done.Output)
	}
}

// TestStreamsOfTheProxy checks that the valid test streams of package proxy have the same
// result with the proxy as without it.
func TestStreamsOfTheProxy(t *testing.T) {
	b := newBench(t)
	n, held := 0, 0
	for _, name := range []string{"words", "read", "read-crlf", "read-escaped", "two-calls-interleaved", "words-after-a-call", "reasoning", "stop-with-calls"} {
		text, err := os.ReadFile("../testdata/streams/" + name + ".sse")
		if err != nil {
			t.Fatal(err)
		}
		n++
		if b.compare(t, string(text)) {
			held++
		}
	}
	t.Logf("%d streams, %d held", n, held)
}

// TestRandomStreams checks that random streams have the same result with and without the
// proxy. The streams contain text, parallel calls and interleaved calls, and are cut at
// any place.
func TestRandomStreams(t *testing.T) {
	b := newBench(t)
	r := rand.New(rand.NewPCG(42, 1))
	held, reads := 0, 0
	for i := range 400 {
		if b.compare(t, draw(r, i)) {
			held++
		} else {
			reads++
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d streams were held and released, %d went through", held, reads)
	if held < 100 || reads < 100 {
		t.Error("the streams show too little")
	}
}

// draw returns a random stream.
func draw(r *rand.Rand, i int) string {
	var events []string
	id := fmt.Sprintf("c-%d", i)
	chunk := func(delta any, finish any) string {
		b, _ := json.Marshal(map[string]any{"id": id, "object": "chat.completion.chunk", "created": 1, "model": "m-1",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		return "data: " + string(b) + "\n\n"
	}
	events = append(events, chunk(map[string]any{"role": "assistant", "content": ""}, nil))
	if r.IntN(2) == 0 {
		for _, p := range cuts(r, "Grüße 🦆, one moment — \"please\"\n") {
			events = append(events, chunk(map[string]any{"content": p}, nil))
		}
	}
	calls := r.IntN(4)
	var queues [][]string
	for k := range calls {
		name := []string{"get_order", "list_orders", "search_web", "get_weather"}[r.IntN(4)]
		if r.IntN(5) == 0 {
			name = []string{"update_order", "add_note", "frobnicate"}[r.IntN(3)]
		}
		args, _ := json.Marshal(map[string]any{"id": r.IntN(1000), "text": strings.Repeat("ü🦆\"\\\n", r.IntN(5)), "n": 1.5})
		first := map[string]any{"index": k, "id": fmt.Sprintf("call_%d_%d", i, k), "type": "function", "function": map[string]any{"name": name, "arguments": ""}}
		q := []string{chunk(map[string]any{"tool_calls": []any{first}}, nil)}
		for _, p := range cuts(r, string(args)) {
			q = append(q, chunk(map[string]any{"tool_calls": []any{map[string]any{"index": k, "function": map[string]any{"arguments": p}}}}, nil))
		}
		queues = append(queues, q)
	}
	for k := range queues { // the first pieces in order, the others at random
		events, queues[k] = append(events, queues[k][0]), queues[k][1:]
	}
	for left := true; left; {
		left = false
		for k := range queues {
			for len(queues[k]) > 0 && r.IntN(3) > 0 {
				events, queues[k] = append(events, queues[k][0]), queues[k][1:]
			}
			left = left || len(queues[k]) > 0
		}
	}
	finish := "stop"
	if calls > 0 {
		finish = "tool_calls"
	}
	events = append(events, chunk(map[string]any{}, finish))
	if r.IntN(2) == 0 {
		events = append(events, `data: {"id":"`+id+`","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`+"\n\n")
	}
	return strings.Join(events, "") + "data: [DONE]\n\n"
}

// cuts splits a text into pieces of one to seven characters.
func cuts(r *rand.Rand, text string) (out []string) {
	for runes := []rune(text); len(runes) > 0; {
		n := min(len(runes), 1+r.IntN(7))
		out, runes = append(out, string(runes[:n])), runes[n:]
	}
	return out
}
