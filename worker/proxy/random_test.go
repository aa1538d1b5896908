//go:build !js

package proxy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/worker/proxy"
)

// shown is a question to a person, with the calls that it is about.
type shown struct {
	calls []tool
	code  string
	typed bool
	ran   bool
}

// world is the state of the random test: every question by its text, and the model's
// last answer.
type world struct {
	s         *service
	r         *rand.Rand
	questions map[string]*shown
	played    []tool
	votes     map[string]bool // decisions on the page by the question's code
	n         int
	handed    int // number of turns with changes that reached the agent
	refused   int // number of answers to questions after which nothing ran
}

// TestRandomConversations simulates agents, users and models that do anything at random.
// A change must reach an agent only once, and only after an exact yes to the question
// that showed it or an approval on the page. The conversation for the model must always
// be valid, without texts of the gate.
func TestRandomConversations(t *testing.T) { simulateAgents(t, drawn.Cases(20), false) }

// TestRandomMessages does the same for agents that speak the Messages API.
func TestRandomMessages(t *testing.T) { simulateAgents(t, drawn.Cases(10), true) }

func simulateAgents(t *testing.T, rounds int, native bool) {
	for i, change := range []func(*proxy.Options){func(*proxy.Options) {}, func(o *proxy.Options) { o.Reflect = "think" }, withFilter(3, 1500), onPage(0)} {
		s := newTestService(t, "", change)
		s.native = native
		w := &world{s: s, r: rand.New(rand.NewPCG(7, uint64(i))), questions: map[string]*shown{}, votes: map[string]bool{}}
		s.model.free = w.improviseStep
		for range rounds {
			s.now.Add(10 * 60 * 1000) // a person's no counts for five minutes; otherwise all calls are denied at some time
			w.simulateAgent(t)
			if t.Failed() {
				return
			}
		}
		t.Logf("%d requests to the model, %d questions, %d turns handed over, %d not", s.model.requestCount(), len(w.questions), w.handed, w.refused)
		if w.handed < rounds/10 || w.refused < rounds/10 {
			t.Error("too little happened for the test to show anything")
		}
	}
}

// improviseStep plays the model. It checks the request and answers at random.
func (w *world) improviseStep(body string) step {
	var v struct{ Messages []spoken }
	if w.s.native {
		v.Messages = spokenNative(w.s.t, body)
	} else if err := json.Unmarshal([]byte(body), &v); err != nil {
		w.s.t.Error(err)
	}
	if why := conversationFault(v.Messages); why != "" {
		w.s.t.Errorf("the model was sent %s: %s", why, body)
	}
	text := []string{"", "Words.", "More words\n"}[w.r.IntN(3)]
	w.played = nil
	for range []int{0, 1, 1, 1, 2, 3}[w.r.IntN(6)] {
		w.n++
		c := tool{fmt.Sprintf("call_%d", w.n), "get_order", fmt.Sprintf(`{"id": %d}`, w.r.IntN(3))}
		switch w.r.IntN(6) {
		case 0, 1, 2:
			c.name = []string{"update_order", "issue_refund"}[w.r.IntN(2)]
		case 3:
			if w.r.IntN(3) == 0 && !w.s.native { // an answer of the Messages API cannot have this, unless it is streamed
				c.args = `{"id":`
			}
		}
		w.played = append(w.played, c)
	}
	finish := ""
	if w.r.IntN(15) == 0 {
		finish = "length"
	}
	return finishStep(finish, text, w.played...)
}

// conversationFault returns a text about the fault of a conversation. It returns "" if
// the conversation is valid.
func conversationFault(messages []spoken) string {
	for i := 0; i < len(messages); i++ {
		m := &messages[i]
		if strings.Contains(m.contentText(), "[confirmation") || strings.Contains(m.contentText(), "[gate]") {
			return "words of the gate"
		}
		if m.Role == "tool" {
			return "a result of no call"
		}
		open := map[string]bool{}
		for _, c := range m.Calls {
			open[c.ID] = true
		}
		for len(open) > 0 {
			i++
			if i >= len(messages) || messages[i].Role != "tool" || !open[messages[i].CallID] {
				return "a call without its result"
			}
			delete(open, messages[i].CallID)
		}
	}
	return ""
}

func writesIn(calls []tool) bool {
	for _, c := range calls {
		if c.name != "get_order" {
			return true
		}
	}
	return false
}

