package wordlist

import (
	"slices"
	"strings"
)

// longest is the largest length in bytes of a word for which Nearest looks.
const longest = 64

// Nearest returns the known word that is most similar to word, or "". Upper and lower
// case count as equal. The edit distance must be at most 2, and less than half of the
// length of word. A word of more than 64 bytes has no similar word.
//
// If no known word is similar enough, Nearest returns the known word that begins with
// word. This needs a word of at least 3 letters, and only one known word that begins with
// it.
func Nearest(word string, known []string) string {
	if len(word) > longest {
		return "" // the comparison takes as long as the product of the lengths
	}
	word = strings.ToLower(word)
	best, least := "", min(2, (len(word)-1)/2)+1
	for _, k := range known {
		if d := editDistance(word, strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, k := range known {
		if strings.HasPrefix(strings.ToLower(k), word) {
			if best != "" && best != k {
				return ""
			}
			best = k
		}
	}
	return best
}

// editDistance returns the smallest number of changes that turn one word into the other.
// A change inserts, deletes or replaces one letter, or swaps two adjacent letters.
func editDistance(a, b string) int {
	// The rows belong to the letter before the last, the last letter and the current
	// one.
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		rows[2][0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[2][j] = slices.Min([]int{rows[1][j] + 1, rows[2][j-1] + 1, rows[1][j-1] + change})
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[2][j] = min(rows[2][j], rows[0][j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
	}
	return rows[1][len(b)]
}
