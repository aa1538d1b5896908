package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// groupChat is a chat of agents in AutoGen's form.
const groupChat = `[
 {"role":"user","content":"How many rows has the file?"},
 {"role":"assistant","name":"Planner","content":"Counter, please count them."},
 {"role":"user","name":"Counter","content":"I count.\n` + "```python\\nprint(7)\\n```" + `\nand\n` + "```sh\\nwc -l a.csv\\n```" + `"},
 {"role":"user","name":"Computer_terminal","content":"exitcode: 1 (execution failed)\nCode output: sh: 1: wc: not found"},
 {"role":"user","name":"Counter","content":"` + "```\\nnot code\\n```" + ` Seven rows."},
 {"role":"user","name":"Computer_terminal","content":"There is no code from the last 1 message for me to execute."},
 {"role":"assistant","name":"Planner","content":"TERMINATE"}]`

// TestTalk checks that each turn in a conversation of agents becomes actions. The actions
// are the code blocks of the turn or, without code blocks, its words.
func TestTalk(t *testing.T) {
	for name, text := range map[string]string{"openai-chat": groupChat, "who-when": `{"history":` + groupChat + `,"mistake_agent":"Counter","mistake_step":"2"}`} {
		doc, err := Decode([]byte(text))
		if err != nil || doc.Format != name || len(doc.Warnings) > 0 {
			t.Fatalf("%s: %v %+v", name, err, doc)
		}
		run := &doc.Trajectories[0]
		var got []string
		for i := range run.Actions {
			a := &run.Actions[i]
			got = append(got, fmt.Sprintf("%d %s %s %v", a.Message, run.Messages[a.Message].Speaker, a.Name, a.Failed()))
		}
		want := "1 Planner say false; 2 Counter python false; 2 Counter sh true; 4 Counter say false; 6 Planner say false"
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s: %s, want %s", name, s, want)
		}
		if len(run.Messages) != 7 {
			t.Errorf("%s: %d messages, want one for each entry", name, len(run.Messages))
		}
		if code := run.Actions[1].Arguments.Get("code").Text(); code != "print(7)" {
			t.Errorf("%q", code)
		}
	}
}

// TestTalkSpeakers checks which conversations count as conversations of agents:
//
//   - The name of an agent may be in the role.
//   - A chat with one assistant does not count.
//   - If there are tool calls, only they are actions.
func TestTalkSpeakers(t *testing.T) {
	check := func(text string, actions int, speaker string) {
		t.Helper()
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		run := &doc.Trajectories[0]
		last := run.Messages[len(run.Messages)-1].Speaker
		if len(run.Actions) != actions || last != speaker {
			t.Errorf("%s: %d actions, last said by %q; want %d, %q", text, len(run.Actions), last, actions, speaker)
		}
	}
	check(`{"history":[{"role":"human","content":"q"},{"role":"Orchestrator (thought)","content":"plan"},{"role":"WebSurfer","content":"I looked"}],"mistake_step":"1"}`, 2, "WebSurfer")
	check(`[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]`, 0, "")
	check(`[{"role":"user","name":"ana","content":"q"},{"role":"assistant","content":"a"}]`, 0, "")
	check(`[{"role":"user","name":"A","content":"q"},{"role":"assistant","name":"B","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}]`, 1, "")
	check(`[{"role":"user","name":"A","content":"`+"```python"+`"},{"role":"assistant","name":"B","content":"`+"```python\\nx"+`"}]`, 2, "B")
}

// TestProposedIsNotDone reads calls that wait for an approval, beside one that was executed
// after it.
func TestProposedIsNotDone(t *testing.T) {
	part := func(more string) string {
		return `[{"id":"1","role":"user","parts":[{"type":"text","text":"Refund it."}]},{"id":"2","role":"assistant","parts":[{"type":"tool-refund","toolCallId":"c3","input":{"n":1},` + more + `}]}]`
	}
	held := `{"$schemaVersion":"1.9","originalInput":"Refund it.","modelResponses":[{"output":[{"type":"function_call","callId":"c3","name":"refund","arguments":"{\"n\":1}"}]}],` +
		`"currentStep":{"type":"next_step_interruption","data":{"interruptions":[{"type":"tool_approval_item","rawItem":{"type":"function_call","callId":"c3","name":"refund","arguments":"{\"n\":1}"}}]}}}`
	for text, proposed := range map[string]bool{
		part(`"state":"approval-requested","approval":{"id":"a"}`):                 true,
		part(`"state":"approval-responded","approval":{"id":"a","approved":true}`): true,
		part(`"state":"output-available","output":"ok"`):                           false,
		part(`"state":"output-denied"`):                                            true,
		held:                                                                       true,
	} {
		doc := mustDecode(t, text)
		if len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 {
			t.Errorf("%s: %+v", text, doc.Trajectories)
			continue
		}
		if a := &doc.Trajectories[0].Actions[0]; a.Proposed != proposed || proposed && !a.Failed() {
			t.Errorf("%s: %+v, want proposed %v", text, a, proposed)
		}
	}
}

// TestTalkNumbers checks the law of the messages of agents that talk: each turn has the number
// that it has in the record, whatever the record says beside it.
func TestTalkNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 1))
	for range 200 {
		var turns, want []string
		for i := range 2 + rng.IntN(6) {
			turns = append(turns, fmt.Sprintf(`{"role":"assistant","name":"Agent%d","content":"Turn %d is said."}`, rng.IntN(3), i))
			want = append(want, fmt.Sprintf("Turn %d is said.", i))
		}
		member := []string{"question", "task", "prompt", "level"}[rng.IntN(4)]
		text := fmt.Sprintf(`{%q:"How many clients are there?","history":[%s],"mistake_agent":"Agent1","mistake_step":"1"}`, member, strings.Join(turns, ","))
		doc, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		run := &doc.Trajectories[0]
		if len(run.Messages) != len(want) {
			t.Fatalf("%d messages, want %d: %s", len(run.Messages), len(want), text)
		}
		for i := range run.Actions {
			if m := run.Actions[i].Message; run.Messages[m].Text != want[m] {
				t.Fatalf("message %d is %q: %s", m, run.Messages[m].Text, text)
			}
		}
	}
}
