// Package wordlist searches lists of words, for a word itself or for a similar one, and writes
// names as the lists have them.
package wordlist

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

// Contains reports whether a list of words contains the given word. The words in list are
// separated by single spaces. The result is false if word is empty or contains a space.
// O(len(word)) for most words that are not in a list that was searched before, and O(len(list))
// for any other one. The list is kept for as long as the program runs, so it should be a constant.
func Contains(list, word string) bool {
	if word == "" {
		return false
	}
	s := sieves.of(list)
	return (s == nil || s.mayHave(word)) && searchList(list, word)
}

// searchList is Contains without a sieve. O(len(list)).
func searchList(list, word string) bool {
	for at := 0; len(list)-at >= len(word); {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || list[from-1] == ' ') && (to == len(list) || list[to] == ' ') {
			return strings.IndexByte(word, ' ') < 0 // seldom needed, so it comes last
		}
		at = to
	}
	return false
}

// HasAny reports whether a list has one of some words.
func HasAny(list string, words []string) bool {
	s := sieves.of(list)
	for _, w := range words {
		if w != "" && (s == nil || s.mayHave(w)) && searchList(list, w) {
			return true
		}
	}
	return false
}

// HasLast reports whether a list has the last of some words.
func HasLast(list string, words []string) bool {
	return len(words) > 0 && Contains(list, words[len(words)-1])
}

// Next cuts the first word off a text of words between blanks and ends of lines. The word is "" if
// there is none. O(len(word)).
func Next(text string) (word, rest string) {
	from := 0
	for from < len(text) && (text[from] == ' ' || text[from] == '\n') {
		from++
	}
	to := from
	for to < len(text) && text[to] != ' ' && text[to] != '\n' {
		to++
	}
	return text[from:to], text[to:]
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

// Lower is strings.ToLower. It reads ASCII eight bytes at a time, because most of the texts of a
// trace are long and ASCII, and it copies nothing if there is no capital. O(len(s)).
func Lower(s string) string {
	var out []byte // nil without a capital so far
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))[:])
		if w&highs != 0 {
			return strings.ToLower(s)
		}
		capitals := (w + ones*(0x80-'A')) &^ (w + ones*(0x7f-'Z')) & highs
		if out == nil {
			if capitals == 0 {
				continue
			}
			out = append(make([]byte, 0, len(s)), s...)
		}
		binary.LittleEndian.PutUint64(out[i:], w|capitals>>2)
	}
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x80:
			return strings.ToLower(s)
		case c-'A' > 'Z'-'A':
			continue
		case out == nil:
			out = append(make([]byte, 0, len(s)), s...)
		}
		out[i] = s[i] | 0x20
	}
	if out == nil {
		return s
	}
	return unsafe.String(&out[0], len(out)) // nothing writes to out any more
}

// The lowest and the highest bit of each of eight bytes.
const ones, highs = 0x0101010101010101, 0x8080808080808080
