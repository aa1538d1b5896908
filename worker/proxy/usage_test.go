//go:build !js

package proxy_test

import (
	"regexp"
	"strings"
	"testing"
)

// lastUsage returns the input and output tokens that a client counts: clients of streams
// keep the last numbers.
func lastUsage(text string) string {
	last := func(pattern string) string {
		all := regexp.MustCompile(`"(?:`+pattern+`)":\s*(\d+)`).FindAllStringSubmatch(text, -1)
		if len(all) == 0 {
			return "none"
		}
		return all[len(all)-1][1]
	}
	return last("input_tokens|prompt_tokens|promptTokenCount|prompt_eval_count") + " " + last("output_tokens|completion_tokens|candidatesTokenCount|eval_count")
}

// TestUsageOfAHeldTurn checks that a question has the usage of the turn that it replaces,
// on every wire.
func TestUsageOfAHeldTurn(t *testing.T) {
	wires := map[string]func(*service){
		"chat":     func(*service) {},
		"messages": func(s *service) { s.native = true },
		"gemini":   func(s *service) { s.speech = &geminiSpeech },
		"ollama":   func(s *service) { s.speech = &ollamaSpeech },
	}
	for name, choose := range wires {
		t.Run(name, func(t *testing.T) {
			runBothWays(t, func(t *testing.T, stream bool) {
				for _, words := range []string{"", "I will refund."} {
					s := newTestService(t, `{"conversation":["issue_refund"]}`)
					choose(s)
					s.model.scriptSteps(answerStep(words, tool{"toolu_1", "issue_refund", `{"amount":5}`}))
					got := s.newTalk(stream, "").sendUser("refund me").assertAsks(t, "issue_refund")
					if have := lastUsage(got.text); have != "9 5" {
						t.Errorf("usage %s, want 9 5: %s", have, got.text)
					}
				}
			})
		})
	}
}

// TestUsageBesideTheFinish checks a server that tells the usage in the chunk with the
// finish reason, and not in one of its own. The question has it once.
func TestUsageBesideTheFinish(t *testing.T) {
	s := newTestService(t, `{"conversation":["issue_refund"]}`)
	chunk := func(choice, more string) string {
		return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[` + choice + `]` + more + "}\n\n"
	}
	s.model.scriptSteps(rawStep(chunk(`{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"issue_refund","arguments":"{}"}}]},"finish_reason":null}`, `,"usage":{"prompt_tokens":9,"completion_tokens":1}`) +
		chunk(`{"index":0,"delta":{},"finish_reason":"tool_calls"}`, `,"usage":{"prompt_tokens":9,"completion_tokens":5}`) + "data: [DONE]\n\n"))
	got := s.newTalk(true, "").sendUser("refund me").assertAsks(t, "issue_refund")
	if have := lastUsage(got.text); have != "9 5" || strings.Count(got.text, `"usage":`) != 1 {
		t.Errorf("usage %s: %s", have, got.text)
	}
}
