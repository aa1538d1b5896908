package proxy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/calltext"
	"github.com/boundcheck/boundcheck/core/read/react"
)

// kindText is a call that the model writes into its text, in one of the protocols from
// which agents read calls. It has no id of its own.
const kindText = "text"

// textMark begins calls in a model's text. read returns the calls in the text after the
// mark; nil means that they cannot be read reliably.
type textMark struct {
	mark, end string // end closes the calls; "" if they continue to the end of the text
	read      func(inner string) []call
}

// textMarks holds the protocols of text calls, by the marks of the models that are
// trained on them. Those without a reader are recognised and never pass.
var textMarks = []textMark{
	{"<tool_call>", "</tool_call>", readTagged},
	{"<tool_use>", "</tool_use>", readTagged},
	{"<function_call>", "</function_call>", readTagged},
	{"<functioncall>", "</functioncall>", readTagged},
	{"<|tool_call|>", "<|/tool_call|>", readTagged},
	{"<|tool_call>", "", readTagged},
	{"<|python_tag|>", "", readTagged},
	{"[TOOL_CALLS]", "", readMistral},
	{"<function=", "</function>", readFunction},
	{"<invoke name=", "</invoke>", readInvoke},
	{"<|tool_calls_begin|>", "", nil},
	{"<\uff5ctool\u2581calls\u2581begin\uff5c>", "", nil},
	{"<\uff5ctool\u2581call\u2581begin\uff5c>", "", nil},
	{"<|tool_calls_section_begin|>", "", nil},
	{"<|tool_call_begin|>", "", nil},
	{"<tool_code>", "", nil},
	{"```tool_code", "", nil},
	{"```tool_call", "", nil},
	{"<start_function_call>", "", nil},
	{"<|channel|>commentary to=", "", nil},
	{"<|channel|>analysis to=", "", nil},
	{"to=functions.", "", nil},
	{"<\uff5cDSML\uff5c", "", nil},
	{"\u273fFUNCTION\u273f", "", nil},
	{":invoke name=", "", nil},
	{"<invoke>", "", nil},
	{"<tool_input>", "", nil},
	{"TOOL_NAME:", "", nil},
	{"<execute_command>", "", nil},
	{"<execute_bash>", "", nil},
	{"<execute_ipython>", "", nil},
	{"<write_to_file>", "", nil},
	{"<replace_in_file>", "", nil},
	{"<apply_diff>", "", nil},
	{"<use_mcp_tool>", "", nil},
	{"<boltAction", "", nil},
}

// textCalls returns the calls in a model's text, in order. A text that looks like a
// call but cannot be read reliably becomes a call with the member Bad.
func textCalls(words string) (calls []call) {
	calls = append(calls, markedCalls(words)...)
	calls = append(calls, reactCalls(words)...)
	known := map[string]int{}
	for _, c := range calls {
		known[c.Raw]++
	}
	objects, _ := objectCalls(words)
	for _, c := range objects {
		if known[c.Raw]--; c.Raw == "" || known[c.Raw] < 0 {
			calls = append(calls, c)
		}
	}
	for i := range calls {
		calls[i].ID, calls[i].Kind = "text_"+strconv.Itoa(i+1), kindText
	}
	return calls
}

// textStart returns the index at which the first call in a text begins. The text before
// this index may be sent without the call.
func textStart(words string) int {
	_, start := objectCalls(words)
	for _, m := range textMarks {
		if i := strings.Index(words, m.mark); i >= 0 {
			start = min(start, i)
		}
	}
	at := 0
	for line := range strings.Lines(words) {
		if key, _ := react.Key(line); key == "action" {
			start = min(start, at)
		}
		at += len(line)
	}
	return start
}

// markedCalls returns the calls in a text that follow a mark such as <tool_call>. All
// marks are in the list textMarks.
func markedCalls(words string) (calls []call) {
	for rest := words; ; {
		at, found := -1, textMark{}
		for _, m := range textMarks {
			if i := strings.Index(rest, m.mark); i >= 0 && (at < 0 || i < at || i == at && len(m.mark) > len(found.mark)) {
				at, found = i, m
			}
		}
		if at < 0 {
			return calls
		}
		rest = rest[at+len(found.mark):]
		if strings.TrimSpace(rest) == "" || strings.HasPrefix(rest, "`") {
			continue // the mark is only mentioned: nothing after it could run
		}
		inner := rest
		if found.end != "" {
			inner, rest, _ = strings.Cut(rest, found.end)
		} else {
			rest = ""
		}
		var read []call
		if found.read != nil {
			read = found.read(strings.TrimSpace(inner))
		}
		if len(read) == 0 {
			read = []call{unreadableText(found.mark)}
		}
		calls = append(calls, read...)
	}
}

