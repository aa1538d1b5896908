// Package wordlist searches lists of words that are written as one text.
package wordlist

import "strings"

// Contains reports whether list, words separated by single spaces, contains the given word.
// A text with a space, and the empty text, is no word. O(len(list)).
func Contains(list, word string) bool {
	if word == "" || strings.IndexByte(word, ' ') >= 0 {
		return false
	}
	for at := 0; ; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || list[from-1] == ' ') && (to == len(list) || list[to] == ' ') {
			return true
		}
		at = to
	}
}
