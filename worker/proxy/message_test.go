package proxy

import "testing"

func nameOf(t *testing.T, messages string) string {
	t.Helper()
	q, err := readQuery(`{"messages":` + messages + `}`)
	if err != nil {
		t.Fatal(err)
	}
	return q.messages[len(q.messages)-1].key
}

// TestNames checks that a conversation's name depends on every text, call, result and
// role, and on their order.
func TestNames(t *testing.T) {
	call := func(id, kind, name, args string) string {
		member := map[string]string{"function": "arguments", "custom": "input"}[kind]
		return `[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"` + kind + `","` + kind + `":{"name":"` + name + `","` + member + `":"` + args + `"}}]}]`
	}
	all := []string{
		`[{"role":"user","content":"a"}]`,
		`[{"role":"assistant","content":"a"}]`,
		`[{"role":"user","content":"b"}]`,
		`[{"role":"user","content":"a"},{"role":"user","content":"b"}]`,
		`[{"role":"user","content":"b"},{"role":"user","content":"a"}]`,
		`[{"role":"user","content":"a\nuser:b"}]`,
		`[{"role":"user","content":"ab"}]`,
		`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"a"}}]}]`,
		`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"b"}}]}]`,
		`[{"role":"tool","tool_call_id":"1","content":"a"}]`,
		`[{"role":"tool","tool_call_id":"2","content":"a"}]`,
		`[{"role":"function","name":"1","content":"a"}]`,
		call("1", "function", "f", "{}"), call("2", "function", "f", "{}"), call("1", "function", "g", "{}"), call("1", "function", "f", "{ }"), call("1", "custom", "f", "{}"),
		`[{"role":"user","content":"a"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}]`,
		`[{"role":"user","content":"a"},{"role":"assistant","content":null}]`,
	}
	seen := map[string]string{}
	for _, m := range all {
		key := nameOf(t, m)
		if seen[key] != "" {
			t.Errorf("one name for %s and %s", seen[key], m)
		}
		seen[key] = m
	}
}

// TestNamesOfOneConversation checks that the encoding of the messages does not change the
// name of a conversation. The operator's messages must not change it either.
func TestNamesOfOneConversation(t *testing.T) {
	want := nameOf(t, `[{"role":"user","content":"a b"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\":\"é\"}"}}]}]`)
	for _, m := range []string{
		` [ {"content" : "a b\n", "role":"user"}, {"tool_calls":[{"function":{"arguments":"{\"x\":\"\u00e9\"}","name":"f"},"id":"1","index":0,"type":"function"}],"role":"assistant","content":"","refusal":null}]`,
		`[{"role":"system","content":"x"},{"role":"user","content":[{"type":"text","text":"a "},{"type":"text","text":"b"}]},{"role":"developer","content":"y"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"x\":\"é\"}"}}]}]`,
	} {
		if got := nameOf(t, m); got != want {
			t.Errorf("another name for %s", m)
		}
	}
}

// TestWith checks that query.withMessages changes only the necessary parts of a body.
func TestWith(t *testing.T) {
	check := func(body string, free bool, want string) {
		t.Helper()
		q, err := readQuery(body)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.withMessages([]string{`{"a":1}`, `{"b":2}`}, free); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	check(`{ "x":1.0, "messages" : [ {"role":"user"} ] ,"y":[1, 2]}`, true, `{ "x":1.0, "messages" : [{"a":1},{"b":2}] ,"y":[1, 2]}`)
	check(`{"tool_choice":"required","messages":[{}],"function_call":{"name":"f"}}`, true, `{"tool_choice":"auto","messages":[{"a":1},{"b":2}],"function_call":"auto"}`)
	check(`{"tool_choice":"required","messages":[{}]}`, false, `{"tool_choice":"required","messages":[{"a":1},{"b":2}]}`)
	check(`{"messages":[{}],"tool_choice":"none"}`, true, `{"messages":[{"a":1},{"b":2}],"tool_choice":"none"}`)
	check(`{"messages":[{}],"tool_choice":null}`, true, `{"messages":[{"a":1},{"b":2}],"tool_choice":null}`)
}
