package utterance

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Answer returns agrees, refuses, or 0 for a text that is neither. A short text may be
// in a language that it does not show.
func (read *Reading) Answer() Kinds {
	var has Kinds
	words := 0
	for i := range read.Sentences {
		s := &read.Sentences[i]
		words += len(s.Words)
		if !s.Question {
			has |= s.Has
		}
	}
	if words <= 3 && has&(Agrees|Refuses) == 0 {
		for _, lang := range languages {
			for i := range read.Sentences {
				s := ReadSentence(read.Sentences[i].Text, lang)
				has |= s.Has
			}
		}
	}
	switch {
	case has&Refuses != 0 && (words <= 8 || slices.ContainsFunc(read.Sentences, func(s Sentence) bool { return s.Has&Refuses != 0 && s.Asks == 0 && PlainWords(s.Words) < 4 })):
		return Refuses
	case has&Agrees != 0, has&Withdraws == 0 && len(read.Sentences) > 0 && len(read.Sentences[0].Words) <= 3 && read.isAccepting():
		return Agrees
	}
	return 0
}

// isAccepting reports whether a short answer takes what was offered: please, both, all of it.
func (read *Reading) isAccepting() bool {
	return slices.ContainsFunc(read.Sentences, func(s Sentence) bool {
		return !s.Question && s.Asks == 0 && AnyListed("accepting", s.Words)
	})
}

// IsCorrection reports whether a text that begins with a no goes on to say what is wanted
// instead, as in "No, the blue one".
func (read *Reading) IsCorrection() bool {
	n := 0
	for i := range read.Sentences {
		if s := &read.Sentences[i]; !s.Question {
			n += PlainWords(s.Words)
		}
	}
	return n > 2 && !slices.ContainsFunc(read.Sentences, func(s Sentence) bool { return HoldsListed(s.Text, "unfit") })
}

// WantsToKnow reports whether a text has a question or asks to read something.
func (read *Reading) WantsToKnow() bool {
	return slices.ContainsFunc(read.Sentences, func(s Sentence) bool { return s.ReadsOnly() })
}

// FindWithdrawal returns the sentence with which a text takes everything back, or "". Such a
// sentence asks for nothing else.
func (read *Reading) FindWithdrawal() string {
	for i := range read.Sentences {
		if s := &read.Sentences[i]; s.Has&Withdraws != 0 && !s.Question {
			return s.Text
		}
	}
	return ""
}

// StopsIt reports whether a text consists of few words that only say to cancel or to drop what
// was talked about, such as "Cancel that."
func (read *Reading) StopsIt() bool {
	var asks Kinds
	words := 0
	for i := range read.Sentences {
		asks |= read.Sentences[i].Asks
		words += PlainWords(read.Sentences[i].Words)
	}
	return asks != 0 && asks&^(Cancel|Remove) == 0 && words <= 3 && !strings.ContainsFunc(read.Sentences[0].Text, unicode.IsDigit)
}

// TakesItBack reports whether a sentence takes back what was said before it and says nothing else first: "Leave it for
// now", and not "Keep it short".
func (s *Sentence) TakesItBack() bool {
	from := 0 // "Ach nein, lass ihn drin"
	for from < len(s.Words) && (s.Words[from] == "," || Listed("filler", s.Words[from]) || Listed("denial", s.Words[from])) {
		from++
	}
	clause := s.Words[from:s.clauseEnd(from)]
	names := 0
	for _, w := range clause {
		if MayName(w) && !Listed("heldHow", w) {
			names++
		}
	}
	if s.Words == nil { // Chinese and Japanese
		return s.Has&Withdraws != 0 && s.Asks|s.Has&Look == 0
	}
	return s.Has&Withdraws != 0 && (s.beginsWithWait() || names < 2 && AnyListed("pointer", clause))
}

// beginsWithWait reports whether a sentence that asks for nothing begins with one word that takes something back, as in "Wait, I have not
// seen it yet".
func (s *Sentence) beginsWithWait() bool {
	return s.Asks == 0 && !s.Question && len(s.Words) > 0 && s.endsClause(1) && isInAny(s.Words[0], Withdraws)
}

// isInAny reports whether a word has a meaning in any of the languages.
func isInAny(w string, kind Kinds) bool {
	return slices.ContainsFunc(languages[:], func(lang string) bool { return HasKind(lang, w, kind) })
}

