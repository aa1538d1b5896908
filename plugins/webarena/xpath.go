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
			if before := b.String(); isIdentifierNext(before) {
				value = stableIdentifier(value)
			}
			quote := `"`
			if strings.Contains(value, quote) {
				quote = "'"
			}
			b.WriteString(quote + strings.Join(strings.Fields(value), " ") + quote)
			i += end + 2
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			writeBlank(&b, text, i)
			i++
		case strings.HasPrefix(text[i:], "[1]"):
			i += len("[1]")
		default:
			if charClass(c) == capital {
				c += 'a' - 'A'
			}
			b.WriteByte(c)
			i++
		}
	}
	return short.Replace(b.String())
}

// isIdentifierNext reports whether the next text in an XPath is the value of an
// identifier. before is the XPath up to this text.
func isIdentifierNext(before string) bool {
	for _, name := range [...]string{"@id=", "@for=", "attribute::id=", "attribute::for="} {
		if strings.HasSuffix(before, name) {
			return true
		}
	}
	return false
}

// writeBlank writes the blank at index i of text, if an XPath needs it there: between two
// words, as in "a and b". Several blanks in a row are written as one. It drops all other
// blanks.
func writeBlank(b *strings.Builder, text string, i int) {
	next := strings.TrimLeft(text[i:], " \t\r\n")
	before := b.String()
	if before != "" && next != "" && len(next) == len(text)-i-1 && mayEndWord(before[len(before)-1]) && mayBeginWord(next[0]) {
		b.WriteByte(' ')
	}
}

// mayBeginWord reports whether a word or a quoted text may begin with the character c.
// The function mayEndWord does the same for the last character.
func mayBeginWord(c byte) bool {
	return charClass(c) < joint || c == '_' || c == '@' || c == '"' || c == '\''
}
func mayEndWord(c byte) bool { return mayBeginWord(c) || c == ']' || c == ')' }

// short replaces axes by the standard's abbreviations.
var short = strings.NewReplacer("/descendant-or-self::node()/", "//", "child::", "", "attribute::", "@", "self::node()", ".")
