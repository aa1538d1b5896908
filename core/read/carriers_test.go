package read

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

type (
	object = map[string]any
	// carriedRun is a run that a file carries: how many calls it made, and how many were expected; -1 for no word of it.
	carriedRun struct {
		id             string
		calls, steps   int
		passed, failed bool // by the last call
	}
)

func (c carriedRun) list(n int) []any {
	out := []any{}
	for k := range n {
		out = append(out, object{"name": fmt.Sprint("do_thing_", k), "arguments": object{"n": k, "id": c.id}})
	}
	return out
}

func (c carriedRun) talk(upTo int) []any {
	out := []any{object{"role": "user", "content": "Please do " + c.id}}
	for k, call := range c.list(upTo) {
		id := fmt.Sprint("call_", c.id, k)
		out = append(out, object{"role": "assistant", "content": nil, "tool_calls": []any{object{"id": id, "type": "function", "function": object{"name": call.(object)["name"], "arguments": jsonOf(call.(object)["arguments"])}}}},
			object{"role": "tool", "tool_call_id": id, "content": "ok"})
	}
	return out
}

func jsonOf(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// runCarrier is a way in which evaluators and logs carry runs. sided says that it carries what was expected and how the
// run ended, too, and always that it has a list of what was expected for each run, perhaps an empty one.
type runCarrier struct {
	name          string
	sided, always bool
	write         func(r *rand.Rand, runs []carriedRun) any
}

var runCarriers = []runCarrier{
	{"the run in a member of any name", true, false, func(r *rand.Rand, runs []carriedRun) any {
		name, rows := drawWord(r, "task_result", "rollout_dump", "agent_run", "bundle"), []any{}
		for _, c := range runs {
			row := object{"task_id": c.id, name: object{"messages": append(c.talk(c.calls), object{"role": "assistant", "content": "Done."}), "stop_reason": "stop"}}
			c.addSides(row, "expected_tool_calls", "passed")
			rows = append(rows, row)
		}
		return rows
	}},
	{"the run beside a list of scores", true, false, func(r *rand.Rand, runs []carriedRun) any {
		rows := []any{}
		for i, c := range runs {
			children := []any{}
			for k, call := range c.list(c.calls) {
				children = append(children, object{"id": fmt.Sprint(c.id, k), "run_type": "tool", "name": call.(object)["name"], "trace_id": c.id, "parent_run_id": c.id, "inputs": call.(object)["arguments"], "outputs": object{"output": "ok"}, "start_time": fmt.Sprintf("2026-04-01T10:00:%02d", k), "child_runs": []any{}})
			}
			example := object{"id": fmt.Sprint("e", i), "inputs": object{"question": "Please"}}
			if c.steps >= 0 {
				example["outputs"] = object{"expected_tools": c.list(c.steps)}
			}
			rows = append(rows, object{"run": object{"id": c.id, "name": "target", "run_type": "chain", "trace_id": c.id, "start_time": "2026-04-01T10:00:00", "inputs": object{"question": "Please"}, "outputs": object{"answer": "ok"}, "child_runs": children},
				"example": example, "evaluation_results": object{"results": []any{object{"key": "correctness", "score": c.score(), "comment": nil}}}})
		}
		return rows
	}},
	{"texts in the rows of a service", true, false, func(r *rand.Rand, runs []carriedRun) any {
		rows := []any{}
		for i, c := range runs {
			row := object{"id": c.id, "messages": jsonOf(c.talk(c.calls))}
			c.addSides(row, "ground_truth_calls", "success")
			if c.steps >= 0 {
				row["ground_truth_calls"] = jsonOf(c.list(c.steps))
			}
			rows = append(rows, object{"row_idx": i, "row": row, "truncated_cells": []any{}})
		}
		return object{"features": []any{object{"feature_idx": 0, "name": "messages", "type": object{"dtype": "string"}}}, "rows": rows, "partial": false}
	}},
	{"answers beside predictions and tools", true, true, func(r *rand.Rand, runs []carriedRun) any {
		rows := []any{}
		for i, c := range runs {
			row := object{"id": i, "query": "Please do " + c.id, "tools": jsonOf([]any{object{"name": "do_thing_0", "description": "does it", "parameters": object{"n": object{"type": "int"}}}}),
				"prediction": jsonOf(c.list(c.calls)), "match": c.passed, "answers": jsonOf(c.list(max(c.steps, 0)))}
			rows = append(rows, row)
		}
		return rows
	}},
	{"calls whose result speaks of a failure", false, false, func(r *rand.Rand, runs []carriedRun) any {
		rows := []any{}
		for _, c := range runs {
			done := []any{}
			for k, call := range c.list(c.calls) {
				result := `{"ok":true}`
				if c.failed && k == c.calls-1 {
					result = `{"error":"not allowed"}`
				}
				done = append(done, object{"tool": call.(object)["name"], "parameters": call.(object)["arguments"], "round_num": k + 1, "success": true, "result": result})
			}
			rows = append(rows, object{"task_id": c.id, "status": "completed", "execution_results": done})
		}
		return object{"model_name": "m", "tasks": rows}
	}},
}

func (c carriedRun) addSides(row object, expected, outcome string) {
	if c.steps >= 0 {
		row[expected] = c.list(c.steps)
	}
	row[outcome] = c.passed
}

func (c carriedRun) score() int {
	if c.passed {
		return 1
	}
	return 0
}

func drawWord(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

func drawCarried(r *rand.Rand) (runs []carriedRun) {
	for i := range 3 + r.IntN(4) {
		runs = append(runs, carriedRun{id: fmt.Sprint("c-", i), calls: 1 + r.IntN(3), steps: 1 + r.IntN(3), passed: r.IntN(2) == 0, failed: r.IntN(3) == 0})
	}
	runs[len(runs)-1].calls = 0
	runs[1].steps = -1
	return runs
}

// TestEachCarrierKeepsItsRuns draws runs, of which one made no call and one has no word of what was expected, and
// writes them as evaluators do: each record is one run with its calls, its reference and its outcome.
func TestEachCarrierKeepsItsRuns(t *testing.T) {
	for _, c := range runCarriers {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(41, 4))
			for range drawn.Cases(10) {
				runs := drawCarried(r)
				text := jsonOf(c.write(r, runs))
				if fault := c.compare(text, runs); fault != "" {
					t.Fatalf("%s: %s", fault, text)
				}
			}
		})
	}
}

