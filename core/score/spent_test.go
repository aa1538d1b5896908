package score

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// answer is one answer of a model with one call or none, as a test draws it.
type answer struct {
	id, call            string
	input, output, cost *float64
	start, took         *float64 // of the call
}

type object = map[string]any

// TestTotalsAreSums draws answers and writes them in the forms of several producers, with
// what these repeat: histories, pieces of one answer, and spans that sum up others. The
// totals must be the sums of the answers, and what no answer has must be absent.
func TestTotalsAreSums(t *testing.T) {
	forms := map[string]func(*rand.Rand, []answer) string{"chat": chatForm, "history": historyForm, "claude": claudeForm, "otel": otelForm, "langsmith": langSmithForm, "generic": genericForm, "hands": handsForm}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			for seed := range drawn.Cases(60) {
				d := rand.New(rand.NewPCG(uint64(seed), 48))
				answers := drawAnswers(d, name)
				text := form(d, answers)
				r, err := Evaluate(Request{Inputs: []Source{{Data: []byte(text)}}})
				if err != nil || len(r.Trajectories) != 1 {
					t.Fatalf("seed %d: %v, %d runs\n%s", seed, err, len(r.Trajectories), text)
				}
				checkTotals(t, &r.Trajectories[0], answers, name)
				if t.Failed() {
					t.Fatalf("seed %d:\n%s", seed, text)
				}
			}
		})
	}
}

func checkTotals(t *testing.T, run *report.Trajectory, answers []answer, form string) {
	t.Helper()
	got := report.Totals{}
	if run.Spent != nil {
		got = *run.Spent
	}
	var input, output, cost, took *float64
	add := func(sum **float64, n *float64) {
		if n == nil {
			return
		}
		v := *n
		if *sum != nil {
			v += **sum
		}
		*sum = &v
	}
	for i := range answers {
		a := &answers[i]
		add(&input, a.input)
		add(&output, a.output)
		add(&cost, a.cost)
		if a.call != "" {
			add(&took, a.took)
		}
	}
	same := func(what string, a, b *float64) {
		if (a == nil) != (b == nil) || a != nil && math.Abs(*a-*b) > 1e-3 {
			t.Errorf("%s: %v, want %v", what, number(a), number(b))
		}
	}
	if text := strings.Join(got.Text, "; "); strings.Contains(text, "okens or costs are recorded") { // the sums must be lower bounds
		if form != "history" || above(got.Input, input) || above(got.Output, output) || above(got.Cost, cost) {
			t.Errorf("not lower bounds: %s", text)
		}
	} else {
		same("input tokens", got.Input, input)
		same("output tokens", got.Output, output)
		same("cost", got.Cost, cost)
	}
	same("seconds of calls", got.Seconds, took)

	// The report's own parts must give the totals, too.
	parts := []*report.Spent{got.Rest}
	calls := 0
	for i := range run.Observed {
		parts = append(parts, run.Observed[i].Spent)
		calls++
		s, said := run.Observed[i].Spent, run.Observed[i].Took
		if s == nil {
			s = &report.Spent{}
		}
		for sign, is := range map[string]bool{" USD": s.Cost != nil, " token": s.Tokens != nil, "tries step": run.Observed[i].Retry != nil} {
			if strings.Contains(said, sign) != is {
				t.Errorf("%q beside %+v", said, *s)
			}
		}
	}
	var sums [4]*float64
	for _, p := range parts {
		if p != nil {
			add(&sums[0], p.Input)
			add(&sums[1], p.Output)
			add(&sums[2], p.Cost)
			add(&sums[3], p.Seconds)
		}
	}
	same("sum of input", sums[0], got.Input)
	same("sum of output", sums[1], got.Output)
	same("sum of cost", sums[2], got.Cost)
	same("sum of seconds", sums[3], got.Seconds)
	want := 0
	for i := range answers {
		if answers[i].call != "" {
			want++
		}
	}
	if calls != want {
		t.Errorf("%d calls, want %d", calls, want)
	}
	text := strings.Join(got.Text, "; ")
	if run.Spent != nil && !strings.Contains(text, "okens or costs are recorded") && (got.Cost == nil) != strings.Contains(text, "cost") {
		t.Errorf("the words do not say what is not recorded: %q", text)
	}
}

