package tongues

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestOutcomesAreOneWord checks that each word for an outcome has one meaning, and is no English
// word of the table.
func TestOutcomesAreOneWord(t *testing.T) {
	seen, english := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(outcomesText) {
		english[strings.Fields(line)[0]] = true
	}
	for line := range strings.Lines(outcomesText) {
		row := strings.Fields(line)
		if row[0] == "#" {
			continue
		}
		for _, word := range row[1:] {
			if seen[word] != "" || english[word] || word != strings.ToLower(word) || !utf8.ValidString(word) {
				t.Errorf("%s: %s and %s", word, seen[word], row[0])
			}
			if seen[word] = row[0]; Outcome(word) != row[0] {
				t.Errorf("%s is %q", word, Outcome(word))
			}
		}
	}
	if len(seen) < 100 || Outcome("passed") != "" || Outcome("") != "" {
		t.Error(len(seen))
	}
}
