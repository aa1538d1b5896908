//go:build !js

package proxy_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// cutWire is an API of models, for a test that cuts the streams of the model's server.
type cutWire struct {
	name   string
	speech *speech
	stream func(c tool) string                     // what the model's server sends
	over   string                                  // what ends a turn before its stream ends
	post   func(s *service, n int) (answer string) // a request of an agent, numbered
	fails  func(answer string) bool                // the client reads an error
	same   bool                                    // a turn that reads passes byte for byte
}

func hasError(answer string) bool { return strings.Contains(answer, `"error"`) }

func cutWires() []cutWire {
	const finish, none = `"finish_reason":"tool_calls"}]}`, "\x00"
	chat := func(c tool) string { return streamOf("1", "tool_calls", "Hi ü", []tool{c}) }
	wires := []cutWire{
		{"chat completions", nil, chat, finish, func(s *service, n int) string {
			_, text := s.post("/v1/chat/completions", fmt.Sprintf(`{"model":"m","stream":true,"messages":[{"role":"user","content":"%d"}]}`, n), "Authorization", "Bearer "+agentKey)
			return text
		}, hasError, true},
		{"responses", nil, chat, finish, func(s *service, n int) string {
			_, text := s.postResponses(fmt.Sprintf(`{"model":"m","stream":true,"store":false,"input":"%d"}`, n))
			return text
		}, func(answer string) bool { return !strings.Contains(answer, "event: response.completed\n") }, false},
		{"messages", nil, func(c tool) string { return nativeStreamOf("1", "tool_calls", "Hi ü", []tool{c}) }, none, func(s *service, n int) string {
			_, text := s.postNative(agentKey, "/v1/messages", fmt.Sprintf(`{"model":"m","stream":true,"messages":[{"role":"user","content":"%d"}]}`, n))
			return text
		}, hasError, true},
	}
	for _, sp := range []*speech{&geminiSpeech, &ollamaSpeech} {
		wires = append(wires, cutWire{sp.name, sp, func(c tool) string { return sp.wholeAnswer(true, "tool_calls", "Hi ü", []tool{c}) }, none, func(s *service, n int) string {
			_, text := s.postSpeech(agentKey, sp.path(true), sp.body(s.newTalk(true, "").addMessage(map[string]any{"role": "user", "content": fmt.Sprint(n)})))
			return text
		}, hasError, true})
	}
	return wires
}

// flushCut sends what was written so far, so that the rest arrives apart.
func flushCut(w http.ResponseWriter) {
	switch inner := w.(type) {
	case nativeWriter:
		w = inner.ResponseWriter
	case speechWriter:
		w = inner.ResponseWriter
	}
	w.(http.Flusher).Flush()
}

// TestCutAnywhere cuts the model's stream on each wire in two ways: the pieces arrive apart, or
// the stream ends there. No part of a call passes before it is decided, a turn that only reads is
// the same in whatever pieces, and a stream that ended early is an error. It cuts at every 41st
// byte and near the end, and with BOUNDCHECK_LONG=1 at every byte.
func TestCutAnywhere(t *testing.T) {
	every := 41
	if os.Getenv("BOUNDCHECK_LONG") != "" {
		every = 1
	}
	for _, wire := range cutWires() {
		t.Run(wire.name, func(t *testing.T) {
			var s *service
			var stream string
			var cut int
			var ends bool
			send := func(string) step {
				return func(w http.ResponseWriter, _ bool) {
					w.Header().Set("Content-Type", "text/event-stream")
					if wire.speech != nil {
						w.Header().Set("Content-Type", wire.speech.kind)
					}
					io.WriteString(w, stream[:cut])
					if !ends {
						flushCut(w)
						io.WriteString(w, stream[cut:])
					}
				}
			}
			n := 0
			for _, name := range []string{"get_order", "issue_refund"} {
				held := name == "issue_refund"
				stream = wire.stream(tool{"toolu_1", name, `{"id":"SECRET"}`})
				for cut = 0; cut <= len(stream); cut++ {
					if cut%every != 0 && cut < len(stream)-3 {
						continue
					}
					for _, ends = range []bool{false, true} {
						if n++; n%100 == 1 { // many equal questions would be shown in each
							s = newTestService(t, `{"conversation":["issue_refund"]}`)
							s.speech, s.model.free = wire.speech, send
						}
						answer := wire.post(s, n)
						whole := !ends || cut == len(stream)
						over := strings.Contains(stream[:cut], wire.over) || strings.TrimSpace(stream[cut:]) == ""
						asks := strings.Contains(answer, "Allow this call")
						switch {
						case held && strings.Contains(strings.Split(answer, "Allow this call")[0], "SECRET"):
							t.Fatalf("cut at %d: a part of the call passed: %s", cut, answer)
						case over && !whole: // no part of the turn is missing, and what follows may be demanded
							if !wire.fails(answer) && asks != held {
								t.Fatalf("cut at %d, behind the turn: %q", cut, answer)
							}
						case !whole && (asks || strings.Contains(answer, "SECRET")):
							t.Fatalf("cut at %d: a part of a call passed: %s", cut, answer)
						case wire.fails(answer) != !whole:
							t.Fatalf("cut at %d, ended there %v: %q", cut, ends, answer)
						case whole && asks != held:
							t.Fatalf("cut at %d: %s", cut, answer)
						case whole && !held && !ends && wire.same && answer != stream:
							t.Fatalf("cut at %d: the bytes changed:\n%q\nwant\n%q", cut, answer, stream)
						}
					}
				}
			}
		})
	}
}
