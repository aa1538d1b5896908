//go:build !js

package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

// orderModel is a model's server for chat completions and messages. It looks an order up, then cancels it,
// then says what it heard of that.
type orderModel struct {
	mu    sync.Mutex
	heard []string // the last message of each request
}

func (m *orderModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Stream   bool
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	json.NewDecoder(r.Body).Decode(&body)
	last := body.Messages[len(body.Messages)-1]
	if strings.Contains(string(last.Content), `"tool_result"`) {
		last.Role = "tool" // the Messages API has results in messages of the user
	}
	m.mu.Lock()
	m.heard = append(m.heard, last.Role+" "+string(last.Content))
	n := len(m.heard)
	m.mu.Unlock()
	call := ""
	switch {
	case last.Role == "user":
		call = "get_order"
	case strings.Contains(string(last.Content), "not shipped"):
		call = "cancel_order"
	}
	order := regexp.MustCompile(`W-[0-9]+`).FindString(fmt.Sprintf("%s", body.Messages))
	kind, text := "application/json", ""
	if body.Stream {
		kind = "text/event-stream"
	}
	if strings.HasSuffix(r.URL.Path, "/messages") {
		text = messagesAnswer(n, call, `{"order_id":"`+order+`"}`, body.Stream)
	} else {
		text = chatAnswer(n, call, `{"order_id":"`+order+`"}`, body.Stream)
	}
	w.Header().Set("Content-Type", kind)
	io.WriteString(w, text)
}

const settled = "That is settled."

// chatAnswer is an answer with one call, or with the text settled, as a chat completion.
func chatAnswer(n int, call, arguments string, stream bool) string {
	message, finish := `{"role":"assistant","content":"`+settled+`"}`, "stop"
	if call != "" {
		message, finish = fmt.Sprintf(`{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_%d","type":"function","function":{"name":%q,"arguments":%q}}]}`, n, call, arguments), "tool_calls"
	}
	head := fmt.Sprintf(`{"id":"chatcmpl-%d","created":1700000000,"model":"m-1",`, n)
	const usage = `"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	if !stream {
		return fmt.Sprintf(head+`"object":"chat.completion","choices":[{"index":0,"message":%s,"logprobs":null,"finish_reason":%q}],`+usage, strings.Replace(message, `"index":0,`, "", 1), finish)
	}
	head = "data: " + head + `"object":"chat.completion.chunk",`
	return head + `"choices":[{"index":0,"delta":` + message + `,"finish_reason":null}]}` + "\n\n" + head + fmt.Sprintf(`"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, finish) + "\n\n" +
		head + `"choices":[],` + usage + "\n\ndata: [DONE]\n\n"
}

// messagesAnswer is the same answer in the Messages API.
func messagesAnswer(n int, call, arguments string, stream bool) string {
	empty, whole, stop := `{"type":"text","text":""}`, `{"type":"text","text":"`+settled+`"}`, "end_turn"
	delta := `{"type":"text_delta","text":"` + settled + `"}`
	if call != "" {
		head := fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":%q,"input":`, n, call)
		empty, whole, stop = head+"{}}", head+arguments+"}", "tool_use"
		delta = fmt.Sprintf(`{"type":"input_json_delta","partial_json":%q}`, arguments)
	}
	head := fmt.Sprintf(`{"id":"msg_%d","type":"message","role":"assistant","model":"m-1",`, n)
	if !stream {
		return head + `"content":[` + whole + `],"stop_reason":"` + stop + `","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`
	}
	var b strings.Builder
	for _, e := range [][2]string{
		{"message_start", `,"message":` + head + `"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`},
		{"content_block_start", `,"index":0,"content_block":` + empty}, {"content_block_delta", `,"index":0,"delta":` + delta}, {"content_block_stop", `,"index":0`},
		{"message_delta", `,"delta":{"stop_reason":"` + stop + `","stop_sequence":null},"usage":{"output_tokens":1}`}, {"message_stop", ""},
	} {
		fmt.Fprintf(&b, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", e[0], e[0], e[1])
	}
	return b.String()
}

// TestBaseURL runs clients of model APIs and agent frameworks unchanged but for their base URL,
// against a scripted model. A read runs at once. A change is a question; after a yes it runs
// once, with the model's arguments, and after a no never.
func TestBaseURL(t *testing.T) {
	node := needFrameworks(t)
	d := newDesk(t)
	p, err := machine.ReadPolicy(`{"conversation":["cancel_order"]}`)
	if err != nil {
		t.Fatal(err)
	}
	d.gate.SetPolicy(p)
	model := &orderModel{}
	upstream := httptest.NewServer(model)
	defer upstream.Close()
	front, err := proxy.New(proxy.Options{Gate: d.gate, Upstream: proxy.Upstream{URL: upstream.URL + "/v1", Key: "upstream", Transport: http.DefaultTransport}})
	if err != nil {
		t.Fatal(err)
	}
	d.disturb = func(w http.ResponseWriter, r *http.Request, body []byte) {
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		front.ServeHTTP(w, r)
	}
	cmd := exec.CommandContext(t.Context(), node, "baseurl.mjs", d.url, agentKey)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "MASTRA_TELEMETRY_DISABLED=1", "OPENAI_API_KEY="+agentKey)
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, failed.String())
	}
	clients := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		var s struct {
			Client, Reply, ID, Question, Said string
			Ran                               []string
		}
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		clients[s.Client] = true
		want := []string{`get_order {"order_id":"` + s.ID + `"}`, "asked", `cancel_order {"order_id":"` + s.ID + `"}`}
		if s.Reply == "no" {
			want = want[:2]
		}
		if strings.Join(s.Ran, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s, %s: ran %q, want %q: %s", s.Client, s.Reply, s.Ran, want, s.Said)
		}
		if !strings.Contains(s.Question, "Allow this call?") || !strings.Contains(s.Question, "cancel_order") || s.Said != settled {
			t.Errorf("%s, %s: asked %q and said %q", s.Client, s.Reply, s.Question, s.Said)
		}
	}
	told := strings.Join(model.heard, "\n")
	if strings.Contains(told, "Allow this call") || strings.Count(told, "Not executed") != len(clients) || strings.Count(told, `"cancelled`) != len(clients) {
		t.Errorf("the model heard %s", told)
	}
	if len(clients) != 13 {
		t.Errorf("%d clients", len(clients))
	}
}
