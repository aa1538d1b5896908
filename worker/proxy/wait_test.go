//go:build !js

package proxy_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/waiting"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

// waitDoor returns a door whose agent speaks with a model through the gate: say sends the
// user's words, and finish the results of the calls.
func (s *service) waitDoor(say func(words string) (text string, calls []tool), finish func()) waiting.Door {
	made, asked := 0, false
	return waiting.Door{
		Call: func(arguments string) (bool, string) {
			want := true
			s.model.free = func(body string) step {
				if !want {
					return answerStep("later")
				}
				want = false
				made++
				return answerStep("", tool{fmt.Sprintf("toolu_%d", made), "cancel_x", arguments})
			}
			before, words := s.model.requestCount(), "go"
			if asked { // the question ended the last answer
				want, words = false, "done"
			}
			text, calls := say(words)
			asked = strings.Contains(text, "/p/p_")
			if len(calls) > 1 || len(calls) == 1 && calls[0].args != arguments {
				s.t.Fatalf("ran %v", calls)
			}
			for s.model.requestCount() > before && len(calls) == 0 && !asked {
				text, before = s.model.lastRequest(), s.model.requestCount() // what the model was told
			}
			if len(calls) == 1 {
				finish()
			}
			return len(calls) == 1, text
		},
		Send: func(method, path, body string) (int, string) {
			r, _ := http.NewRequest(method, s.url+path, strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer "+aliceKey)
			w, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				s.t.Fatal(err)
			}
			defer w.Body.Close()
			text, _ := io.ReadAll(w.Body)
			return w.StatusCode, string(text)
		},
		Now: s.now.Load, Pass: func(ms int64) { s.now.Add(ms) },
	}
}

// TestNoTakesBack checks that a plain no after the yes cancels a call that waits for its time:
// the same call asks again.
func TestNoTakesBack(t *testing.T) {
	for _, words := range []string{"no", "thanks"} {
		s := newTestService(t, `{"conversation":["cancel_x"],"tools":{"cancel_x":{"wait":"40s"}}}`)
		talk := s.newTalk(false, "")
		s.model.scriptSteps(answerStep("", tool{"c1", "cancel_x", `{"id":1}`}), answerStep("later"), answerStep("ok"), answerStep("", tool{"c2", "cancel_x", `{"id":1}`}))
		talk.sendUser("go")
		talk.sendAgreement()
		talk.sendUser(words)
		s.now.Add(40_000)
		got := talk.sendUser("go on")
		if ran := len(got.calls) == 1; ran != (words != "no") {
			t.Errorf("after %q: %+v", words, got)
		}
	}
}

// TestNoTakesBackAll checks that a plain no cancels each approved call: also one behind many
// older approvals, one that waits only by the policy of now, and one whose time has come.
func TestNoTakesBackAll(t *testing.T) {
	for _, late := range []bool{false, true} {
		for _, longer := range []bool{false, true} {
			takeAllBack(t, late, longer)
		}
	}
}

func takeAllBack(t *testing.T, late, longer bool) {
	t.Helper()
	s := newTestService(t, `{"conversation":["cancel_x"],"tools":{"cancel_x":{"wait":"40s"},"count_x":{"mutating":"yes","wait":"1s"}},"rules":[{"name":"few","tool":"count_x","atMost":{"n":100,"per":"1h"},"effect":"deny"},
		{"name":"free","tool":"count_x","effect":"allow","until":"2090-01-01T00:00:00Z","when":{"n":{"any":true}}}]}`)
	talk := s.newTalk(false, "")
	var many []tool
	for i := range 64 {
		many = append(many, tool{fmt.Sprintf("m%d", i), "count_x", fmt.Sprintf(`{"n":%d}`, i)})
	}
	s.model.scriptSteps(answerStep("", many...), answerStep("counted"), answerStep("", tool{"c1", "cancel_x", `{"id":1}`}), answerStep("later"), answerStep("ok"))
	talk.sendUser("count")
	if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'approved'`); n != 64 {
		t.Fatal(n)
	}
	s.now.Add(1_000)
	talk.sendUser("go")
	talk.sendAgreement()
	if late {
		s.now.Add(50_000)
	}
	if longer {
		longer, err := machine.ReadPolicy(`{"conversation":["cancel_x"],"tools":{"cancel_x":{"wait":"80s"}}}`)
		if err != nil {
			t.Fatal(err)
		}
		s.gate.SetPolicy(longer)
	}
	talk.sendUser("no")
	if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'approved' AND tool = 'cancel_x'`); n != 0 {
		t.Errorf("late %v, longer %v: %d calls can still run after the no", late, longer, n)
	}
}

// TestWaitOfATextTurn checks that the calls of a text stand together also if one of them
// waits for its time: if another is denied, the approval of the first ends.
func TestWaitOfATextTurn(t *testing.T) {
	s := newTestService(t, `{"tools":{"cancel_x":{"wait":"40s"}}}`, onPage(0))
	write := protocols["hermes"]
	s.model.scriptSteps(answerStep(write("cancel_x", `{"id":1}`)+"\n"+write("update_y", `{"id":2}`)), answerStep("I see."))
	talk := s.newTalk(false, "")
	talk.sendUser("go")
	rows := s.proposalIDs()
	if len(rows) != 2 {
		t.Fatal(rows)
	}
	s.sendVote(rows[0], true)
	s.sendVote(rows[1], false)
	talk.sendUser("done").assertText(t, "I see.")
	if n := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'approved'`); n != 0 {
		t.Errorf("%d calls can still run", n)
	}
	if told := s.told(); !strings.Contains(told, "denied by") || strings.Contains(told, "Not executed yet") {
		t.Errorf("the model was told %s", told)
	}
}

// TestWaitThroughModels is the law of the wait through each API of models, streamed and not.
func TestWaitThroughModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	runs, early := map[string]int{}, map[string]int{}
	for i := range drawn.Cases(2) {
		for _, stream := range []bool{true, false} {
			for _, api := range []string{"chat", "messages", "gemini", "ollama", "responses"} {
				s := newTestService(t, waiting.Policy, func(o *proxy.Options) { o.Page = true })
				var d waiting.Door
				if s.native, s.speech = api == "messages", map[string]*speech{"gemini": &geminiSpeech, "ollama": &ollamaSpeech}[api]; api != "responses" {
					talk := s.newTalk(stream, "")
					d = s.waitDoor(func(words string) (string, []tool) {
						got := talk.sendUser(words)
						if got.failure != "" {
							t.Fatal(got.failure)
						}
						return got.content, got.calls
					}, func() { talk.sendResults("done") })
				} else {
					r := responding{s: s, stream: stream}
					d = s.waitDoor(func(words string) (string, []tool) {
						got := r.sendInput(map[string]any{"role": "user", "content": words})
						return got.outputText(), got.outputCalls()
					}, func() {
						r.sendInput(map[string]any{"type": "function_call_output", "call_id": r.last.outputCalls()[0].id, "output": "done"})
					})
				}
				n, e, _ := waiting.Play(t, rng, d, fmt.Sprintf("%s %v %d", api, stream, i), 60)
				runs[api], early[api] = runs[api]+n, early[api]+e
			}
		}
	}
	for api, n := range runs {
		if n == 0 || early[api] == 0 {
			t.Errorf("%s: %d ran, %d came early", api, n, early[api])
		}
	}
	t.Log(runs, early)
}