// compare says what of a text was read otherwise than the runs that it carries.
func (c runCarrier) compare(text string, runs []carriedRun) string {
	doc, err := Decode([]byte(text))
	if err != nil || len(doc.Trajectories) != len(runs) {
		return fmt.Sprintf("%d runs, want %d, %v", len(doc.Trajectories), len(runs), err)
	}
	for i, want := range runs {
		got, steps := doc.Trajectories[i], -1
		if got.Reference != nil {
			steps = len(got.Reference.Steps)
		}
		if c.always {
			want.steps = max(want.steps, 0) // an empty list
		}
		switch {
		case len(got.Actions) != want.calls:
			return fmt.Sprintf("run %d has %d calls, want %d", i, len(got.Actions), want.calls)
		case c.sided && (steps != want.steps || got.Success == nil && got.Reward == nil || got.Success != nil && *got.Success != want.passed):
			return fmt.Sprintf("run %d has %d steps, want %d, and an outcome that is not %v", i, steps, want.steps, want.passed)
		}
	}
	return ""
}

// TestPartsInAnyMember draws events of several runs in turns, each in a member of any name, as an object or as a text,
// in lines or in the answer of a search: the runs are those that the events name.
func TestPartsInAnyMember(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 5))
	for range drawn.Cases(20) {
		runs := drawCarried(r)
		name, isText, nested := drawWord(r, "_source", "@message", "jsonPayload", "detail", "log"), r.IntN(2) == 0, r.IntN(2) == 0
		rows, want := []any{}, map[string]int{}
		for k := range 3 {
			for _, c := range runs {
				if k >= c.calls {
					continue
				}
				call := c.list(c.calls)[k].(object)
				event := object{"level": "INFO", "event": "tool_call", "tool": call["name"], "args": call["arguments"], "result": []any{object{"ok": true}}}
				if nested {
					event["session"] = object{"id": c.id}
				} else {
					event["session_id"] = c.id
				}
				row := object{"_id": fmt.Sprint(c.id, k), "_score": nil, "at": fmt.Sprint("2026-04-01T10:00:0", k), name: event}
				if isText {
					row[name] = jsonOf(event)
				}
				rows, want[c.id] = append(rows, row), want[c.id]+1
			}
		}
		text := jsonOf(rows)
		if r.IntN(2) == 0 {
			text = jsonOf(object{"took": 3, "hits": object{"total": object{"value": len(rows)}, "hits": rows}})
		}
		if len(rows) == len(want) {
			continue // one event each, which may be records
		}
		doc, err := Decode([]byte(text))
		got := map[string]int{}
		for _, run := range doc.Trajectories {
			got[run.ID] += len(run.Actions)
		}
		if err != nil || len(doc.Trajectories) != len(want) || jsonOf(got) != jsonOf(want) {
			t.Fatalf("%v, want %v, %v: %s", got, want, err, text)
		}
	}
}

// TestRequestsOfOneConversationAreOneRun draws requests that grow, with the id of their conversation in an object
// about the request: each conversation is one run, and joining is said.
func TestRequestsOfOneConversationAreOneRun(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 6))
	for range drawn.Cases(10) {
		runs := drawCarried(r)
		about, id, n := drawWord(r, "requestMetadata", "request_properties", "labels", "custom_attributes"), drawWord(r, "session_id", "X-Session-Id", "conversationId"), 0
		text, want := "", []int{}
		for _, c := range runs[:len(runs)-1] {
			want = append(want, c.calls)
			for k := range c.calls + 1 {
				n++
				full := c.talk(c.calls)
				answer := any(object{"role": "assistant", "content": "Done."})
				if k < c.calls {
					answer = full[1+2*k]
				}
				text += jsonOf(object{"request_id": fmt.Sprint("q", n), about: object{id: c.id}, "request_body": object{"messages": full[:1+2*k]}, "response_body": object{"object": "chat.completion", "choices": []any{object{"index": 0, "message": answer}}}, "scores": object{}}) + "\n"
			}
		}
		doc, err := Decode([]byte(text))
		var got []int
		for _, run := range doc.Trajectories {
			got = append(got, len(run.Actions))
		}
		if err != nil || !slices.Equal(got, want) || len(doc.Warnings) == 0 {
			t.Fatalf("%v, want %v, %d warnings, %v: %s", got, want, len(doc.Warnings), err, text)
		}
	}
}
