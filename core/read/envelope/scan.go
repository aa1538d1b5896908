package envelope

import "strings"

// valueEnd returns the offset after the JSON value that begins at i. It returns 0 if the
// text ends inside the value. It looks only at brackets and quotes, and does not validate
// the value.
func valueEnd(text string, i int) int {
	if text[i] != '{' && text[i] != '[' {
		return scalarEnd(text, i)
	}
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = closingQuote(text, i); i >= len(text) {
				return 0
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// scalarEnd returns the offset after the string, number or word that begins at i. It
// returns 0 if the text ends first, because the value may be incomplete.
func scalarEnd(text string, i int) int {
	if text[i] == '"' {
		if i = closingQuote(text, i); i >= len(text) {
			return 0
		}
		return i + 1
	}
	n := strings.IndexAny(text[i:], ",]} \t\r\n")
	if n < 0 {
		return 0
	}
	return max(i+n, i+1)
}

// closingQuote returns the offset of the closing quote of the string whose opening quote
// is at i, or the length of the text if there is none.
func closingQuote(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// SkipSpace returns the offset of the first byte from i on that is neither white space nor the
// mark between the values of a sequence. It returns the length of the text if there is none.
func SkipSpace(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n\x1e", text[i]) >= 0 {
		i++
	}
	return i
}
