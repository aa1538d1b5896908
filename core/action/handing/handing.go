// Package handing finds the sentences in which a person hands a deed over without naming it: to the words of somebody else, as in
// "Do it the way the broker wants", or to what was spoken of, as in "Pull it". What is then to be done stands elsewhere: who
// uses a sentence must find it there. Nothing of this asks for a deed by itself.
package handing

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/utterance"
)

//go:embed words.txt
var wordsText string

// wordsFile returns words.txt. No other function reads it.
//
//go:noinline
func wordsFile() string { return wordsText }

// lists are the lists of words.txt by their names. A phrase has spaces.
var lists = sync.OnceValue(func() map[string][]string {
	out, name := map[string][]string{}, ""
	for line := range strings.Lines(wordsFile()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, ok := strings.Cut(line, ":"); ok {
			name, line = head, rest
		}
		for _, w := range strings.Fields(line) {
			out[name] = append(out[name], strings.ReplaceAll(w, "_", " "))
		}
	}
	return out
})

func isListed(name, word string) bool { return slices.Contains(lists()[name], word) }

// Handed is what a sentence wants done that somebody else says.
type Handed struct {
	About []string // words for the thing of which it speaks, as in "the date he gives"; nil for all that he says
}

// toWords returns how a sentence of a language, as in utterance.Reading, hands a deed to the words of somebody else. It is
// false for a question, and for a sentence that only wants to be told these words. O(words²).
func toWords(s *utterance.Sentence, lang string) (Handed, bool) {
	if s.Question || s.Has&(utterance.Refuses|utterance.Withdraws|utterance.Ponders|utterance.Holds) != 0 || s.Bars != 0 && s.Asks == 0 {
		return Handed{}, false
	}
	switch lang {
	case "":
		return Handed{}, false
	case "cjk":
		return Handed{}, handsUnspaced(s.Folded)
	case "en":
		return handsInEnglish(s)
	}
	return Handed{}, handsElsewhere(s, lang)
}

// handsInEnglish is toWords for English.
func handsInEnglish(s *utterance.Sentence) (Handed, bool) {
	joined := " " + strings.Join(s.Words, " ") + " "
	for _, p := range lists()["grants"] {
		if strings.Contains(joined, " "+p+" ") && !utterance.AnyListed("denial", s.Words) {
			return Handed{}, true
		}
	}
	for i, w := range s.Words {
		if isTold(s, i) || utterance.AnyListed("denial", s.Words[max(0, i-3):i]) {
			continue
		}
		if isListed("free", w) && (i+1 < len(s.Words)) {
			if n := subjectAt(s, i+1); n > 0 && saysAt(s, i+1+n) {
				return Handed{}, true
			}
			if w != "as" && w != "like" && i+2 < len(s.Words) && !isListed("own", s.Words[i+1]) { // whatever heading our broker writes
				if n := subjectAt(s, i+2); n > 0 && saysAt(s, i+2+n) {
					if w == "whatever" || w == "whichever" {
						return Handed{}, true
					}
					return Handed{About: []string{s.Words[i+1]}}, true
				}
			}
			if w == "what" && i+2 < len(s.Words) && isListed("owner", s.Words[i+1]) && isListed("texts", s.Words[min(i+3, len(s.Words)-1)]) {
				return Handed{}, true // what the registry page recommends
			}
		}
		if (w == "way" || w == "ones") && i > 0 && s.Words[i-1] == "the" && i+1 < len(s.Words) {
			if n := subjectAt(s, i+1); n > 0 && i+1+n < len(s.Words) {
				return Handed{}, true // the way RELEASING.md has it
			}
		}
	}
	return Handed{}, carriesOut(s.Words)
}

// isTold reports whether what stands at words[i] is only to be told: the last verb before it in its clause is one of telling.
func isTold(s *utterance.Sentence, i int) bool {
	for k := i - 1; k >= 0 && s.Words[k] != ","; k-- {
		if w := s.Words[k]; isListed("told", w) {
			return true
		} else if utterance.KindOf(w)&utterance.Deeds != 0 || w == "do" {
			return false
		}
	}
	return false
}

// subjectAt returns the number of words of a third person, a name or a text that begins at words[i]; 0 for none.
func subjectAt(s *utterance.Sentence, i int) int {
	if i >= len(s.Words) {
		return 0
	}
	switch w := s.Words[i]; {
	case isListed("third", w):
		return 1
	case isListed("own", w), w == ",":
		return 0
	case isListed("owner", w):
		for n := 1; n < 4 && i+n < len(s.Words); n++ {
			if saysAt(s, i+n+1) || i+n+1 == len(s.Words) {
				return n + 1
			}
		}
	case strings.ContainsAny(w, "._") && len(w) > 4:
		return 1 // RELEASING.md
	case len(w) > 2 && isName(s.Text, w):
		if i+1 < len(s.Words) && isName(s.Text, s.Words[i+1]) {
			return 2
		}
		return 1
	}
	return 0
}