// simulateAgent simulates the conversation of one agent.
func (w *world) simulateAgent(t *testing.T) {
	c := w.s.newTalk(w.r.IntN(2) == 0, []string{"", "be careful"}[w.r.IntN(2)])
	c.addMessage(map[string]any{"role": "user", "content": fmt.Sprintf("task %d", w.r.IntN(20))})
	for range 3 + w.r.IntN(8) {
		before := w.s.model.requestCount()
		w.checkAnswer(t, c, before)
		if t.Failed() {
			return
		}
		switch {
		case c.last.failure != "":
			return
		case w.s.proxy.Page && w.r.IntN(3) == 0 && len(c.last.calls) == 0:
			w.voteOnPage(w.r.IntN(3) > 0)
			c.addMessage(map[string]any{"role": "user", "content": w.userReply(c)})
		case len(c.last.calls) > 0:
			for _, x := range c.last.calls {
				c.addMessage(map[string]any{"role": "tool", "tool_call_id": x.id, "content": "result of " + x.id})
			}
		case w.r.IntN(12) == 0 && len(c.messages) > 4: // back to an earlier turn of the assistant
			for i := len(c.messages) - 2; i > 0; i-- {
				if c.messages[i]["role"] == "assistant" && c.messages[i]["tool_calls"] == nil && !callsInBlocks(c.messages[i]["blocks"]) {
					c.messages = append([]map[string]any(nil), c.messages[:i+1]...)
					break
				}
			}
			c.addMessage(map[string]any{"role": "user", "content": w.userReply(c)})
		default:
			c.addMessage(map[string]any{"role": "user", "content": w.userReply(c)})
		}
		if w.r.IntN(10) == 0 { // the same request twice
			twice := *c
			twice.messages = append([]map[string]any(nil), c.messages...)
			w.checkAnswer(t, &twice, w.s.model.requestCount())
		}
	}
}

// voteOnPage decides all waiting calls on the page.
func (w *world) voteOnPage(approve bool) {
	if w.s.decideWaiting(approve) == 0 {
		return
	}
	for _, q := range w.questions {
		if _, known := w.votes[q.code]; !known {
			w.votes[q.code] = approve
		}
	}
}

// userReply returns the user's reply to the last turn.
func (w *world) userReply(c *talk) string {
	last, _ := c.messages[len(c.messages)-1]["content"].(string)
	if q := w.questions[last]; q != nil {
		switch w.r.IntN(8) {
		case 0, 1, 2:
			return "yes"
		case 3:
			return "Yes " + strings.ToLower(q.code)
		case 4:
			return "no"
		case 5:
			return "yes 2BCDF"
		}
	}
	return []string{"yes", "go on", "yes, but more", "no", "done", "what?"}[w.r.IntN(6)]
}

// checkAnswer sends a request and checks that the answer is permitted.
func (w *world) checkAnswer(t *testing.T, c *talk, before int) {
	t.Helper()
	n := len(c.messages)
	got := c.sendConversation()
	asked := w.s.model.requestCount() > before
	switch {
	case got.failure != "":
		if len(got.calls) > 0 {
			t.Errorf("calls beside an error: %+v", got)
		}
	case strings.Contains(got.content, "Allow this call?"):
		if len(got.calls) > 0 {
			t.Errorf("calls beside a question: %+v", got)
		}
		_, rest, _ := strings.Cut(got.content, "[confirmation ")
		q := &shown{calls: w.played, code: rest[:5], typed: strings.Contains(got.content, "Reply \"yes "+rest[:5])}
		if !asked { // the same question again
			q.calls = nil
			for _, old := range w.questions {
				if old.code == q.code {
					q.calls = old.calls
				}
			}
		}
		for _, x := range q.calls {
			if !strings.Contains(got.content, "Tool: "+x.name) {
				t.Errorf("%s is not shown in %s", x.name, got.content)
			}
		}
		w.questions[got.content] = q
	case len(got.calls) == 0:
	case asked:
		if writesIn(got.calls) || fmt.Sprint(got.calls) != fmt.Sprint(w.played) {
			t.Errorf("%v went through, the model made %v", got.calls, w.played)
		}
	default:
		w.mayRun(t, c.messages[:n], got)
	}
	if last, _ := c.messages[max(0, n-2)]["content"].(string); w.questions[last] != nil && len(got.calls) == 0 {
		w.refused++
	}
}

// mayRun fails the test if the calls in the answer may not run. They must be exactly the
// calls of the question before the answer, and must run for the first time. A yes or the
// page must have approved the question. If people decide on the page, the reads of a turn
// may run although its changes were denied.
func (w *world) mayRun(t *testing.T, messages []map[string]any, got turn) {
	t.Helper()
	n := len(messages)
	question, _ := messages[n-2]["content"].(string)
	reply, _ := messages[n-1]["content"].(string)
	q := w.questions[question]
	if q == nil || messages[n-1]["role"] != "user" {
		t.Fatalf("%v ran without a question: %v", got.calls, messages)
	}
	yes := reply == "yes" && !q.typed || reply == "Yes "+strings.ToLower(q.code)
	if w.s.proxy.Page {
		yes = w.votes[q.code] && (strings.HasPrefix(strings.ToLower(reply), "yes") && !strings.Contains(reply, "more") || reply == "done" || reply == "go on")
	}
	if w.s.proxy.Page && !writesIn(got.calls) {
		return // only the reads of a turn whose changes were denied
	}
	if !yes || fmt.Sprint(q.calls) != fmt.Sprint(got.calls) {
		t.Errorf("%v ran after %q to %s", got.calls, reply, question)
	}
	for _, other := range w.questions {
		if other.code == q.code && other.ran {
			t.Errorf("%v ran a second time", got.calls)
		}
	}
	q.ran = true
	w.handed++
}
