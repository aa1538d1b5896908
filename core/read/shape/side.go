package shape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// deeds are the words for what was done. Each stands before or after a word of callWords.
var deeds = [...]string{"actual", "predicted", "observed", "executed", "performed", "agent", "generated", "invoked"}

// IsRunSide reports whether a member with this name is the run of a record, also if its list
// is empty.
func IsRunSide(name string) bool {
	if len(name) < 5 {
		return false
	}
	if name == "actual" || name == "predicted" || name == "executed" || name == "performed" {
		return true
	}
	return OneOf(name, "spans toolSpans tool_spans observations tools_called toolsCalled called_tools calledTools tools_used toolsUsed") ||
		besideWord(wordlist.FoldName(name), deeds[:], callWords, false)
}

// HasRunSide reports whether a record has a list that is its run, perhaps with no call in it.
// A thing whose type says that it is a call, or that names the span around it, is no record.
func HasRunSide(o *Object) bool {
	for i, key := range o.Keys {
		if o.Values[i].Kind() == jsonval.Array && IsRunSide(key) {
			kind := KindOf(o)
			return (kind == "" || !IsToolKind(kind)) && !o.HasAny("arguments parent_id parentId parent_span_id parentSpanId")
		}
	}
	return o.HasAny("outputs output prediction") && OwnsSettings(o) && isOutputSide(o.Get("outputs output prediction")) || isAttempt(o)
}

// isAttempt reports whether an object has a list of calls, perhaps an empty one, beside what only a record has:
// the number of the attempt, or a word for how it ended.
func isAttempt(o *Object) bool {
	return IsAttemptWith(o, func(key string) bool { return IsCallList(key) || OneOf(key, "calls did got") })
}

// IsAttemptWith is isAttempt for lists with the names that the given function accepts.
func IsAttemptWith(o *Object, isList func(key string) bool) bool {
	if o.HasAny("role") {
		return false // nearly all objects, so that they cost nothing
	}
	found := false
	for i, key := range o.Keys {
		found = found || o.Values[i].Kind() == jsonval.Array && isList(key)
	}
	if !found || RoleOf(o) != "" || IsAnswer(o) || o.HasAny("type content") {
		return false
	}
	if OwnsSettings(o) || OwnsOutcome(o) || o.FirstText(TrialNames) != "" {
		return true
	}
	end := OutcomeOf(o)
	return end.Yes || end.No
}

// isOutputSide reports whether the output in a record with an expected side is the run: a
// list, or an object with a list that is.
func isOutputSide(v jsonval.Value) bool {
	if v.Kind() == jsonval.Array {
		return true
	}
	o := OpenObject(v)
	return o.IsList("messages tool_calls toolCalls trajectory actions") || HasRunSide(o)
}

// SaysNothing reports whether an expected side is a word with which a table says that a cell
// is empty, or a list of such words.
func SaysNothing(v jsonval.Value) bool {
	if v.Kind() == jsonval.Array {
		return v.Len() > 0 && !slices.ContainsFunc(v.Elements(), func(e jsonval.Value) bool { return !SaysNothing(e) })
	}
	return v.Kind() == jsonval.Null || v.Kind() == jsonval.String && OneOf(strings.ToLower(strings.TrimSpace(v.Text())), "none nan n/a na null nil nothing - <na>") || v.Kind() == jsonval.String && OneOf(wordlist.FoldName(v.Text()), "notapplicable notavailable")
}

// SpeaksOfCalls reports whether the name of an expected side says that it contains calls.
func SpeaksOfCalls(key string) bool {
	word := strings.ToLower(key)
	for _, part := range [...]string{"tool", "call", "action", "trajector", "step", "path", "should"} {
		if strings.Contains(word, part) {
			return true
		}
	}
	return false
}

// IsAnswerName reports whether a text in an expected side with this name is an answer, and no calls.
func IsAnswerName(key string) bool {
	word := strings.ToLower(key)
	for _, part := range [...]string{"output", "answer", "response", "message"} {
		if strings.Contains(word, part) {
			return true
		}
	}
	return false
}

// ExpectedText returns the reference in a text with one call on each line, or nil if the text
// is something else, such as an answer. In a side of calls, a line may be a bare name.
func ExpectedText(key, text string) (ref *reference.Reference, whole bool) {
	if IsAnswerName(key) {
		return nil, true
	}
	word := strings.ToLower(key)
	ofCalls := strings.Contains(word, "tool") || strings.Contains(word, "call") || strings.Contains(word, "action")
	text, one := callsInLines(text)
	if !one {
		return nil, false
	}
	for _, line := range MeaningfulLines(text) {
		name, rest, called := strings.Cut(line, "(")
		if !IsName(strings.TrimSpace(name)) || called && !strings.HasSuffix(rest, ")") || !called && !ofCalls {
			return nil, !ofCalls
		}
	}
	if strings.TrimSpace(text) == "" {
		return nil, true
	}
	ref, err := reference.Read(text)
	return ref, err == nil || !ofCalls
}

