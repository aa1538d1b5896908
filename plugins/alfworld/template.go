package alfworld

import "strings"

// scan reads a text by a template whose gaps are written %. A gap takes at least
// one byte, up to the next words of the template, and within one clause: no ".".
// rest is what follows; a template that ends in a gap takes all.
func scan(template, text string) (gaps []string, rest string, ok bool) {
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
			end = strings.Index(clause(rest, len(part)), part)
		}
		if end <= 0 || strings.Contains(rest[:end], ".") {
			return nil, text, false
		}
		gaps = append(gaps, strings.TrimSpace(rest[:end]))
		rest = rest[end+len(part):]
	}
	return gaps, rest, true
}

// clause is the beginning of a text in which n bytes may start that end a gap: no
// further than the first ".". Texts are then read in linear time.
func clause(text string, n int) string {
	if i := strings.IndexByte(text, '.'); i >= 0 {
		return text[:min(len(text), i+n)]
	}
	return text
}

// plain makes texts comparable: lower case, one space between words.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// kind is the type in a name with its number: "apple 1" is an apple.
func kind(name string) string {
	name, _, _ = strings.Cut(name, " ")
	return name
}

// isName tells a name as the game writes them: a word and a number.
func isName(name string) bool {
	word, number, ok := strings.Cut(name, " ")
	return ok && word != "" && number != "" && strings.Trim(number, "0123456789") == ""
}

// list reads "a apple 1, a knife 2, and a mug 1". "nothing" is an empty one.
func list(text string) []string {
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
