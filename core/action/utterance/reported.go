package utterance

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What somebody said, wrote or asked for is told, not ordered: "My boss wrote: 'Cancel the hall'", "My son asked me to order it",
// "Tell Erik that he should cancel". It is asked for if the user then agrees to it.

// reportedIn returns for each word of a sentence whether it stands in what somebody else, or the user himself earlier, said or
// wanted. It is nil if nobody did. O(words).
func (s *Sentence) reportedIn(lang string) (told []bool) {
	if last := s.lastClause(); lang == "en" && last > 1 && len(s.Words)-last < 5 && Listed("tellsOf", s.Words[len(s.Words)-1]) && !AnyListed("firstPerson", s.Words[last:]) {
		told = make([]bool, len(s.Words)) // "You can cancel it, my wife says"
		for i := range told {
			told[i] = true
		}
		return told
	}
	commas, from := -1, 0 // commas that the reported part may still pass, -1 outside of one; where it begins
	for i, w := range s.Words {
		switch {
		case w == ",":
			commas--
		case Listed("firstPerson", w) && i > from+3, Listed("courtesy", w), Listed("and", w):
			commas = -1
		case commas >= 0:
			if told == nil {
				told = make([]bool, len(s.Words))
			}
			told[i] = true
			continue
		}
		if commas < 0 && s.reportsFrom(lang, i) {
			commas, from = 0, i
			if lang != "en" { // "Mein Chef sagt, wir sollen den Saal absagen"
				commas = 1
			}
		}
		commas = max(commas, -1)
	}
	return told
}

// reportsFrom reports whether what stands behind words[i] is what somebody said or wanted: it is a verb of saying with another
// subject than the user, an order to tell somebody, or the last word of "somebody has asked me to".
func (s *Sentence) reportsFrom(lang string, i int) bool {
	w := s.Words[i]
	next := ""
	if !s.endsClause(i + 1) {
		next = s.Words[i+1]
	}
	switch {
	case Listed("tellsOf", w):
		if AnyListed("asksWhat", s.Words[max(0, i-2):i]) {
			return false // "See what she wrote"
		}
		return next != "" && (i > 0 && s.Words[i-1] != "," && !Listed("firstPerson", s.Words[i-1]) || Listed("youObject", next)) || lang != "en" && i > 0 && next == ""
	case lang == "en" && (w == "tell" || w == "ask") && s.verbAt(i):
		return next != "" && (Listed("personOther", next) || !IsFunctionWord(next) && !Listed("toldSelf", next)) && AnyListed("modalOrTo", s.Words[i+1:s.clauseEnd(i+1)])
	case lang == "en" && w == "to" && i > 1 && Listed("personObject", s.Words[i-1]):
		v := s.Words[i-2]
		return !Listed("wants", v) && (theTables().irregular[v] != "" || strings.HasSuffix(v, "ed") && BaseForms(v) != nil && !Listed("wants", BaseForms(v)[0]))
	case Listed("someone", w) && len(w) > 4:
		return !strings.HasSuffix(s.Text, "?") && (Listed("should", next) || Listed("modalElsewhere", next))
	case lang != "en" && Listed("toElsewhere", w):
		from := i
		for from > 0 && !Listed("and", s.Words[from-1]) && i-from < 12 {
			from--
		}
		did := slices.IndexFunc(s.Words[from:i], func(x string) bool { return Listed("did", x) })
		return did >= 0 && slices.ContainsFunc(s.Words[max(from, from+did-2):min(i, from+did+3)], func(x string) bool { return Listed("personObject", x) })
	}
	return false
}

// endorse makes what the sentences of a text only report a request, if one of the sentences agrees to it, as in "My boss wants
// it cancelled. Please do that".
func (read *Reading) endorse() {
	if !slices.ContainsFunc(read.Sentences, func(s Sentence) bool { return s.Reported != 0 }) || !slices.ContainsFunc(read.Sentences, func(s Sentence) bool { return s.Endorses() }) {
		return
	}
	for k := range read.Sentences {
		s := &read.Sentences[k]
		s.Asks, s.ByOthers = s.Asks|s.Reported, nil
		s.Planned &^= s.Reported
	}
}

// Endorses reports whether a sentence with a short first clause agrees to what stands beside it, or wishes that it is done: "Do
// that, the mix from the article".
func (s *Sentence) Endorses() bool {
	return s.Asks == 0 && !s.Question && s.Has&(Agrees|Vague|Delegates) != 0 && s.Has&(Withdraws|Refuses) == 0 && PlainWords(s.Words[:s.clauseEnd(0)]) < 6
}

