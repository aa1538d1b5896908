package webarena

import "strings"

// normalSelector returns the normal spelling of a CSS selector or an XPath.
func normalSelector(text string) string {
	text = strings.TrimSpace(text)
	for _, prefix := range [...]string{"xpath=", "css="} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			text = strings.TrimSpace(rest)
		}
	}
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "(/") || strings.HasPrefix(text, "./") {
		return normalXPath(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

// normalXPath returns the normal spelling of a path: names in lower case, axes in their
// short forms, [1] omitted, one kind of quotes, no blanks, generated parts of
// identifiers replaced. Text in quotes keeps its case.
func normalXPath(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return b.String() + text[i:]
			}
			value := text[i+1 : i+1+end]
			if before := b.String(); identifies(before) {
				value = generated(value)
			}
			quote := `"`
			if strings.Contains(value, quote) {
				quote = "'"
			}
			b.WriteString(quote + strings.Join(strings.Fields(value), " ") + quote)
			i += end + 2
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			blank(&b, text, i)
			i++
		case strings.HasPrefix(text[i:], "[1]"):
			i += len("[1]")
		default:
			if class(c) == capital {
				c += 'a' - 'A'
			}
			b.WriteByte(c)
			i++
		}
	}
	return short.Replace(b.String())
}

// identifies reports whether the next text in an XPath is the value of an identifier.
// before is the XPath up to this text.
func identifies(before string) bool {
	for _, name := range [...]string{"@id=", "@for=", "attribute::id=", "attribute::for="} {
		if strings.HasSuffix(before, name) {
			return true
		}
	}
	return false
}

// blank writes the blank at index i of text, if an XPath needs it there: between two
// words, as in "a and b". Several blanks in a row are written as one. It drops all other
// blanks.
func blank(b *strings.Builder, text string, i int) {
	next := strings.TrimLeft(text[i:], " \t\r\n")
	before := b.String()
	if before != "" && next != "" && len(next) == len(text)-i-1 && ends(before[len(before)-1]) && begins(next[0]) {
		b.WriteByte(' ')
	}
}

// begins reports whether a word or a quoted text may begin with the character c. The
// function ends does the same for the last character.
func begins(c byte) bool { return class(c) < joint || c == '_' || c == '@' || c == '"' || c == '\'' }
func ends(c byte) bool   { return begins(c) || c == ']' || c == ')' }

// short replaces axes by the standard's abbreviations.
var short = strings.NewReplacer("/descendant-or-self::node()/", "//", "child::", "", "attribute::", "@", "self::node()", ".")
