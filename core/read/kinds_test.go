package read

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/internal/drawn"
	"github.com/boundcheck/boundcheck/internal/made"
)

type members = map[string]any

// outcomeWriters add to a record that its run passed or failed, each in one of the ways of
// evaluators. The kind beside writes nothing into the record.
var outcomeWriters = map[string]func(record members, passed bool){
	"passed":  func(o members, passed bool) { o["passed"] = passed },
	"success": func(o members, passed bool) { o["is_success"] = passed },
	"word":    func(o members, passed bool) { o["verdict"] = shape.IfElse(passed, "pass", "fail") },
	"score":   func(o members, passed bool) { o["score"] = shape.IfElse(passed, 1.0, 0.0) },
	"report":  func(o members, passed bool) { o["report"] = members{"resolved": passed, "error_eval": false} },
	"grade":   func(o members, passed bool) { o["grade"] = members{"passed": passed, "score": 0.7} },
	"annotations": func(o members, passed bool) {
		o["annotations"] = []any{members{"name": "m", "label": shape.IfElse(passed, "correct", "incorrect"), "explanation": nil}}
	},
	"feedback": func(o members, passed bool) {
		o["feedback_scores"] = []any{members{"name": "m", "value": shape.IfElse(passed, 1.0, 0.0), "source": "sdk"}}
	},
	"metrics": func(o members, passed bool) {
		o["metricsData"] = []any{members{"name": "a", "success": true, "score": 0.9}, members{"name": "b", "success": passed, "score": 0.4}}
	},
	"results": func(o members, passed bool) {
		o["evaluation_results"] = members{"results": []any{members{"key": "m", "score": shape.IfElse(passed, 1, 0)}}}
	},
	"scores": func(o members, passed bool) { o["scores"] = members{"m": shape.IfElse(passed, 1.0, 0.0)} },
	"column": func(o members, passed bool) { o["match/score"] = shape.IfElse(passed, 1.0, 0.0) },
	"analysis": func(o members, passed bool) {
		o["analysis"] = members{"summary": "s", "successEvaluation": fmt.Sprint(passed), "successEvaluationRubric": "PassFail"}
	},
	"assessments": func(o members, passed bool) {
		o["assessments"] = []any{members{"assessment_name": "correctness", "feedback": members{"value": shape.IfElse(passed, "yes", "no")}}, members{"assessment_name": "pii", "feedback": members{"value": "no"}}}
	},
	"typed scores": func(o members, passed bool) {
		o["scores"] = []any{members{"name": "m", "dataType": "BOOLEAN", "value": shape.IfElse(passed, 1, 0), "stringValue": shape.IfElse(passed, "True", "False")}}
	},
	"categories": func(o members, passed bool) {
		o["scores"] = []any{members{"name": "m", "dataType": "CATEGORICAL", "value": nil, "stringValue": shape.IfElse(passed, "correct", "incorrect")}}
	},
	"stats": func(o members, passed bool) {
		o["feedback_stats"] = members{"m": members{"n": 1, "avg": shape.IfElse(passed, 1.0, 0.0)}}
	},
	"inner result": func(o members, passed bool) {
		o["annotations"] = []any{members{"name": "m", "result": members{"label": shape.IfElse(passed, "correct", "incorrect"), "score": shape.IfElse(passed, 1.0, 0.0)}}}
	},
	"graders": func(o members, passed bool) {
		o["llm_grader_results"] = []any{members{"grader": "g", "pass": passed}}
	},
	"typed outcome": func(o members, passed bool) {
		o["outcome"] = members{"type": shape.IfElse(passed, "success", "failure"), "detail": "x"}
	},
	"graded": func(o members, passed bool) { o["graded"] = members{"correct": passed, "points": 2} },
	"points": func(o members, passed bool) {
		o["points_earned"], o["points_possible"] = shape.IfElse(passed, 4, 0), 4
	},
	"counts": func(o members, passed bool) {
		o["checks_passed"], o["checks_total"] = shape.IfElse(passed, 3, 2), 3
	},
	"threshold": func(o members, passed bool) {
		o["score"], o["pass_threshold"] = shape.IfElse(passed, 0.8, 0.4), 0.5
	},
	"verifier": func(o members, passed bool) {
		o["verifier_result"] = members{"rewards": members{"reward": shape.IfElse(passed, 1.0, 0.0)}}
	},
	"nested": func(o members, passed bool) {
		o["automatedEvaluationResult"] = members{"scores": []any{members{"metricName": "m", "result": shape.IfElse(passed, 1.0, 0.0)}}}
	},
	"part": func(o members, passed bool) { o["score"] = shape.IfElse(passed, "3/3", "0/3") },
	"KO":   func(o members, passed bool) { o["verdict"] = shape.IfElse(passed, "OK", "KO") },
	"named": func(o members, passed bool) {
		o["metrics"] = []any{members{"name": "success", "value": shape.IfElse(passed, 1, 0)}}
	},
	"feedback column": func(o members, passed bool) { o["feedback.trajectory_superset"] = passed },
	"state":           func(o members, passed bool) { o["status"] = shape.IfElse(passed, "success", "failed") },
	"beside":          func(members, bool) {},
}

