package read

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// describeSides returns the calls of each run with its reference and outcome: calls, then
// the steps after "<", then whether the run succeeded.
func describeSides(doc *trajectory.Document) string {
	var out []string
	for i := range doc.Trajectories {
		t := &doc.Trajectories[i]
		var parts []string
		for _, a := range t.Actions {
			parts = append(parts, a.Name+a.Arguments.Raw())
		}
		if t.Reference != nil {
			parts = append(parts, "<")
			for _, s := range t.Reference.Steps {
				parts = append(parts, s.Name+shape.IfElse(s.Compare != nil, "(?)", s.Arguments.Raw()))
			}
		}
		if t.Success != nil {
			parts = append(parts, fmt.Sprint(*t.Success))
		}
		out = append(out, strings.Join(parts, " "))
	}
	return strings.Join(out, " | ")
}

// TestSides reads rows of evaluators that have a run and what should have been done.
func TestSides(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"Vertex", `{"prompt":"Book room 4","predicted_trajectory":[{"tool_name":"book","tool_input":{"room":4}}],"reference_trajectory":[{"tool_name":"book","tool_input":{"room":4}}]}`,
			`book{"room":4} < book{"room":4}`},
		{"DeepEval", `{"input":"Book room 4","tools_called":[{"name":"book","input_parameters":{"room":4}},{"name":"drop","input_parameters":{"room":9}}],"expected_tools":[{"name":"book","input_parameters":{"room":4}}]}`,
			`book{"room":4} drop{"room":9} < book{"room":4}`},
		{"DeepEval names", `{"input":"x","toolsCalled":[{"name":"book","inputParameters":{"room":4}}],"expectedTools":[{"name":"book"}]}`, `book{"room":4} < book(?)`},
		{"agentevals", `{"outputs":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"book","arguments":"{\"n\":1}"}}]}],"reference_outputs":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"drop","arguments":"{}"}}]}]}`,
			`book{"n":1} < drop{}`},
		{"MLflow", `{"inputs":{"q":"x"},"outputs":{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"book","arguments":"{}"}}]}]},"expectations":{"expected_tool_calls":[{"name":"book","arguments":{"n":1}}]}}`,
			`book{} < book{"n":1}`},
		{"Braintrust", `{"id":"r","input":"x","output":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"book","arguments":"{}"}}]}],"expected":{"tool_calls":[{"name":"book","arguments":{}}]},"scores":{"a":1}}`,
			`book{} < book{}`},
		{"Mastra", `{"input":"x","trajectory":[{"toolName":"book","args":{"n":1}}],"expectedTrajectory":[{"toolName":"book","args":{"n":2}}],"passed":false}`, `book{"n":1} < book{"n":2} false`},
		{"names", `{"input":"x","tool_calls":[{"name":"book","args":{}}],"reference_tool_calls":["book","drop(n=1)"]}`, `book{} < book(?) drop{"n":1}`},
		{"nothing", `{"input":"x","tool_calls":[{"name":"book","args":{}}],"expected_tool_calls":[]}`, `book{} <`},
		{"an answer", `{"input":"x","tool_calls":[{"name":"book","args":{}}],"expected_output":"It is booked."}`, `book{}`},
		{"turns", `{"input":"x","tool_calls":[{"name":"book","args":{}}],"ground_truth_tool_calls":[[],[{"name":"book","args":{}}]]}`, `book{} < book{}`},
	} {
		for _, text := range []string{c.text, "[" + c.text + "," + c.text + "]", c.text + "\n" + c.text + "\n" + c.text, `{"results":[` + c.text + "," + c.text + "]}"} {
			doc, err := Decode([]byte(text))
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			n := strings.Count(text, c.text)
			if want := strings.Repeat(" | "+c.want, n)[3:]; describeSides(&doc) != want {
				t.Errorf("%s: %s\nwant %s\n%s", c.name, describeSides(&doc), want, text)
			}
			unused := 0
			for _, w := range doc.Warnings {
				if w.Code == "expected-not-used" {
					unused++
				} else {
					t.Errorf("%s: warning %s: %s", c.name, w.Code, w.Message)
				}
			}
			if (unused == 1) != (c.name == "an answer") {
				t.Errorf("%s: %d warnings that an expectation was not used", c.name, unused)
			}
		}
	}
}

