package tongues

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

//go:embed outcomes.txt
var outcomesText string

// outcomes maps the words of other languages for how a run ended to the English word.
var outcomes = sync.OnceValue(func() *wordlist.Index[string] { return ReadTable(outcomesFile()) })

// outcomesFile returns the table. The page's build moves it to the second module.
func outcomesFile() string { return outcomesText }

// ReadTable maps the words of other languages in a table to the English word with which their
// line begins. A line that begins with the word # is a remark; no line is empty.
func ReadTable(text string) *wordlist.Index[string] {
	all := wordlist.IndexFor[string](len(text) / 9) // a little more than its words
	for line := range strings.Lines(text) {
		english, row := wordlist.Next(line)
		if english == "#" {
			continue
		}
		for foreign, rest := wordlist.Next(row); foreign != ""; foreign, rest = wordlist.Next(rest) {
			*all.At(foreign) = english
		}
	}
	return &all
}

// Outcome returns the English word for a word of another language that says how a run ended, or
// names the place that says so, such as failed for fehlgeschlagen and verdict for veredicto. It
// returns "" if it knows none. The word is in lower case, or in a script without letter case.
func Outcome(word string) string { return outcomes().Get(word) }