// outcomeFile writes records in an envelope. Lists of another kind, and those with a value for
// each record, stand beside them in an object.
func outcomeFile(envelope string, rows []any, passed []bool, beside bool) string {
	switch envelope {
	case "list":
		return made.JSON(rows)
	case "lines":
		return writeRows(rows)
	}
	o := members{envelope: rows, "metricsScores": []any{members{"metric": "m", "passes": 1, "fails": 0}}, "name": "nightly"}
	if beside {
		o["test_passes"] = passed
	}
	return made.JSON(o)
}

// TestOutcomesAreKept checks that the outcome of each record is that of its run, wherever it
// is written, and that lists beside the records are no runs.
func TestOutcomesAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 7))
	forms := slices.DeleteFunc(made.Formats(), func(f made.Format) bool {
		return !slices.Contains([]string{"openai-chat", "anthropic-messages", "langchain-messages", "dataset row", "outputs", "trajectory columns", "tree", "test case"}, f.Name)
	})
	for range drawn.Cases(1) {
		for i := range forms {
			f := &forms[i]
			runs := made.Runs(r, 4, made.PerFile)
			runs = append(runs, made.Run{ID: "full", Question: "Do it.", Calls: []made.Call{{Name: "cancel", ID: "x", Result: "words"}}, Expected: []made.Call{}})
			for _, kind := range slices.Sorted(maps.Keys(outcomeWriters)) {
				for _, envelope := range []string{"list", "lines", "cases", "content"} {
					if kind == "beside" && envelope != "cases" && envelope != "content" {
						continue
					}
					var rows []any
					var passed []bool
					for j := range runs {
						row := f.Rows(&runs[j])[0].(members)
						passed = append(passed, j == 0 || j < len(runs)-1 && r.IntN(2) == 0)
						outcomeWriters[kind](row, passed[j])
						rows = append(rows, row)
					}
					checkOutcomes(t, f, runs, passed, kind, outcomeFile(envelope, rows, passed, kind == "beside"))
					if t.Failed() {
						return
					}
				}
			}
		}
	}
}

func checkOutcomes(t *testing.T, f *made.Format, runs []made.Run, passed []bool, kind, text string) {
	t.Helper()
	doc, err := Decode([]byte(text))
	if err != nil {
		t.Errorf("%s with %s: %v\n%s", f.Name, kind, err, text)
		return
	}
	if fault := madeFault(f, runs, doc.Trajectories); fault != "" {
		t.Errorf("%s with %s, read as %s: %s\n%s", f.Name, kind, doc.Format, fault, text)
		return
	}
	for i := range doc.Trajectories {
		if s := doc.Trajectories[i].Success; s == nil || *s != passed[i] {
			t.Errorf("%s with %s, run %d: the outcome is not %v\n%s", f.Name, kind, i, passed[i], text)
			return
		}
	}
}

