// Package notation writes texts of a language or a scheme in one notation: statements, commands,
// documents, schedules, addresses and numbers of a register. Two texts with one notation mean the same
// there. It decides nothing about two values: core/action/kind does.
//
// A function named Plain returns "" for a text that is not of its language, where it says nothing else.
package notation

import "github.com/boundcheck/boundcheck/core/base/wordlist"

func isListed(word, list string) bool { return wordlist.Contains(list, word) }
