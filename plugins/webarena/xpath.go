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

// normalXPath returns the normal spelling of an XPath. Text in quotes keeps its case. The
// normal spelling has:
//
//   - names in lower case
//   - the short forms of axes
//   - no [1] and no blanks that are not needed
//   - one kind of quotes
//   - "#" in place of the generated parts of identifiers
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

// isIdentifierNext reports whether an XPath continues with the value of an identifier, as
// after "@id=". The parameter before is the XPath so far.
func isIdentifierNext(before string) bool {
	for _, name := range [...]string{"@id=", "@for=", "attribute::id=", "attribute::for="} {
		if strings.HasSuffix(before, name) {
			return true
		}
	}
	return false
}

// writeBlank writes the blank at index i of text to b if the XPath needs it between two
// words, as in "a and b". Several blanks in a row are written as one.
func writeBlank(b *strings.Builder, text string, i int) {
	next := strings.TrimLeft(text[i:], " \t\r\n")
	before := b.String()
	if before != "" && next != "" && len(next) == len(text)-i-1 && mayEndWord(before[len(before)-1]) && mayBeginWord(next[0]) {
		b.WriteByte(' ')
	}
}

// mayBeginWord reports whether c may be the first character of a word or of a quoted
// text.
func mayBeginWord(c byte) bool {
	return charClass(c) < joint || c == '_' || c == '@' || c == '"' || c == '\''
}
func mayEndWord(c byte) bool { return mayBeginWord(c) || c == ']' || c == ')' }

// short replaces axes by the standard's abbreviations.
var short = strings.NewReplacer("/descendant-or-self::node()/", "//", "child::", "", "attribute::", "@", "self::node()", ".")
