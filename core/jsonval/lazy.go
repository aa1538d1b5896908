package jsonval

import "strings"

// Members calls fn, in text order, for every member of the object in text, with the
// member's own text, until fn returns false. It only looks for the end of each member's
// value and does not check it: use Parse for that. So a file of megabytes, of which a run
// needs a few members, is split in a fraction of the time of an index, and without
// memory. The error is a *SyntaxError. O(n).
func Members(text string, fn func(key, raw string) bool) error {
	i := space(text, 0)
	if i == len(text) || text[i] != '{' {
		return ErrorAt(text, i, "want an object")
	}
	if i = space(text, i+1); i < len(text) && text[i] == '}' {
		return nil
	}
	for {
		i = space(text, i)
		if i == len(text) || text[i] != '"' {
			return ErrorAt(text, i, "missing a name")
		}
		end := stringEnd(text, i)
		if end < 0 {
			return ErrorAt(text, i, "invalid name")
		}
		key := content(text[i:end])
		if i = space(text, end); i == len(text) || text[i] != ':' {
			return ErrorAt(text, i, "missing a colon")
		}
		from := space(text, i+1)
		if i = roughEnd(text, from); i < 0 {
			return ErrorAt(text, from, "a value without an end")
		}
		if !fn(key, text[from:i]) {
			return nil
		}
		if i = space(text, i); i == len(text) || text[i] != ',' && text[i] != '}' {
			return ErrorAt(text, i, "missing a comma or the closing bracket")
		}
		if i++; text[i-1] == '}' {
			return nil
		}
	}
}

// roughEnd returns the offset after the value that begins at i, by its brackets and
// quotes alone; -1 if it has no end.
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
			if i = closing(text, i); i == len(text) {
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