// states are the members that say what became of a call: whether it failed, and whether it
// was not executed.
var states = []struct {
	members          members
	failed, proposed bool
}{
	{members{}, false, false},
	{members{"is_error": false}, false, false},
	{members{"error": nil}, false, false},
	{members{"status": "completed"}, false, false},
	{members{"approved": true}, false, false},
	{members{"is_error": true}, true, false},
	{members{"isError": true}, true, false},
	{members{"error": "locked"}, true, false},
	{members{"error": members{"message": "locked"}}, true, false},
	{members{"status": "error"}, true, false},
	{members{"status": "errored"}, true, false},
	{members{"status": "failed"}, true, false},
	{members{"status": "FAILURE"}, true, false},
	{members{"success": false}, true, false},
	{members{"status": "canceled"}, false, true},
	{members{"status": "cancelled"}, false, true},
	{members{"status": "rejected"}, false, true},
	{members{"status": "skipped"}, false, true},
	{members{"approve": false}, false, true},
	{members{"approved": false}, false, true},
	{members{"decision": "denied"}, false, true},
}

// stateWriters write a conversation with one call, whose state is in the given members, as
// one record. Each has the state at another place.
var stateWriters = map[string]func(state members) any{
	"tools called": func(s members) any {
		return members{"id": "r", "input": "q", "tools_called": []any{withState(s, members{"name": "cancel", "arguments": members{"n": 1}, "result": "words"})}}
	},
	"span": func(s members) any {
		return members{"id": "r", "input": "q", "spans": []any{withState(s, members{"type": "tool", "name": "cancel", "input": members{"n": 1}, "output": "words"})}}
	},
	"actions": func(s members) any {
		return []any{withState(s, members{"name": "cancel", "arguments": members{"n": 1}, "result": "words"})}
	},
	"used tools": func(s members) any {
		return []any{sayMember("user", "q"), members{"role": "assistant", "content": "", "used_tools": []any{withState(s, members{"tool": "cancel", "tool_input": members{"n": 1}, "tool_output": "words"})}}}
	},
	"tool message": func(s members) any {
		return stateTalk(withState(s, members{"role": "tool", "tool_call_id": "c1", "content": "words"}), nil)
	},
	"result block": func(s members) any {
		return []any{sayMember("user", "q"), members{"role": "assistant", "content": []any{members{"type": "tool_use", "id": "c1", "name": "cancel", "input": members{"n": 1}}}},
			members{"role": "user", "content": []any{withState(s, members{"type": "tool_result", "tool_use_id": "c1", "content": "words"})}}}
	},
	"beside": func(s members) any {
		return stateTalk(members{"role": "tool", "tool_call_id": "c1", "content": "words"}, []any{withState(s, members{"tool_call_id": "c1"})})
	},
}

func sayMember(role, text string) members { return members{"role": role, "content": text} }

func withState(state, o members) members {
	maps.Copy(o, state)
	return o
}

func stateTalk(result members, states []any) any {
	o := members{"messages": []any{sayMember("user", "q"), members{"role": "assistant", "content": nil, "tool_calls": []any{members{"id": "c1", "type": "function", "function": members{"name": "cancel", "arguments": `{"n":1}`}}}}, result}}
	if states != nil {
		o["tool_call_states"] = states
	}
	return o
}

// TestStatesAreOneTable checks that each word for the state of a call means the same in every
// form: a failed call has failed, and a refused one was not executed.
func TestStatesAreOneTable(t *testing.T) {
	for name, write := range stateWriters {
		for _, s := range states {
			text := made.JSON(write(s.members))
			doc, err := Decode([]byte(text))
			if err != nil || len(doc.Trajectories) != 1 || len(doc.Trajectories[0].Actions) != 1 {
				t.Errorf("%s with %v: %v\n%s", name, s.members, err, text)
				continue
			}
			a := doc.Trajectories[0].Actions[0]
			if got, want := fmt.Sprint(a.Failed(), a.Proposed), fmt.Sprint(s.failed || s.proposed, s.proposed); got != want || a.Name != "cancel" {
				t.Errorf("%s with %v, read as %s: failed and proposed are %s, want %s\n%s", name, s.members, doc.Format, got, want, text)
			}
		}
	}
}

