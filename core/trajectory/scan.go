package trajectory

import "strings"

// valueEnd returns the offset after the object or list that opens at i, by its brackets
// alone; 0 if the text ends inside it. For any other value it calls scalarEnd.
func valueEnd(text string, i int) int {
	if text[i] != '{' && text[i] != '[' {
		return scalarEnd(text, i)
	}
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = closing(text, i); i >= len(text) {
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

// scalarEnd returns the offset after a string, number or word; 0 if the text ends first,
// because the value may be incomplete.
func scalarEnd(text string, i int) int {
	if text[i] == '"' {
		if i = closing(text, i); i >= len(text) {
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

// closing returns the offset of the quote that closes the string opened at i, or the
// text's length.
func closing(text string, i int) int {
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

func skipSpace(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n\x1e", text[i]) >= 0 {
		i++
	}
	return i
}