// unreadableText returns a call in place of a text call that cannot be read reliably. The
// result has the member Bad, so it never passes.
func unreadableText(mark string) call {
	return call{Name: "text_call", Text: "{}", Bad: "the call is written as text (" + strings.TrimSpace(mark) + ") in a form that can be read in different ways"}
}

// readTagged returns the calls in the text after a tag such as <tool_call>. The text must
// be one of these, or the result is nil:
//
//   - a JSON object with one call
//   - a JSON array of calls
//   - a call of the form <function=…</function>
func readTagged(inner string) []call {
	if rest, ok := strings.CutPrefix(inner, "<function="); ok {
		rest, ok = strings.CutSuffix(strings.TrimSpace(rest), "</function>")
		if !ok || strings.Contains(rest, "<function=") {
			return nil
		}
		return readFunction(rest)
	}
	v, err := jsonval.Parse(inner)
	if err != nil || checkUnambiguous(v) != nil {
		return nil
	}
	return jsonCalls(v)
}

// jsonCalls returns the calls in an object or in an array of objects. It returns nil if
// one of the objects is not a call.
func jsonCalls(v jsonval.Value) (calls []call) {
	if v.Kind() == jsonval.Object {
		if c, ok := jsonCall(v); ok {
			return []call{c}
		}
		return nil
	}
	for _, e := range v.Elements() {
		c, ok := jsonCall(e)
		if !ok {
			return nil
		}
		calls = append(calls, c)
	}
	return calls
}

// Members that hold the name of a call in JSON, and those that hold its arguments.
var (
	namesOfCalls     = []string{"name", "tool", "tool_name", "action", "function", "command", "function_name", "recipient_name", "toolName", "functionName", "command_name", "action_name"}
	argumentsOfCalls = []string{"arguments", "parameters", "args", "input", "tool_input", "action_input", "params", "kwargs", "inputs", "tool_args", "tool_arguments", "function_args", "toolInput", "actionInput", "tool_params", "action_args", "command_args"}
)

// jsonCall parses an object as a call. The object has one member with the name of the
// call and at most one with its arguments. Members such as "id" and "type" are allowed,
// and any other member is an error. A member "function" that is an object is parsed in
// place of the whole object.
func jsonCall(v jsonval.Value) (c call, ok bool) {
	if f := v.Get("function"); f.Kind() == jsonval.Object {
		return jsonCall(f)
	}
	named, given := 0, 0
	c.Text = "{}"
	v.Each(func(key string, m jsonval.Value) bool {
		switch {
		case slices.Contains(namesOfCalls, key):
			c.Name, _ = m.Str()
			named++
		case slices.Contains(argumentsOfCalls, key):
			c.Text = argumentText(m)
			given++
		case key == "type", key == "id", key == "thought", key == "thoughts", key == "reasoning":
		default:
			named = -9
		}
		return true
	})
	c.Raw = v.Raw()
	return c, v.Kind() == jsonval.Object && named == 1 && given <= 1 && c.Name != "" && c.Text != ""
}

// argumentText returns the arguments of a call as the text of a JSON object. An object,
// or a string that contains an object, stays as it is. Null becomes an empty object. Any
// other value becomes the member "input" of a new object.
func argumentText(m jsonval.Value) string {
	switch m.Kind() {
	case jsonval.Object:
		return m.Raw()
	case jsonval.Null:
		return "{}"
	case jsonval.String:
		s, _ := m.Str()
		if inner, err := jsonval.Parse(s); err == nil && inner.Kind() == jsonval.Object {
			return s
		}
	}
	return `{"input":` + m.Raw() + `}`
}

// readMistral returns the calls in the text after [TOOL_CALLS]. The text is an array, or
// has the form NAME{…} or NAME[ARGS]{…}.
func readMistral(inner string) []call {
	if !strings.Contains(inner, "[ARGS]") && strings.IndexAny(inner, "[{") <= 0 {
		return readTagged(inner)
	}
	return singleCall(calltext.Mistral(inner))
}

func readFunction(inner string) []call { return singleCall(calltext.Function(inner)) }

func readInvoke(inner string) []call { return singleCall(calltext.Invoke(inner)) }

// singleCall returns a list with the call c. If ok is false, it returns nil.
func singleCall(c calltext.Call, ok bool) []call {
	if !ok {
		return nil
	}
	return []call{{Name: c.Name, Text: c.Arguments}}
}