func above(a, b *float64) bool { return a != nil && (b == nil || *a > *b+1e-9) }

func number(n *float64) any {
	if n == nil {
		return "not recorded"
	}
	return *n
}

func drawAnswers(d *rand.Rand, form string) []answer {
	all := make([]answer, 1+d.IntN(6))
	has := [4]bool{d.IntN(4) > 0, d.IntN(4) > 0, d.IntN(3) > 0, d.IntN(3) > 0}
	now := 1.7e9
	draw := func(known bool, scale float64) *float64 {
		if !known || d.IntN(5) == 0 {
			return nil
		}
		n := float64(d.IntN(40)) * scale
		return &n
	}
	for i := range all {
		a := &all[i]
		a.id = fmt.Sprintf("answer_%d", i)
		a.input, a.output = draw(has[0], 1), draw(has[0], 1)
		a.cost = draw(has[1] && form != "claude" && form != "hands", 0.001)
		if a.call = fmt.Sprintf("tool_%d", i); d.IntN(4) == 0 && form != "generic" && (form != "hands" || i > 0) {
			a.call = ""
		}
		if has[3] && d.IntN(5) > 0 {
			begin, took := now, float64(1+d.IntN(9))
			a.start, a.took = &begin, &took
			now += 20
		}
		if (form == "claude" || form == "hands") && a.start == nil || form == "chat" || form == "history" {
			a.took = nil // needs the times of both lines, or is not written
		}
	}
	return all
}

func usageOf(d *rand.Rand, a *answer) object {
	names := [][2]string{{"prompt_tokens", "completion_tokens"}, {"input_tokens", "output_tokens"}, {"inputTokens", "outputTokens"}}[d.IntN(3)]
	u := object{}
	if a.input != nil {
		u[names[0]] = *a.input
	}
	if a.output != nil {
		u[names[1]] = *a.output
	}
	return u
}

func callObject(a *answer) object {
	return object{"id": "call_" + a.id, "type": "function", "function": object{"name": a.call, "arguments": `{"n":1}`}}
}

func chatMessages(d *rand.Rand, answers []answer) (list []any) {
	list = append(list, object{"role": "user", "content": "Please do it.", "usage": object{"prompt_tokens": 900, "completion_tokens": 80}}) // of a simulated user
	for i := range answers {
		a := &answers[i]
		m := object{"role": "assistant", "content": "I go on with " + a.id + "."}
		if u := usageOf(d, a); len(u) > 0 {
			m["usage"] = u
		}
		if a.cost != nil {
			m["cost"] = *a.cost
		}
		if a.call != "" {
			m["tool_calls"] = []any{callObject(a)}
		}
		if list = append(list, m); a.call != "" {
			list = append(list, object{"role": "tool", "tool_call_id": "call_" + a.id, "content": "done"})
		}
	}
	return list
}