// TestUnrecordedCallsAreNoCalls checks that a record which has no place for the calls that
// were made is not judged as one without calls.
func TestUnrecordedCallsAreNoCalls(t *testing.T) {
	for text, doubted := range map[string]bool{
		`{"id":"a","input":"q","actual_output":"x","expected_tools":["cancel"]}`:                                                                     true,
		`{"id":"a","input":"q","actual_output":"x","tools_called":[],"expected_tools":["cancel"]}`:                                                   false,
		`{"messages":[{"role":"user","content":"q"}],"expected_tool_calls":[{"name":"cancel","arguments":{}}]}`:                                      true,
		`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"No."}],"expected_tool_calls":[{"name":"cancel","arguments":{}}]}`: false,
		`{"id":"a","input":"q","actual_output":"x","expected_tools":[]}`:                                                                             false,
	} {
		doc := mustDecode(t, text)
		if got := doc.Trajectories[0].Doubt != ""; got != doubted {
			t.Errorf("%s: the doubt is %q", text, doc.Trajectories[0].Doubt)
		}
	}
}

// partial are the kinds of outcomeWriters that write a figure. Its scale is its own, so that it does not
// contradict a word.
var partial = []string{"feedback", "results", "scores", "column", "stats", "points", "counts", "threshold"}

// opinions are the kinds that write what several evaluators say, who need not agree.
var opinions = []string{"annotations", "metrics", "assessments", "typed scores", "categories", "inner result", "graders", "named", "nested", "feedback column"}

// TestContradictionsAreSaid writes into one record that its run passed in one way, and that it
// failed in another: no outcome is used, and the run is doubtful.
func TestContradictionsAreSaid(t *testing.T) {
	writers := maps.Clone(outcomeWriters)
	delete(writers, "beside")
	delete(writers, "state") // alone, success as a state says nothing
	for _, name := range []string{"reward", "final_reward"} {
		writers[name] = func(o members, passed bool) { o[name] = shape.IfElse(passed, 1, 0) }
	}
	for _, name := range []string{"reward_info", "info"} {
		writers[name] = func(o members, passed bool) { o[name] = members{"reward": shape.IfElse(passed, 1, 0)} }
	}
	writers["inside"] = func(o members, passed bool) { o["evaluation"] = members{"result": members{"passed": passed}} }
	tried := 0
	for _, f := range made.Formats() {
		if !slices.Contains([]string{"openai-chat", "anthropic-messages", "langchain-messages", "dataset row", "outputs"}, f.Name) {
			continue
		}
		for _, yes := range slices.Sorted(maps.Keys(writers)) {
			for _, no := range slices.Sorted(maps.Keys(writers)) {
				m := made.Run{ID: "run0", Question: "Do it.", Calls: []made.Call{{Name: "cancel", ID: "c0", Result: "words", N: 1}}}
				row := f.Rows(&m)[0].(members)
				writers[yes](row, true)
				before := made.JSON(row)
				writers[no](row, false)
				if yes == no || made.JSON(row) == before || slices.Contains(partial, no) || slices.Contains(partial, yes) || yes == "score" ||
					slices.Contains(opinions, yes) && slices.Contains(opinions, no) {
					continue // one took the place of the other, or each says something of its own
				}
				if overwritten(writers[yes], row) {
					continue
				}
				doc := mustDecode(t, made.JSON(row))
				if run := &doc.Trajectories[0]; run.Success != nil && *run.Success || run.Doubt == "" {
					t.Errorf("%s, %s says yes and %s says no: success %v, doubt %q\n%s", f.Name, yes, no, run.Success, run.Doubt, made.JSON(row))
				}
				if tried++; t.Failed() && tried > 400 {
					return
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d records contradict themselves", tried)
	}
}

// overwritten reports whether a record no longer has what a writer wrote into it.
func overwritten(write func(members, bool), row members) bool {
	var again members
	if err := json.Unmarshal([]byte(made.JSON(row)), &again); err != nil {
		return true
	}
	before := made.JSON(again)
	write(again, true)
	return made.JSON(again) != before
}
