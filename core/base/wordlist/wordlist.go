// Package wordlist searches lists of words, for a word itself or for a similar one, and writes
// names as the lists have them.
package wordlist

import "strings"

// Contains reports whether a list of words contains the given word. The words in list are
// separated by single spaces. The result is false if word is empty or contains a space.
// O(len(list)).
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

var nameMarks = strings.NewReplacer("_", "", "-", "", " ", "")

// FoldName returns a name in lower case without the marks between its words: blanks, _ and -.
// O(len(name)).
func FoldName(name string) string {
	plain := true
	for i := 0; i < len(name) && plain; i++ {
		plain = name[i] >= 'a' && name[i] <= 'z'
	}
	if plain {
		return name
	}
	return strings.ToLower(nameMarks.Replace(name))
}
