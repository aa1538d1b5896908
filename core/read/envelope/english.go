package envelope

import (
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// People name the members of their records in their own language. The names are written in English
// before anything reads them, so that all readers know one language. The law: only names change, never a
// value, a line, or a name in the arguments or the result of a call.

// headBytes is how much of a text is searched for a name in another language.
const headBytes = 4096

// worldNames are members whose content is of the program's world, not of the record.
const worldNames = "arguments args answer input output outputs content parameters params kwargs response value state metadata meta schema tools"

// englishNames returns a JSON text with the names of its members in English, and reports whether it is the
// record of a test with names in another language, of which one is near the beginning. O(n).
func englishNames(text string) (string, bool) {
	if !hasForeignName(text[:min(len(text), headBytes)]) {
		return text, false
	}
	return translateNames(text, false)
}

// hasForeignName reports whether a name of a member may be of another language. It looks at the first
// word only, so that other texts cost little.
func hasForeignName(head string) bool {
	for i := strings.IndexByte(head, '"'); i >= 0 && i < len(head); {
		end := closingQuote(head, i)
		if next := SkipSpace(head, min(end+1, len(head))); next < len(head) && head[next] == ':' && end-i < 50 {
			name := head[i+1 : end]
			for k := range len(name) {
				if name[k] >= utf8.RuneSelf {
					return true
				}
			}
			if tongues.BeginsForeign(name) {
				return true
			}
		}
		next := strings.IndexByte(head[min(end+1, len(head)):], '"')
		if next < 0 {
			return false
		}
		i = end + 1 + next
	}
	return false
}

// translateNames is englishNames without the search. record says that the text is known to be the record of a
// test.
func translateNames(text string, record bool) (string, bool) {
	var b strings.Builder
	var stack []byte // the braces that are open
	names := map[string]string{}
	called := false     // a name was that of a call
	done, aside := 0, 0 // what was copied, and the depth at which a value of the program's world began, or 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			stack = append(stack, c)
		case '}', ']':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
			if aside > len(stack) {
				aside = 0
			}
		case '"':
			end := closingQuote(text, i)
			colon := SkipSpace(text, min(end+1, len(text)))
			if colon >= len(text) || text[colon] != ':' || len(stack) == 0 || stack[len(stack)-1] != '{' || aside > 0 {
				i = end
				continue
			}
			name := text[i+1 : end]
			english, known := names[name]
			if !known {
				english = tongues.Member(name)
				names[name] = english
			}
			value := SkipSpace(text, colon+1)
			opens := value < len(text) && (text[value] == '{' || text[value] == '[')
			if english != "" {
				b.WriteString(text[done:i])
				b.WriteString(literal.Quote(pluralMember(english, opens && text[value] == '[')))
				done, record = end+1, record || speaksOfTest(english)
			}
			if english == "" {
				english = name
			}
			called = called || shape.OneOf(english, "tool call calls arguments action")
			if opens && (shape.OneOf(english, worldNames) || shape.OneOf(english, "result results") && !opensRecord(text[value:], called)) {
				aside = len(stack) + 1
			}
			i = colon
		}
	}
	if !record || done == 0 {
		return text, false // such as events, which have other words, too
	}
	b.WriteString(text[done:])
	return b.String(), true
}

// opensRecord reports whether a list begins with the record of a test, or a map that is not of a call.
func opensRecord(text string, called bool) bool {
	at := SkipSpace(text, 1)
	if text[0] == '{' && called {
		return false
	}
	if text[0] == '{' && at < len(text) && text[at] == '"' { // the id of the first record
		at = SkipSpace(text, min(closingQuote(text, at)+1, len(text)))
		at = SkipSpace(text, min(at+1, len(text)))
	}
	if at >= len(text) || text[at] != '{' {
		return false
	}
	from := SkipSpace(text, at+1)
	if from >= len(text) || text[from] != '"' {
		return false
	}
	name := text[min(from+1, len(text)):min(closingQuote(text, from), len(text))]
	return shape.OneOf(name, "id name") || speaksOfTest(tongues.Member(name)) || strings.HasPrefix(tongues.Member(name), "question")
}

// speaksOfTest reports whether an English name is one that only the record of a test has.
func speaksOfTest(name string) bool {
	first, _, _ := strings.Cut(name, "_")
	return shape.OneOf(first, "expected actual case test verdict evaluation score passed")
}

// pluralMember returns an English name in the plural if it is that of a list.
func pluralMember(name string, list bool) string {
	if last := name[strings.LastIndexByte(name, '_')+1:]; list && shape.OneOf(last, "call tool action step case test task run trial session conversation result") {
		return name + "s"
	}
	return name
}
