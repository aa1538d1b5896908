package shape

import (
	"strings"
)

// The words of which the names for sorts of events consist.
const (
	BeginWords = "start started begin begun"
	EndWords   = "end ended finish finished complete completed done error failed failure denied rejected"
	sortWords  = "tool function call action use " + BeginWords + " result output request requested response execute executed execution invocation invoke invoked run event observation return returned " + EndWords
)

// IsSort reports whether a text is a word for a sort of event, such as tool_call and toolEnd. A tool may
// be called so, too.
func IsSort(text string) bool {
	if len(text) > 32 || len(text) < 4 {
		return false
	}
	named := false
	for _, word := range SplitWords(text) {
		if !OneOf(word, sortWords) {
			return false
		}
		named = named || OneOf(word, "tool function call action invocation observation result")
	}
	return named
}

// SplitWords returns the words of a member's name in lower case and in the singular.
func SplitWords(name string) []string {
	var words []string
	from := 0
	cut := func(to int) {
		if to > from {
			word := strings.ToLower(name[from:to])
			if len(word) > 3 && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is") {
				word = strings.TrimSuffix(strings.Replace(word, "ies", "y", IfElse(strings.HasSuffix(word, "ies"), 1, 0)), "s")
			}
			words = append(words, word)
		}
		from = to
	}
	for i := range len(name) {
		switch c := name[i]; {
		case strings.IndexByte("_-. /$:", c) >= 0:
			cut(i)
			from = i + 1
		case c >= 'A' && c <= 'Z' && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z':
			cut(i)
		}
	}
	cut(len(name))
	return words
}
