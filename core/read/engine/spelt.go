package engine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/calltext"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// readSpelledCalls reads calls that a model wrote as text in a message, or the result of
// such a call. It returns false if it found none. Messages with ordinary calls are
// ignored. It knows these forms:
//
//   - ShareGPT's function_call
//   - smolagents' "Calling tools:"
//   - ReAct's "Action:"
//   - HTTP requests
//   - the protocols of textMarks
func (r *Run) readSpelledCalls(m *message, role string) bool {
	if role == "user" && len(r.Trajectory.Actions) == 0 {
		return false // there is no call that the message could answer
	}
	text := shape.ContentText(m.content)
	switch {
	case role == "function_call", role == "tool-call", role == "tool_call":
		r.BeginTurn("assistant")
		return r.readSpelledValue(strings.TrimPrefix(strings.TrimSpace(text), "Calling tools:"), m.v)
	case role == "user":
		key := "reply\x00" + text
		if !r.repeatsLastCall() && r.once.local[key] < r.once.taken[key] {
			return !r.once.recordKey(key) // the result of an earlier call, which the history repeats
		}
		found := r.reactResult(text) || r.textResult(text) || r.readReply(text)
		if found {
			r.once.recordKey(key)
		}
		return found
	case role != "assistant" || m.calls.Len() > 0:
		return false
	}
	if at, _ := nextMark(text); at < 0 {
		return len(r.found.calls) == 0 && (r.callAlone(text, m.v) || r.httpLine(text, m.v) || r.readReact(text, m.v))
	}
	r.BeginTurn("assistant")
	found := false
	for {
		at, mark := nextMark(text)
		if at < 0 {
			if text = strings.TrimSpace(text); found && text != "" && !isTag(text) {
				r.AddText(text)
			}
			return found
		}
		if before := strings.TrimSpace(text[:at]); before != "" && !isTag(before) {
			r.AddText(before)
		}
		inner, after, closed := strings.Cut(text[at+len(mark.open):], mark.end)
		if mark.end == "" {
			inner, after, closed = text[at+len(mark.open):], "", true
		}
		if !closed {
			return found
		}
		found = r.readMarkedCall(mark, strings.TrimSpace(inner), m.v) || found
		text = after
	}
}

// repeatsLastCall reports whether the last action has no result yet and is part of the
// current history.
func (r *Run) repeatsLastCall() bool {
	n := len(r.Trajectory.Actions)
	if n == 0 || r.Trajectory.Actions[n-1].Observation != nil {
		return false
	}
	a := &r.Trajectory.Actions[n-1]
	c := Call{ID: a.CallID, Name: a.Name, Arguments: a.Arguments, Text: a.Text}
	return r.once.local[c.ledgerKey()] > 0
}

// answerLast attaches an observation to the last action.
func (r *Run) answerLast(o trajectory.Observation) {
	r.SetObservation(len(r.Trajectory.Actions)-1, o)
	r.AddToolMessage(o.Text)
}

// callAlone reads a text that is only one call in JSON, for example {"name": NAME,
// "parameters": {…}}. Llama writes such calls. It returns false for any other text.
func (r *Run) callAlone(text string, at jsonval.Value) bool {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' {
		return false
	}
	v, err := jsonval.Parse(text)
	if err != nil || v.Get("name").Kind() != jsonval.String {
		return false
	}
	arguments, other := 0, 0
	v.Each(func(key string, m jsonval.Value) bool {
		switch {
		case shape.OneOf(key, "parameters arguments") && m.Kind() == jsonval.Object:
			arguments++
		case !shape.OneOf(key, "name type id"):
			other++
		}
		return true
	})
	if arguments != 1 || other > 0 {
		return false
	}
	r.BeginTurn("assistant")
	return r.ToolCall(v)
}

// httpLine reads a text that is an HTTP request, for example "GET URL". The lines after
// the first line are the body. The next message of the user is the result. It returns
// false for any other text.
func (r *Run) httpLine(text string, at jsonval.Value) bool {
	line, body, _ := strings.Cut(strings.TrimSpace(text), "\n")
	method, url, _ := strings.Cut(strings.TrimSpace(line), " ")
	if !shape.OneOf(method, "GET HEAD POST PUT PATCH DELETE") || strings.ContainsAny(url, " \t") ||
		!strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return false
	}
	arguments := literal.Object("method", method, "url", url)
	if body = strings.TrimSpace(body); body != "" {
		value := body
		if _, err := jsonval.Parse(body); err != nil {
			value = literal.Quote(body)
		}
		if v, err := jsonval.Parse(strings.TrimSuffix(arguments.Raw(), "}") + `,"body":` + value + "}"); err == nil {
			arguments = v
		}
	}
	r.BeginTurn("assistant")
	r.AddCall(Call{Name: "http_request", Arguments: arguments, At: at})
	r.replies = true
	return true
}

