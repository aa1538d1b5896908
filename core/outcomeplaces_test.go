package core_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

type obj = map[string]any

// endTalk is a conversation with one change that the user asked for. Without a word of its end it is fine.
func endTalk(call, result obj) []any {
	c := obj{"id": "c1", "type": "function", "function": obj{"name": "cancel_order", "arguments": `{"order_id":"W-7"}`}}
	r := obj{"role": "tool", "tool_call_id": "c1", "content": "ok"}
	for key, v := range call {
		c[key] = v
	}
	for key, v := range result {
		r[key] = v
	}
	return []any{obj{"role": "user", "content": "Please cancel order W-7."}, obj{"role": "assistant", "content": nil, "tool_calls": []any{c}}, r, obj{"role": "assistant", "content": "Done."}}
}

// runsOf scores a text without a reference.
func runsOf(t *testing.T, v any) []report.Trajectory {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	request, err := core.ReadRequest(fmt.Appendf(nil, `{"trace":%s}`, text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	r, err := core.Evaluate(request)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r.Trajectories
}

func isFine(r *report.Trajectory) bool { return r.Passed != nil && *r.Passed }

// spellings writes a name in the ways in which people write members.
func spellings(r *rand.Rand, words ...string) string {
	switch r.IntN(3) {
	case 0:
		return strings.Join(words, "_")
	case 1:
		return strings.Join(words, " ")
	}
	out := words[0]
	for _, w := range words[1:] {
		out += strings.ToUpper(w[:1]) + w[1:]
	}
	return out
}

// TestFailedAnywhereIsNeverFine is the law of the table of outcomes and of what stands around a run: a
// run whose record says that it failed is never fine, whatever the member is called, however the value is
// written and wherever it stands, if each name on the way says that it is about the run. The same
// places with a good value leave it fine.
func TestFailedAnywhereIsNeverFine(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 141))
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	for range drawn.Cases(3000) {
		good := r.IntN(4) == 0
		var head string
		var value any
		switch r.IntN(5) {
		case 0: // yes or no
			head = pick("passed", "success", "correct", "solved", "resolved", "achieved", "match", "reached", "met", "ok", "completed", "bestanden", "exitoso").(string)
			value = pick(false, "no", "false", []any{false})
			if good {
				value = pick(true, "true", []any{true})
			}
		case 1: // what is bad
			head = pick("failed", "failure", "incorrect", "unresolved", "violations", "unsafe", "failed tests", "failure reason", "failed count", "failed ids").(string)
			value = pick(true, 2, "a step is missing", []any{"a step"})
			if good {
				value = pick(false, 0, nil, []any{})
			}
		case 2: // words of a judge
			head = pick("verdict", "outcome", "judgement", "assessment", "grade", "label", "rating", "veredicto").(string)
			value = pick("fail", "FAILED", "incorrect", "wrong", "bad", "not passed", "fallido", "falsch", "✗", "❌", "unsatisfactory", []any{"fail"})
			if good {
				value = pick("pass", "passed", "correct", "correcto", "✓")
			}
		case 3: // scores
			head = pick("score", "accuracy", "correctness", "overall").(string)
			value = pick(0, "0%", "0/3", "no", "low", obj{"score": 1, "max_score": 5}, obj{"score": 0.1, "threshold": 0.7})
			if good {
				value = pick(1, "100%", "3/3", obj{"score": 5, "max_score": 5}, obj{"score": 0.8, "threshold": 0.7})
			}
		default: // what nobody can read
			if head, value = pick("passed", "success", "verdict", "assessment").(string), pick("partially", "needs work", "mostly", 0.4); good {
				value = nil
			}
		}
		words := strings.Fields(head)
		if before := pick("", "", "is", "final", "task", "overall", "goal", "agent", "reviewer", "human", "llm judge").(string); before != "" && len(words) == 1 {
			words = append(strings.Fields(before), words...)
		}
		name := spellings(r, words...)
		said := obj{name: value}
		place := pick("", "", "evaluation", "trace_metadata", "metadata", "info.result", "final", "judge", "humanReview", "list", "around", "trials", "by id", "in the chat", "failed list").(string)
		record := obj{"id": "a", "messages": endTalk(nil, nil)}
		var document any = record
		switch place {
		case "":
			record[name] = value
		case "list":
			record[pick("evaluations", "graders", "checks", "rubric").(string)] = []any{obj{"name": "x", name: value}}
		case "around":
			document = obj{"data": []any{record}, "evaluation": said}
		case "trials":
			document = obj{"id": "t", name: value, "trials": []any{record, obj{"id": "b", "messages": endTalk(nil, nil)}}}
		case "in the chat":
			document = append([]any{obj{"meta": said}}, endTalk(nil, nil)...)
		case "failed list":
			document = obj{pick("failed", "failures", "failing", "failed_runs").(string): []any{record}}
			if good {
				document = obj{pick("passed", "passing", "successful").(string): []any{record}}
			}
		case "by id":
			document = obj{"results": []any{record}, pick("verdicts", "outcomes", "evaluations").(string): obj{"a": said}}
		default:
			var inner any = said
			path := strings.Split(place, ".")
			for _, p := range slices.Backward(path[1:]) {
				inner = obj{p: inner}
			}
			record[path[0]] = inner
		}
		for _, run := range runsOf(t, document) {
			if isFine(&run) != good {
				text, _ := json.Marshal(said)
				t.Errorf("%s at %q: fine %v (%s)", text, place, isFine(&run), run.Verdict)
			}
		}
	}
}

