package equivalence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/mutation"
	"github.com/boundcheck/boundcheck/core/similarity"
)

// smallWords has the words that a message may have or lack and still say the same.
const smallWords = " a an and the this that these those to of for in on at by with as from is are was were be been being has have had do does did will would can could shall should may i we you he she they it me us him her them my our your his their its please pleased kindly happy glad dear hello hi hey thank thanks regards sincerely best sir madam team inform informed let know hereby just now also very so "

// messageWords has the last words of the names of arguments that contain a message.
const messageWords = " text message body content note notes comment comments description reason subject summary letter "

// areParaphrases reports whether all changed arguments are messages that say the same.
// Two messages say the same if they have the same words in the same order, apart from
// small words.
func areParaphrases(changed []similarity.Pair) bool {
	for _, p := range changed {
		if p.Wanted || !namesMessage(p.Key) {
			return false
		}
		a, b := contentWords(p.Observed), contentWords(p.Reference)
		if len(a) < 2 || !slices.Equal(a, b) {
			return false
		}
	}
	return len(changed) > 0
}

// namesMessage reports whether the name of an argument says that it contains a message.
func namesMessage(key string) bool {
	words := mutation.NameWords(key)
	return len(words) > 0 && strings.Contains(messageWords, " "+words[len(words)-1]+" ")
}

// isMessage reports whether an argument is a message of several words.
func isMessage(l similarity.Leaf) bool { return namesMessage(l.Key) && len(contentWords(l.Raw)) > 1 }

// contentWords returns the words of a message in lower case, without small words. It
// returns nil for a text that looks like code, and for a text of fewer than four words.
func contentWords(raw string) (words []string) {
	text := similarity.Plain(raw)
	if len(text) > 4096 || strings.ContainsAny(text, "{}<>=;|`$\\") {
		return nil
	}
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return unicode.IsSpace(r) || r != '-' && r != '\'' && r != '%' && r != '@' && r != '#' && r != '/' && r != '_' && (unicode.IsPunct(r) && r != '.' && r != ',' && r != ':' || unicode.IsSymbol(r))
	})
	if len(all) < 4 {
		return nil
	}
	for _, w := range all {
		if w = strings.Trim(w, ".,:"); w != "" && !strings.Contains(smallWords, " "+w+" ") {
			words = append(words, w)
		}
	}
	return words
}
