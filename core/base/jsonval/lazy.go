package jsonval

import "strings"

// Members calls fn for every member of the object in text, in text order, until fn
// returns false. raw is the text of the member's value, which is not validated. Members
// needs no memory. It is much faster than Parse if only a few members of a large object
// are needed. The error is a *SyntaxError. O(n).
func Members(text string, fn func(key, raw string) bool) error {
	i := skipSpace(text, 0)
	if i == len(text) || text[i] != '{' {
		return ErrorAt(text, i, "want an object")
	}
	if i = skipSpace(text, i+1); i < len(text) && text[i] == '}' {
		return nil
	}
	for {
		i = skipSpace(text, i)
		if i == len(text) || text[i] != '"' {
			return ErrorAt(text, i, "want a name in quotes")
		}
		end := stringEnd(text, i)
		if end < 0 {
			return ErrorAt(text, i, "invalid name")
		}
		key := stringContent(text[i:end])
		if i = skipSpace(text, end); i == len(text) || text[i] != ':' {
			return ErrorAt(text, i, "missing a colon")
		}
		from := skipSpace(text, i+1)
		if i = roughEnd(text, from); i < 0 {
			return ErrorAt(text, from, "the value has no end")
		}
		if !fn(key, text[from:i]) {
			return nil
		}
		if i = skipSpace(text, i); i == len(text) || text[i] != ',' && text[i] != '}' {
			return ErrorAt(text, i, "missing a comma or the closing bracket")
		}
		if i++; text[i-1] == '}' {
			return nil
		}
	}
}

// roughEnd returns the offset after the value that begins at i. In an array, an object or
// a string it looks only at brackets and quotes. It returns -1 if the value has no end.
func roughEnd(text string, i int) int {
	if i < len(text) && text[i] != '{' && text[i] != '[' && text[i] != '"' {
		n := strings.IndexAny(text[i:], ",}] \t\r\n")
		if n <= 0 {
			return -1
		}
		return i + n
	}
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = closingQuote(text, i); i == len(text) {
				return -1
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			continue
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return -1
}
