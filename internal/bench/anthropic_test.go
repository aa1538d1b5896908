package bench_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAnthropicBlanks checks that a run continues after a call without input, and after a
// blank message. The test's server refuses blank text blocks, as Anthropic's server does.
func TestAnthropicBlanks(t *testing.T) {
	agent := []string{`{"type":"tool_use","id":"t1","name":"get_order"}`, `{"type":"text","text":" "}`, `{"type":"text","text":"Done."}`}
	user := []string{"Hello.", " ", "###STOP###"}
	var calls, words atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct {
			Tools    []any
			Messages []struct {
				Role    string
				Content []struct {
					Type string
					Text *string
				}
			}
		}
		if err := json.Unmarshal(body, &q); err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		for i, m := range q.Messages {
			if i == 0 && m.Role != "user" || i > 0 && m.Role == q.Messages[i-1].Role || len(m.Content) == 0 {
				http.Error(w, "roles do not alternate from the user's on, or a message is empty", 400)
				return
			}
			for _, b := range m.Content {
				if b.Type == "text" && (b.Text == nil || strings.TrimSpace(*b.Text) == "") {
					http.Error(w, "text content blocks must contain non-whitespace text", 400)
					return
				}
			}
		}
		block := ""
		if q.Tools == nil {
			text, _ := json.Marshal(user[min(int(words.Add(1)), len(user))-1])
			block = fmt.Sprintf(`{"type":"text","text":%s}`, text)
		} else {
			block = agent[min(int(calls.Add(1)), len(agent))-1]
		}
		fmt.Fprintf(w, `{"content":[%s],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`, block)
	}))
	defer server.Close()
	x := newExperiment(server.URL+"/v1", "model")
	x.Protocol, x.User, x.Tasks = "anthropic", "user", []int{0}
	rows := runExperiment(t, x, newOptions(""))
	if calls.Load() != 3 || !strings.Contains(string(rows), "Done.") {
		t.Errorf("%d answers of the agent: %s", calls.Load(), rows)
	}
}
