package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestReAct checks actions that a model writes in the form of ReAct, in texts and in
// messages: which actions are read, their inputs and their results.
func TestReAct(t *testing.T) {
	say := func(role, text string) string { return `{"role":"` + role + `","content":` + literal.Quote(text) + `}` }
	for name, c := range map[string]struct{ text, want string }{
		"brackets":         {"Thought 1: I look.\nAction 1: Search[a place]\nObservation 1: found\nAction 2: Finish[1,800 m]\n", `Search {"input":"a place"} found; Finish {"input":"1,800 m"} -`},
		"one JSON object":  {"Action:\n```\n{\"action\": \"cancel\", \"action_input\": {\"id\": 1}}\n```\nObservation: ok\n", `cancel {"id": 1} ok`},
		"no input":         {"Action: list_orders\nAction Input: None\nObservation: a\nb\n", `list_orders {} a` + "\nb"},
		"a string":         {`{"output": ` + literal.Quote("Action: cancel\nAction Input: W-7\nObservation: ok\nFinal Answer: x") + `}`, `cancel {"input":"W-7"} ok`},
		"twice the same":   {"[" + say("assistant", "Action: get\nAction Input: {}") + "," + say("user", "Observation: a") + "," + say("assistant", "Action: get\nAction Input: {}") + "," + say("user", "Observation: b") + "]", `get {} a; get {} b`},
		"a tool's message": {"[" + say("assistant", "Action: get\nAction Input: {}") + "," + say("tool", "a") + "]", `get {} a`},
		"beside a call": {`[{"role":"assistant","content":"I write\nAction: cancel\nAction Input: {}","tool_calls":[{"id":"1","function":{"name":"get","arguments":"{}"}}]},` +
			say("assistant", "Action: cancel\nAction Input: {}") + "]", `get {} -`},
		"in parentheses": {"[" + say("assistant", "Action: drop(id=\"W-7\", n=2)\nPAUSE") + "," + say("user", "Observation: gone") + "," + say("assistant", "Action: list_all()") + "]", `drop {"id":"W-7","n":2} gone; list_all {} -`},
		"a block of code": {"[" + say("agent", "I look first.\nAction: Operation\n```sql\nSELECT 1\n```") + "," + say("user", "[(1,)]") + "," + say("agent", "Act: bash\n\n```bash\nls\n```") + "," + say("user", "a b") + "," + say("agent", "Act: answer(2)") + "]",
			`sql {"query":"SELECT 1"} [(1,)]; bash {"command":"ls"} a b; answer {"arg1":2} -`},
		"requests": {`{"index":0,"output":{"history":[` + say("user", "Record the weight.") + "," + say("agent", "GET http://host/weights?of=7") + "," + say("user", `The answer is {"total":0}`) + "," +
			say("agent", "POST http://host/weights\n{\"kg\": 70}") + "," + say("user", "accepted") + "," + say("agent", "FINISH([70])") + "]}}",
			`http_request {"method":"GET","url":"http://host/weights?of=7"} The answer is {"total":0}; http_request {"method":"POST","url":"http://host/weights","body":{"kg": 70}} accepted`},
		"a request in words":  {"[" + say("assistant", "GET http://host/a or wait") + "," + say("assistant", "I send GET http://host/a") + "]", ``},
		"in the instructions": {"[" + say("system", "Action: the tool\nAction Input: its input\nObservation: the result") + "," + say("user", "hello") + "," + say("assistant", "hello") + "]", ``},
	} {
		doc, err := Decode([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, a := range doc.Trajectories[0].Actions {
			result := "-"
			if a.Observation != nil {
				result = a.Observation.Text
			}
			got = append(got, fmt.Sprintf("%s %s %s", a.Name, a.Arguments.Raw(), result))
		}
		if s := strings.Join(got, "; "); s != c.want || len(doc.Trajectories) != 1 {
			t.Errorf("%s: read\n%s\nwant\n%s", name, s, c.want)
		}
	}
	doc, err := Decode([]byte("Question: Cancel W-7.\nIt is urgent.\nThought: yes\nAction: cancel\nAction Input: {}\nObservation: ok\nFinal Answer: done"))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range doc.Trajectories[0].Messages {
		said = append(said, m.Role+" "+m.Text)
	}
	if got, want := strings.Join(said, "|"), "user Cancel W-7.\nIt is urgent.|assistant Thought: yes|tool ok|assistant Final Answer: done"; got != want {
		t.Errorf("said %q, want %q", got, want)
	}
}

// TestReActRuns draws texts of runs in the form of ReAct one behind the other. Each question behind a final answer begins a run,
// with the id of the heading above it, also where no action was taken. Without a final answer a question is a part of its run.
func TestReActRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 33))
	for range drawn.Cases(200) {
		mark, n := []string{"", "##### run %s #####", "=== %s ===", "--- task %s"}[r.IntN(4)], 1+r.IntN(4)
		var text, want []string
		for i := range n {
			id, calls := fmt.Sprintf("brew-%d", i+3), r.IntN(3)
			if i == 0 {
				calls++ // a text without an action is no ReAct
			}
			if mark == "" {
				id = fmt.Sprint(i + 1)
			} else {
				text = append(text, fmt.Sprintf(mark, id))
			}
			text = append(text, "Question: Is tank 2 ready?")
			for k := range calls {
				text = append(text, "Thought: I look.", fmt.Sprintf("Action: read_%d", k), "Action Input: {}", "Observation: fine", "with a second line")
			}
			text = append(text, "Thought: I know", "Final Answer: It is.")
			if r.IntN(2) == 0 {
				text = append(text, "So it is.")
			}
			if mark != "" || r.IntN(2) == 0 {
				text = append(text, "")
			}
			want = append(want, fmt.Sprint(id, " ", calls))
		}
		doc, err := Decode([]byte(strings.Join(text, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range doc.Trajectories {
			got = append(got, fmt.Sprint(doc.Trajectories[i].ID, " ", len(doc.Trajectories[i].Actions)))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("%q, want %q\n%s", got, want, strings.Join(text, "\n"))
		}
	}
}
