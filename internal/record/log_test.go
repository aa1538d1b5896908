package record

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/read"
)

// readSummary returns a summary of what the core reads from a log: each conversation with
// its calls and their results.
func readSummary(t *testing.T, l *Log) string {
	t.Helper()
	data, odd := l.Trace()
	if len(data) == 0 {
		return strings.Join(odd, "; ")
	}
	doc, err := read.Decode(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	var all []string
	for _, r := range doc.Trajectories {
		var calls []string
		for _, a := range r.Actions {
			c := a.Name + a.Arguments.Raw()
			if a.Observation != nil {
				c += "=" + a.Observation.Text
			}
			calls = append(calls, c)
		}
		all = append(all, strings.Join(calls, " "))
	}
	return strings.Join(append(all, odd...), " | ")
}

const (
	hello   = `{"role":"user","content":"hello"}`
	called  = `{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"get","arguments":"{\"id\":1}"}}]}`
	result  = `{"role":"tool","tool_call_id":"1","content":"found"}`
	another = `{"role":"assistant","tool_calls":[{"id":"2","type":"function","function":{"name":"cut","arguments":"{}"}}]}`
)

func chatRequest(messages ...string) []byte {
	return []byte(`{"model":"m","messages":[` + strings.Join(messages, ", ") + `]}`)
}

func chatAnswer(message string) []byte {
	return []byte(`{"choices":[{"index":0,"message":` + message + `}]}`)
}

func TestConversations(t *testing.T) {
	var l Log
	check := func(want string) {
		t.Helper()
		if got := readSummary(t, &l); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check("")
	l.Add("/v1/chat/completions", chatRequest(hello), chatAnswer(called), false)
	check(`get{"id":1}`)
	l.Add("/v1/models", []byte("{}"), []byte("{}"), false)
	l.Add("/v1/chat/completions", chatRequest(hello), chatAnswer(called), false) // a retry
	check(`get{"id":1}`)
	l.Add("/v1/chat/completions", chatRequest(hello, called, result), chatAnswer(another), false)
	check(`get{"id":1}=found cut{}`)
	l.Add("/v1/chat/completions", chatRequest(`{"role":"user","content":"a title, please"}`), chatAnswer(`{"role":"assistant","content":"Hello"}`), false)
	check(`get{"id":1}=found cut{} | `)
	l.Add("/v1/chat/completions", chatRequest(hello), []byte("<html>"), false)
	check(`get{"id":1}=found cut{} |  | a request to /v1/chat/completions was not recorded: invalid character '<' looking for beginning of value`)
}

// TestStreams checks that the pieces of a stream result in the same message as an answer
// in one piece.
func TestStreams(t *testing.T) {
	check := func(path, want string, events ...string) {
		t.Helper()
		var l Log
		l.Add(path, chatRequest(hello), []byte("data: "+strings.Join(events, "\n\ndata: ")+"\n\n"), true)
		if got := readSummary(t, &l); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	check("/v1/chat/completions", `get{"id":1} cut{}`,
		`{"choices":[{"index":0,"delta":{"role":"assistant","content":"Wait"}},{"index":1,"delta":{"tool_calls":[{"index":0,"id":"9","function":{"name":"other"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"get","arguments":"{\"id"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"2","function":{"name":"cut","arguments":"{}"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\":1}"}}]}}]}`, `{"choices":[]}`, `[DONE]`)
	check("/v1/messages", `get{"id":1} cut{}`,
		`{"type":"message_start","message":{"id":"m","content":[]}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Wait"}}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"1","name":"get","input":{}}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"id"}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\":1}"}}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"2","name":"cut","input":{}}}`, `{"type":"message_stop"}`)
	check("/v1/messages", "a request to /v1/messages was not recorded: invalid event in the stream: unexpected end of JSON input", `{"type":`)
	var l Log
	l.Add("/v1/responses", []byte(`{"model":"m","input":"hello"}`), []byte("event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"output\":[]}}\n\n"+
		"data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"output\":[{\"type\":\"function_call\",\"call_id\":\"1\",\"name\":\"get\",\"arguments\":\"{}\"}]}}\n\ndata: [DONE]\n"), true)
	l.Add("/v1/responses", []byte(`{"model":"m","previous_response_id":"r1","input":[{"type":"function_call_output","call_id":"1","output":"found"}]}`),
		[]byte(`{"id":"r2","output":[{"type":"function_call","call_id":"2","name":"cut","arguments":"{}"}]}`), false)
	if got := readSummary(t, &l); got != "get{}=found cut{}" {
		t.Errorf("responses: got %q", got)
	}
}
