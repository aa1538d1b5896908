package read

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// talk returns a conversation in which a tool was called with one argument.
func talk(tool string, n int) []any {
	call := map[string]any{"id": fmt.Sprint("c", n), "type": "function", "function": map[string]any{"name": tool, "arguments": fmt.Sprintf(`{"n":%d}`, n)}}
	return []any{map[string]any{"role": "user", "content": "go"}, map[string]any{"role": "assistant", "tool_calls": []any{call}},
		map[string]any{"role": "tool", "tool_call_id": call["id"], "content": "ok"}, map[string]any{"role": "assistant", "content": "Done."}}
}

// readSides decodes values as lines of JSON, and returns the runs and their references.
func readSides(t *testing.T, rows ...any) (sides, text string) {
	t.Helper()
	for _, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		text += string(line) + "\n"
	}
	doc, err := Decode([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return describeSides(&doc), text
}

// TestExpectedRunsAreNeverDone draws conversations that should have been, under names, places and nestings:
// each is the reference of the conversation that was.
func TestExpectedRunsAreNeverDone(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 9))
	names := strings.Fields("target gt expert demonstration human_trajectory oracle_messages desired_messages targetMessages golden_run ideal_run reference_run gold_rollout expected_conversation expected")
	for range drawn.Cases(300) {
		made, wanted := talk("pay", 1), talk("pay", 2)
		name := names[r.IntN(len(names))]
		var rows []any
		switch r.IntN(4) {
		case 0:
			rows = []any{map[string]any{"id": "a", "messages": made, name: wanted}}
		case 1:
			rows = []any{map[string]any{"id": "a", "messages": made, name: map[string]any{"messages": wanted}}}
		case 2:
			gold := map[string]any{"task": "a", "messages": wanted}
			switch r.IntN(3) {
			case 0:
				gold[[]string{"type", "kind", "source"}[r.IntN(3)]] = []string{"ground_truth", "gold", "reference"}[r.IntN(3)]
			case 1:
				gold["is_gold"] = true
			case 2:
				gold["isReference"] = true
			}
			rows = []any{map[string]any{"task": "a", "messages": made}, gold}
			if r.IntN(2) == 0 {
				rows[0], rows[1] = rows[1], rows[0]
			}
		default:
			rows = []any{map[string]any{"golden_runs": []any{map[string]any{"id": "a", "messages": wanted}}, "runs": []any{map[string]any{"id": "a", "messages": made}}}}
		}
		if got, text := readSides(t, rows...); got != `pay{"n":1} < pay{"n":2}` {
			t.Fatalf("%s: %s", got, text)
		}
	}
}

// TestArgumentsBesideNames draws records that expect a tool in one member and its arguments in another.
func TestArgumentsBesideNames(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 10))
	for range drawn.Cases(300) {
		side := []string{"expected", "gold", "reference", "target", "correct"}[r.IntN(5)]
		word := []string{"args", "arguments", "params", "parameters", "tool_input", "tool_args"}[r.IntN(6)]
		name, of := side+"_tool", side+"_"+word
		if r.IntN(2) == 0 {
			name, of = camelCase(name), camelCase(of)
		}
		var wanted any = map[string]any{"n": 7}
		switch r.IntN(4) {
		case 0:
			wanted = `{"n":7}`
		case 1:
			wanted = map[string]any{"pay": wanted}
		case 2:
			wanted = []any{wanted}
		}
		if got, text := readSides(t, map[string]any{"id": "a", "messages": talk("pay", 1), name: "pay", of: wanted}); got != `pay{"n":1} < pay{"n":7}` {
			t.Fatalf("%s: %s", got, text)
		}
	}
}

// TestTwoExpectedSides checks that of two expected sides none is dropped in silence.
func TestTwoExpectedSides(t *testing.T) {
	calls := func(tool string, n int) any {
		return []any{map[string]any{"name": tool, "arguments": map[string]any{"n": n}}}
	}
	for _, c := range []struct {
		row    map[string]any
		doubts bool
	}{
		{map[string]any{"expected_tools": []any{"pay"}, "expected_tool_calls": calls("pay", 7)}, false},
		{map[string]any{"expected_tools": []any{"refund"}, "expected_tool_calls": calls("pay", 7)}, true},
		{map[string]any{"ground_truth": calls("pay", 7), "expected_tool_calls": calls("pay", 7)}, false},
		{map[string]any{"ground_truth": calls("pay", 1), "expected_tool_calls": calls("pay", 7)}, true},
		{map[string]any{"expected_tools": []any{"pay", "refund"}, "expected_args": map[string]any{"n": 7}}, true},
	} {
		c.row["id"], c.row["messages"] = "a", talk("pay", 1)
		text, err := json.Marshal(c.row)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Decode(text)
		if err != nil || len(doc.Trajectories) != 1 || (doc.Trajectories[0].Doubt != "") != c.doubts {
			t.Errorf("%s: %v, %+v", text, err, doc.Trajectories)
		}
	}
}

// TestCallsInALine draws texts with several calls in a line: each is a step of the reference.
func TestCallsInALine(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 11))
	for range drawn.Cases(300) {
		mark := []string{"; ", ", ", " -> ", " then ", ", then ", " and "}[r.IntN(6)]
		value := []string{"x", "a, b", "f(1)", "then", ") -> ("}[r.IntN(5)]
		text := fmt.Sprintf("pay(s=%q)%sdrop(n=2)", value, mark)
		if r.IntN(3) == 0 {
			text = "[" + text + "]"
		}
		want := fmt.Sprintf(`pay{"n":1} < pay{"s":%q} drop{"n":2}`, value)
		if got, row := readSides(t, map[string]any{"id": "a", "messages": talk("pay", 1), "gold": text}); got != want {
			t.Fatalf("%s, want %s: %s", got, want, row)
		}
	}
}

// TestArgumentsAreNoExpectedCalls draws arguments whose text is written as a call: each expected call is one step,
// and no text in it is another one.
func TestArgumentsAreNoExpectedCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 77))
	texts := []string{"rgb(0, 128, 0)", "cancel_order(id='A')", "SUM(1)", "f(x=1)\ng(y=2)", "translate(10)"}
	names := [][2]string{{"tool", "args"}, {"name", "arguments"}, {"tool_name", "tool_input"}}
	for range 200 {
		words := names[r.IntN(len(names))]
		var wanted, steps []any
		for k := range 1 + r.IntN(3) {
			args := map[string]any{"color": texts[r.IntN(len(texts))]}
			call := map[string]any{words[0]: fmt.Sprint("paint_", k), words[1]: args}
			wanted = append(wanted, call)
			steps = append(steps, map[string]any{words[0]: fmt.Sprint("paint_", k), words[1]: args, "result": map[string]any{"ok": true}})
		}
		line, _ := json.Marshal(map[string]any{"id": "1", "reference": wanted, "steps": steps})
		doc, err := Decode(line)
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if len(doc.Trajectories) != 1 || doc.Trajectories[0].Reference == nil || len(doc.Trajectories[0].Reference.Steps) != len(wanted) || len(doc.Trajectories[0].Actions) != len(steps) {
			t.Fatalf("not one run with %d expected calls: %s", len(wanted), line)
		}
	}
}
