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

// orderModel is a model's server for chat completions. It looks an order up, then cancels it,
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
	order := regexp.MustCompile(`W-[0-9]+`).FindString(fmt.Sprintf("%s", body.Messages))
	m.mu.Lock()
	m.heard = append(m.heard, last.Role+" "+string(last.Content))
	head := fmt.Sprintf(`{"id":"chatcmpl-%d","created":1700000000,"model":"m-1",`, len(m.heard))
	m.mu.Unlock()
	call := func(id, name string) string {
		return `{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":"{\"order_id\":\"` + order + `\"}"}}]}`
	}
	message, finish := `{"role":"assistant","content":"That is settled."}`, "stop"
	switch {
	case last.Role == "user":
		message, finish = call("call_look", "get_order"), "tool_calls"
	case strings.Contains(string(last.Content), "not shipped"):
		message, finish = call("call_cancel", "cancel_order"), "tool_calls"
	}
	if !body.Stream {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, head+`"object":"chat.completion","choices":[{"index":0,"message":%s,"logprobs":null,"finish_reason":%q}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, strings.Replace(message, `"index":0,`, "", 1), finish)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, choice := range []string{`"delta":` + message + `,"finish_reason":null`, fmt.Sprintf(`"delta":{},"finish_reason":%q`, finish)} {
		io.WriteString(w, "data: "+head+`"object":"chat.completion.chunk","choices":[{"index":0,`+choice+"}]}\n\n")
	}
	io.WriteString(w, "data: "+head+`"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`+"\n\ndata: [DONE]\n\n")
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
		if !strings.Contains(s.Question, "Allow this call?") || !strings.Contains(s.Question, "cancel_order") || s.Said != "That is settled." {
			t.Errorf("%s, %s: asked %q and said %q", s.Client, s.Reply, s.Question, s.Said)
		}
	}
	told := strings.Join(model.heard, "\n")
	if strings.Contains(told, "Allow this call") || strings.Count(told, "Not executed") != len(clients) || strings.Count(told, `"cancelled"`) != len(clients) {
		t.Errorf("the model heard %s", told)
	}
	if len(clients) != 11 {
		t.Errorf("%d clients", len(clients))
	}
}