// dropWanted takes back what a text says that somebody else wants, if the user himself only asks to know something about it:
// "My wife wants to cancel order 17. What would it cost?"
func (read *Reading) dropWanted() {
	wanted, asks := -1, false
	for k := range read.Sentences {
		switch s := &read.Sentences[k]; {
		case s.Asks != 0 && s.isWantedByOther(read.Lang):
			wanted = k
		case s.Asks != 0 || !s.Question && !s.ReadsOnly():
			return
		default:
			asks = asks || s.Question
		}
	}
	if wanted >= 0 && asks {
		s := &read.Sentences[wanted]
		s.Planned, s.Reported, s.ByOthers = s.Planned|s.Asks, s.Reported|s.Asks, append(s.ByOthers, s.AskedBy...)
		s.Asks, s.AskedBy, s.Verbs = 0, nil, nil
	}
}

// isWantedByOther reports whether a sentence says that somebody else wants something: "My wife wants to cancel it".
func (s *Sentence) isWantedByOther(lang string) bool {
	if len(s.Words) < 3 || AnyListed("firstPerson", s.Words) || s.Has&Polite != 0 {
		return false
	}
	to := min(5, len(s.Words))
	return slices.ContainsFunc(s.Words[1:to], func(w string) bool { return Listed("wantsOther", w) }) && (lang == "en" || Listed("possessive", s.Words[0]) || Listed("article", s.Words[0]))
}

// mostHead is the number of bytes before a quotation in which it stands who says it, and mostSpeech how long it may be.
const (
	mostHead   = 120
	mostSpeech = 2000
)

var quoteMarks = map[rune]string{'"': `"`, '“': "”", '„': "“”", '«': "»", '‘': "’", '\'': "'", '「': "」"}

// splitSpeech splits what somebody said or wrote off a text: the part in quotation marks, or the sentence behind a colon, where
// the words before it say so with a verb of saying, as in "My boss wrote: cancel order 17. Which one does he mean?" O(length).
func splitSpeech(text string) (own, quoted string) {
	if !strings.ContainsAny(text, ":\"“„«‘'「") {
		return text, ""
	}
	var mine, others strings.Builder
	from, head := 0, 0 // what is not written yet, and where the sentence begins
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		closing, isQuote := quoteMarks[c]
		switch {
		case strings.ContainsRune(".!?\n", c) && (i+n == len(text) || strings.IndexByte(" \n", text[i+n]) >= 0):
			head = i + n
		case isQuote && i > 0 && (text[i-1] == ' ' || text[i-1] == ':') || c == ':' && i+2 < len(text) && text[i+1] == ' ' && !beginsQuote(text[i+1:]):
			if !saysSpeech(strings.ToValidUTF8(text[max(head, i-mostHead):i], "")) {
				break
			}
			rest := text[i+n : min(len(text), i+n+mostSpeech)]
			end := strings.IndexAny(rest, closing)
			if !isQuote {
				end = sentenceEnd(rest)
			}
			if end < 0 || !strings.Contains(strings.TrimSpace(rest[:end]), " ") {
				break
			}
			mine.WriteString(text[from:i] + ".")
			others.WriteString(rest[:end] + "\n")
			i += n + end
			if isQuote {
				_, n = utf8.DecodeRuneInString(text[i:])
				i += n
			}
			from, head = i, i
			continue
		}
		i += n
	}
	if others.Len() == 0 {
		return text, ""
	}
	return mine.String() + text[from:], others.String()
}

// beginsQuote reports whether a text begins with a quotation mark.
func beginsQuote(text string) bool {
	c, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " "))
	return quoteMarks[c] != ""
}

// sentenceEnd returns the index behind the first sentence of a text.
func sentenceEnd(text string) int {
	for i := range len(text) {
		if strings.IndexByte(".!?\n", text[i]) >= 0 && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			return i + 1
		}
	}
	return len(text)
}

// saysSpeech reports whether the words before a quotation say that somebody else said or wrote it.
func saysSpeech(head string) bool {
	words := Tokens(head)
	return slices.ContainsFunc(words, func(w string) bool { return Listed("tellsOf", w) }) && !slices.ContainsFunc(words, func(w string) bool { return Listed("firstPerson", w) })
}
