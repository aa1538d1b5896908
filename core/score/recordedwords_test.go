package score

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read"
)

// TestRecordedWords checks what a member beside a run says of its end: each way in which
// records say that a run failed is a failure or a doubt, alone and beside a success, and what
// says nothing of the end is neither.
func TestRecordedWords(t *testing.T) {
	t.Parallel()
	const chat = `"messages":[{"role":"user","content":"Cancel W-7."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"cancel_order","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"}]`
	const calls = `"id":"r","trajectory":[{"name":"cancel_order","arguments":{},"result":"ok"}]`
	outcome := func(text string) (good, failed, doubted bool) {
		doc, err := read.Decode([]byte(text))
		if err != nil || len(doc.Trajectories) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		r := &doc.Trajectories[0]
		return r.Success != nil && *r.Success, r.Success != nil && !*r.Success, r.Doubt != ""
	}
	var bad []string
	for _, name := range []string{"success", "passed", "is_success", "task_success", "solved"} {
		for _, value := range []string{"false", "0", "-1", "0.5", `"no"`, `"N"`, `"F"`, `"0"`, `"False"`, `"failed"`, `"rejected"`, `"aborted"`, `"crashed"`, `"timeout"`, `"partial"`, `"❌"`} {
			bad = append(bad, `"`+name+`":`+value)
		}
	}
	for _, name := range []string{"status", "result", "outcome", "verdict", "state", "conclusion", "final_status"} {
		for _, value := range []string{`"failed"`, `"failure"`, `"Error"`, `"aborted"`, `"crashed"`, `"timeout"`} {
			bad = append(bad, `"`+name+`":`+value)
		}
	}
	bad = append(bad, `"failed":true`, `"failed":2`, `"exception":"KeyError"`, `"error":"x"`, `"error":{"message":"x"}`, `"errors":["x"]`, `"exit_code":1`, `"exitCode":"error"`, `"stop_reason":"error"`,
		`"termination_reason":"max_steps"`, `"termination_reason":"step limit"`, `"aborted":true`, `"crashed":true`, `"timed_out":true`, `"truncated":true`, `"metadata":{"failed":true}`, `"info":{"error":"x"}`,
		`"grader":{"passed":false}`, `"checks":[{"name":"a","passed":true},{"name":"b","passed":false}]`, `"tests":{"failed":3,"passed":0}`, `"metrics":{"success_rate":0}`)
	nothing := []string{`"status":"completed"`, `"status":"cancelled"`, `"result":"no"`, `"result":"The order is open."`, `"state":{"failed":true}`, `"error":null`, `"error":""`, `"errors":[]`, `"exception":null`,
		`"failed":false`, `"failed":0`, `"exit_code":0`, `"timeout":30`, `"stop_reason":"stop"`, `"finish_reason":"tool_calls"`, `"truncated":false`, `"tests":{"failed":0}`, `"metadata":{"model":"m"}`}
	const own = `"id":"r","actions":[{"name":"cancel_order","arguments":{}}]`
	for _, run := range []string{chat, calls, own} {
		for _, member := range bad {
			if run != chat && strings.HasPrefix(member, `"checks"`) {
				continue // a list beside the calls is another format
			}
			if good, failed, doubted := outcome("{" + run + "," + member + "}"); good || !failed && !doubted {
				t.Errorf("%s is not read as a failure in %.12s: %v %v", member, run, failed, doubted)
			}
			if strings.HasPrefix(member, `"success"`) || strings.HasPrefix(member, `"termination`) || strings.HasPrefix(member, `"truncated`) {
				continue
			}
			if good, _, doubted := outcome(`{"success":true,` + run + "," + member + "}"); good && !doubted && !strings.Contains(member, "{") { // an inner object counts less than a member
				t.Errorf("%s beside a success is no doubt in %.12s", member, run)
			}
		}
		for _, member := range nothing {
			if good, failed, doubted := outcome("{" + run + "," + member + "}"); good || failed || doubted {
				t.Errorf("%s says nothing in %.12s: %v %v %v", member, run, good, failed, doubted)
			}
		}
		if good, _, doubted := outcome(`{"success":"yes",` + run + "}"); !good || doubted {
			t.Error("yes is no success")
		}
	}
	doc, err := read.Decode([]byte("id,actions,success\na,\"[{\"\"name\"\":\"\"pay\"\"}]\",1\nb,\"[{\"\"name\"\":\"\"pay\"\"}]\",0\n"))
	if err != nil || len(doc.Trajectories) != 2 {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if got := doc.Trajectories[i].Success; got == nil || *got != want {
			t.Errorf("row %d of a table: %v", i, got)
		}
	}
}