// FindTakenBack returns the sentence with which a text takes back what it asked for before, or "".
func (read *Reading) FindTakenBack() string {
	asked := false
	for i := range read.Sentences {
		s := &read.Sentences[i]
		if asked && !s.Question && s.Bars == 0 && s.TakesItBack() {
			return s.Text
		}
		asked = asked || s.Asks != 0
	}
	return ""
}

// GoesOn reports whether a text releases what its writer put off, as in "Go on".
func (read *Reading) GoesOn() bool {
	return slices.ContainsFunc(read.Sentences, func(s Sentence) bool {
		return s.Has&Agrees != 0 && s.Has&(Withdraws|Refuses|Holds) == 0 && !s.Question && AnyListed("goOn", s.Words)
	})
}

// SpeaksOfRest reports whether a text says something about what it does not name, as in "2 yes, the others no".
func (read *Reading) SpeaksOfRest() bool {
	return slices.ContainsFunc(read.Sentences, func(s Sentence) bool { return AnyListed("remaining", s.Words) })
}

// StepsSaid returns the numbers of the steps of a plan that a sentence says to do, as in "Go ahead with 1 and 3": numbers
// behind a word for a step, a verb or a conjunction, with no thing behind them.
func (s *Sentence) StepsSaid() (found []string) {
	if strings.Contains(s.Text, "?") {
		return nil
	}
	for i, w := range s.Words {
		if !IsDigits(w) || slices.Contains(s.Without, w) {
			continue
		}
		before := i == 0 || Listed("beforeStep", s.Words[i-1]) || Listed("and", s.Words[i-1]) || Listed("doVerb", s.Words[i-1])
		if i+1 < len(s.Words) && Listed("denial", s.Words[i+1]) {
			continue // "2 no"
		}
		after := s.endsClause(i+1) || isInAny(s.Words[i+1], Agrees) || Listed("and", s.Words[i+1]) || Listed("filler", s.Words[i+1]) || IsFunctionWord(s.Words[i+1]) && s.Words[i+1] != "of"
		if i > 0 && Listed("step", s.Words[i-1]) || before && after {
			found = append(found, w)
		}
	}
	return found
}

// StepOf returns the step of a plan with a number, or "".
func StepOf(plan, number string) string {
	n, err := strconv.Atoi(number)
	if err != nil || n > 1 && !strings.Contains(plan, strconv.Itoa(n-1)+". ") && !strings.Contains(plan, strconv.Itoa(n-1)+") ") {
		return ""
	}
	for _, mark := range [...]string{". ", ") "} {
		if _, step, ok := strings.Cut(plan, number+mark); ok {
			step, _, _ = strings.Cut(step, strconv.Itoa(n+1)+mark)
			step, _, _ = strings.Cut(strings.TrimSpace(step), "\n") // behind the last step stands the question
			return strings.TrimSpace(step)
		}
	}
	return ""
}

// Choice is the answer to a question with alternatives.
type Choice struct {
	Taken string   // the folded part of the question that the answer names
	Left  []string // the other parts
}

// FindChoice returns what an answer takes of the alternatives of a question, if it names one of them
// only: those between which a sentence has "or", or those that it lists before the text
// asks which, if the answer is short.
func FindChoice(question, answer string) *Choice {
	var said []string
	for _, w := range strings.FieldsFunc(Fold(answer), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if (len(w) > 2 || strings.ContainsFunc(w, unicode.IsDigit)) && !Listed("filler", w) && !IsFunctionWord(w) {
			said = append(said, w)
		}
	}
	sentences := splitSentences(question)
	for i, s := range sentences {
		last := sentences[len(sentences)-1]
		listed := i >= len(sentences)-2 && len(strings.Fields(answer)) <= mostChoice && strings.Contains(last, "?") && AnyListed("whichOf", Tokens(last))
		parts := alternatives(Fold(s), listed)
		if len(parts) < 2 {
			continue
		}
		taken := -1
		for i, p := range parts {
			if !slices.ContainsFunc(said, func(w string) bool { return isOfOne(parts, p, w) }) {
				continue
			}
			if taken >= 0 {
				return nil // the answer takes several
			}
			taken = i
		}
		if taken >= 0 {
			return &Choice{parts[taken], leftOf(parts, taken)}
		}
	}
	return nil
}

