package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/literal"
)

// besideCall returns a conversation with one ordinary call that has a result, and a last
// message of an assistant. beside is further members of the record.
func besideCall(last, beside string) string {
	return fmt.Sprintf(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"book","arguments":"{\"n\":1}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"},{"role":"assistant","content":%s}]%s}`, literal.Quote(last), beside)
}

// isCovered reports whether a call of drop was read, or the run says that something was not.
func isCovered(t *testing.T, text string) bool {
	t.Helper()
	doc, err := Decode([]byte(text))
	if err != nil {
		return true // it is refused by name
	}
	for i := range doc.Trajectories {
		run := &doc.Trajectories[i]
		for _, a := range run.Actions {
			if a.Name == "drop" {
				return true
			}
		}
		if run.Doubt != "" {
			return true
		}
	}
	return false
}

// TestTextCallsAreNeverLost holds that a call which a model wrote as text beside ordinary calls
// is read or stated, in each protocol.
func TestTextCallsAreNeverLost(t *testing.T) {
	for _, text := range []string{
		"<tool_call>{\"name\":\"drop\",\"arguments\":{\"n\":1}}</tool_call>",
		"<tool_call>drop\n<arg_key>n</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
		"<|start|>assistant<|channel|>commentary to=functions.drop <|constrain|>json<|message|>{\"n\":1}<|call|>",
		"[TOOL_CALLS] [{\"name\":\"drop\",\"arguments\":{\"n\":1}}]", "[TOOL_CALLS]drop[ARGS]{\"n\":1}",
		"<|tool_call|>[{\"name\":\"drop\",\"arguments\":{\"n\":1}}]",
		"```json\n{\"name\":\"drop\",\"arguments\":{\"n\":1}}\n```",
		"Thought: it is late\nAction: drop\nAction Input: {\"n\":1}",
		"```tool_code\ndrop(n=1)\n```",
		"{\"type\":\"function\",\"name\":\"drop\",\"parameters\":{\"n\":1}}",
		"<|python_tag|>drop(n=1)", "[drop(n=1)]",
		"<|tool_call_start|>[drop(n=1)]<|tool_call_end|>",
		"Now.\n<functioncall> {\"name\": \"drop\", \"arguments\": '{\"n\":1}'}",
	} {
		if !isCovered(t, besideCall(text, "")) {
			t.Errorf("the call is lost in silence: %s", text)
		}
	}
	for _, text := range []string{"Done.", "Use drop(1) to undo it.", "The action is done.", "```json\n{\"name\":\"Ann\",\"age\":3}\n```", "[a list](x)", "```tool_code", strings.Repeat("word ", 99)} {
		if isCovered(t, besideCall(text, "")) {
			t.Errorf("plain words look like a call: %s", text)
		}
	}
}

// TestCallsBesideMessages holds that an object beside the messages that names a tool and its
// arguments is stated.
func TestCallsBesideMessages(t *testing.T) {
	for _, member := range []string{
		`{"action":"drop","action_input":{"n":1}}`, `{"tool_name":"drop","tool_kwargs":{"n":1}}`, `{"tool_name":"drop","parameters":{"n":1}}`,
		`{"type":"tool","name":"drop","input":{"n":1},"output":"ok"}`, `{"recipient_name":"drop","parameters":{"n":1}}`,
		`{"name":"x","attributes":{"gen_ai.tool.name":"drop","gen_ai.tool.call.arguments":"{\"n\":1}"}}`,
	} {
		if !isCovered(t, besideCall("Done.", `,"log":[`+member+`]`)) {
			t.Errorf("the call is lost in silence: %s", member)
		}
	}
	for _, member := range []string{`{"name":"x","description":"d","parameters":{"n":1}}`, `{"tool_name":"drop","count":1}`, `{"action":"drop","by":"Ann"}`} {
		if isCovered(t, besideCall("Done.", `,"log":[`+member+`]`)) {
			t.Errorf("this is no call: %s", member)
		}
	}
	if text := strings.Replace(besideCall("Done.", ""), `{"role":"assistant","content":"Done."}`, `{"role":"tool","name":"drop","tool_call_id":"zz","content":"gone"}`, 1); !isCovered(t, text) {
		t.Error("a result without its call is lost in silence")
	}
}

// TestWordsForNothing holds that a table's word for an empty cell is no step.
func TestWordsForNothing(t *testing.T) {
	for _, word := range []string{`"None"`, `"none"`, `"nan"`, `"N/A"`, `"null"`, `["None"]`, `null`} {
		doc, err := Decode([]byte(besideCall("Done.", `,"expected_tools":`+word)))
		if err != nil || doc.Trajectories[0].Reference != nil || doc.Trajectories[0].Doubt != "" {
			t.Errorf("%s is read as a step: %v", word, err)
		}
	}
}

// TestRecordedEndings holds that a record which says that its run failed or was cut off is
// never taken for one that says nothing.
func TestRecordedEndings(t *testing.T) {
	for member, failed := range map[string]bool{
		`"score":0`: true, `"info":{"reward":0}`: true, `"reward_info":{"reward":0.0}`: true, `"exit_status":"error"`: true, `"error":"max steps reached"`: true,
		`"terminated":"step limit"`: false, `"finish_reason":"length"`: false, `"stop_reason":"max_turns"`: false,
	} {
		doc, err := Decode([]byte(besideCall("Done.", ","+member)))
		if err != nil {
			t.Fatal(err)
		}
		run := &doc.Trajectories[0]
		if failed && (run.Success == nil || *run.Success) || !failed && run.Doubt == "" {
			t.Errorf("%s: success %v, doubt %q", member, run.Success, run.Doubt)
		}
	}
	for _, member := range []string{`"score":1`, `"score":0.7`, `"error":null`, `"error":""`, `"finish_reason":"stop"`, `"exit_status":"submitted"`, `"terminated":true`} {
		doc, err := Decode([]byte(besideCall("Done.", ","+member)))
		if run := &doc.Trajectories[0]; err != nil || run.Success != nil || run.Doubt != "" {
			t.Errorf("%s: success %v, doubt %q", member, run.Success, run.Doubt)
		}
	}
}
