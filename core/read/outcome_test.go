package read

import (
	"fmt"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOutcome checks that a run's submission and the benchmark's own results are read. An
// empty submission is not the same as a missing submission.
func TestOutcome(t *testing.T) {
	const turn = `"trajectory":[{"action":"ls","observation":"x"}]`
	for source, want := range map[string]string{
		`{` + turn + `}`: "not said []",
		`{` + turn + `,"info":{"submission":null}}`:        `"" []`,
		`{` + turn + `,"submission":"diff"}`:               `"diff" []`,
		`{` + turn + `,"info":{"submission":"a diff"}}`:    `"a diff" []`,
		`{` + turn + `,"test_result":{"git_patch":"gd"}}`:  `"gd" []`,
		`{` + turn + `,"submission":"d","model_patch":""}`: `"d" []`,
		`{` + turn + `,"report":{"tests_status":{"FAIL_TO_PASS":{"success":["a"],"failure":["b"]},"PASS_TO_PASS":{"success":["c"]}}}}`:                                                                                        "not said [{FAIL_TO_PASS a 1 1} {FAIL_TO_PASS b 0 1} {PASS_TO_PASS c 1 1}]",
		`{"task":"t","score":{"checkpoints":[{"total":2,"result":1},{"total":1,"result":true},{"total":3,"result":false},{"total":1},{"total":1e999,"result":1}]},"events":[{"kind":"run","message":"Running command: ls"}]}`: "not said [{checkpoint 1 1 2} {checkpoint 2 1 1} {checkpoint 3 0 3}]",
	} {
		doc, err := Decode([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		r := doc.Trajectories[0]
		got := "not said"
		if r.Submission != nil {
			got = fmt.Sprintf("%q", *r.Submission)
		}
		if got += " " + fmt.Sprint(r.Assertions); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// carriers write runs with one call each and how each ended, as their producers do: 1 for a success, 0 for a failure,
// -1 for a run of which nothing says how it ended.
var carriers = map[string]func(ends []int) string{
	"langsmith": func(ends []int) (text string) {
		for i, end := range ends {
			stats := "null"
			if end >= 0 {
				stats = fmt.Sprintf(`{"correctness":{"n":1,"avg":%d,"stdev":0.0,"comments":[]}}`, end)
			}
			text += fmt.Sprintf(`{"id":"r%d","name":"agent","run_type":"chain","inputs":{"q":"Look"},"outputs":{"a":"Done"},"parent_run_id":null,"trace_id":"r%d","dotted_order":"1","feedback_stats":%s}`+"\n", i, i, stats)
			text += fmt.Sprintf(`{"id":"t%d","name":"get_thing","run_type":"tool","inputs":{"n":%d},"outputs":{"output":"7"},"parent_run_id":"r%d","trace_id":"r%d","dotted_order":"1.2","feedback_stats":null}`+"\n", i, i, i, i)
		}
		return text
	},
	"opentelemetry": func(ends []int) string {
		var spans []string
		for i, end := range ends {
			events := ""
			if end >= 0 {
				events = fmt.Sprintf(`{"name":"gen_ai.evaluation.result","attributes":[{"key":"gen_ai.evaluation.name","value":{"stringValue":"task_success"}},{"key":"gen_ai.evaluation.score.value","value":{"doubleValue":%g}},{"key":"gen_ai.evaluation.score.label","value":{"stringValue":"%s"}}]}`, 0.25+0.75*float64(end), shape.IfElse(end == 1, "pass", "fail"))
			}
			spans = append(spans, fmt.Sprintf(`{"traceId":"t%d","spanId":"a%d","name":"invoke_agent x","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}}],"events":[%s]}`, i, i, events),
				fmt.Sprintf(`{"traceId":"t%d","spanId":"b%d","parentSpanId":"a%d","name":"execute_tool get_thing","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"get_thing"}},{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\"n\":%d}"}}],"events":[{"name":"gen_ai.evaluation.result","attributes":[{"key":"gen_ai.evaluation.name","value":{"stringValue":"call_ok"}},{"key":"gen_ai.evaluation.score.label","value":{"stringValue":"pass"}}]}]}`, i, i, i, i))
		}
		return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`
	},
	"a row for each call": func(ends []int) string {
		text := "conversation_id,step,tool,arguments,status,conversation_success\n"
		for i, end := range ends {
			for k := range 1 + i%3 {
				text += fmt.Sprintf("c%d,%d,get_thing,\"{\"\"n\"\": %d}\",ok,%s\n", i, k+1, k, []string{"", "0", "1"}[end+1])
			}
		}
		return text
	},
	"snapshots": func(ends []int) (text string) {
		for i, end := range ends {
			messages := `{"role":"user","content":"Look"}`
			for k := range 3 {
				messages += fmt.Sprintf(`,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d-%d","type":"function","function":{"name":"get_thing","arguments":"{\"n\": %d}"}}]},{"role":"tool","tool_call_id":"c%d-%d","content":"7"}`, i, k, k, i, k)
				success := ""
				if k == 2 && end >= 0 {
					success = fmt.Sprintf(`,"success":%v`, end == 1)
				}
				text += fmt.Sprintf(`{"session":"s-%d","snapshot":%d,"messages":[%s]%s}`+"\n", i, k, messages, success)
			}
		}
		return text
	},
	"a Spanish table": func(ends []int) string {
		text := "id_ejecución;consulta;llamadas_realizadas;resultado;puntuación\n"
		for i, end := range ends {
			text += fmt.Sprintf("%d;Look;\"[{\"\"herramienta\"\": \"\"get_thing\"\", \"\"argumentos\"\": {\"\"n\"\": %d}}]\";%s\n", i, i, []string{";", "fallo;0,25", "éxito;1,0"}[end+1])
		}
		return text
	},
	"JSON in JSON": func(ends []int) (text string) {
		for i, end := range ends {
			label := "null"
			if end >= 0 {
				label = strconv.Quote(fmt.Sprintf(`{"expected_tool_calls":"[{\"name\": \"get_thing\", \"arguments\": {\"n\": 1}}]","pass":%v}`, end == 1))
			}
			text += fmt.Sprintf(`{"row_id":%d,"conversation":"[{\"role\":\"user\",\"content\":\"Look\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"get_thing\",\"arguments\":\"{}\"}}]}]","labels":%s}`+"\n", i, label)
		}
		return text
	},
	"a word for the task": func(ends []int) (text string) {
		for i, end := range ends {
			text += fmt.Sprintf(`{"trace_id":"t%d","user":"Look","tool_calls":[{"tool_name":"get_thing","parameters":{"n":1},"response":"7"}]%s}`+"\n", i, []string{"", `,"task_completed":false`, `,"task_completed":true`}[end+1])
		}
		return text
	},
	"the record of OpenAI's evals": func(ends []int) string {
		text, n := `{"spec":{"completion_fns":["gpt"],"eval_name":"x","run_id":"1"}}`+"\n", 0
		event := func(i int, kind, data string) {
			text += fmt.Sprintf(`{"run_id":"1","event_id":%d,"sample_id":"x.%d","type":"%s","data":%s,"created_by":""}`+"\n", n, i, kind, data)
			n++
		}
		for _, kind := range []string{"function_call", "sampling", "match"} { // the samples run at the same time
			for i, end := range ends {
				switch {
				case kind == "function_call":
					event(i, kind, fmt.Sprintf(`{"name":"get_thing","arguments":{"n":%d},"return_value":7}`, i))
				case kind == "sampling":
					event(i, kind, `{"prompt":[{"role":"user","content":"Look"}],"sampled":["Done"]}`)
				case end >= 0:
					event(i, kind, fmt.Sprintf(`{"correct":%v,"expected":[{"name":"get_thing","arguments":{"n":1}}],"picked":[{"name":"get_thing","arguments":{"n":%d}}]}`, end == 1, i))
				}
			}
		}
		return text + `{"final_report":{"accuracy":0.5}}` + "\n"
	},
}

// TestOutcomesInAnyCarrier checks that each run of a drawn set has the outcome that was written for it, in its
// place, whatever carries it, and no other run has one.
func TestOutcomesInAnyCarrier(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 52))
	for range drawn.Cases(40) {
		ends := []int{1, 0}
		for range r.IntN(5) {
			ends = append(ends, r.IntN(3)-1)
		}
		r.Shuffle(len(ends), func(i, j int) { ends[i], ends[j] = ends[j], ends[i] })
		for name, write := range carriers {
			text := write(ends)
			doc, err := Decode([]byte(text))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			var got []int
			for _, run := range doc.Trajectories {
				end := -1
				if run.Success != nil {
					end = shape.IfElse(*run.Success, 1, 0)
				} else if run.Reward != nil {
					end = -2
				}
				if got = append(got, end); len(run.Actions) == 0 {
					t.Errorf("%s: a run without calls\n%s", name, text)
				}
			}
			if !slices.Equal(got, ends) {
				t.Fatalf("%s: %v, want %v\n%s", name, got, ends, text)
			}
		}
	}
}

// TestUnclearOutcomesAreSaid checks that what is neither a success nor a failure is no outcome, and that a warning
// or the doubt of the run says so.
func TestUnclearOutcomesAreSaid(t *testing.T) {
	for member, want := range map[string]string{
		`"mark":"✗"`: "false", `"mark":"✓"`: "true", `"mark":"pass"`: "true", `"mark":"7 of the goals"`: "none", `"outcome":"partially"`: "said", `"result":"partially"`: "said",
		`"outcome":"teilweise"`: "said", `"success":"0,5"`: "said", `"task_completed":true`: "true", `"completed":true`: "none",
		`"outcome":"mostly"`: "said", `"scores":[{"name":"a","value":0.5,"observationId":"o1"}]`: "none",
	} {
		doc, err := Decode([]byte(`{"id":"a","messages":[{"role":"user","content":"x"},{"role":"assistant","content":"Hello"}],` + member + `}`))
		if err != nil {
			t.Fatal(err)
		}
		got, run := "none", doc.Trajectories[0]
		switch {
		case run.Success != nil:
			got = fmt.Sprint(*run.Success)
		case run.Doubt != "" && len(doc.Warnings) > 0:
			got = "said"
		}
		if got != want {
			t.Errorf("%s: %s, want %s: %q", member, got, want, run.Doubt)
		}
	}
}
