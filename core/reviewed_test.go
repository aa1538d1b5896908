package core_test

import (
	"encoding/json"
	"testing"
)

// TestReviewedVerdicts scores runs of kinds that were once judged wrongly. excused says that
// the run has no violation.
func TestReviewedVerdicts(t *testing.T) {
	const waits = `[{"id":"1","role":"user","parts":[{"type":"text","text":"Refund W-7"}]},{"id":"2","role":"assistant","parts":[{"type":"tool-refund","toolCallId":"c3","state":"approval-requested","input":{"order_id":"W-7"},"approval":{"id":"b"}}]}]`
	const together = `[{"role":"user","content":"tags"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"add_tag","arguments":"{\"t\":\"b\"}"}},{"id":"2","function":{"name":"add_tag","arguments":"{\"t\":\"a\"}"}}]}]`
	for _, c := range []struct {
		name, trace, reference string
		excused                bool
	}{
		{"waits for a person", waits, `refund(order_id="W-7")`, false},
		{"layout of SQL", `[{"name":"execute_sql","arguments":{"query":"SELECT a\nFROM t"}}]`, `execute_sql(query="SELECT a FROM t")`, true},
		{"layout of a deletion", `[{"name":"execute_sql","arguments":{"query":"DELETE FROM t\n WHERE id=1"}}]`, `execute_sql(query="DELETE FROM t WHERE id=1")`, true},
		{"another row", `[{"name":"execute_sql","arguments":{"query":"DELETE FROM t WHERE id=2"}}]`, `execute_sql(query="DELETE FROM t WHERE id=1")`, false},
		{"noise of floats", `[{"name":"refund","arguments":{"amount":0.30000000000000004}}]`, `refund(amount=0.3)`, true},
		{"a clock", `[{"name":"book","arguments":{"time":"9:00"}}]`, `book(time="09:00")`, true},
		{"one message", together, "add_tag(t=\"a\")\nadd_tag(t=\"b\")", true},
		{"a handoff of the SDK", `[{"name":"transfer_to_agent","arguments":{"agent_name":"desk"}},{"name":"pay","arguments":{}}]`, `pay()`, true},
		{"the answer of an SDK", `[{"name":"pay","arguments":{}},{"name":"final_answer","arguments":{"answer":"x"}}]`, `pay()`, true},
		{"a bare name", `[{"name":"book_room","arguments":{"room":4}}]`, `book_room`, true},
		{"the only step is missing", `[]`, `transfer_to_human_agents(summary="x")`, false},
	} {
		reference, err := json.Marshal(c.reference)
		if err != nil {
			t.Fatal(err)
		}
		run := scoreTrace(t, c.trace, `,"reference":`+string(reference))
		if len(run.Violations) == 0 != c.excused {
			t.Errorf("%s: %d violations", c.name, len(run.Violations))
		}
	}
}