// TestExpectedIsNeverDone checks generated rows: an expectation under any name adds no call
// to the run.
func TestExpectedIsNeverDone(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 3))
	var names []string
	for _, side := range []string{"expected", "reference", "ground_truth", "golden", "gold", "ideal"} {
		for _, word := range []string{"_tools", "_tool_calls", "_trajectory", "_actions", "_function_calls", "_tool_use"} {
			names = append(names, side+word, camelCase(side+word))
		}
	}
	for range drawn.Cases(2000) {
		call := func(name string) map[string]any {
			return []map[string]any{
				{"name": name, "arguments": map[string]any{"n": 1}},
				{"tool_name": name, "tool_input": map[string]any{"n": 1}},
				{"id": "1", "type": "function", "function": map[string]any{"name": name, "arguments": `{"n":1}`}},
			}[r.IntN(3)]
		}
		row := map[string]any{"input": "x", names[r.IntN(len(names))]: []any{call("wanted")},
			[]string{"tool_calls", "tools_called", "toolCalls"}[r.IntN(3)]: []any{call("made")}}
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Decode(text)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if got := describeSides(&doc); got != `made{"n":1} < wanted{"n":1}` {
			t.Fatalf("%s: %s", got, text)
		}
	}
}

func camelCase(name string) string {
	parts := strings.Split(name, "_")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

// TestDeepestReading checks that a thing that holds calls is a run and not a call.
func TestDeepestReading(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"name":"agent","input":{"q":"x"},"spans":[{"name":"book","input":{"n":1}},{"name":"drop","input":{"n":2},"output":"ok"}]}`, `book{"n":1} drop{"n":2}`},
		{`{"name":"agent","input":"x","output":"y","status":"ok","steps":[{"type":"llm","name":"m","input":{"p":1}},{"type":"tool","name":"book","input":{"n":1}}]}`, `book{"n":1}`},
		{`{"name":"agent","arguments":{"q":"x"},"children":[{"name":"plan","input":{"q":"x"},"children":[{"name":"book","input":"{\"n\":1}"}]},{"name":"drop","input":{"n":2}}]}`, `book{"n":1} drop{"n":2}`},
		{`[{"name":"agent","input":{"q":"x"},"tool_calls":[{"name":"book","arguments":{"n":1}}]}]`, `book{"n":1}`},
		{`[{"name":"book","arguments":{"n":1}},{"name":"drop","arguments":{"steps":[{"name":"a","input":{}}]}}]`, `book{"n":1} drop{"steps":[{"name":"a","input":{}}]}`},
	} {
		doc, err := Decode([]byte(c.text))
		if err != nil || describeSides(&doc) != c.want {
			t.Errorf("%s: %s, %v\nwant %s", c.text, describeSides(&doc), err, c.want)
		}
	}
}

// TestNestedTreesAreReadOnce reads generated trees of things with names. Each call is read
// once, as a simple walk finds them. A chain of 300 levels would take for ever if a level were
// visited twice.
func TestNestedTreesAreReadOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 5))
	n := 0
	var tree func(depth int) (any, []string)
	tree = func(depth int) (any, []string) {
		n++
		name := fmt.Sprint("t", n)
		node := map[string]any{"name": name, "input": map[string]any{"q": n}}
		var calls []string
		if depth > 0 {
			var parts []any
			for range 1 + r.IntN(3) {
				part, inner := tree(r.IntN(depth))
				parts, calls = append(parts, part), append(calls, inner...)
			}
			node[[]string{"children", "spans", "steps"}[r.IntN(3)]] = parts
			return node, calls
		}
		return node, []string{name}
	}
	for range drawn.Cases(500) {
		n = 0
		node, want := tree(1 + r.IntN(4))
		text, err := json.Marshal(node)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range mustDecode(t, string(text)).Trajectories[0].Actions {
			got = append(got, a.Name)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v: %s", got, want, text)
		}
	}
	for _, leaf := range []string{`{"name":"x","input":"q"}`, `{"name":"x","input":{"q":1}}`} {
		text := leaf
		for range 300 {
			text = `{"name":"a","status":"ok","children":[` + text + `]}`
		}
		if doc, err := Decode([]byte(text)); err == nil && len(doc.Trajectories) > 0 && len(doc.Trajectories[0].Actions) > 1 {
			t.Errorf("%d calls were read", len(doc.Trajectories[0].Actions))
		}
	}
}

// TestInnerRows reads records inside an object.
func TestInnerRows(t *testing.T) {
	row := func(question, name string) string {
		return `{"input":"` + question + `","messages":[{"role":"user","content":"` + question + `"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"` + name + `","arguments":"{}"}}]}]}`
	}
	messages := func(question, name string) string {
		return `[{"role":"user","content":"` + question + `"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"` + name + `","arguments":"{}"}}]}]`
	}
	talk := func(question, name string) string { return `{"messages":` + messages(question, name) + "}" }
	for _, c := range []struct{ text, ids, want string }{
		{`{"a":` + row("x", "book") + `,"b":` + row("x", "book") + `,"c":` + row("y", "drop") + `}`, "a b c", "book{} | book{} | drop{}"},
		{`{"meta":{"v":1},"cases":{"a":` + row("x", "book") + `,"b":` + row("x", "drop") + `}}`, "a b", "book{} | drop{}"},
		{`{"version":2,"data":{"rows":[` + strings.Replace(row("x", "book"), "{", `{"id":"r1",`, 1) + "," + strings.Replace(row("x", "book"), "{", `{"id":"r2",`, 1) + `]}}`, "r1 r2", "book{} | book{}"},
		{`{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"book","arguments":"{}"}}]}]}`, "1", "book{}"},
		{`{"runs":[` + talk("x", "book") + "," + talk("x", "book") + "," + talk("y", "drop") + `]}`, "1 2 3", "book{} | book{} | drop{}"},
		{`{"passed_runs":[` + talk("x", "book") + "," + talk("y", "book") + `],"failed_runs":[` + talk("z", "drop") + `]}`, "1 2 3", "book{} true | book{} true | drop{} false"},
		{`{"conversations":{"a":` + messages("x", "book") + `,"b":` + messages("x", "book") + `}}`, "a b", "book{} | book{}"},
		{`{"v":1,"list":[{"id":"r1","calls":[{"name":"book","arguments":{}}]},{"id":"r2","calls":[{"name":"book","arguments":{}}]}]}`, "r1 r2", "book{} | book{}"},
		{`{"id":"r1","output":[` + messages("x", "book")[1:] + `,"expected_tools":["book"]}` + "\n" + `{"id":"r2","output":"I cannot.","expected_tools":["book"]}` + "\n" + `{"id":"r3","output":null,"error":"boom","expected_tools":["book"]}`, "r1 r2 r3",
			"book{} < book(?) | < book(?) | < book(?) false"},
	} {
		doc, err := Decode([]byte(c.text))
		if err != nil {
			t.Errorf("%v: %s", err, c.text)
			continue
		}
		var ids []string
		for i := range doc.Trajectories {
			ids = append(ids, doc.Trajectories[i].ID)
		}
		if got := strings.Join(ids, " "); got != c.ids || describeSides(&doc) != c.want {
			t.Errorf("%s: %s, want %s: %s\n%s", got, describeSides(&doc), c.ids, c.want, c.text)
		}
	}
}
