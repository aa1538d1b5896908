package proxy

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Agents search the text of a model for a call in JSON: in a code fence, or from the
// first brace to the last. Some want it inside another object. So an object may be a call
// wherever it is in the text.

// objectCalls returns the calls in a text that are JSON objects, in order. The result
// start is the index at which the first call begins, or len(words) if there is no call.
// The arguments of a call are not searched. The time is O(n).
func objectCalls(words string) (calls []call, start int) {
	start = len(words)
	for at := 0; ; {
		i, begun := objectStart(words[at:])
		if !begun {
			return calls, start
		}
		at += i
		n := new(braces).objectEnd(words[at:])
		read, readable := []call(nil), false
		if n >= 0 {
			read, readable = readObject(words[at : at+n])
		}
		if !readable && mentionsCall(words[at:]) {
			read = []call{unreadableText("a JSON text")}
		}
		if len(read) > 0 && start == len(words) {
			start = beforeFence(words, at)
		}
		if calls = append(calls, read...); !readable {
			return calls, start // the rest has been searched
		}
		at += n
	}
}

// readObject returns the calls in the text of a JSON object. The object may itself be a
// call. The result readable is false if the text is not JSON or can be read in more than
// one way.
func readObject(text string) (calls []call, readable bool) {
	v, err := jsonval.Parse(text)
	if err != nil || checkUnambiguous(v) != nil {
		return nil, false
	}
	if callShaped(v) {
		return oneOrMore(v), true
	}
	return callsInside(v), true
}

// callsInside returns the calls that a value contains, at any depth. The objects in a
// member tool_calls are calls, and so are all objects that callShaped accepts.
func callsInside(v jsonval.Value) (calls []call) {
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		if callShaped(m) || object && key == "tool_calls" && m.Kind() == jsonval.Array && m.Len() > 0 {
			calls = append(calls, oneOrMore(m)...)
		} else {
			calls = append(calls, callsInside(m)...)
		}
		return true
	})
	return calls
}

// oneOrMore returns the calls in v, which is a call or a list of calls. For any other
// value it returns one call with the member Bad.
func oneOrMore(v jsonval.Value) []call {
	if calls := jsonCalls(v); len(calls) > 0 {
		return calls
	}
	return []call{unreadableText("a JSON text")}
}

// callShaped reports whether v is an object with a name and arguments like a call. It
// also returns true for an object whose member "function" has this shape.
func callShaped(v jsonval.Value) bool {
	named, given, shaped := false, false, false
	if v.Kind() != jsonval.Object {
		return false
	}
	v.Each(func(key string, m jsonval.Value) bool {
		named = named || slices.Contains(namesOfCalls, key) && m.Kind() == jsonval.String
		given = given || slices.Contains(argumentsOfCalls, key)
		shaped = shaped || key == "function" && callShaped(m)
		return true
	})
	return named && given || shaped
}

// mentionsCall reports whether a text that is not JSON may contain a call. This is so in
// these cases:
//
//   - The text contains, in quotes, a name from namesOfCalls and a name from argumentsOfCalls.
//   - The text contains escaped letters, which may spell such names.
func mentionsCall(text string) bool {
	text = strings.ToLower(text)
	for _, letter := range []string{`\u004`, `\u005`, `\u006`, `\u007`} { // a letter of a name as an escape
		if strings.Contains(text, letter) {
			return true
		}
	}
	return quotesOneOf(text, namesOfCalls) && quotesOneOf(text, argumentsOfCalls)
}

func quotesOneOf(text string, names []string) bool {
	for _, name := range names {
		if strings.Contains(text, `"`+name+`"`) || strings.Contains(text, "'"+name+"'") {
			return true
		}
	}
	return false
}

// objectStart returns the index of the first brace that begins an object with at least
// one member. There are three results:
//
//   - If a quote follows the brace and any spaces, at is the index of the brace and begun is true.
//   - If only spaces follow the last brace, at is the index of this brace and begun is false.
//   - If there is no such brace, at is -1 and begun is false.
func objectStart(text string) (at int, begun bool) {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '{')
		if i < 0 {
			return -1, false
		}
		at = from + i
		switch rest := strings.TrimLeft(text[at+1:], " \t\r\n"); {
		case rest == "":
			return at, false
		case rest[0] == '"' || rest[0] == '\'':
			return at, true
		}
		from = at + 1
	}
}

// beforeFence returns the index of the code fence before the object at words[at]. Only
// the name of a language, white space and opening brackets may come between the fence and
// the object. Without such a fence, the result is at. If only white space and opening
// brackets come before the object, the result is 0.
func beforeFence(words string, at int) int {
	before := strings.TrimRight(words[:at], " \t\r\n[")
	if before == "" {
		return 0
	}
	if fence := strings.TrimRight(before, letters); len(before)-len(fence) <= longestLanguage && strings.HasSuffix(fence, "```") {
		return len(fence) - len("```")
	}
	return at
}

const (
	letters         = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	longestLanguage = 10 // length of a language's name after a fence
)

// braces finds the end of an object, in pieces.
type braces struct {
	depth           int
	quoted, escaped bool
}

// objectEnd returns the length of piece up to and including the brace that closes the
// object. If the object does not end in piece, it returns -1.
func (b *braces) objectEnd(piece string) int {
	for i := range len(piece) {
		switch c := piece[i]; {
		case b.escaped:
			b.escaped = false
		case b.quoted:
			b.escaped, b.quoted = c == '\\', c != '"'
		case c == '"':
			b.quoted = true
		case c == '{':
			b.depth++
		case c == '}':
			if b.depth--; b.depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
