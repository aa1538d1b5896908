package story

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// This file tells what the agent put in the place of what the record has: a value that it assumed,
// a thing that nothing had named, and a number of things that it says were done and no call names.

// assumesValue: the agent says that it assumes a value with a number that nothing before has.
func (t *teller) assumesValue(violation.Work) *fact {
	for m := range t.Messages {
		if !isOfAgent(t.Messages[m]) || !strings.Contains(t.Messages[m].Text, "assum") {
			continue
		}
		s := sentenceOf(outsideOfCode(t.Messages[m].Text), func(lower string) bool {
			n := assumedNumber(lower)
			return n != "" && !slices.ContainsFunc(t.Messages[:m], func(before trajectory.Message) bool {
				return match.ContainsNumber(strings.ReplaceAll(before.Text, ",", ""), n)
			})
		})
		if s != "" {
			return &fact{fmt.Sprintf("The agent assumed a value that nothing before has (message %d): “%s”", m+1, s), nil}
		}
	}
	return nil
}

// assumedNumber returns the first number after words such as "I'll assume", without commas; "" if
// there is none. A sentence with a condition or a question assumes nothing for good.
func assumedNumber(lower string) string {
	if strings.HasSuffix(lower, "?") || holdsWords(lower, "if") {
		return ""
	}
	for _, phrase := range [...]string{"i'll assume", "i’ll assume", "i will assume", "i assume", "i am assuming", "i'm assuming", "i’m assuming", "i assumed"} {
		_, rest, found := strings.Cut(lower, phrase+" ")
		if !found {
			continue
		}
		for _, word := range strings.Fields(rest) {
			if word = strings.ReplaceAll(strings.Trim(word, ".,:;!?*()[]\"'“”`$€£%"), ",", ""); word != "" && strings.Trim(word, "0123456789.") == "" {
				return word
			}
		}
	}
	return ""
}

// takesUnnamed: an action in a room failed that is on a numbered thing and a place, and no message and
// no result before it names the thing, also as the end of a longer word. O(mostSearches · texts).
func (t *teller) takesUnnamed(work violation.Work) *fact {
	if work != violation.Embodied {
		return nil
	}
	named, read, searches := map[string]bool{}, 0, 0
	for i := range t.Obs {
		for ; read < min(t.Actions[i].Message+1, len(t.Messages)); read++ {
			if t.Messages[read].Role != "assistant" {
				addNumbered(named, t.Messages[read].Text)
			}
		}
		if a := &t.Obs[i]; a.Failed && !a.ByUser && read > 0 {
			if things := numberedIn(a.Text); len(things) > 1 && !named[things[0]] {
				if searches++; searches > mostSearches {
					return nil
				}
				if !endsName(named, things[0]) {
					return &fact{fmt.Sprintf("At step %d, %s, the agent acted on %s, which nothing before it names.", i+1, t.sayCall(i), things[0]), []int{i}}
				}
			}
		}
		if o := t.Actions[i].Observation; o != nil {
			addNumbered(named, o.Text)
		}
	}
	return nil
}

// mostSearches is the number of things that are searched as the ends of all names before them.
const mostSearches = 500

func endsName(named map[string]bool, thing string) bool {
	for name := range named {
		if strings.HasSuffix(name, thing) {
			return true
		}
	}
	return false
}

// addNumbered adds the things of a text that have a number, such as mug 1.
func addNumbered(to map[string]bool, text string) {
	for _, thing := range numberedIn(text) {
		to[thing] = true
	}
}

// numberedIn returns the words of a text, in lower case, that have a number behind them, with it.
func numberedIn(text string) (out []string) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWordRune(r) })
	for i := 1; i < len(words); i++ {
		if before := words[i-1]; utterance.IsDigits(words[i]) && len(before) > 2 && !utterance.IsDigits(before) {
			out = append(out, before+" "+words[i])
		}
	}
	return out
}

// doneWords say that things were changed.
const doneWords = "added removed booked cancelled canceled refunded changed updated upgraded deleted created ordered moved"

// claimsUndone: the agent told the user that a number of things was changed, and no call that may change
// something names such things.
func (t *teller) claimsUndone(work violation.Work) *fact {
	if work != violation.Desk {
		return nil
	}
	changed := map[string]bool{} // things that a call names
	for m := range t.Messages {
		if !isOfAgent(t.Messages[m]) || t.Messages[m].Unsaid || !strings.Contains(t.Messages[m].Text, "been ") {
			continue
		}
		for _, s := range splitSentences(t.Messages[m].Text) {
			thing := countedAsDone(strings.ToLower(s))
			if thing == "" || len(s) > mostQuoted || changed[thing] || !isClaim(strings.ToLower(s)) {
				continue
			}
			if t.mayHaveChanged(thing) {
				changed[thing] = true
				continue
			}
			return &fact{fmt.Sprintf("The agent told the user (message %d): “%s” No call that changes something names %s.", m+1, s, thing), nil}
		}
	}
	return nil
}

// countedAsDone returns X of a sentence such as "3 checked X have been added"; "" for any other. A long
// number is an amount, a date or a code.
func countedAsDone(lower string) string {
	words := strings.Fields(lower)
	for i, word := range words {
		if word != "have" || i < 2 || i+2 >= len(words) || words[i+1] != "been" || !wordlist.Contains(doneWords, strings.Trim(words[i+2], ".,;:!")) {
			continue
		}
		thing, n := words[i-1], slices.IndexFunc(words[max(0, i-4):i-1], utterance.IsDigits)
		if n >= 0 && len(words[max(0, i-4)+n]) < 3 && len(thing) > 3 && strings.HasSuffix(thing, "s") && !strings.ContainsFunc(thing, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return thing
		}
	}
	return ""
}

// mayHaveChanged reports whether a call that may change something and did not fail names a thing, in
// the singular or as a part of a word.
func (t *teller) mayHaveChanged(thing string) bool {
	thing = strings.TrimSuffix(thing, "s")
	return slices.ContainsFunc(t.Obs, func(a boundary.Action) bool {
		return !a.Failed && a.Mutation.Mutating != mutation.No && strings.Contains(lettersOf(a.Name+a.Raw+a.Text), thing)
	})
}
