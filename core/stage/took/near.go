package took

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/match"
)

// This file says when two commands or two scripts are one, with a small edit.

const (
	leastAlike  = 8 // words that two scripts share that are nearly the same
	leastShared = 3 // words that two commands share of which one tries the other again
	leastLines  = 3 // lines of a script of which one is changed
)

// IsNearly reports whether two calls of one tool are nearly the same: one script with a line
// or a quarter of its words changed, one command with other options, or one command inside of
// the other. O(text).
func IsNearly(a, b *boundary.Action) bool { return areNearly(plainText(a), plainText(b)) }

func areNearly(x, y string) bool {
	one, two := commandWords(x), commandWords(y)
	if isWithin(one, two) || isWithin(two, one) {
		return true
	}
	if len(x) > 4*len(y) || len(y) > 4*len(x) {
		return false
	}
	if p, q := strings.Split(x, "\n"), strings.Split(y, "\n"); min(len(p), len(q)) >= leastLines && len(notShared(p, q)) < 2 && len(notShared(q, p)) < 2 {
		return true
	}
	only, other := notShared(one, two), notShared(two, one)
	same := len(one) - len(only)
	return same > 0 && !slices.ContainsFunc(append(only, other...), func(w string) bool { return w[0] != '-' }) || same >= leastAlike && isMost(same, one, two)
}

// isMost reports whether n is at least three quarters of the words of the longer list.
func isMost(n int, one, two []string) bool { return 4*n >= 3*max(len(one), len(two)) }

// isWithin reports whether a command stands whole in another one, as "go test ./a" does in
// "cd b && go test ./a | tail". A command of one word is not looked for.
func isWithin(command, other []string) bool {
	if len(command) < 2 {
		return false
	}
	for i := 0; i+len(command) <= len(other); i++ {
		if slices.Equal(other[i:i+len(command)], command) {
			return true
		}
	}
	return false
}

// triesProgram reports whether a call may try another one again as far as their commands and their
// code say: they have none, or each is the other with a small edit.
func triesProgram(a, b *boundary.Action) bool {
	for i := range a.Leaves {
		x := &a.Leaves[i]
		k := slices.IndexFunc(b.Leaves, func(y similarity.Leaf) bool { return y.Path == x.Path })
		if k < 0 || b.Leaves[k].Raw == x.Raw || !match.IsProgram(x.Key) {
			continue
		}
		p, q := similarity.Plain(x.Raw), similarity.Plain(b.Leaves[k].Raw)
		if one, two := commandWords(p), commandWords(q); !areNearly(p, q) {
			if same := len(one) - len(notShared(one, two)); same < leastShared || !isMost(same, one, two) {
				return false
			}
		}
	}
	return true
}

// notShared returns the texts of all that are not in other, each as often as it is missing.
func notShared(all, other []string) (out []string) {
	count := map[string]int{}
	for _, s := range other {
		count[s]++
	}
	for _, s := range all {
		if count[s]--; count[s] < 0 {
			out = append(out, s)
		}
	}
	return out
}

// plainText returns what an action says: its text, or its arguments as they are meant, one a line.
func plainText(a *boundary.Action) string {
	if a.Text != "" {
		return a.Text
	}
	var all []string
	for i := range a.Leaves {
		all = append(all, similarity.Plain(a.Leaves[i].Raw))
	}
	return strings.Join(all, "\n")
}

// commandWords returns the words of a command, without the change of the folder before it.
func commandWords(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`{}[]()"',;`, r) })
	if len(words) > 3 && words[0] == "cd" && words[2] == "&&" {
		return words[3:]
	}
	return words
}
