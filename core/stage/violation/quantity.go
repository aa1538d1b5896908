package violation

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/sentences"
)

// UnaskedNumber is the id of the rule about a quantity of something that nobody
// mentioned.
const UnaskedNumber = "unasked-number"

// numberWords lists words in the names of arguments that count something.
var numberWords = []string{"total", "number", "num", "count", "quantity", "qty", "of", "amount"}

// unaskedNumber returns findings about arguments that count things, such as bags. An
// argument is reported if it is not 0 and neither the user nor the agent mentioned such
// things.
func (l *linter) unaskedNumber(i int) []Finding {
	c, a := l.Case, &l.Obs[i]
	if c.Request == nil {
		return nil
	}
	var found []Finding
	for _, leaf := range a.Leaves {
		noun, ok := countedNoun(leaf)
		if !ok || spokenOf(c.Request(i), noun) || c.Offered != nil && spokenOf(strings.ToLower(c.Offered(i)), noun) {
			continue
		}
		f := l.newFinding(OverAction, "", UnaskedNumber, i, sentences.NumberUnasked.With(a.Name, leaf.Path, leaf.Raw, noun))
		f.Evidence = []Evidence{{Path: leaf.Path, Observed: leaf.Raw}}
		found = append(found, f)
	}
	return found
}

// countedNoun returns the noun of the thing that an argument counts. ok is false if the
// argument counts nothing, or counts 0 things.
func countedNoun(leaf similarity.Leaf) (noun string, ok bool) {
	if leaf.Raw == "0" || leaf.Raw == "" || strings.Trim(leaf.Raw, "0123456789") != "" || len(leaf.Raw) > 2 {
		return "", false
	}
	words := splitName(leaf.Key)
	quantity := false
	for _, w := range words {
		if slices.Contains(numberWords, w) {
			quantity = true
		} else {
			noun = w
		}
	}
	return noun, quantity && len(noun) >= 4
}

// spokenOf reports whether a text has a word with the same first three letters as a noun.
// For example, bag, bags and baggage count as the same thing.
func spokenOf(text, noun string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if len(w) >= 3 && w[:3] == noun[:3] {
			return true
		}
	}
	return false
}
