package react

import (
	"fmt"
	"strings"
	"testing"
)

// formatCalls parses a text and returns one line for each call. The line has the text in
// front of the call, the name, the input and the observation.
func formatCalls(text string) string {
	calls, rest := Parse(text)
	var b strings.Builder
	for _, c := range calls {
		name := c.Name
		if c.Blob {
			name = "{}"
		}
		observation := "-"
		if c.Observed {
			observation = c.Observation
		}
		fmt.Fprintf(&b, "%q|%s|%s|%s\n", c.Before, name, c.Input, observation)
	}
	return b.String() + rest
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"hello: there\n", "hello: there"},
		{"Thought: I must.\nAction: cancel\nAction Input: {\"id\": 1}\nObservation: ok\nThought: done\nFinal Answer: yes",
			"\"Thought: I must.\"|cancel|{\"id\": 1}|ok\nThought: done\nFinal Answer: yes"},
		{"**Action:** `cancel`\n**Action Input:** {\n\"id\": 1\n}", "\"\"|cancel|{\n\"id\": 1\n}|-\n"},
		{"Action:\n```json\n{\"action\": \"cancel\", \"action_input\": {}}\n```\nObservation: a\nb\n", "\"\"|{}|{\"action\": \"cancel\", \"action_input\": {}}|a\nb\n"},
		{"Action 1: Search[a [b] c]\nObservation 1: found\nAction 2: Finish[x]", "\"\"|Search|a [b] c|found\n\"\"|Finish|x|-\n"},
		{"Action: cancel\nThought: no", "Action: cancel\nThought: no"},
		{"Action: please look at [1]", "Action: please look at [1]"},
		{"Thought: x\nAction: cancel(id=\"7\", [1])\nObservation: ok", "\"Thought: x\"|cancel|id=\"7\", [1]|ok\n"},
		{"Action: list_orders()\nPAUSE", "\"\"|list_orders||-\n"},
		{"Action: call us (toll-free)", "Action: call us (toll-free)"},
		{"Action: find(a) and then more", "Action: find(a) and then more"},
		{"Action: Operation\n```sql\nDELETE FROM t\n```", "\"\"|Operation|DELETE FROM t|-\n"},
		{"Think: x\n\nAct: bash\n\n```bash\nls\n```", "\"Think: x\"|bash|ls|-\n"},
		{"Action: see\n```\na\n```\n```\nb\n```", "Action: see\n```\na\n```\n```\nb\n```"},
		{"Action Input: {}", "Action Input: {}"},
		{"Action:\nAction Input: {}", "\"\"||{}|-\n"},
		{"Action: a\nAction Input:\nAction: b\nAction Input: 1\nObservation:\n", "\"\"|a||-\n\"\"|b|1|\n"},
		{"Action: a\nAction Input:\nObservation: x", "\"\"|a||x\n"},
		{"Observation: nobody asked", "Observation: nobody asked"},
	} {
		if got := formatCalls(c.text); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}

// TestParseCopiesNoLines checks that Parse does not copy the lines of a long text one by
// one, because this would take quadratic time.
func TestParseCopiesNoLines(t *testing.T) {
	text := "Action: a\nAction Input: {}\nObservation: " + strings.Repeat("one more line\n", 10_000)
	if n := testing.AllocsPerRun(10, func() { Parse(text) }); n > 50 {
		t.Errorf("%.0f allocations", n)
	}
}

// FuzzParse checks that Parse does not panic for any text, and that names, inputs and
// observations are parts of the text.
func FuzzParse(f *testing.F) {
	f.Add("Thought: x\nAction: a\nAction Input: {}\nObservation: y\n")
	f.Add("Action: A[b]\nAction:\n```\n{}\n```")
	f.Fuzz(func(t *testing.T, text string) {
		calls, rest := Parse(text)
		for _, c := range calls {
			if !strings.Contains(text, c.Name) || !strings.Contains(text, c.Input) || !strings.Contains(text, c.Observation) {
				t.Errorf("%q: %+v", text, c)
			}
		}
		if len(calls) == 0 && len(strings.Fields(rest)) > len(strings.Fields(text))+1 {
			t.Errorf("%q: %q", text, rest)
		}
	})
}