func written(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func chatForm(d *rand.Rand, answers []answer) string { return written(chatMessages(d, answers)) }

// historyForm writes a log of requests, each with all messages before it.
func historyForm(d *rand.Rand, answers []answer) string {
	all := chatMessages(d, answers)
	var lines []string
	for i, m := range all {
		if m.(object)["role"] == "assistant" {
			lines = append(lines, written(object{"request": object{"messages": all[:i]}, "response": object{"choices": []any{object{"message": m}}}}))
		}
	}
	return strings.Join(lines, "\n")
}

func isoTime(s float64) string {
	return fmt.Sprintf("2023-11-14T%02d:%02d:%06.3fZ", int(s-1.7e9)/3600%24, int(s-1.7e9)/60%60, math.Mod(s-1.7e9, 60))
}

// claudeForm writes the lines of a session. The text and the call of one answer are two
// lines, and both have its usage.
func claudeForm(d *rand.Rand, answers []answer) string {
	lines := []string{written(object{"type": "user", "sessionId": "s", "uuid": "u0", "message": object{"role": "user", "content": "Please do it."}})}
	for i := range answers {
		a := &answers[i]
		blocks := []object{{"type": "text", "text": "I go on with " + a.id + "."}}
		if a.call != "" {
			blocks = append(blocks, object{"type": "tool_use", "id": "call_" + a.id, "name": a.call, "input": object{"n": 1}})
		}
		for k, b := range blocks {
			m := object{"role": "assistant", "id": a.id, "content": []any{b}}
			if a.input != nil || a.output != nil {
				u := object{}
				if a.input != nil {
					u["input_tokens"] = *a.input
				}
				if a.output != nil {
					u["output_tokens"] = *a.output
				}
				m["usage"] = u
			}
			line := object{"type": "assistant", "sessionId": "s", "uuid": fmt.Sprint(a.id, k), "message": m}
			if a.start != nil {
				line["timestamp"] = isoTime(*a.start)
			}
			lines = append(lines, written(line))
		}
		if a.call != "" {
			line := object{"type": "user", "sessionId": "s", "uuid": a.id + "r", "message": object{"role": "user", "content": []any{object{"type": "tool_result", "tool_use_id": "call_" + a.id, "content": "done"}}}}
			if a.start != nil {
				line["timestamp"] = isoTime(*a.start + *a.took)
			}
			lines = append(lines, written(line))
		}
	}
	return strings.Join(lines, "\n")
}

// otelForm writes spans: one of the agent, which has the sums, and spans of the answers and
// of the calls inside of it. Some spans are written twice.
func otelForm(d *rand.Rand, answers []answer) string {
	var spans []any
	span := func(id, parent, name string, start, took *float64, attributes object) {
		s := object{"traceId": "t", "spanId": id, "name": name, "attributes": attributes}
		if parent != "" {
			s["parentSpanId"] = parent
		}
		if start != nil {
			s["startTimeUnixNano"] = fmt.Sprintf("%.0f", *start*1e9)
			if took != nil {
				s["endTimeUnixNano"] = fmt.Sprintf("%.0f", (*start+*took)*1e9)
			}
		}
		if spans = append(spans, s); d.IntN(5) == 0 {
			spans = append(spans, s)
		}
	}
	var sum float64
	for i := range answers {
		if n := answers[i].input; n != nil {
			sum += *n
		}
	}
	root := object{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "lead"}
	if sum > 0 {
		root["gen_ai.usage.input_tokens"] = sum
	}
	span("root", "", "invoke_agent", nil, nil, root)
	for i := range answers {
		a := &answers[i]
		parts := []any{object{"type": "text", "content": "I go on with " + a.id + "."}}
		if a.call != "" && d.IntN(4) > 0 { // else only its execution is recorded
			parts = append(parts, object{"type": "tool_call", "id": "call_" + a.id, "name": a.call, "arguments": object{"n": 1}})
		}
		at := object{"gen_ai.operation.name": "chat", "gen_ai.output.messages": written([]any{object{"role": "assistant", "parts": parts}})}
		if a.input != nil {
			at["gen_ai.usage.input_tokens"] = *a.input
		}
		if a.output != nil {
			at["gen_ai.usage.output_tokens"] = *a.output
		}
		if a.cost != nil {
			at["gen_ai.usage.cost"] = *a.cost
		}
		span("m"+a.id, "root", "chat", nil, nil, at)
		if a.call != "" {
			span("c"+a.id, "root", "execute_tool", a.start, a.took, object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": a.call, "gen_ai.tool.call.id": "call_" + a.id, "gen_ai.tool.call.arguments": `{"n":1}`, "gen_ai.tool.call.result": "done"})
		}
	}
	return written(object{"spans": spans})
}

// langSmithForm writes a tree of runs in which each model is sent the history.
func langSmithForm(d *rand.Rand, answers []answer) string {
	var children, history []any
	history = append(history, object{"role": "user", "content": "Please do it."})
	for i := range answers {
		a := &answers[i]
		m := object{"role": "assistant", "content": "I go on with " + a.id + "."}
		if a.call != "" {
			m["tool_calls"] = []any{callObject(a)}
		}
		said := object{"role": m["role"], "content": m["content"], "tool_calls": m["tool_calls"]}
		if u := usageOf(d, a); len(u) > 0 {
			said["usage"] = u
		}
		run := object{"run_type": "llm", "id": "m" + a.id, "trace_id": "t", "parent_run_id": "root", "name": "model", "inputs": object{"messages": slices.Clone(history)}, "outputs": object{"messages": []any{said}}}
		if a.cost != nil {
			run["total_cost"] = fmt.Sprintf("%.6f", *a.cost)
		}
		children = append(children, run)
		if history = append(history, m); a.call == "" {
			continue
		}
		tool := object{"run_type": "tool", "id": "c" + a.id, "trace_id": "t", "parent_run_id": "root", "name": a.call, "inputs": object{"n": 1}, "outputs": object{"output": object{"tool_call_id": "call_" + a.id, "content": "done"}}}
		if a.start != nil {
			tool["start_time"], tool["end_time"] = isoTime(*a.start), isoTime(*a.start+*a.took)
		}
		children = append(children, tool)
		history = append(history, object{"role": "tool", "tool_call_id": "call_" + a.id, "content": "done"})
	}
	return written(object{"run_type": "chain", "id": "root", "trace_id": "t", "name": "agent", "inputs": object{}, "child_runs": children})
}

// genericForm writes the calls alone, each with what it took.
func genericForm(d *rand.Rand, answers []answer) string {
	var list []any
	for i := range answers {
		a := &answers[i]
		c := object{"name": a.call, "arguments": object{"n": 1}, "result": "done"}
		if u := usageOf(d, a); len(u) > 0 {
			c["usage"] = u
		}
		if a.cost != nil {
			c["cost"] = *a.cost
		}
		if a.took != nil {
			c["duration_ms"] = *a.took * 1000
		}
		list = append(list, c)
	}
	return written(object{"trajectories": []any{object{"id": "r", "actions": list}}})
}

// handsForm writes the events of OpenHands: the action and the observation both repeat the
// model's answer.
func handsForm(d *rand.Rand, answers []answer) string {
	events := []any{object{"id": 0, "source": "user", "action": "message", "args": object{"content": "Please do it."}}}
	for i := range answers {
		a := &answers[i]
		event := func(id int, at float64, more object) {
			e := object{"id": id, "source": "agent", "tool_call_metadata": object{"function_name": a.call, "tool_call_id": "call_" + a.id, "model_response": object{"id": a.id, "created": 1.6e9, "usage": usageOf(d, a)}}}
			if a.start != nil {
				e["timestamp"] = strings.TrimSuffix(isoTime(*a.start+at), "Z")
			}
			for k, v := range more {
				e[k] = v
			}
			events = append(events, e)
		}
		if a.call == "" {
			event(2*i+1, 0, object{"action": "message", "args": object{"content": "I go on."}})
			continue
		}
		took := 0.0
		if a.took != nil {
			took = *a.took
		}
		event(2*i+1, 0, object{"action": "run", "args": object{"command": a.id}})
		event(2*i+2, took, object{"observation": "run", "cause": 2*i + 1, "content": "done"})
	}
	return written(events)
}

// TestWholeFillsGaps draws answers and a record around them that says something of the run. What
// some answer says is a sum of the answers, and only the rest is that of the record, which the
// report says.
func TestWholeFillsGaps(t *testing.T) {
	filled := 0
	for seed := range drawn.Cases(200) {
		d := rand.New(rand.NewPCG(uint64(seed), 49))
		answers := drawAnswers(d, "chat")
		messages := chatMessages(d, answers)
		delete(messages[0].(object), "usage")
		row := object{"id": "r", "messages": messages, "usage": object{"input_tokens": 9000, "output_tokens": 800}, "cost": 70, "duration_ms": 5000}
		for _, name := range [...]string{"usage", "cost", "duration_ms"} {
			if d.IntN(3) == 0 {
				delete(row, name)
			}
		}
		text := written(row)
		r, err := Evaluate(Request{Inputs: []Source{{Data: []byte(text)}}})
		if err != nil || len(r.Trajectories) != 1 {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := report.Totals{}
		if r.Trajectories[0].Spent != nil {
			got = *r.Trajectories[0].Spent
		}
		check := func(name string, has *float64, whole float64, is bool, says func(*answer) *float64, silent bool) {
			t.Helper()
			var want *float64
			for i := range answers {
				if n := says(&answers[i]); n != nil {
					sum := *n
					if want != nil {
						sum += *want
					}
					want = &sum
				}
			}
			taken := silent && is
			if taken {
				want = &whole
				filled++
			}
			if (has == nil) != (want == nil) || has != nil && math.Abs(*has-*want) > 1e-6 || slices.Contains(got.Whole, name) != taken {
				t.Errorf("seed %d: %s: %v, want %v, of the whole run: %v\n%s", seed, name, number(has), number(want), got.Whole, text)
			}
		}
		tokens, cost := true, true // no answer says them
		for i := range answers {
			tokens = tokens && answers[i].input == nil && answers[i].output == nil
			cost = cost && answers[i].cost == nil
		}
		check("inputTokens", got.Input, 9000, row["usage"] != nil, func(a *answer) *float64 { return a.input }, tokens)
		check("outputTokens", got.Output, 800, row["usage"] != nil, func(a *answer) *float64 { return a.output }, tokens)
		check("cost", got.Cost, 70, row["cost"] != nil, func(a *answer) *float64 { return a.cost }, cost)
		check("elapsed", got.Elapsed, 5, row["duration_ms"] != nil, func(*answer) *float64 { return nil }, true)
		if t.Failed() {
			return
		}
	}
	if filled < 100 {
		t.Errorf("the record filled %d gaps: too few to show anything", filled)
	}
}

// TestTotalsOfTheRun reads what the record around a run says of it, in the formats that say it
// nowhere else.
func TestTotalsOfTheRun(t *testing.T) {
	check := func(name, trace, want string) {
		t.Helper()
		r, err := Evaluate(Request{Inputs: []Source{{Data: []byte(trace)}}})
		if err != nil || len(r.Trajectories) != 1 {
			t.Fatalf("%s: %v, %d runs", name, err, len(r.Trajectories))
		}
		got := ""
		if s := r.Trajectories[0].Spent; s != nil {
			got = fmt.Sprintf("%v %v %v %v %s", number(s.Input), number(s.Output), number(s.Cost), number(s.Elapsed), strings.Join(s.Whole, ","))
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	const chat = `"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":"Done."}]`
	const all = "inputTokens,outputTokens,tokens,cost"
	stats := `{"total_cost":142.5,"instance_cost":1.5,"tokens_sent":500,"tokens_received":40,"api_calls":3}`
	check("swe-agent", `{"trajectory":[{"action":"ls","observation":"a","thought":"look"}],"info":{"exit_status":"submitted","model_stats":`+stats+`}}`, "500 40 1.5 not recorded "+all)
	check("swe-agent results", `{"instance_id":"a__b-1","model_stats":`+stats+`,"steps":[{"action":"ls","observation":"a","thought":"look"}]}`, "500 40 1.5 not recorded "+all)
	check("inspect", `{"id":1,"epoch":1,"input":"Go.","target":"","scores":{},`+chat+`,"model_usage":{"a/m":{"input_tokens":30,"output_tokens":4,"total_tokens":34},"b/m":{"input_tokens":5,"output_tokens":1,"total_tokens":6}},"total_time":6.5,"working_time":6}`, "35 5 not recorded 6.5 inputTokens,outputTokens,tokens,elapsed")
	check("agentdojo", `{"suite_name":"shop","pipeline_name":"m","user_task_id":"u","injection_task_id":null,"utility":true,"security":true,"duration":9.25,`+chat+`}`, "not recorded not recorded not recorded 9.25 elapsed")
	check("a row with its trace", `{"id":"r","usage":{"input_tokens":7,"output_tokens":2},"cost":0.5,"duration_ms":1500,`+chat+`}`, "7 2 0.5 1.5 inputTokens,outputTokens,tokens,cost,elapsed")
	check("parts say it", `{"id":"r","usage":{"input_tokens":7,"output_tokens":2},"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":"Done.","usage":{"input_tokens":3,"output_tokens":1}}]}`, "3 1 not recorded not recorded ")
	check("a number without a unit", `{"id":"r","duration":1500,"total_time":3,`+chat+`}`, "")
	check("codex exec", `{"type":"thread.started","thread_id":"th"}
{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"ls","aggregated_output":"a","exit_code":0,"status":"completed"}}
{"type":"turn.completed","usage":{"input_tokens":20,"output_tokens":3}}
{"type":"item.completed","item":{"id":"i2","type":"command_execution","command":"ls","aggregated_output":"a","exit_code":0,"status":"completed"}}
{"type":"turn.completed","usage":{"input_tokens":30,"output_tokens":4}}`, "50 7 not recorded not recorded ")
}

// TestRetries checks which calls are said to try a failed one again.
func TestRetries(t *testing.T) {
	const trace = `[{"name":"pay","arguments":{"n":1},"error":"no"},{"name":"pay","arguments":{"n":2},"error":"no"},{"name":"look","arguments":{}},{"name":"pay","arguments":{"n":1}},{"name":"pay","arguments":{"n":1}}]`
	r, err := Evaluate(Request{Inputs: []Source{{Data: []byte(trace)}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range r.Trajectories[0].Observed {
		if a.Retry == nil {
			got = append(got, "-")
		} else {
			got = append(got, fmt.Sprint(*a.Retry))
		}
	}
	if last := r.Trajectories[0].Observed; last[3].Took != "tries step 1 again" || last[2].Took != "" {
		t.Errorf("%q, %q", last[3].Took, last[2].Took)
	}
	if want := "- 0 - 0 -"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if r.Trajectories[0].Spent != nil {
		t.Error("a trace that says nothing has totals")
	}
}

// TestAgents checks that a call has the agent of the nearest span around it.
func TestAgents(t *testing.T) {
	tool := func(id, parent string) object {
		return object{"traceId": "t", "spanId": id, "parentSpanId": parent, "name": "execute_tool " + id, "attributes": object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": id, "gen_ai.tool.call.arguments": "{}", "gen_ai.tool.call.result": "ok"}}
	}
	agent := func(id, parent, name string) object {
		return object{"traceId": "t", "spanId": id, "parentSpanId": parent, "name": "invoke_agent", "attributes": object{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}}
	}
	trace := written(object{"spans": []any{agent("a", "", "lead"), tool("plan", "a"), agent("b", "a", "buyer"), object{"traceId": "t", "spanId": "step", "parentSpanId": "b", "name": "step", "attributes": object{}}, tool("buy", "step"), tool("tell", "a")}})
	r, err := Evaluate(Request{Inputs: []Source{{Data: []byte(trace)}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range r.Trajectories[0].Observed {
		got = append(got, a.Name+":"+a.Spent.Agent+"<"+a.Spent.Parent)
	}
	if want := "plan:lead< buy:buyer<lead tell:lead<"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if agents := r.Trajectories[0].Spent.Agents; strings.Join(agents, ",") != "lead,buyer" {
		t.Errorf("agents: %v", agents)
	}
}
