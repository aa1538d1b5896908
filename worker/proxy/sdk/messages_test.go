package sdk

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
)

// claude is a scripted server of the Messages API.
type claude struct {
	t    *testing.T
	n    atomic.Int64
	last atomic.Value // the body of the last request
}

func (c *claude) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := string(body)
	c.last.Store(text)
	if r.Header.Get("X-Api-Key") != "upstream" || r.Header.Get("Anthropic-Version") == "" {
		c.t.Errorf("the model's server gets %v", r.Header)
	}
	stream := strings.Contains(text, `"stream":true`)
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		w.Header().Set("Content-Type", "application/json") // which passes as the server sends it
		io.WriteString(w, `{"input_tokens":42}`)
	case strings.Contains(text, `"overloaded"`):
		w.WriteHeader(529)
		io.WriteString(w, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)
	case strings.Contains(text, `"hosted"`):
		c.send(w, stream, "", `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`, "")
	case strings.Contains(text, `"cut"`):
		c.send(w, stream, "half", "", "")
	default:
		switch c.n.Add(1) {
		case 1:
			c.send(w, stream, "I look.", `{"type":"tool_use","id":"toolu_1","name":"get_order","input":{}}`, `{"id": "A-7"}`)
		case 2:
			c.send(w, stream, "I refund.", `{"type":"tool_use","id":"toolu_2","name":"issue_refund","input":{}}`, `{"order":"A-7","amount": 5}`)
		default:
			c.send(w, stream, "Done.", "", "-")
		}
	}
}

// send writes an answer with a thought, a text and a call. Without an input, a streamed
// answer ends too early, and a whole answer is half of one.
func (c *claude) send(w http.ResponseWriter, stream bool, text, call, input string) {
	stop := "end_turn"
	if call != "" {
		stop = "tool_use"
	}
	if !stream {
		blocks := `{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"` + text + `"}`
		if call != "" {
			blocks += "," + strings.Replace(call, `"input":{}`, `"input":`+input, 1)
		}
		body := `{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[` + blocks + `],"stop_reason":"` + stop + `","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":7}}`
		if input == "" {
			body = body[:len(body)/2]
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(kind, more string) {
		fmt.Fprintf(w, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, more)
	}
	block := func(at int, start, delta string) {
		event("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":%s`, at, start))
		event("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":%s`, at, delta))
		event("content_block_stop", fmt.Sprintf(`,"index":%d`, at))
	}
	event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}`)
	block(0, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"signature_delta","signature":"c2ln"}`)
	block(1, `{"type":"text","text":""}`, `{"type":"text_delta","text":"`+text+`"}`)
	if call != "" {
		quoted, _ := json.Marshal(input)
		block(2, call, `{"type":"input_json_delta","partial_json":`+string(quoted)+`}`)
	}
	if input != "" {
		event("message_delta", `,"delta":{"stop_reason":"`+stop+`","stop_sequence":null},"usage":{"output_tokens":7}`)
		event("message_stop", "")
	}
}

// TestAnthropicClient checks Anthropic's official client, streamed and not: a read passes,
// a change is held, runs after the person's yes, and the model is told; and the errors of
// a model's server that misbehaves arrive as the client's own.
func TestAnthropicClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: no node on PATH; Anthropic's official client did not run")
	}
	if _, err := os.Stat("node_modules/@anthropic-ai/sdk"); err != nil {
		t.Skip("SKIPPED: no node_modules; run \"npm ci --ignore-scripts\" in worker/proxy/sdk for Anthropic's official client")
	}
	for _, how := range []string{"stream", "whole"} {
		c := &claude{t: t}
		model := httptest.NewServer(c)
		t.Cleanup(model.Close)
		url := gateInFront(t, model.URL, "upstream")
		out, err := exec.Command(node, "messages.mjs", url, agentKey, how).Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s\n%s", how, err, out, err.(*exec.ExitError).Stderr)
		}
		type line struct {
			Text, Stop, Thought, Error, Type string
			Calls                            []struct{ ID, Name string }
			Tokens, Count, Status            int
		}
		var all []line
		for text := range strings.Lines(string(out)) {
			var l line
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			all = append(all, l)
		}
		if len(all) != 8 {
			t.Fatalf("%s: %d lines:\n%s", how, len(all), out)
		}
		if a := all[0]; a.Text != "I look." || len(a.Calls) != 1 || a.Stop != "tool_use" || a.Thought != "c2ln" || a.Tokens != 7 {
			t.Errorf("%s: the read: %+v", how, a)
		}
		if a := all[1]; len(a.Calls) != 0 || a.Stop != "end_turn" || !strings.Contains(a.Text, "Allow this call?") || !strings.Contains(a.Text, "A-7") {
			t.Errorf("%s: the change: %+v", how, a)
		}
		if a := all[2]; len(a.Calls) != 1 || a.Calls[0].ID != "toolu_2" || a.Stop != "tool_use" || c.n.Load() != 3 {
			t.Errorf("%s: after the yes: %+v", how, a)
		}
		if a := all[3]; a.Text != "Done." || all[4].Count != 42 {
			t.Errorf("%s: the end: %+v, %+v", how, a, all[4])
		}
		if a := all[5]; a.Error == "" || a.Type != "overloaded_error" {
			t.Errorf("%s: overloaded: %+v", how, a)
		}
		for _, a := range all[6:] {
			if a.Error == "" {
				t.Errorf("%s: a broken answer passes: %+v\n%s", how, a, out)
			}
		}
	}
}
