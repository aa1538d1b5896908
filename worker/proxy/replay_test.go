//go:build !js

package proxy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// spoken is one message of a recorded run.
type spoken struct {
	Role    string
	Content *string
	Name    string
	CallID  string `json:"tool_call_id"`
	Calls   []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func (m *spoken) contentText() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

func (m *spoken) calledTools() (out []tool) {
	for _, c := range m.Calls {
		out = append(out, tool{c.ID, c.Function.Name, c.Function.Arguments})
	}
	return out
}

// storedMessage returns the message as an agent stores it.
func (m *spoken) storedMessage() map[string]any {
	out := map[string]any{"role": m.Role, "content": m.contentText()}
	if m.CallID != "" {
		out["tool_call_id"] = m.CallID
	}
	return out
}

func (m *spoken) String() string {
	return fmt.Sprintf("%s %s %q %v", m.Role, m.CallID, strings.TrimSpace(m.contentText()), m.calledTools())
}

// tally counts over all runs.
type tally struct {
	runs, turns, users, bytes int
	prompts, most             int
	held                      map[string]int // by tool, as is called
	called                    map[string]int
}

// TestReplayRecordedRuns replays every fifth of 200 recorded runs through the proxy, and
// with BOUNDCHECK_LONG=1 all of them. An agent answers every question with the reply that
// it asks for. The agent must receive the same calls, with the same bytes and in the same
// order. The model must receive the same conversation as without a gate.
func TestReplayRecordedRuns(t *testing.T) {
	replayRecordedRuns(t, 5, func(*service) {})
}

// TestReplayInMessages does the same for agents and a model that speak the Messages API:
// for every eighth run, and with BOUNDCHECK_LONG=1 for all.
func TestReplayInMessages(t *testing.T) {
	replayRecordedRuns(t, 8, func(s *service) { s.native = true })
}

// TestReplayInResponses, TestReplayInGemini and TestReplayInOllama do the same in these
// APIs, for every eighth run.
func TestReplayInResponses(t *testing.T) {
	replayRecordedRuns(t, 8, func(s *service) { s.responds = true })
}

func TestReplayInGemini(t *testing.T) {
	replayRecordedRuns(t, 8, func(s *service) { s.speech = &geminiSpeech })
}

func TestReplayInOllama(t *testing.T) {
	replayRecordedRuns(t, 8, func(s *service) { s.speech = &ollamaSpeech })
}

func replayRecordedRuns(t *testing.T, every int, choose func(*service)) {
	runs := readRecordedRuns(t)
	writes := recordings.Changing(t, "airline")
	var names []string
	for name, changes := range writes {
		if changes {
			names = append(names, name)
		}
	}
	s := newTestService(t, `{"conversation":["`+strings.Join(names, `","`)+`"]}`)
	choose(s)
	n := tally{held: map[string]int{}, called: map[string]int{}}
	for i, run := range runs {
		if drawn.InShare(i, every) {
			s.replayRun(t, run.Traj, n.runs%4 != 3, &n) // every fourth is not streamed
		}
	}
	hit, held, wanted := 0, 0, 0
	for name, k := range n.held {
		if held += k; writes[name] {
			hit += k
		}
	}
	for name, k := range n.called {
		if writes[name] {
			wanted += k
		}
	}
	precision, recall := float64(hit)/float64(held), float64(hit)/float64(wanted)
	t.Logf("\n%d runs, %d calls (%d bytes of arguments) handed to the agent as the model made them\n"+
		"held        %4d of %d calls: precision %.3f, recall %.3f against the tools that changed the database\n"+
		"prompts     %.2f a run (at most %d), %.3f a turn of the model (%d turns), %.3f a message of a user (%d)\n%s",
		n.runs, n.totalCalls(), n.bytes, held, n.totalCalls(), precision, recall,
		float64(n.prompts)/float64(n.runs), n.most, float64(n.prompts)/float64(n.turns), n.turns, float64(n.prompts)/float64(n.users), n.users, n.formatTable())
	if precision < 1 || recall < 1 || n.runs < 200/every || 6*n.prompts > n.turns {
		t.Error("the gate asks about other calls than the six writes, or more than once in six turns")
	}
	if got := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`); got != held {
		t.Errorf("%d of %d executions on record", got, held)
	}
}

type run struct{ Traj []spoken }

func readRecordedRuns(t *testing.T) (runs []run) {
	t.Helper()
	text := recordings.Read(t, "tau-bench/gpt-4o-airline.json")
	if err := json.Unmarshal(text, &runs); err != nil || len(runs) < 200 {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	return runs
}

// TestReplayOnThePage replays every tenth of the 200 runs, and with BOUNDCHECK_LONG=1 all of
// them. People approve on the gate's page while the agent waits, so the agent does not notice
// the gate.
func TestReplayOnThePage(t *testing.T) {
	runs, writes := readRecordedRuns(t), recordings.Changing(t, "airline")
	s := newTestService(t, "", onPage(time.Minute))
	over, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case <-time.After(4 * time.Millisecond):
				s.decideWaiting(true)
			}
		}
	}()
	n := tally{held: map[string]int{}, called: map[string]int{}}
	for i, run := range runs {
		if drawn.InShare(i, 10) {
			s.replayRun(t, run.Traj, n.runs%2 == 0, &n)
		}
	}
	close(over)
	<-ended
	wanted := 0
	for name, k := range n.called {
		if writes[name] {
			wanted += k
		}
	}
	got := s.queryCount(`SELECT count(*) FROM proposals WHERE state = 'executed'`)
	t.Logf("%d runs, %d calls, %d of %d writes approved on the page, %d prompts in the conversations", n.runs, n.totalCalls(), got, wanted, n.prompts)
	if got != wanted || n.prompts != 0 || wanted == 0 {
		t.Error("the page was asked about other calls than the six writes")
	}
}

func (n *tally) totalCalls() (sum int) {
	for _, k := range n.called {
		sum += k
	}
	return sum
}

func (n *tally) formatTable() string {
	var b strings.Builder
	for _, name := range sortedNames(n.called) {
		fmt.Fprintf(&b, "  %-32s called %4d  held %4d\n", name, n.called[name], n.held[name])
	}
	return b.String()
}

func sortedNames(m map[string]int) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// replayRun plays one run.
func (s *service) replayRun(t *testing.T, traj []spoken, stream bool, n *tally) {
	t.Helper()
	c := s.newTalk(stream, "")
	n.runs++
	prompts := 0
	for i := range traj {
		m := &traj[i]
		if m.Role != "assistant" {
			if m.Role == "user" {
				n.users++
			}
			c.addMessage(m.storedMessage())
			continue
		}
		n.turns++
		s.model.scriptSteps(answerStep(m.contentText(), m.calledTools()...))
		asked := s.model.requestCount()
		got := c.sendConversation()
		if s.model.requestCount() != asked+1 {
			t.Fatalf("message %d: the model was asked %d times", i, s.model.requestCount()-asked)
		}
		s.sawAsRecorded(t, traj[:i])
		if strings.Contains(got.content, "Allow this call?") {
			prompts++
			n.held[m.Calls[0].Function.Name]++
			if got = c.sendAgreement(); s.model.requestCount() != asked+1 {
				t.Fatalf("message %d: the model was asked although the call stood", i)
			}
		} else if got.content != m.contentText() {
			t.Fatalf("message %d: the agent got %q, the model said %q", i, got.content, m.contentText())
		}
		if !s.sameCalls(got.calls, m.calledTools()) {
			t.Fatalf("message %d: the agent got %v, the model made %v", i, got.calls, m.calledTools())
		}
		for _, x := range m.calledTools() {
			n.called[x.name]++
			n.bytes += len(x.args)
		}
	}
	n.prompts += prompts
	n.most = max(n.most, prompts)
	if end := len(traj) - 1; traj[end].Role == "tool" { // the last result is also sent back
		s.model.scriptSteps(answerStep("Bye."))
		c.sendConversation()
	}
}

// sawAsRecorded checks that the model received the run as it was recorded, without texts
// of the gate.
func (s *service) sawAsRecorded(t *testing.T, want []spoken) {
	t.Helper()
	if s.native {
		s.sawNative(t, want)
		return
	}
	if s.speech != nil {
		s.sawSpeech(t, want)
		return
	}
	var sent struct{ Messages []spoken }
	if err := json.Unmarshal([]byte(s.model.lastRequest()), &sent); err != nil {
		t.Fatal(err)
	}
	if len(sent.Messages) != len(want) {
		t.Fatalf("the model was sent %d messages, want %d", len(sent.Messages), len(want))
	}
	for i := range want {
		if got := sent.Messages[i]; got.String() != want[i].String() {
			t.Fatalf("message %d: the model was sent %s, want %s", i, &got, &want[i])
		}
	}
}