// leftOf returns the parts of a question that were not taken. What stands before all alternatives, as in "for order 5, a
// refund or a voucher", is none, and its codes are none where the part that was taken has no code.
func leftOf(parts []string, taken int) (left []string) {
	for i, p := range parts {
		switch first, _, _ := strings.Cut(p, " "); {
		case i == taken:
		case i > 0:
			left = append(left, p)
		case len(parts) > 2 && Listed("beforeWhat", first) && !strings.HasPrefix(parts[1], first+" ") && (strings.Count(p, " ") > 1 || beginsWithFunctionWord(parts[1])):
		case !strings.ContainsFunc(parts[taken], unicode.IsDigit):
			left = append(left, strings.Join(slices.DeleteFunc(strings.Fields(p), func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }), " "))
		default:
			left = append(left, p)
		}
	}
	return left
}

func beginsWithFunctionWord(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	return IsFunctionWord(first)
}

// mostChoice is the number of words of an answer that only says which of some listed things is meant.
const mostChoice = 5

// isOfOne reports whether a word stands in a part of a question, and in no other part.
func isOfOne(parts []string, part, word string) bool {
	in := func(p string) bool { return HoldsWord(p, word) || len(word) > 4 && strings.Contains(p, word) }
	return in(part) && !slices.ContainsFunc(parts, func(p string) bool { return p != part && in(p) })
}

// alternatives returns the parts of a folded sentence between which it lets one choose. With listed, "and" joins them too.
func alternatives(s string, listed bool) (parts []string) {
	fields := withinBrackets(strings.Fields(s))
	from, deep := 0, 0
	commas := []int{}
	for i, w := range fields {
		deep += strings.Count(w, "(") - strings.Count(w, ")")
		switch {
		case Listed("or", w), listed && Listed("and", w):
			for _, c := range commas {
				parts = append(parts, strings.Join(fields[from:c], " "))
				from = c
			}
			parts, from, commas = append(parts, strings.Join(fields[from:i], " ")), i+1, nil
		case deep == 0 && strings.HasSuffix(w, ","):
			commas = append(commas, i+1)
		}
	}
	if parts == nil {
		return nil
	}
	return append(parts, strings.Join(fields[from:], " "))
}

// withinBrackets returns the words between brackets if the first "or" of a sentence stands there, and else all of them.
func withinBrackets(fields []string) []string {
	from := -1
	for i, w := range fields {
		if from >= 0 && Listed("or", w) {
			to := i
			for to < len(fields)-1 && !strings.Contains(fields[to], ")") {
				to++
			}
			inner := slices.Clone(fields[from : to+1])
			inner[0], _ = strings.CutPrefix(inner[0], "(")
			inner[len(inner)-1], _, _ = strings.Cut(inner[len(inner)-1], ")")
			return inner
		}
		if Listed("or", w) {
			return fields
		}
		if at := strings.LastIndexByte(w, '('); at >= 0 {
			from = i
		}
		if strings.LastIndexByte(w, ')') > strings.LastIndexByte(w, '(') {
			from = -1
		}
	}
	return fields
}

// MakesOffer reports whether a text of the agent asks the user to agree to something.
func MakesOffer(text string) bool { return holdsListedWord(strings.ToLower(text), "offer") }

// ProposesTo reports whether a text of the agent says what it would do: "I would delete row 12".
func ProposesTo(text string) bool { return holdsListedWord(strings.ToLower(text), "proposal") }

// Accepts reports whether an answer says to carry out what was proposed, as in "Good plan, go ahead", and not only that it is so.
func (read *Reading) Accepts() bool {
	return read.Answer() == Agrees && slices.ContainsFunc(read.Sentences, func(s Sentence) bool {
		return !s.Question && s.Asks == 0 && s.Has&(Withdraws|Refuses|Holds|Ponders) == 0 && (AnyListed("goOn", s.Words) || AnyListed("planWord", s.Words))
	})
}

// AsksForObjections reports whether the last question of a text asks whether somebody minds, so that a no is a yes.
func (read *Reading) AsksForObjections() bool {
	for i := len(read.Sentences) - 1; i >= 0; i-- {
		if s := &read.Sentences[i]; strings.Contains(s.Text, "?") {
			return AnyListed("objection", s.Words)
		}
	}
	return false
}

