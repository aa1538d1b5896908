package utterance

import (
	"slices"
	"strings"
)

// A mail that the user pastes is data, although it stands in his message, and so is what he quotes of somebody. What he says
// about it decides.

// SplitQuoted returns the own words of a message, and the mails and the words of others that it quotes.
func SplitQuoted(text string) (own, quoted string) {
	if own, quoted := splitPasted(text); quoted != "" {
		return own, quoted
	}
	if !strings.ContainsAny(text, ">:-") || !strings.Contains(text, "\n") {
		return splitSpeech(text)
	}
	var mine, others []string
	inMail := false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, ">"):
			others = append(others, strings.TrimLeft(trimmed, "> "))
		case beginsMail(lines[i:]):
			inMail = true
			others = append(others, line)
		case inMail && isRule(trimmed), inMail && trimmed == "" && !isMuch(mine) && !isMuch(others):
			inMail = inMail && !isRule(trimmed)
		case inMail:
			others = append(others, line)
		default:
			mine = append(mine, line)
		}
	}
	if inMail && !isMuch(mine) { // the last paragraph after the mail is a comment
		if at := strings.LastIndex(strings.TrimRight(text, " \n"), "\n\n"); at > 0 && strings.Count(text[:at], "\n\n") > 0 {
			return text[at:], text[:at]
		}
	}
	if !isMuch(mine) {
		return text, ""
	}
	if others == nil {
		return splitSpeech(text)
	}
	return strings.Join(mine, "\n"), strings.Join(others, "\n")
}

// splitPasted splits a message that ends in a text which is only to be read or worked on: behind "this mail:",
// between lines of dashes, or in a paragraph that begins with a salutation, after one about a text.
func splitPasted(text string) (own, quoted string) {
	if at := strings.Index(text, ":"); at > 0 && at+1 < len(text) {
		words := Tokens(text[:at])
		if n := len(words); n > 1 && n < 14 && Listed("pastedText", words[n-1]) && AnyListed("worksOnText", words) {
			return text[:at+1], text[at+1:]
		}
	}
	head, rest, ok := strings.Cut(text, "\n")
	rest = strings.TrimSpace(rest)
	if !ok || rest == "" {
		return text, ""
	}
	words := Tokens(head)
	about := slices.ContainsFunc(words, func(w string) bool { return Listed("pastedText", w) || Listed("worksOnText", w) })
	switch first, body, _ := strings.Cut(rest, "\n"); {
	case !about:
	case isRule(first):
		body = strings.TrimSpace(body)
		if end := strings.LastIndexByte(body, '\n'); end > 0 && isRule(strings.TrimSpace(body[end:])) {
			body = body[:end]
		}
		return head, body
	case Listed("salutation", FirstWord(Fold(rest))) && strings.Contains(first, ","):
		return head, rest
	}
	return text, ""
}

// isMuch reports whether lines have any words.
func isMuch(lines []string) bool {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			return true
		}
	}
	return false
}

// isRule reports whether a line only separates two parts.
func isRule(line string) bool { return len(line) > 2 && strings.Trim(line, "-=_* ") == "" }

// beginsMail reports whether the first of some lines is the head of a mail: two fields such as From
// and Subject, or a line that says that what follows was forwarded.
func beginsMail(lines []string) bool {
	first := Fold(strings.TrimSpace(lines[0]))
	if strings.HasPrefix(first, "---") && HoldsListed(first, "forwarded") {
		return true
	}
	if !hasField(first) {
		return false
	}
	_, rest, _ := strings.Cut(first, ":")
	for _, w := range strings.Fields(rest) {
		if hasField(w) {
			return true
		}
	}
	return len(lines) > 1 && hasField(Fold(strings.TrimSpace(lines[1])))
}

// hasField reports whether a folded line begins with the name of a field of a mail.
func hasField(line string) bool {
	name, _, ok := strings.Cut(line, ":")
	return ok && Listed("mailField", strings.Trim(name, "* "))
}

// DataParts splits a result into its sentences. The quotes of JSON and of Python's
// dictionaries separate sentences, too.
func DataParts(text string) []string {
	text = separators.Replace(text)
	var out []string
	for _, s := range splitSentences(text) {
		if strings.Count(s, " ") >= 2 || len(s) > 12 {
			out = append(out, s)
		}
	}
	return out
}

var separators = strings.NewReplacer("\\n", "\n", "': '", "\n", "', '", "\n", `": "`, "\n", `", "`, "\n", `":"`, "\n", `","`, "\n", "{", "\n", "}", "\n", "[", "\n", "]", "\n", `': "`, "\n", `\"`, "\n", "# ", "\n", "// ", "\n", "!!!", ".\n")