// ExpectsNothing reports whether an expected side has an empty list of calls.
func ExpectsNothing(o *Object) bool {
	for i, key := range o.Keys {
		if v := o.Values[i]; (IsCallList(key) || key == "steps" || IsExpected(key) && SpeaksOfCalls(key)) && v.Kind() == jsonval.Array && v.Len() == 0 {
			return true
		}
	}
	return false
}

// NamedTools returns the only list of an object that says in its name that it has tools, such as {"id": "a",
// "tools": ["pay"]}, if its elements are names. Then it returns the list's name, too.
func NamedTools(v jsonval.Value) (name string, list jsonval.Value) {
	if v.Kind() != jsonval.Object {
		return "", list
	}
	o := OpenObject(v)
	for i, key := range o.Keys {
		switch m := o.Values[i]; {
		case m.Kind() == jsonval.Object, m.Kind() == jsonval.Array && name != "":
			return "", list
		case m.Kind() == jsonval.Array && OneOf(key, "tools tool_names toolNames calls actions steps trajectory"):
			name, list = key, m
		}
	}
	for _, e := range list.Elements() {
		if text, ok := e.Str(); !ok || !IsName(text) {
			return "", list
		}
	}
	return name, list
}

// InnerExpected returns the only member of an object that is not a text and that says in its name that it has expected
// calls, such as {"expectedToolOrder": ["find", "pay"]}, or "".
func InnerExpected(v jsonval.Value) (name string, inner jsonval.Value) {
	if v.Kind() != jsonval.Object {
		return "", inner
	}
	o := OpenObject(v)
	for i, key := range o.Keys {
		m := OpenText(o.Values[i])
		if m.Kind() < jsonval.Array {
			continue
		}
		if name != "" || m.Kind() != jsonval.Array || !IsExpected(key) || !SpeaksOfCalls(key) {
			return "", jsonval.Value{}
		}
		name, inner = key, m
	}
	return name, inner
}

// AreKeyedCalls reports whether a list that says what should have been done has only calls under the names of
// their tools, such as {"pay_bill": {"n": 1}}. The checks of a test are written so, too.
func AreKeyedCalls(v jsonval.Value) bool {
	if v.Kind() != jsonval.Array || v.Len() == 0 {
		return false
	}
	for _, e := range v.Elements() {
		o := OpenObject(e)
		if e.Kind() != jsonval.Object || len(o.Keys) != 1 || o.Values[0].Kind() != jsonval.Object || !IsName(o.Keys[0]) || IsSort(o.Keys[0]) {
			return false
		}
		words := SplitWords(o.Keys[0])
		if len(words) < 2 || OneOf(words[0], "is has not no contain match equal tool any all one expected min max at json llm") || OpenObject(o.Values[0]).HasAny("name tool tool_name function function_name") && words[0] == "call" {
			return false
		}
	}
	return true
}

// KeyedReference returns the reference in a list for which AreKeyedCalls is true.
func KeyedReference(v jsonval.Value) *reference.Reference {
	ref := &reference.Reference{}
	for _, e := range v.Elements() {
		o := OpenObject(e)
		ref.Steps = append(ref.Steps, reference.Step{Name: o.Keys[0], Arguments: o.Values[0]})
	}
	return ref
}

// ListsBeside returns the members of an object that say something of its records, in a list
// with one value for each of the n records: how they ended, or what should have been done.
// It returns nil if there are none.
func ListsBeside(o *Object, n int) *Object {
	out := &Object{}
	for i, key := range o.Keys {
		v := o.Values[i]
		if v.Kind() != jsonval.Array || v.Len() != n {
			continue
		}
		if IsExpected(key) || FirstElement(v).Kind() != jsonval.Object && IsOutcomeName(SingularName(key)) {
			out.Keys, out.Values = append(out.Keys, key), append(out.Values, v)
		}
	}
	if len(out.Keys) == 0 {
		return nil
	}
	return out
}

// HasCodeName reports whether a text has a name as code has it: the name has several words, or arguments follow it.
func HasCodeName(text, name string) bool {
	for rest := text; len(name) > 1; {
		at := strings.Index(rest, name)
		if at < 0 {
			return false
		}
		after := rest[at+len(name):]
		if strings.HasPrefix(after, "(") || len(SplitWords(name)) > 1 && (after == "" || !isWordByte(after[0])) && (at == 0 || !isWordByte(rest[at-1])) {
			return true
		}
		rest = after
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