// AsksForOpposite reports whether a question asks whether to keep something or to wait, and not to do one more thing.
func (s *Sentence) AsksForOpposite() bool {
	return AnyListed("keepOrWait", s.Words) && !AnyListed("or", s.Words)
}

// IsNoOffer reports whether a question asks for the reason, or whether there is a problem.
func (s *Sentence) IsNoOffer() bool { return AnyListed("noOffer", s.Words) }

// SaysMore reports whether a text says more than a short answer does.
func (read *Reading) SaysMore() bool {
	words := 0
	for i := range read.Sentences {
		words += len(read.Sentences[i].Words)
	}
	return words > mostChoice
}

// AsksForMore reports whether a text asks whether there is anything else to do.
func AsksForMore(text string) bool { return HoldsListed(text, "anythingElse") }

// LeavesOpen reports whether an answer that agrees says not enough or something else: a bare yes to the question which of several
// it is to be, or one that names only things that the question has not, as in "yes, but look at order 50 only".
func LeavesOpen(question, answer string) bool {
	words := Tokens(answer)
	sentences := splitSentences(question)
	if len(sentences) == 0 || FindChoice(question, answer) != nil {
		return false
	}
	last := sentences[len(sentences)-1]
	if strings.Contains(last, "?") && AnyListed("whichOf", Tokens(last)) && !slices.ContainsFunc(words, func(w string) bool {
		return w != "," && !IsFunctionWord(w) && !Listed("filler", w) && !Listed("courtesy", w) && KindOf(w)&Agrees == 0
	}) {
		return slices.ContainsFunc(sentences, func(s string) bool { return len(alternatives(Fold(s), false)) > 1 })
	}
	folded, numbers := Fold(question), 0
	for _, w := range words {
		if isNumbered(w) {
			if numbers++; HoldsWord(folded, w) {
				return false
			}
		}
	}
	return numbers > 0 && strings.ContainsFunc(folded, unicode.IsDigit) && AnyListed("onlyWord", words) && !AnyListed("if", words)
}

// OfferedThing returns the words for the thing of which a question asks whether the user wants it, too, as in "Would you like
// insurance with that?"; "" if it asks something else, or for one that was spoken of before: "Do you still want it?"
func OfferedThing(s *Sentence) string {
	if s.Words == nil { // Chinese and Japanese
		for _, p := range theTables().lists["offersThing"].words {
			if before, after, ok := strings.Cut(s.Text, p); ok {
				return strings.TrimRight(before, "はがもを") + strings.TrimRight(after, "？?か吗嗎")
			}
		}
		return ""
	}
	for i := range s.Words {
		for n := min(4, len(s.Words)-i); n > 0; n-- {
			if !Listed("offersThing", strings.Join(s.Words[i:i+n], " ")) {
				continue
			}
			rest := s.Words[i+n:]
			if len(rest) == 0 || rest[0] == "," || !Listed("indefinite", rest[0]) && (Listed("pointer", rest[0]) || Listed("determiner", rest[0]) || Listed("filler", rest[0]) || rest[0] == "to") {
				return ""
			}
			end := 1
			for end < len(rest) && rest[end] != "," && !Listed("offerEnds", rest[end]) {
				end++
			}
			return strings.Join(rest[:end], " ")
		}
	}
	return ""
}

// CorrectsTo reports whether an answer only corrects what was offered, and names what is wanted instead, as in "No wait, the other
// one: B7".
func (read *Reading) CorrectsTo() bool {
	return len(read.Sentences) > 0 && !slices.ContainsFunc(read.Sentences, func(s Sentence) bool {
		return s.Question || s.Asks != 0 || s.Has&(Withdraws|Refuses) != 0 || s.Has&Corrects == 0 || len(s.Numbers()) == 0
	})
}

// Denies reports whether a sentence of a text has a word that denies, or one for waiting.
func (read *Reading) Denies(text string) bool {
	return slices.ContainsFunc(read.Sentences, func(s Sentence) bool {
		return s.Text == text && (AnyListed("keepOrWait", s.Words) || slices.ContainsFunc(s.Words, func(w string) bool { return Listed("denial", w) || HasKind(read.Lang, w, negates) }))
	})
}
