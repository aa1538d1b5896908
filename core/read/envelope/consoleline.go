package envelope

import (
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// The lines of a log may begin with the id of their case, or stand in another language. What is cut from a line,
// or written in English, is never a call: the law of console.go holds for the rest.

// caseIDs returns the ids that lines name as those of cases, such as [c-101] in "case [c-101] prompt: …", and
// with which another line begins, too; nil if there are none. O(n).
func caseIDs(text string) map[string]bool {
	ids, begun := map[string]bool{}, map[string]int{}
	for raw := range strings.Lines(text) {
		if first, second := firstWords(raw); second != "" && isCaseID(second) && shape.OneOf(strings.ToLower(first), caseWords) {
			ids[second] = true
		}
	}
	if len(ids) == 0 {
		return nil
	}
	for raw := range strings.Lines(text) {
		first, second := firstWords(raw)
		begun[first], begun[second] = begun[first]+1, begun[second]+1
	}
	for id := range ids {
		if begun[id] < 2 {
			delete(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return ids
}

// firstWords returns the first two words of a line behind its time and level, without the marks around them.
func firstWords(line string) (first, second string) {
	line = strings.TrimLeft(cutStamp(strings.TrimSpace(line)), "=-#* ")
	first, rest, _ := strings.Cut(line, " ")
	second, _, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
	return caseID(first), caseID(second)
}

// isCaseID reports whether a word has letters and a digit or a mark, as no word of a sentence.
func isCaseID(word string) bool {
	return strings.ContainsAny(word, "0123456789-_") && strings.IndexFunc(word, unicode.IsLetter) >= 0 && !strings.ContainsAny(word, `("{=`)
}

// cutCaseID returns the id of the case with which a line begins, perhaps behind one word, and the rest of the line.
// The word stays where the rest does not say itself what the line is.
func (l *consoleLog) cutCaseID(line string) (id, rest string) {
	first, after, _ := strings.Cut(line, " ")
	after = strings.TrimSpace(after)
	if id = caseID(first); l.ids[id] {
		return id, after
	}
	second, rest, _ := strings.Cut(after, " ")
	if id = caseID(second); !l.ids[id] {
		return "", line
	}
	rest = strings.TrimSpace(rest)
	switch word, _ := firstWord(rest); {
	case shape.OneOf(word, callWords), shape.OneOf(word, resultWords), shape.OneOf(word, askWords), shape.OneOf(word, sayWords), shape.OneOf(word, passWords), shape.OneOf(word, beginWords), shape.OneOf(word, endWords):
		return id, rest
	case shape.OneOf(strings.ToLower(first), caseWords):
		return id, "input: " + strings.Trim(rest, `"`)
	}
	return id, first + " " + rest
}

// The words of a head of two words, as in TOOL CALL: and Function response:.
const (
	toolHeads  = "tool function action api"
	callHeads  = "call calls calling invocation use request"
	answerHead = "result results response output return observation"
)

// shortHead returns the word for a head of two words that say that the line is a call or a result, or "".
func shortHead(head string) string {
	if len(head) > 24 {
		return ""
	}
	switch first, second, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(head, "_", " ")), " "); {
	case !shape.OneOf(first, toolHeads):
		return ""
	case shape.OneOf(second, callHeads):
		return "call"
	case shape.OneOf(second, answerHead):
		return "result"
	}
	return ""
}

// englishLine returns a line of a transcript in another language with its head in English, and a head of two words
// as one.
func englishLine(line string) string {
	if head, rest, ok := strings.Cut(line, ":"); ok && rest != "" {
		if short := shortHead(strings.TrimSpace(head)); short != "" {
			return short + ":" + rest
		}
		if english := tongues.LineHead(strings.TrimSpace(head)); english != "" {
			return english + ":" + rest
		}
		return line
	}
	inner := strings.TrimLeft(line, "=-# ")
	if word, rest, ok := strings.Cut(inner, " "); ok && len(inner) < len(line) {
		if english := tongues.LineHead(word); english != "" {
			return line[:len(line)-len(inner)] + english + " " + rest
		}
	}
	return line
}

// refusedLine returns the call of a line that says by a mark, and by a word behind it, that it was not
// executed: x pay(id=1) blocked.
func refusedLine(word, rest string) (consoleCalled, bool) {
	name, _, ok := strings.Cut(rest, "(")
	if !ok || !shape.OneOf(word, notRunMarks) || !shape.IsName(name) {
		return consoleCalled{}, false
	}
	list := calledInCode(name, rest, rest[len(name):])
	if len(list) != 1 || list[0].state == "" {
		return consoleCalled{}, false
	}
	return list[0], true
}

// saysVerdict reports whether a line is a verdict with a reason: it begins with a word in capital letters, and no
// call stands in it.
func saysVerdict(line, rest string) bool {
	word, _, _ := strings.Cut(line, " ")
	return word == strings.ToUpper(word) && strings.ToLower(word) != word && !namesCallInside(rest)
}

// isCounted reports whether a line begins with the number of a case and how many there are: [1/5].
func isCounted(line string) bool {
	inner, _, closed := strings.Cut(strings.TrimPrefix(line, "["), "]")
	n, of, ok := strings.Cut(inner, "/")
	return closed && ok && line[0] == '[' && n != "" && of != "" && strings.Trim(n+of, "0123456789") == ""
}
