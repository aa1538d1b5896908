//go:build !js

package proxy_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/pace"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// TestRemovedKey checks that a chat request that waits for a decision ends within a
// second after the agent's key was removed, without the calls.
func TestRemovedKey(t *testing.T) {
	runBothWays(t, func(t *testing.T, stream bool) {
		s := newTestService(t, "", onPage(time.Minute))
		s.model.scriptSteps(answerStep("", cancel))
		body := `{"model":"m","messages":[{"role":"user","content":"cancel it"}]}`
		if stream {
			body = `{"stream":true,` + body[1:]
		}
		end := make(chan string, 1)
		go func() {
			r, _ := http.NewRequest("POST", s.url+"/v1/chat/completions", strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer "+agentKey)
			w, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				end <- err.Error()
				return
			}
			defer w.Body.Close()
			text, _ := io.ReadAll(w.Body)
			end <- w.Status + " " + string(text)
		}()
		for s.queryCount(`SELECT count(*) FROM proposals`) == 0 {
			time.Sleep(5 * time.Millisecond)
		}
		keys, err := gate.ReadKeys(strings.Replace(keyFile, agentKey, "another-key-0123456789abcdef", 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.gate.ReloadKeys(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
		select {
		case text := <-end:
			if !strings.Contains(text, "was removed") || strings.Contains(text, "tool_calls") || !stream && !strings.HasPrefix(text, "401 ") {
				t.Error(text)
			}
		case <-time.After(pace.Within(time.Second)):
			t.Fatal("the request goes on")
		}
		if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'cancelled'`); n != 1 {
			t.Errorf("%d cancelled", n)
		}
	})
}
