package tongues

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed outcomes.txt
var outcomesText string

// outcomes maps the words of other languages for how a run ended to the English word.
var outcomes = sync.OnceValue(func() map[string]string { return ReadTable(outcomesText) })

// ReadTable maps the words of other languages in a table to the English word with which their
// line begins. A line that begins with the word # is a remark; no line is empty.
func ReadTable(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		row := strings.Fields(line)
		if row[0] == "#" {
			continue
		}
		for _, foreign := range row[1:] {
			all[foreign] = row[0]
		}
	}
	return all
}

// Outcome returns the English word for a word of another language that says how a run ended, or
// names the place that says so, such as failed for fehlgeschlagen and verdict for veredicto. It
// returns "" if it knows none. The word is in lower case, or in a script without letter case.
func Outcome(word string) string { return outcomes()[word] }