// TestRefusedAnywhereIsNeverDone is the same law for calls: one that somebody refused, that failed or
// that was not executed changed nothing, wherever its record says so, and satisfies no step.
func TestRefusedAnywhereIsNeverDone(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 142))
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	for range drawn.Cases(1000) {
		said := pick(obj{"approved": false}, obj{"approved": "no"}, obj{"decision": "reject"}, obj{"decision": obj{"type": "reject"}}, obj{"permission": "deny"}, obj{"allow": false}, obj{"vetoed": true}, obj{"blocked": true}, obj{"aborted": true},
			obj{"executed": "no"}, obj{"executed": false}, obj{"denied": true}, obj{"status": "rejected"}, obj{"state": "cancelled"}, obj{"metadata": obj{"approved": false}}, obj{"human_review": obj{"decision": "no"}}, obj{"blocked_by": "policy"},
			obj{"dry_run": true}, obj{"status": "rechazado"}, obj{"approval": obj{"approved": false}}, obj{"guardrail": obj{"triggered": true}},
			obj{"status": "FAIL"}, obj{"exit_code": 1}, obj{"success": "false"}, obj{"ok": 0}, obj{"is_error": true}, obj{"error": "no"}).(obj)
		word := pick("rejected", "denied", "reject", false, obj{"type": "reject"}, obj{"approved": false}, obj{"decision": "deny"})
		record := obj{"messages": endTalk(nil, nil)}
		switch place := r.IntN(8); place {
		case 0:
			record["messages"] = endTalk(said, nil)
		case 1:
			record["messages"] = endTalk(nil, said)
		case 2:
			record[pick("approvals", "human_review", "decisions").(string)] = obj{"c1": word}
		case 3:
			record[pick("approvals", "interrupts", "reviews").(string)] = []any{obj{"tool_call_id": "c1", "response": word}}
		case 4:
			record["metadata"] = obj{"approvals": obj{"c1": word}}
		case 5:
			talk := endTalk(nil, nil)
			talk[1].(obj)[pick("confirmation", "approvals").(string)] = obj{"c1": word}
			record["messages"] = talk
		case 6:
			record["messages"] = slices.Insert(endTalk(nil, nil), 3, any(obj{"role": "tool", "tool_call_id": "c1", "content": "error: shipped"}))
			record["x"] = true
		default:
			record["tool_results"] = obj{"c1": pick("error: shipped", obj{"error": "shipped"}, obj{"output": "x", "is_error": true})}
		}
		for _, run := range runsOf(t, record) {
			if text, _ := json.Marshal(record); isFine(&run) {
				t.Errorf("%s: %s", text, run.Verdict)
			}
		}
		text, _ := json.Marshal(record["messages"])
		if record["tool_results"] == nil && len(record) == 1 && passedOf(t, fmt.Sprintf(`{"messages":%s}`, text), `[{"name":"cancel_order","arguments":{"order_id":"W-7"}}]`, "outcome") {
			t.Errorf("%s satisfies the step", text)
		}
	}
}

// TestOwnWorldIsNoOutcome checks that what a record says of the things of its task is no outcome of the run.
func TestOwnWorldIsNoOutcome(t *testing.T) {
	for _, member := range []string{`"order":{"status":"cancelled","failed":true}`, `"failed_login_count":3`, `"payment_failed":true`, `"order_status":"failed"`, `"state":{"orders":[{"status":"rejected"}]}`, `"config":{"threshold":0.7,"max_score":5}`,
		`"success_criteria":"the order is cancelled"`, `"pass_criteria":["x"]`, `"eval":"retail"`, `"judge":"model-1"`, `"evaluator":"model-1"`, `"min_score":0.7`, `"user_info":{"account":"suspended"}`, `"num_errors":2`, `"error_count":1`,
		`"tool_errors":0`, `"tags":["prod","retail"]`, `"review":"looks good"`, `"approvals":{"c1":"approved"}`, `"approvals":{"c2":"rejected"}`, `"failed_ids":[]`, `"tool_results":{"c1":"ok"}`, `"database":{"payments":[{"success":false}]}`,
		`"success_message":"Order cancelled"`, `"error_rate":0.2`, `"expected_failed":true`, `"rejected_orders":["W-8"]`, `"is_error":false`, `"permission":"allow"`} {
		text := `{"id":"a","messages":` + string(mustJSON(json.Marshal(endTalk(nil, nil)))) + `,` + member + `}`
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		for _, run := range runsOf(t, v) {
			if !isFine(&run) {
				t.Errorf("%s: %s", member, run.Verdict)
			}
		}
	}
}

func mustJSON(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}