// isName reports whether a text has a folded word with a capital letter.
func isName(text, word string) bool {
	capital := strings.ToUpper(word[:1]) + word[1:]
	return capital != word && strings.Contains(text, capital)
}

// saysAt reports whether words[i] is a verb of what somebody says, wants or does: in the third person, in the past or behind has.
func saysAt(s *utterance.Sentence, i int) bool {
	if i >= len(s.Words) {
		return false
	}
	w := s.Words[i]
	switch {
	case w == "has" || w == "have" || w == "had":
		return true
	case utterance.IsFunctionWord(w) || utterance.Listed("isSo", w) || isListed("owner", w) || w == ",":
		return false
	case isListed("third", s.Words[i-1]):
		return utterance.Listed("wants", w) || utterance.Listed("givesIt", w) || utterance.Listed("tellsOf", w) || len(w) > 3
	}
	return len(w) > 3 && (strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "ed")) || utterance.Listed("tellsOf", w)
}

// carriesOut reports whether words have a verb that carries a text out, with a word for a text or for what was said.
func carriesOut(words []string) bool {
	for _, p := range lists()["carries"] {
		verb, particle, _ := strings.Cut(p, "~")
		for i, w := range words {
			if w != verb || i > 0 && (utterance.Listed("denial", words[i-1]) || isListed("own", words[i-1])) {
				continue
			}
			end := min(len(words), i+9)
			if to := slices.Index(words[i:end], ","); to >= 0 {
				end = i + to
			}
			clause := words[i+1 : end]
			at := len(clause)
			if particle != "" {
				if at = slices.Index(clause, particle); at < 0 {
					continue
				}
			}
			about := slices.Concat(clause[:at], clause[min(at+1, len(clause)):])
			if slices.ContainsFunc(about, func(w string) bool { return isListed("points", w) || isListed("texts", w) }) {
				return true
			}
		}
	}
	return false
}

// handsElsewhere is toWords for the other languages with letters.
func handsElsewhere(s *utterance.Sentence, lang string) bool {
	if utterance.AnyListed("denial", s.Words) {
		return false
	}
	joined := " " + strings.Join(s.Words, " ") + " "
	for _, p := range lists()["before "+lang] {
		_, behind, ok := strings.Cut(joined, " "+p+" ")
		if !ok {
			continue
		}
		clause := strings.Fields(behind)
		if to := slices.Index(clause, ","); to >= 0 {
			clause = clause[:to]
		}
		if strings.Contains(p, "quel") || slices.ContainsFunc(clause[:min(len(clause), 6)], func(w string) bool { return isListed("verb "+lang, w) }) {
			return s.Has&utterance.Look == 0 || s.Asks != 0
		}
	}
	return false
}

// handsUnspaced is toWords for folded text in Chinese and Japanese.
func handsUnspaced(text string) bool {
	if slices.ContainsFunc(lists()["cjkAlone"], func(p string) bool { return strings.Contains(text, p) }) {
		return true
	}
	for _, p := range lists()["cjkBefore"] {
		if _, behind, ok := strings.Cut(text, p); ok && slices.ContainsFunc(lists()["cjkBehind"], func(e string) bool {
			at := strings.Index(behind, e)
			return at >= 0 && at < 60
		}) {
			return true
		}
	}
	return false
}

// toContext returns the verbs, which no list of deeds has, with which an English sentence has something done to what was spoken of,
// as in "Pull it" and "If it is over 50, lodge them". O(words).
func toContext(s *utterance.Sentence, lang string) (verbs []string) {
	if lang != "en" || s.Question || s.Has&(utterance.Refuses|utterance.Withdraws|utterance.Ponders|utterance.Holds) != 0 || s.Bars != 0 {
		return nil
	}
	for i := 0; i+1 < len(s.Words); i++ {
		w := s.Words[i]
		if !isListed("points", s.Words[i+1]) || len(w) < 3 || isListed("noOrder", w) || utterance.KindOf(w) != 0 || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ly") {
			continue
		}
		if strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") || i > 0 && !isListed("orderBefore", s.Words[i-1]) {
			continue
		}
		verbs = append(verbs, w)
	}
	return verbs
}

// saysDoIt reports whether an English sentence has what was spoken of done with no other verb than do, as in "Do it, for good".
func saysDoIt(s *utterance.Sentence, lang string) bool {
	if lang != "en" || s.Question || s.Has&(utterance.Refuses|utterance.Withdraws|utterance.Ponders|utterance.Holds) != 0 || s.Bars != 0 {
		return false
	}
	for i := 0; i+1 < len(s.Words); i++ {
		if s.Words[i] == "do" && (s.Words[i+1] == "it" || s.Words[i+1] == "that") && (i == 0 || isListed("orderBefore", s.Words[i-1])) && (i+2 == len(s.Words) || s.Words[i+2] == ",") {
			return true
		}
	}
	return false
}
