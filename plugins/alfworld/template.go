package alfworld

import "strings"

// matchTemplate matches the beginning of a text with a template in which each % is a gap.
// gaps has the texts of the gaps, and rest is the text after the match. ok is false if
// the text does not match. These rules apply:
//
//   - A gap has at least one byte and no ".".
//   - A gap ends at the first place where the next words of the template occur.
//   - A gap at the end of the template matches the whole rest of the text.
func matchTemplate(template, text string) (gaps []string, rest string, ok bool) {
	head, template, more := strings.Cut(template, "%")
	rest, ok = strings.CutPrefix(text, head)
	if !ok {
		return nil, text, false
	}
	for more {
		var part string
		part, template, more = strings.Cut(template, "%")
		end := len(rest)
		if part != "" {
			end = strings.Index(cutClause(rest, len(part)), part)
		}
		if end <= 0 || strings.Contains(rest[:end], ".") {
			return nil, text, false
		}
		gaps = append(gaps, strings.TrimSpace(rest[:end]))
		rest = rest[end+len(part):]
	}
	return gaps, rest, true
}

// cutClause cuts a text at the latest place where the n bytes after a gap can end. A gap
// has no ".", so these n bytes begin at the first "." or earlier. The function
// matchTemplate needs only linear time because of this cut.
func cutClause(text string, n int) string {
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return text[:min(len(text), i+n)]
	}
	return text
}

// normalizeText returns a text in lower case, with one space between words. Texts in this
// form can be compared.
func normalizeText(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// kindOfName returns a name without the number at its end. For example, it returns
// "apple" for "apple 1".
func kindOfName(name string) string {
	name, _, _ = strings.Cut(name, " ")
	return name
}

// isName reports whether a text is a name as the game writes it: a word and a number.
func isName(name string) bool {
	word, number, ok := strings.Cut(name, " ")
	return ok && word != "" && number != "" && strings.Trim(number, "0123456789") == ""
}

// parseList returns the names in a list such as "a apple 1, a knife 2, and a mug 1". The
// text "nothing" is an empty list.
func parseList(text string) []string {
	var out []string
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "and ")
		item = strings.TrimPrefix(strings.TrimPrefix(item, "a "), "an ")
		if isName(item) {
			out = append(out, item)
		}
	}
	return out
}
