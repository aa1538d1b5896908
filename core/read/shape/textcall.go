package shape

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/react"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// A model may write a call as text in a protocol that no reader of messages knows, or beside
// ordinary calls. The law: such a call is read, or stated as unread.

// callMarks are the marks with which the protocols of models begin a call.
var callMarks = [...]string{
	"<tool_call>", "<|tool_call|>", "<|tool_call_start|>", "<|tool_call_begin|>", "<|python_tag|>", "<|action_start|>", "<start_function_call>", "<functioncall>", "<function_calls>", "<minimax:tool_call>", "<tool_use>",
	"[TOOL_CALLS]", "to=functions.", "```tool_code", "```tool_call", "\u273fFUNCTION\u273f", "functools[",
}

// FindTextCall returns the first call that is written as text in a message of an assistant, in
// any protocol, with the mark that shows it. The mark is "" if there is none.
func FindTextCall(text string) (mark, name string, arguments jsonval.Value) {
	for _, m := range callMarks {
		if _, rest, ok := strings.Cut(text, m); ok {
			if name, arguments = calledIn(rest); name != "" {
				return m, name, arguments
			}
		}
	}
	if strings.Contains(text, "Action") {
		if calls, _ := react.Parse(text); len(calls) > 0 {
			if name, arguments = ReactCall(&calls[0]); name != "" {
				return "Action:", name, arguments
			}
		}
	}
	whole := strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(whole, "```"); ok && strings.HasSuffix(inner, "```") {
		_, inner, _ = strings.Cut(strings.TrimSuffix(inner, "```"), "\n")
		if b := namedBlock(strings.TrimSpace(inner)); b != nil {
			return "```", b.Name, b.Input
		}
	}
	if called, _, ok := strings.Cut(whole, "("); ok && strings.HasPrefix(called, "[") && strings.HasSuffix(whole, ")]") && IsName(called[1:]) {
		return "[", called[1:], jsonval.Value{}
	}
	return "", "", jsonval.Value{}
}

// calledIn returns the name and the arguments of the call in the text after a mark. The name is
// that of an object or a list in JSON, or the first word.
func calledIn(rest string) (name string, arguments jsonval.Value) {
	if at := strings.IndexAny(rest, "[{"); at >= 0 && strings.TrimSpace(rest[:at]) == "" {
		if end := strings.LastIndexAny(rest, "]}"); end > at {
			if b := namedBlock(rest[at : end+1]); b != nil {
				return b.Name, b.Input
			}
		}
	}
	if _, after, ok := strings.Cut(rest, `"name"`); ok {
		rest = strings.TrimLeft(after, ` :"`)
	}
	rest = strings.TrimLeft(rest, " \n<:[{`")
	end := strings.IndexFunc(rest, func(c rune) bool {
		return c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
	return rest[:max(end, 0)], jsonval.Value{}
}

// namedBlock returns the call that a JSON text is, or the first of a list, or nil.
func namedBlock(text string) *Block {
	v, err := jsonval.Parse(text)
	if v.Kind() == jsonval.Array {
		v = FirstElement(v)
	}
	b := OpenBlock(v)
	if f := v.Get("function"); f.Kind() == jsonval.Object {
		f.Each(b.SetMember)
	}
	b.CompleteCall()
	if err != nil || !IsName(b.Name) || !b.Input.Exists() || v.Get("description").Exists() {
		return nil
	}
	return b
}

// ReactCall returns the name and the arguments of an action. A block of code in a known
// language becomes a call of the program that runs this language, such as bash.
func ReactCall(c *react.Call) (name string, arguments jsonval.Value) {
	switch {
	case c.Called:
		if step, err := reference.ReadCall(c.Name + "(" + c.Input + ")"); err == nil {
			return c.Name, step.Arguments
		}
	case OneOf(c.Fence, "sql mysql sqlite postgresql"):
		return "sql", literal.Object("query", c.Input)
	case OneOf(c.Fence, "bash sh shell"):
		return "bash", literal.Object("command", c.Input)
	case OneOf(c.Fence, "python py python3"):
		return "python", literal.Object("code", c.Input)
	}
	return c.Name, ReactArguments(c.Input)
}

// ReactArguments reads the input of an action. An object may be in JSON or in Python's
// notation. Any other text becomes the member "input".
func ReactArguments(input string) jsonval.Value {
	v, err := jsonval.Parse(input)
	if err != nil {
		v = literal.Python(input)
	}
	switch {
	case v.Kind() == jsonval.Object:
		return v
	case input == "" || strings.EqualFold(input, "none"):
		return literal.Object()
	}
	return literal.Object("input", input)
}

// CalledArguments returns the arguments of a call that is written as in code, such as pay(n=1), as JSON. It
// returns false for any other text.
func CalledArguments(text string) (string, bool) {
	step, err := reference.ReadCall(text)
	if err != nil || !step.Arguments.Exists() {
		return "{}", err == nil
	}
	return step.Arguments.Raw(), true
}