// readReply attaches a message of the user to the last action as its result. It returns
// false if r.replies is not set, or if the action already has a result.
func (r *Run) readReply(text string) bool {
	n := len(r.Trajectory.Actions)
	if !r.replies || n == 0 || r.Trajectory.Actions[n-1].Observation != nil || strings.TrimSpace(text) == "" {
		return false
	}
	r.replies = false
	r.answerLast(shape.NewObservation(text, shape.Unsaid))
	return true
}

// textMark is a protocol for calls in text. open and end are the marks around a call; end
// is "" if the call continues to the end of the text. read reads the call; it is nil if
// the call is JSON.
type textMark struct {
	open, end string
	read      func(inner string) (calltext.Call, bool)
}

var textMarks = []textMark{
	{"<tool_call>", "</tool_call>", nil},
	{"<function=", "</function>", calltext.Function},
	{"<invoke name=", "</invoke>", calltext.Invoke},
	{"<|python_tag|>", "", nil},
	{"[TOOL_CALLS]", "", calltext.Mistral},
	{"<|tool_call_begin|>", "<|tool_call_end|>", calltext.Kimi},
	{"<\uff5ctool\u2581call\u2581begin\uff5c>", "<\uff5ctool\u2581call\u2581end\uff5c>", calltext.DeepSeek},
}

// nextMark finds the first opening mark of a call in a text, for example <tool_call>. It
// returns the mark's index and protocol. The index is -1 if there is no such mark.
func nextMark(text string) (at int, mark textMark) {
	for from := 0; ; from++ { // no opening mark begins with another character
		i := strings.IndexAny(text[from:], "<[")
		if i < 0 {
			return -1, mark
		}
		from += i
		for _, m := range textMarks {
			if strings.HasPrefix(text[from:], m.open) {
				return from, m
			}
		}
	}
}

// isTag reports whether a text consists of one tag. Such a tag may be around several
// calls.
func isTag(text string) bool {
	return text[0] == '<' && strings.IndexByte(text, '>') == len(text)-1
}

// readMarkedCall reads a call that a model wrote as text between two marks. It returns
// false if the call cannot be read. inner is the text between the marks.
func (r *Run) readMarkedCall(mark textMark, inner string, at jsonval.Value) bool {
	read := mark.read
	if rest, is := strings.CutPrefix(inner, "<function="); is && read == nil {
		inner, read = strings.TrimSpace(strings.TrimSuffix(rest, "</function>")), calltext.Function
	}
	if read != nil {
		if c, ok := read(inner); ok {
			v, err := jsonval.Parse(c.Arguments)
			if err != nil {
				return false
			}
			r.AddCall(Call{Name: c.Name, Arguments: v, At: at})
			return true
		}
	}
	return r.readSpelledValue(inner, at)
}

// resultMarks contains the beginnings of user's messages that contain the result of a
// call in text.
var resultMarks = [...]string{"<tool_response>", "<function_results>", "<function_result>", "EXECUTION RESULT of [", "[TOOL_RESULTS]"}

// textResult reads a user's message that contains the result of a call which was written
// as text. It reports whether the message contains such a result.
func (r *Run) textResult(text string) bool {
	text = strings.TrimSpace(text)
	n := len(r.Trajectory.Actions)
	if n == 0 || r.Trajectory.Actions[n-1].Observation != nil || r.Trajectory.Actions[n-1].CallID != "" {
		return false
	}
	for _, mark := range resultMarks {
		if strings.HasPrefix(text, mark) {
			r.answerLast(shape.NewObservation(text, shape.Unsaid))
			return true
		}
	}
	return false
}

// readSpelledValue reads a call, or a list of calls, in JSON or in Python's notation. It
// reports whether it found one.
func (r *Run) readSpelledValue(text string, at jsonval.Value) bool {
	v, err := jsonval.Parse(strings.TrimSpace(text))
	if err != nil {
		v = literal.Python(strings.TrimSpace(text))
	}
	list := []jsonval.Value{v}
	if v.Kind() == jsonval.Array {
		list = v.Elements()
	}
	found := false
	for _, e := range list {
		if e.Kind() == jsonval.Object {
			found = r.ToolCall(e) || found
		}
	}
	if !found {
		r.Decoder.WarnAt("call-not-object", "a call in a message's text is not JSON", at)
	}
	return found
}

// spellings contains texts that show that a string contains a call.
var spellings = [...]string{"<tool_call>", `\"tool_calls\"`, `\"tool_use\"`, `\"functionCall\"`, `\"function_call\"`, `\"toolCall\"`, `\"toolCallId\"`, `\"tool_name\"`, "Calling tools:"}

// findSpelled searches the text for a mark of a call that is written as text, for example
// "<tool_call>". It returns one fact with the position of the mark, or nil if there is no
// mark.
func (d *Decoder) findSpelled() []fact {
	quoted := strings.Contains(d.text, `\"`)
	for _, words := range spellings {
		if words[0] == '\\' && !quoted {
			continue
		}
		if at := strings.Index(d.text, words); at >= 0 {
			return []fact{{offset: at, member: words}}
		}
	}
	return nil
}
