// Package utterance reads what a person's words say: which deeds a sentence asks for, forbids or
// only names, whether it asks to know something, agrees, refuses or takes something back, and the
// conditions, amounts, dates and alternatives in it. It knows no call and no run.
//
// The words are data in words.txt, in several languages. Three sorts of functions read them:
//
//   - Read and ReadSentence read sentences;
//   - Listed, MemberOf, Related and their like look up single words;
//   - the functions for folded text (see Fold) find words, amounts, dates and times in a text.
//
// What a function does not understand it does not guess: a word that no list has means nothing.
package utterance

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// Sentence is what one sentence asks for.
type Sentence struct {
	Text     string
	Folded   string   // the text, as Fold writes it
	Words    []string // folded, with "," between clauses
	Asks     Kinds    // the kinds of deeds that it asks for
	Bars     Kinds    // the kinds of deeds that it forbids
	Barred   []string // the words of what it forbids: verbs that have no kind, and things
	Named    Kinds    // the kinds of deeds that it names in any form
	Has      Kinds    // the other meanings of its words
	Verbs    []string // English verbs of deeds that it asks for
	Question bool     // it only wants to know something
	Opened   bool     // it begins with a word that asks for a fact
	Foreign  bool     // its language is not known
	Planned  Kinds    // the kinds of deeds that its speaker is going to do himself
	Passive  Kinds    // the kinds of deeds that it says are done, as in "Each reset is reported"
	Rest     bool     // it goes on with a verb that is not known
	Without  []string // the words for what it leaves out
	Kept     []string // the words for what it says stays as it is, as in "keep the yoga"
	ByText   Kinds    // the kinds of deeds that it wants done as a text says
	Held     []string // the words of the clauses that say that something stays as it is or waits, with "," behind each
	AskedBy  []string // the words of the deeds that it asks for
	ByOthers []string // the verbs of what it says that somebody else does, or the user himself
	Allows   bool     // it says what may be done, not what is to be done
	Told     bool     // it names a deed in what it wants to be told
	Done     Kinds    // the kinds of deeds that it says were done, or are only spoken of, as in "I paid the plumber 90"
	Reported Kinds    // the kinds of deeds that it says somebody else wants, or that the user wanted earlier
	Spared   []string // in Chinese and Japanese, the clauses that deny a deed or keep a thing as it is
	denies   []Kinds  // for each word, the kinds of deeds that its part of the sentence denies; nil if none does
}

// Reading is what a text asks for.
type Reading struct {
	Sentences []Sentence
	Lang      string
}

// Read reads the sentences of a text. One that may be of several languages is read in the given one; ""
// for none. O(length).
func Read(text, near string) Reading {
	out := Reading{}
	lang := languageNear(text, near)
	out.Lang = lang
	for _, s := range splitSentences(text) {
		if n := len(out.Sentences); n > 0 && lang != "cjk" {
			if last := &out.Sentences[n-1]; last.Has&(Withdraws|Refuses) != 0 && last.Asks == 0 && strings.HasSuffix(last.Text, ":") {
				if joined := ReadSentence(last.Text+" "+s, lang); joined.Has&Withdraws == 0 { // "No wait, the other one: B7."
					out.Sentences[n-1] = joined
					continue
				}
			}
			if last := &out.Sentences[n-1]; last.Asks != 0 && strings.HasSuffix(last.Text, ":") && beginsWithAddress(s) { // "Forward it to Ann: ann@example.org"
				out.Sentences[n-1] = ReadSentence(last.Text+" "+s, lang)
				continue
			}
		}
		out.Sentences = append(out.Sentences, ReadSentence(s, lang))
	}
	out.dropWanted()
	out.endorse()
	out.dropPurposes()
	for i := range len(out.Sentences) - 1 { // "I got that wrong: it is on the 13th"
		if s := &out.Sentences[i]; strings.HasSuffix(s.Text, ":") {
			out.Sentences[i+1].Has |= s.Has & Corrects
		}
	}
	return out
}

// beginsWithAddress reports whether the first word of a sentence is an address of mail or of a page.
func beginsWithAddress(s string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(s, " \t*->•\"'<("), " ")
	return strings.Contains(word, "@") && strings.Contains(word, ".") || strings.Contains(word, "://")
}

// dropPurposes leaves out the wish of a sentence that only says what for the speaker needs what he asked just before, as in "What is the
// first item? Need it for the meeting at 5."
func (r *Reading) dropPurposes() {
	for i := 1; i < len(r.Sentences); i++ {
		s, before := &r.Sentences[i], &r.Sentences[i-1]
		words := s.Words
		if len(words) > 0 && words[0] == "i" {
			words = words[1:]
		}
		if r.Lang == "en" && before.Question && before.Asks == 0 && s.Asks == 0 && len(words) > 3 && (words[0] == "need" || words[0] == "want") && slices.Contains([]string{"it", "this", "that", "them"}, words[1]) && Listed("purpose", words[2]) && !slices.Contains(words, ",") {
			s.Question, s.Rest, s.Has = true, false, s.Has&^(Vague|Polite)
		}
	}
}

// mostSentence is the number of bytes beyond which a sentence is not understood: it is a table or a dump. Only
// its first words are read.
const mostSentence = 1 << 14

// ReadSentence reads one sentence of a language.
func ReadSentence(text, lang string) Sentence {
	if len(text) > mostSentence {
		first := strings.ToValidUTF8(text[:mostSentence], "")
		return Sentence{Text: text, Folded: Fold(first), Foreign: true, Words: splitTokens(Fold(first))}
	}
	s := Sentence{Text: text, Folded: JoinThousands(Fold(text)), Foreign: lang == ""}
	if lang == "cjk" {
		s.readCJK()
		return s
	}
	s.Words = splitTokens(s.Folded)
	hits := patternsIn(lang, s.Words)
	if lang == "en" {
		hits = s.dropNames(hits)
	}
	for _, h := range hits {
		if h.kinds&Wishes != 0 && h.at > 0 && (Listed("unbidden", s.Words[h.at-1]) || Listed("isSo", s.Words[h.at-1]) || s.StartsClause(h.at) && HasKind(lang, s.Words[h.at], Deeds)) {
			h.kinds &^= Wishes // "without being asked", "you were asked", "pide uno"
		}
		s.Allows = s.Allows || h.kinds&allows != 0
		if h.kinds&Polite != 0 && (s.isAskedWhat(h.at) || coveredBy(hits, h, Withdraws) || Listed("whyWord", s.Words[h.at]) && s.isOfAny()) {
			h.kinds &^= Polite // "What can we do with it?"
		}
		if h.kinds&unsent != 0 && s.IsNegated(lang, h.at) {
			h.kinds &^= unsent // "It must not stay a draft"
		}
		if h.kinds&Delegates != 0 && (s.isDenied(lang, h.at) || h.at > 1 && s.Words[h.at-1] == "to" && Listed("ownTo", s.Words[h.at-2])) {
			h.kinds &^= Delegates // "Mach nicht, was drinsteht", "what I have to do"
		}
		if h.kinds&Holds != 0 && Listed("asLong", s.Words[s.clauseStart(h.at)]) {
			h.kinds &^= Holds // "tant que le prix reste sous 80"
		}
		if h.kinds&handsOver != 0 && (s.isDenied(lang, h.at) || h.noun && !s.mayAsk(lang, h.at)) {
			h.kinds &^= handsOver // "the handle"
		}
		s.Has |= h.kinds &^ (Deeds | Look | Opens | Withdraws | Refuses | Agrees | Limits | without | nothing)
		if h.kinds&nothing != 0 && !s.endsClause(h.at+h.length) && coveredBy(hits, h, Holds) {
			h.kinds &^= nothing // "Hands off invoice 302"
		}
		if h.kinds&nothing != 0 && !s.hasCondition() && (h.at+h.length >= len(s.Words) || !Listed("anythingElse", s.Words[h.at+h.length])) {
			s.Has |= nothing
		}
		if h.kinds&Deeds != 0 {
			s.Named |= h.kinds & Deeds
		}
		if h.kinds&Agrees != 0 && (s.prefersOther(h.at+h.length) || h.length > 1 && s.isHeld(hits, h.at)) {
			h.kinds &^= Agrees
		}
		if end := h.at + h.length; h.kinds&(Withdraws|Holds) != 0 && end < len(s.Words) && isNumbered(s.Words[end]) && strings.Contains(s.Folded, s.Words[end-1]+"-"+s.Words[end]) {
			h.kinds &^= Withdraws | Holds // "Keep IT-501"
		}
		if h.kinds&(Withdraws|Refuses) != 0 && (coveredBy(hits, h, Corrects) || h.kinds&Withdraws != 0 && s.correctsBehind(hits, h)) && s.isConcrete(lang, hits) {
			h.kinds &^= Withdraws | Refuses // "No wait, to Paul instead", "Wait, make it 3"
		}
		if h.kinds&Agrees != 0 && h.length > 1 && Listed("doVerb", s.Words[h.at]) && s.isPlanned(h.at) {
			h.kinds &^= Agrees // "I'll do it on paper"
		}
		if lang == "en" && s.Words[h.at] == "no" && h.length == 1 && s.isDeterminer(h.at) {
			h.kinds &^= Refuses // "No price, it's free"
		}
		if h.kinds&(Withdraws|Refuses|Agrees) != 0 && (s.StartsClause(h.at) || h.kinds&Agrees != 0 && s.agreesAt(h.at) || h.kinds&Withdraws != 0 && s.putsOff(hits, h)) && (h.length > 1 || s.endsClause(h.at+1) || h.kinds&(Agrees|Refuses) != 0 && !h.noun) {
			s.Has |= h.kinds & (Withdraws | Refuses | Agrees)
		}
		if h.kinds&Limits != 0 && (h.at <= 1 || s.Has&Corrects != 0) && s.StartsClause(h.at) && !s.endsClause(h.at+h.length) {
			s.Has |= Limits
		}
		if h.kinds&without != 0 {
			if h.gap {
				h.length = 1 // "leave Ann out"
			}
			s.readWithout(h.at, h.length)
		}
		if h.kinds&alone != 0 && (h.at == 0 || !Listed("notAlone", s.Words[h.at-1])) && slices.Contains(s.Words, ",") {
			s.leaveOut(s.Words[s.clauseStart(h.at):s.clauseEnd(h.at)])
		}
		if h.kinds&Holds != 0 {
			s.Held = append(append(append(s.Held, s.Words[s.clauseStart(h.at):h.at]...), s.Words[h.at+1:s.clauseEnd(h.at)]...), ",")
		}
		if h.kinds&Deeds != 0 && lang == "de" && h.at+1 < len(s.Words) && s.Words[h.at+1] == "du" {
			s.Has |= Polite // "Schickst du es ab?"
		}
		if h.kinds&Opens != 0 && s.opensQuestion(h.at) {
			s.Question, s.Opened = true, true
		}
	}
	if s.Opened && slices.Contains(s.Words, ",") && (s.Words[0] == "when" || Listed("if", s.Words[0]) && !strings.HasSuffix(text, "?") && s.ordersLater(hits)) {
		s.Question, s.Opened = false, false // a condition
	}
	if s.asksYou(lang) {
		s.Has |= Polite
	}
	s.Question = (s.Question || strings.HasSuffix(strings.TrimRight(text, " \"')"), "?")) && s.Has&Polite == 0
	own, past, told := s.ownPurposes(), s.preterites(lang), s.reportedIn(lang)
	for _, h := range hits {
		if lang == "en" && h.kinds&Look != 0 && h.length == 1 {
			if h.at > 0 && h.at+1 < len(s.Words) && Listed("isSo", s.Words[h.at+1]) && !s.verbAt(h.at) {
				continue // "The project list is a mess"
			}
			h.kinds |= s.looksOrDoes(h.at)
		}
		if h.kinds&(Deeds|Look) == 0 || s.Question && lang != "" {
			continue
		}
		if lang == "en" && h.kinds&Cancel != 0 && s.leavesThere(h.at) {
			continue
		}
		if h.kinds&Send != 0 && (lang == "en" && s.reportsBack(hits, h.at) || s.writesMeWhat(lang, h.at)) {
			h.kinds = Look
		}
		if h.kinds&Deeds != 0 && s.isHeld(hits, h.at) {
			s.Bars |= h.kinds & Deeds
			continue
		}
		if (h.noun || lang == "en" && s.isNounAt(h.at)) && !s.mayAsk(lang, h.at) {
			continue
		}
		if h.kinds&Deeds != 0 && s.isOnlyTold(lang, h.at) {
			s.Told = true
			continue
		}
		if h.kinds&Deeds != 0 && s.isPondered(lang, hits, h.at) {
			s.Done |= h.kinds & Deeds
			continue
		}
		if k := h.kinds & Deeds; k != 0 && own != nil && own[h.at] {
			s.Planned, s.ByOthers = s.Planned|k, append(s.ByOthers, s.Words[h.at])
			continue
		}
		if k := h.kinds & Deeds; k != 0 && past != nil && past[h.at] {
			s.Done |= k
			continue
		}
		if coveredBy(hits, h, Withdraws) && s.Has&Withdraws != 0 || h.kinds&Deeds == 0 && s.isOnlyTold(lang, h.at) || h.kinds&Deeds != 0 && s.isNoRequest(h.at) {
			continue
		}
		if s.IsNegated(lang, h.at) || s.isDoneAlone(hits, h.at) {
			if !s.isNeedless(h.at) {
				s.Bars |= h.kinds & Deeds
				s.keepBarred(h.at + 1)
			}
			continue
		}
		if k := h.kinds & Deeds; k != 0 && told != nil && told[h.at] {
			s.Planned, s.Reported, s.ByOthers = s.Planned|k, s.Reported|k, append(s.ByOthers, s.Words[h.at])
			continue
		}
		if lang == "en" && s.isStated(h.at) {
			s.Planned |= h.kinds & Deeds
			s.ByOthers = append(s.ByOthers, s.Words[h.at])
			continue
		}
		if lang == "en" && s.isPlanned(h.at) {
			s.keepPlanned(h.kinds&Deeds, s.Words[h.at])
		}
		if lang == "en" && (s.isPlanned(h.at) && h.kinds&Buy == 0 || h.at > 0 && Listed("itWill", s.Words[h.at-1])) {
			continue
		}
		if k := h.kinds & Deeds; s.isOwnDeed(lang, h.at, k) {
			s.Planned, s.ByOthers = s.Planned|k, append(s.ByOthers, s.Words[h.at])
			continue
		}
		if s.Asks |= h.kinds & Deeds; h.kinds&Deeds != 0 {
			s.AskedBy = append(s.AskedBy, s.Words[h.at])
		}
		s.Has |= h.kinds & Look
		if h.kinds&Deeds != 0 && lang == "en" {
			s.Verbs = append(s.Verbs, s.Words[h.at])
		}
	}
	if len(s.Words) > 1 && Listed("else", s.Words[0]) && s.isPlanned(2) {
		s.Asks = 0 // what the user does if not
	}
	if lang == "en" && !s.Question {
		s.readVerbs(hits, told)
		if s.Has&Polite != 0 && s.Asks == 0 {
			s.readForms()
		}
	}
	if lang == "en" {
		s.readOthers()
	}
	s.readPoints(lang, hits)
	s.readRest(lang, hits)
	s.readPassive(lang)
	s.readNone(lang)
	s.readNotThis(lang)
	s.readOpposed(lang, hits)
	s.readLastClause(lang, hits)
	s.keepShared()
	s.readNounNo(lang)
	s.readDone(lang, own)
	s.readFirstPerson(lang)
	s.readIndirect(lang)
	if s.Asks == 0 && !s.Question && s.Has&Ponders == 0 {
		s.readMixed(lang)
	}
	if s.Has&nothing != 0 {
		s.Asks, s.Bars = 0, Deeds
	}
	if s.Has&unsent != 0 {
		s.Asks, s.Bars = s.Asks&^Send|Make, s.Bars|Send
	}
	return s
}

// dropNames leaves out the verbs that are a part of a name, as in "4 Harbour View": a word with a capital inside of a
// sentence that has others without one.
func (s *Sentence) dropNames(hits []hit) []hit {
	if strings.ToLower(s.Text[1:]) == s.Text[1:] {
		return hits
	}
	words := splitTokens(s.Text)
	capital := func(i int) bool { return i > 0 && i < len(words) && isCapital(words[i]) && words[i-1] != "," }
	plain := slices.ContainsFunc(words, func(w string) bool { return len(w) > 0 && unicode.IsLower(rune(w[0])) })
	if len(words) != len(s.Words) || !plain && len(words) > 3 {
		return hits // a title, or all in capitals
	}
	return slices.DeleteFunc(hits, func(h hit) bool { return h.length == 1 && h.kinds&(Deeds|Look) != 0 && capital(h.at) })
}

// putsOff reports whether a phrase of several words takes something back after "and", and nothing before it asks for
// anything: "Lo giro a mia sorella e ti faccio sapere".
func (s *Sentence) putsOff(hits []hit, h hit) bool {
	return h.length > 2 && h.at > 1 && Listed("and", s.Words[h.at-1]) && !slices.ContainsFunc(hits, func(x hit) bool { return x.at < h.at && x.kinds&Deeds != 0 && !x.noun })
}

// correctsBehind reports whether words that correct stand right behind a word.
func (s *Sentence) correctsBehind(hits []hit, h hit) bool {
	end := h.at + h.length
	return slices.ContainsFunc(hits, func(x hit) bool {
		return x.kinds&Corrects != 0 && (x.at == end || x.at == end+1 && s.Words[end] == ",")
	})
}

// agreesAt reports whether a yes at words[i] stands behind a word such as so: "also ja, alle drei".
func (s *Sentence) agreesAt(i int) bool {
	return !s.Question && i > 0 && Listed("soThen", s.Words[i-1]) && s.StartsClause(i-1)
}

// isConcrete reports whether a sentence names a number, a name or one of a class of things, apart from the words with
// which it corrects: "No wait, 4471 instead", and not "On second thought, keep it".
func (s *Sentence) isConcrete(lang string, hits []hit) bool {
	rest, from := Sentence{Text: s.Text}, 0
	for _, h := range hits {
		if h.kinds&Corrects != 0 && h.at >= from {
			rest.Words = append(rest.Words, s.Words[from:h.at]...)
			from = h.at + h.length
		}
	}
	rest.Words = append(rest.Words, s.Words[min(from, len(s.Words)):]...)
	return len(rest.NumbersSaid()) > 0 || len(rest.MembersSaid()) > 0 || slices.ContainsFunc(rest.Words, isNumbered) || len(s.NamesIn(lang)) > 0
}

// readNotThis adds what a sentence says is not meant, as in "not Tuesday but Wednesday".
func (s *Sentence) readNotThis(lang string) {
	if s.Question || !AnyListed("notThis", s.Words) && !slices.Contains(s.Words, "keep") && !slices.Contains(s.Words, "leave") && !slices.Contains(s.Words, "instead") {
		return
	}
	for i, w := range s.Words {
		if i > 0 && (Listed("notThis", s.Words[i-1]) || i > 1 && s.Words[i-1] == "of" && s.Words[i-2] == "instead") && (MemberOf(w).Class != "" && len(w) > 1 || NumberOf(w) > 0 && IsDigits(w)) {
			s.Without = append(s.Without, w)
		}
	}
	for i := range len(s.Words) - 1 { // "not for the hens"
		if end := s.clauseEnd(i); Listed("notThis", s.Words[i]) && s.StartsClause(i) && IsFunctionWord(s.Words[i+1]) && end-i < 6 {
			s.leaveOut(s.Words[i+1 : end])
		}
	}
	for i := 1; lang == "en" && i+1 < len(s.Words); i++ {
		if (s.Words[i-1] == "keep" || s.leavesThere(i-1)) && Listed("ofPlace", s.Words[i]) {
			for k := i + 1; k < len(s.Words) && s.Words[k] != "," && !Listed("and", s.Words[k]); k++ {
				s.Kept = append(s.Kept, s.Words[k])
			}
		}
	}
	for _, n := range s.NamesIn(lang) {
		first, _, _ := strings.Cut(n.Word, " ")
		if i := slices.Index(s.Words, first); i > 0 && Listed("notThis", s.Words[i-1]) || i > 1 && Listed("notThis", s.Words[i-2]) && n.Role != "" && n.Role != "verb" {
			s.Without = append(s.Without, n.Word)
		}
	}
}

// keepShared drops the noun from what a sentence leaves out that "one" stands for in the rest of it: "not the small box but the
// large one".
func (s *Sentence) keepShared() {
	n := len(s.Without)
	if n < 2 {
		return
	}
	if at := slices.Index(s.Words, s.Without[n-1]); at >= 0 && slices.Contains(s.Words[at:], "one") && s.clauseEnd(at) == at+1 {
		s.Without = s.Without[:n-1]
	}
}

// readPassive adds the English deeds that a sentence says can, should or must be done, as in "The old one
// can be dropped".
func (s *Sentence) readPassive(lang string) {
	if lang == "en" && s.Question {
		s.nameDone()
	}
	if lang != "en" || s.Question {
		return
	}
	for i := 1; i < len(s.Words); i++ {
		if Listed("isDone", s.Words[i-1]) && !s.IsNegated("en", i) && !s.isCondition(i) {
			bases := append(BaseForms(s.Words[i]), theTables().irregular[s.Words[i]])
			if at := slices.Index(s.Words[i:s.clauseEnd(i)], "by"); at > 0 && AnyListed("staff", s.Words[i+at:s.clauseEnd(i)]) {
				s.ByOthers = append(s.ByOthers, bases...) // "Vouchers are issued by the team leads"
				continue
			}
			for _, base := range bases {
				s.Passive |= KindOf(base) & Deeds
			}
		}
	}
	for i := 2; i < len(s.Words); i++ {
		if s.Words[i-1] != "be" || !Listed("modal", s.Words[i-2]) || s.IsNegated("en", i) {
			continue
		}
		for _, base := range append(BaseForms(s.Words[i]), theTables().irregular[s.Words[i]]) {
			if k := KindOf(base) & Deeds; k != 0 {
				s.Asks |= k
				s.Verbs = append(s.Verbs, base)
				break
			}
		}
	}
}

// isCondition reports whether words[i] stands in a clause that says when the rest of the sentence holds, as in "Each time a
// booking is changed, send a note".
func (s *Sentence) isCondition(i int) bool {
	from := s.clauseStart(i)
	if s.clauseEnd(i) == len(s.Words) || from+1 >= len(s.Words) {
		return false
	}
	return Listed("whenever", s.Words[from]) || Listed("if", s.Words[from]) || Listed("eachTime", s.Words[from]+" "+s.Words[from+1])
}

// looksOrDoes returns the kinds of deeds that an English word for looking asks for with what stands behind it:
// "Tell me" asks to know, "Tell Anna" to send, and "Open the page" to look, "Open the window" to do something.
func (s *Sentence) looksOrDoes(i int) Kinds {
	rest := s.Words[i+1:]
	for k, w := range rest {
		if w == "," {
			rest = rest[:k]
			break
		}
	}
	if len(rest) == 0 || !s.verbAt(i) {
		return 0
	}
	switch s.Words[i] {
	case "tell":
		if !Listed("toldSelf", rest[0]) && !IsFunctionWord(rest[0]) {
			return Send
		}
	case "open":
		if !slices.ContainsFunc(rest, func(w string) bool {
			return Listed("shown", Singular(w)) || Listed("shown", w) || strings.ContainsAny(w, "./_")
		}) {
			return Switch | Make
		}
	}
	return 0
}

// nameDone adds the deeds of which an English question asks whether they can be done, as in "Can it be
// dropped?"
func (s *Sentence) nameDone() {
	for i := 3; i < len(s.Words); i++ {
		if s.Words[i-1] != "be" || !Listed("modal", s.Words[i-3]) {
			continue
		}
		for _, base := range append(BaseForms(s.Words[i]), theTables().irregular[s.Words[i]]) {
			s.Named |= KindOf(base) & Deeds
		}
	}
}

// readNone adds what an English sentence says there is to be none of, as in "So no cake".
func (s *Sentence) readNone(lang string) {
	if lang != "en" || len(s.Words) > 5 {
		return
	}
	for i := 0; i+1 < len(s.Words); i++ {
		if w := s.Words[i+1]; s.Words[i] == "no" && KindOf(w) == 0 && !Listed("filler", w) && w != "," && !Listed("courtesy", w) {
			s.leaveOut(s.Words[i+1 : s.clauseEnd(i+1)])
			return
		}
	}
}

// readFirstPerson adds what a verb in the first person names: what the agent offers to do, or what the
// user does himself.
func (s *Sentence) readFirstPerson(lang string) {
	if lang != "es" && lang != "it" && lang != "pt" {
		return
	}
	for _, w := range s.Words {
		k := theTables().of[lang].firstPerson(w)
		s.Has |= k & Look
		if k &= Deeds; k == 0 {
			continue
		}
		if s.Named |= k; s.Has&alone != 0 {
			s.Bars |= k
		}
	}
}

// readMixed adds the deeds that a sentence asks for in another language than its own, as in "do the
// devolución". Only words count that are no words of its own language, and long.
func (s *Sentence) readMixed(lang string) {
	for _, other := range languages {
		if other == lang || lang == "" {
			continue
		}
		for _, h := range patternsIn(other, s.Words) {
			w := s.Words[h.at]
			if h.kinds&Deeds == 0 || len(w) < 5 || len(theTables().of[lang][w]) > 0 || other == "en" && h.noun || s.isOwnDeed(lang, h.at, h.kinds&Deeds) || s.IsNegated(lang, h.at) || s.IsNegated(other, h.at) ||
				lang == "en" && h.at == 1 && s.isNounAt(h.at) { // "The registrar asked me"
				continue
			}
			s.Asks |= h.kinds & Deeds
			if other == "en" {
				s.Verbs = append(s.Verbs, w)
			}
		}
	}
}

// readForms adds the English verbs that a polite question has in another form, as in "Any chance
// of deleting it?" and "Is it possible to have it removed?"
func (s *Sentence) readForms() {
	for i, w := range s.Words {
		if i > 0 && Listed("isSo", s.Words[i-1]) {
			continue // "My flight is cancelled, what can you do?"
		}
		for _, base := range BaseForms(w) {
			if k := KindOf(base) & Deeds; k != 0 && !s.IsNegated("en", i) {
				s.Asks |= k
				s.Verbs = append(s.Verbs, base)
				break
			}
		}
	}
}

// BaseForms returns what an English word in -ing or -ed may be a form of.
func BaseForms(w string) []string {
	stem, ok := strings.CutSuffix(w, "ing")
	if !ok {
		stem, ok = strings.CutSuffix(w, "ed")
	}
	if n := len(stem); !ok || n < 3 {
		return nil
	} else if stem[n-1] == stem[n-2] {
		return []string{stem, stem[:n-1]}
	}
	return []string{stem, stem + "e"}
}

// readVerbs adds the English verbs that no list of words.txt has. They are known to
// change something from the names of tools.
func (s *Sentence) readVerbs(hits []hit, told []bool) {
	for i, w := range s.Words {
		if len(w) < 3 || strings.ContainsAny(w, "./@") || !s.verbAt(i) || isCovered(hits, i) || i > 1 && Listed("isSo", s.Words[i-2]) { // "which file is to blame"
			continue
		}
		if d := mutation.DeedOf(w); (d.Class == "" || !d.Effectful()) && !verbs.Acts(w) {
			continue
		}
		if s.IsNegated("en", i) || s.isDoneAlone(hits, i) {
			s.Bars |= Other
			s.Barred = append(s.Barred, w)
			continue
		}
		if s.isPlanned(i) && i > 0 && Listed("and", s.Words[i-1]) { // "I'll review and release it"
			s.keepPlanned(Other, w)
			continue
		}
		if told != nil && told[i] {
			s.Reported, s.ByOthers = s.Reported|Other, append(s.ByOthers, w)
			continue
		}
		s.Asks |= Other
		s.Verbs = append(s.Verbs, w)
	}
}

func isCovered(hits []hit, i int) bool {
	for _, h := range hits {
		if h.at <= i && i < h.at+h.length && h.kinds&(Deeds|Look|language|Withdraws|without|Limits) != 0 {
			return true
		}
	}
	return false
}

// coveredBy reports whether a pattern with a meaning contains the words of a hit.
func coveredBy(hits []hit, h hit, kind Kinds) bool {
	return slices.ContainsFunc(hits, func(x hit) bool {
		return x.kinds&kind != 0 && x.at <= h.at && h.at < x.at+x.length && x.length >= h.length
	})
}

// readWithout keeps the words of the clause after a pattern at words[i]: they name what is left out.
// If there are none, those before it do.
func (s *Sentence) readWithout(i, length int) {
	from := i + length
	if s.endsClause(from) {
		s.leaveOut(s.Words[s.clauseStart(i):i])
	} else {
		s.leaveOut(s.Words[from:s.clauseEnd(from)])
	}
}

// leaveOut keeps the words of things that are not wanted.
func (s *Sentence) leaveOut(words []string) {
	for _, w := range words {
		if len(w) > 2 && !IsFunctionWord(w) || strings.ContainsFunc(w, unicode.IsDigit) {
			s.Without = append(s.Without, w)
		}
	}
}

// ClauseAfter returns the words behind words[i] up to the end of its clause.
func (s *Sentence) ClauseAfter(i int) []string { return s.Words[i+1 : max(i+1, s.clauseEnd(i))] }

// isHeld reports whether the clause of words[i] says that something stays as it is or waits.
func (s *Sentence) isHeld(hits []hit, i int) bool {
	return slices.ContainsFunc(hits, func(h hit) bool {
		between := s.Words[min(h.at, i):max(h.at, i)]
		return h.kinds&Holds != 0 && !slices.Contains(between, ",") && !(i > 0 && Listed("and", s.Words[i-1]) && h.at < i) && !(h.at > i && AnyListed("and", between)) // "Keep the first and close the others"
	})
}

// readPoints notes that a sentence has done what a text says, as in "Order what it lists", and not only read, as in "Tell me
// what it lists".
func (s *Sentence) readPoints(lang string, hits []hit) {
	if s.Question {
		return
	}
	for _, p := range hits {
		if p.kinds&points == 0 {
			continue
		}
		governing := hit{at: -1}
		for _, h := range hits {
			if h.kinds&(Deeds|Look|Vague) != 0 && h.at < p.at && h.at >= governing.at && !slices.Contains(s.Barred, s.Words[h.at]) && !(h.noun && !s.mayAsk(lang, h.at)) {
				governing = h
			}
		}
		for j, w := range s.Words[:p.at] { // "take our repo through its steps"
			if j > governing.at && Listed("doVerb", w) && (s.verbAt(j) || s.StartsClause(j) || j > 0 && Listed("and", s.Words[j-1])) {
				governing = hit{at: j, kinds: Vague}
			}
		}
		for _, h := range hits { // "If they advise something, do that"
			if h.kinds&Vague != 0 && h.at > p.at && slices.Contains(s.Words[p.at:h.at], ",") {
				governing = h
			}
		}
		if governing.at < 0 || governing.kinds&Look != 0 || s.isDenied(lang, governing.at) || slices.Contains(s.ByOthers, s.Words[governing.at]) {
			continue
		}
		if governing.kinds&Deeds == 0 || Listed("doVerb", s.Words[governing.at]) {
			governing.kinds |= Deeds
		}
		s.ByText |= governing.kinds & Deeds
	}
}

// readNounNo adds what a clause denies in two or three words, as in "O grupo não" and "Die Gruppe nicht".
func (s *Sentence) readNounNo(lang string) {
	if lang == "en" || s.Question {
		return
	}
	for _, clause := range Clauses(s.Words) {
		n := len(clause)
		if n != 2 && n != 3 || !Listed("denial", clause[n-1]) || n == 3 && !Listed("article", clause[0]) {
			continue
		}
		if noun := clause[n-2]; len(noun) > 3 && KindOf(noun) == 0 && !HasKind(lang, noun, Deeds|Look|Vague) && !IsFunctionWord(noun) {
			s.leaveOut(clause[:n-1])
		}
	}
}

// isDeterminer reports whether the no at words[i] belongs to the noun behind it.
func (s *Sentence) isDeterminer(i int) bool {
	if s.endsClause(i + 1) {
		return false
	}
	w := s.Words[i+1]
	return len(w) > 2 && KindOf(w) == 0 && !IsFunctionWord(w) && !Listed("filler", w) && !Listed("courtesy", w) && !HasKind("en", w, Withdraws|Agrees|Refuses|Corrects)
}

// hasCondition reports whether a sentence begins a clause with if.
func (s *Sentence) hasCondition() bool {
	return AnyListed("if", s.Words)
}

// StartsClause reports whether words[i] is the first word of its clause, apart from words
// such as "well" and "actually".
func (s *Sentence) StartsClause(i int) bool {
	for i > 0 && Listed("filler", s.Words[i-1]) {
		i--
	}
	return i == 0 || s.Words[i-1] == "," || i > 1 && Listed("bare", s.Words[i-1]) && Listed("if", s.Words[i-2])
}

// clauseStart returns where the clause of words[i] begins.
func (s *Sentence) clauseStart(i int) int {
	for i > 0 && s.Words[i-1] != "," {
		i--
	}
	return i
}

// clauseEnd returns where the clause of words[i] ends.
func (s *Sentence) clauseEnd(i int) int {
	for !s.endsClause(i) {
		i++
	}
	return i
}

// Clauses returns the clauses that "," separates, each with the number of words before it. O(len(words)).
func Clauses(words []string) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		for from := 0; from < len(words); {
			to := from
			for to < len(words) && words[to] != "," {
				to++
			}
			if !yield(from, words[from:to]) {
				return
			}
			from = to + 1
		}
	}
}

// prefersOther reports whether the clause goes on from words[i] with what the user would rather have, as in
// "ok then I'd rather wait".
func (s *Sentence) prefersOther(i int) bool {
	for ; i < len(s.Words) && s.Words[i] != ","; i++ {
		if Listed("rather", s.Words[i]) {
			return true
		}
	}
	return false
}

func (s *Sentence) endsClause(i int) bool { return i >= len(s.Words) || s.Words[i] == "," }

// opensQuestion reports whether a question word at words[i] is where a question begins.
func (s *Sentence) opensQuestion(i int) bool {
	if i+1 < len(s.Words) && Listed("doVerb", s.Words[i]) && (IsDigits(s.Words[i+1]) || Listed("step", s.Words[i+1])) {
		return false // "Do 1 and 2"
	}
	if i > 0 && Listed("beforeWhat", s.Words[i-1]) && s.StartsClause(i-1) && Listed("asksWhat", s.Words[i]) && strings.HasSuffix(s.Text, "?") {
		return true // "If I moved out, by when would I have to cancel?"
	}
	if i == 0 && s.Words[0] == "e" && strings.HasPrefix(strings.ToLower(s.Text), "e") && !strings.HasSuffix(strings.TrimRight(s.Text, " \"')"), "?") {
		return false // Portuguese and Italian: "E cancela o pedido", and not "É possível …"
	}
	return i == 0 || i == 1 && (s.Words[0] == "," || s.Words[0] == "and" || s.Words[0] == "so") || i > 0 && s.Words[i-1] == "," && strings.HasSuffix(s.Text, "?")
}

// verbAt reports whether an English word stands where a verb of a request stands.
func (s *Sentence) verbAt(i int) bool {
	if i == 0 {
		return true
	}
	if i > 1 && Listed("bare", s.Words[i-1]) && Listed("if", s.Words[i-2]) {
		return true // "and if so sign it"
	}
	if IsDigits(s.Words[i-1]) && strings.Contains(s.Folded, s.Words[i-1]+". "+s.Words[i]) || Listed("beforeVerb", s.Words[i-1]) {
		return s.Words[i-1] != "me" && s.Words[i-1] != "go" || i > 1 && s.Words[i-2] == "help"
	}
	return false
}

// isNounAt reports whether the English word at words[i] follows one after which no verb stands, as in "on
// shift" and "their install page".
func (s *Sentence) isNounAt(i int) bool { return i > 0 && Listed("beforeNoun", s.Words[i-1]) }

// mayAsk reports whether a word that is also a noun asks for a deed at words[i].
func (s *Sentence) mayAsk(lang string, i int) bool {
	if lang == "en" {
		return s.verbAt(i) && !s.isSubject(i) || s.wantedAt(i) || i > 0 && HasKind(lang, s.Words[i-1], negates)
	}
	return i == 0 || Listed("beforeVerbElsewhere", s.Words[i-1]) || s.IsNegated(lang, i)
}

// wantedAt reports whether the noun at words[i] is something that the sentence wants, as
// in "I need a refund".
func (s *Sentence) wantedAt(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		switch {
		case Listed("wants", s.Words[j]):
			return s.Words[i] != "update" || s.Words[i-1] != "an" // news
		case Listed("endsWanted", s.Words[j]):
			return false
		}
	}
	return false
}

// IsNegated reports whether a word of the four words before words[i], in the same clause,
// turns it into its opposite. In German the word may also follow.
func (s *Sentence) IsNegated(lang string, i int) bool {
	for j := i - 1; j >= 0 && j >= i-4 && s.Words[j] != ","; j-- {
		if Listed("forget", s.Words[j]) { // "Don't forget to pay"
			return false
		}
		if HasKind(lang, s.Words[j], negates) && !s.isSuggestion(j) {
			return lang != "fr" || !s.isOnly(j)
		}
	}
	if lang == "de" || lang == "nl" {
		for j := i + 1; j < len(s.Words) && j <= i+4 && s.Words[j] != ","; j++ {
			if Listed("notAfter", s.Words[j]) {
				return !s.isSuggestion(j)
			}
		}
	}
	return false
}

// isOnly reports whether words[j] begins "ne … que", which says only, and not no: "Ne supprime que a.txt."
func (s *Sentence) isOnly(j int) bool {
	if s.Words[j] != "ne" && s.Words[j] != "n" {
		return false
	}
	for k := j + 1; k < len(s.Words) && k <= j+6 && s.Words[k] != ","; k++ {
		switch s.Words[k] {
		case "pas", "plus", "jamais", "rien", "point", "personne":
			return false
		case "que", "qu":
			return k > j+1
		}
	}
	return false
}

// isAskedWhat reports whether the clause of words[i] begins with a word that asks for a fact, such as what.
func (s *Sentence) isAskedWhat(i int) bool {
	from := s.clauseStart(i)
	return from < i && AnyListed("asksWhat", s.Words[from:min(i, from+2)])
}

// asksYou reports whether a question in Spanish or Italian begins with a pronoun and a verb of the second person, as
// in "¿Me lo cambias?" and "Mi spegni la luce?"
func (s *Sentence) asksYou(lang string) bool {
	ending := map[string]string{"es": "s", "it": "i"}[lang]
	i := 0 // the last clause asks: "No se me olvide, ¿me lo apuntas?"
	for k, w := range s.Words {
		if w == "," && k+1 < len(s.Words) && Listed("pronounBefore", s.Words[k+1]) {
			i = k + 1
		}
	}
	for i < len(s.Words) && (s.Words[i] == "," || Listed("filler", s.Words[i])) {
		i++
	}
	from := i
	for i < len(s.Words) && Listed("pronounBefore", s.Words[i]) {
		i++
	}
	return ending != "" && strings.HasSuffix(strings.TrimSpace(s.Text), "?") && i > from && i < len(s.Words) && strings.HasSuffix(s.Words[i], ending) && len(s.Words[i]) > 3 && !HasKind(lang, s.Words[i], Look) && !AnyListed("asksWhat", s.Words)
}

// isOnlyTold reports whether the verb at words[i] stands in what the sentence wants to be told, as in "Tell me
// what the rows add up to".
func (s *Sentence) isOnlyTold(lang string, i int) bool {
	what := -1
	for j := i - 1; j >= 0; j-- {
		switch w := s.Words[j]; {
		case what < 0 && (Listed("and", w) || w == "so" || w == "," && (j+2 >= i || !AnyListed("asksWhat", s.Words[j+1:j+3]))):
			return false
		case Listed("asksWhat", w):
			what = j
		case what >= 0 && what-j < 4 && HasKind(lang, w, Look), what >= 0 && j > 0 && Listed("prose", w):
			return true
		}
	}
	return false
}

// isNoRequest reports whether the verb at words[i] belongs to a phrase that asks for no deed: "I would like", "to let
// you know", "Booking QX7L2P."
func (s *Sentence) isNoRequest(i int) bool {
	w := s.Words[i]
	switch {
	case w == "like" && i > 0:
		return Listed("would", s.Words[i-1])
	case i > 1 && s.Words[i-1] == "you" && Listed("if", s.Words[i-2]):
		return true // "when you get a moment"
	case w == "let" && i+1 < len(s.Words):
		return s.Words[i+1] == "you"
	case i > 0 && Listed("stateBefore", s.Words[i-1]) && Listed("stateWord", w):
		return true // "She was clear that nobody decides"
	case i == 0 && len(s.Words) == 2 && (strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "tion") || strings.HasSuffix(w, "ment")):
		return strings.IndexFunc(s.Words[1], unicode.IsDigit) >= 0 && strings.IndexFunc(s.Words[1], unicode.IsLetter) >= 0
	}
	return false
}

// isNeedless reports whether the words before a denied verb at words[i] only say that it need not be
// done, as in "You don't have to".
func (s *Sentence) isNeedless(i int) bool {
	return i > 1 && s.Words[i-1] == "to" && (s.Words[i-2] == "have" || s.Words[i-2] == "need")
}

// keepBarred keeps the things that a clause names from words[i] on as what is forbidden.
func (s *Sentence) keepBarred(i int) {
	for ; i < len(s.Words) && s.Words[i] != ","; i++ {
		if w := s.Words[i]; len(w) > 3 && !IsFunctionWord(w) && !Listed("filler", w) {
			s.Barred = append(s.Barred, w)
		}
	}
}

// readCJK reads a sentence of Chinese or Japanese, whose words have no spaces.
func (s *Sentence) readCJK() {
	s.Question = strings.ContainsAny(s.Text, "？?") || strings.HasSuffix(strings.TrimRight(s.Text, "。"), "吗") || strings.HasSuffix(strings.TrimRight(s.Text, "。"), "か")
	for _, clause := range strings.FieldsFunc(s.Text, func(r rune) bool { return strings.ContainsRune(",，;；、", r) }) {
		var has Kinds
		for _, p := range theTables().cjk {
			at := indexVerb(clause, p.words[0])
			if at < 0 || p.kinds&Deeds != 0 && isObject(clause, at+len(p.words[0])) || p.kinds == Refuses && (at > 0 || utf8.RuneCountInString(clause) > 4) {
				continue
			}
			if p.kinds&Deeds != 0 && (HoldsListed(clause[at+len(p.words[0]):], "doneBehind") || HoldsListed(clause[:at], "doneBefore")) {
				s.Done |= p.kinds & Deeds // "母が買ってきてくれた"
				continue
			}
			if p.kinds&Deeds != 0 && isNotDone(clause[:at], clause[at+len(p.words[0]):]) {
				has |= Withdraws
			}
			has |= p.kinds
		}
		if before, after, ok := strings.Cut(clause, "就"); ok && before != "" && lastRune(before) == firstRune(after) { // "扣就扣吧"
			has |= Agrees
		}
		s.Rest = s.Rest || has == 0 && !s.Question && utf8.RuneCountInString(clause) > 3 && strings.ContainsFunc(clause, isUnspacedLetter) && !strings.ContainsAny(clause, "何谁誰哪几幾吗嗎") && !strings.Contains(clause, "什么") && !strings.Contains(clause, "多少")
		if deeds := has & Deeds; has&(Withdraws|Holds) == 0 {
			s.Asks |= deeds
		} else {
			s.Bars |= deeds
		}
		if has&Holds != 0 {
			s.Held = append(s.Held, clause)
		}
		if has&(Holds|Withdraws) != 0 {
			s.Spared = append(s.Spared, clause)
		}
		if has&points != 0 && has&Look == 0 {
			s.ByText = Deeds
		}
		s.Has |= has &^ Deeds
	}
	if s.Asks != 0 {
		s.Has &^= Withdraws // what one clause denies is not what the others ask for
	} else {
		s.Asks, s.Bars = s.Bars, 0
	}
	s.Named = s.Asks
	if s.Has&Polite != 0 && !strings.ContainsAny(s.Text, "何谁誰哪") && !strings.Contains(s.Text, "什么") {
		s.Question = false
	}
	if s.Has&Ponders != 0 {
		s.Done |= s.Asks
	}
	if s.Question || s.Has&(Withdraws|Ponders) != 0 {
		s.Asks = 0
	}
}

// indexVerb returns where a word stands in a clause, or -1. In a Japanese clause, one right before another Chinese sign is a
// part of a noun: 支払期限.
func indexVerb(clause, word string) int {
	japanese := strings.ContainsFunc(clause, func(r rune) bool { return unicode.In(r, unicode.Hiragana) })
	for from := 0; ; {
		at := strings.Index(clause[from:], word)
		if at < 0 {
			return -1
		}
		end := from + at + len(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		next, _ := utf8.DecodeRuneInString(clause[end:])
		if !japanese || !unicode.Is(unicode.Han, last) || !unicode.Is(unicode.Han, next) {
			return from + at
		}
		from = end
	}
}

// isObject reports whether a Japanese word for a deed that ends at an index of a clause is the noun of what another deed is done to:
// 注文51をキャンセル.
func isObject(clause string, end int) bool {
	rest := strings.TrimLeft(clause[end:], "0123456789 ")
	if !strings.HasPrefix(rest, "を") && !strings.HasPrefix(rest, "は") && !strings.HasPrefix(rest, "の") {
		return false
	}
	for _, p := range theTables().cjk {
		if p.kinds&Deeds != 0 && indexVerb(rest, p.words[0]) >= 0 {
			return true
		}
	}
	return false
}

// isNotDone reports whether the parts of a clause before and behind a Chinese or Japanese verb deny it: 不取消, キャンセルしません.
// 能不能 and the like only ask.
func isNotDone(before, after string) bool {
	no := strings.HasSuffix(before, "不") && !strings.HasSuffix(before, "要不") && !strings.HasSuffix(before, "能不") && !strings.HasSuffix(before, "可不")
	return no || strings.HasSuffix(before, "别") || strings.HasSuffix(before, "沒") || strings.HasSuffix(before, "没") ||
		strings.HasPrefix(after, "しない") || strings.HasPrefix(after, "しません") || strings.HasPrefix(after, "しなくて")
}

// ReadsOnly reports whether a sentence is a request or a question that only wants to know
// something.
func (s *Sentence) ReadsOnly() bool {
	return s.Asks == 0 && (s.Question || s.Has&Look != 0) && s.Has&Delegates == 0 && !s.Rest
}

// BarsAll reports whether a sentence says that nothing is to be changed.
func (s *Sentence) BarsAll() bool { return s.Has&nothing != 0 }

// TakesUp reports whether a sentence agrees to something that was said and names which, as in "Great, half seven then, for
// two".
func (s *Sentence) TakesUp() bool {
	return s.Has&Agrees != 0 && !s.Question && s.Asks == 0 && s.Has&(Withdraws|Refuses) == 0 && (len(s.NumbersSaid()) > 0 || len(s.MembersSaid()) > 0)
}

// AsksIndirectly reports whether a sentence wants to be told a fact, as in "Find out whether it is free".
func (s *Sentence) AsksIndirectly(lang string) bool {
	look := -1
	for i, w := range s.Words {
		if look >= 0 && i > look && (w != "of" || lang != "en") && Listed("asksWhat", w) {
			return true
		}
		if look < 0 && HasKind(lang, w, Look) {
			look = i
		}
	}
	return false
}

// IsVague reports whether a sentence wishes something, but names no deed.
func (s *Sentence) IsVague() bool {
	return s.Asks == 0 && !s.Question && s.Has&Vague != 0 && s.Has&Look == 0
}

// HandsOver reports whether a sentence leaves it to the agent what is to be done, as in "Read it and deal with it".
func (s *Sentence) HandsOver() bool {
	return !s.Question && s.Has&handsOver != 0
}

// leastKnown says that more than one in so many words of a text must be known.
const leastKnown = 3

// IsKnown reports whether the language of a text is known: it is one of the tables, and a question begins as in it, or no
// letter is strange to it, and two of its small words or enough of its other words are there. Of a few words it returns true.
// O(length).
func (r *Reading) IsKnown() bool {
	known, words, strange, small := 0, 0, false, map[string]bool{}
	for k := range r.Sentences {
		s := &r.Sentences[k]
		if s.Opened || r.Lang == "cjk" {
			return true
		}
		written := splitTokens(s.Text)
		hits, to := patternsIn(r.Lang, s.Words), 0
		for i, w := range s.Words {
			for ; len(hits) > 0 && hits[0].at <= i; hits = hits[1:] {
				to = max(to, hits[0].at+hits[0].length)
			}
			switch {
			case i < to:
				if known, words = known+1, words+1; HasKind(r.Lang, w, language) {
					small[w] = true
				}
			case len(w) < 2, isNumbered(w), i > 0 && len(written) == len(s.Words) && isCapital(written[i]):
			default:
				words++
				strange = strange || len(written) == len(s.Words) && strings.ContainsFunc(written[i], func(c rune) bool { return isOtherScript(c) || r.Lang == "en" && c >= 0x80 && unicode.IsLetter(c) })
			}
		}
	}
	return !strange && (words <= leastKnown || known*leastKnown > words || len(small) > 1 && len(small)*(leastKnown+1) >= words)
}

// isPondered reports whether the verb at words[i] only says what somebody thinks of, fears, forgot or did, as in "I'm thinking
// about cancelling it" and "Mon mari a annulé".
func (s *Sentence) isPondered(lang string, hits []hit, i int) bool {
	if lang == "fr" && i > 0 && (Listed("haveBefore", s.Words[i-1]) || Listed("wasElsewhere", s.Words[i-1]) || Listed("willBe", s.Words[i-1])) && strings.HasSuffix(s.Words[i], "e") {
		return true // "Le projet sera supprimé"
	}
	if s.Has&Ponders == 0 {
		return false
	}
	from := i
	for from > 0 && (s.Words[from-1] != "," || from < i && Listed("complement", s.Words[from]) || i > 0 && s.Words[i-1] == "zu" || lang == "de" && s.Words[from] == "wenn") && !(Listed("and", s.Words[from-1]) && (s.Words[from-1] != "en" || lang == "nl")) {
		from--
	}
	return slices.ContainsFunc(hits, func(h hit) bool {
		return h.kinds&Ponders != 0 && from <= h.at && h.at < i && !s.isDenied(lang, h.at)
	})
}

// isDenied is like IsNegated for a verb that may have a denial right behind it in any language, as in "Mach nicht, was drinsteht".
func (s *Sentence) isDenied(lang string, i int) bool {
	return s.IsNegated(lang, i) || AnyListed("denial", s.Words[i:min(i+3, len(s.Words))])
}

// readRest notes whether a sentence goes on after "and" with a verb that is not known, as in "Read it and
// enter it".
func (s *Sentence) readRest(lang string, hits []hit) {
	if len(s.Words) > 1 && s.Words[0] != "," && !s.Opened && s.Asks == 0 && s.Has&Look == 0 && !IsFunctionWord(s.Words[0]) && !Listed("filler", s.Words[0]) && !Listed("courtesy", s.Words[0]) && Listed("determiner", s.Words[1]) && !isCovered(hits, 0) {
		s.Rest = true // "Load the file"
	}
	if first := s.Words[:min(1, len(s.Words))]; lang == "en" && len(s.Words) > 2 && s.Asks == 0 && s.Bars == 0 && s.Has&(Look|Agrees|Refuses|Withdraws|Limits) == 0 && !s.Question && !AnyListed("stating", s.Words) && !AnyListed("isSo", s.Words) && !Listed("itWill", first[0]) &&
		!IsFunctionWord(first[0]) && !Listed("filler", first[0]) && !Listed("courtesy", first[0]) && !strings.ContainsFunc(first[0], func(r rune) bool { return !unicode.IsLetter(r) }) && len(s.Without) == 0 && !isCovered(hits, 0) {
		s.Rest = true // "Roll it to 1.9.0"
	}
	if lang == "en" && s.Question && len(s.Words) > 3 && s.Words[0] == "could" && Listed("ofPlace", s.Words[1]) {
		s.Rest = true // "Could my order still go to the office?"
	}
	if lang == "en" && s.Question && len(hits) > 0 && hits[0].at == 0 && hits[0].kinds&Deeds != 0 && !hits[0].noun && len(s.Words) > 2 && Listed("determiner", s.Words[1]) {
		s.Rest = true // "Wake us at 7?"
	}
	for i := 1; i+2 < len(s.Words); i++ {
		w := s.Words[i+1]
		if (Listed("and", s.Words[i]) || i > 1 && s.Words[i] == "," && Listed("bare", s.Words[i-1]) && Listed("if", s.Words[i-2])) && !IsFunctionWord(w) && !HasKind(lang, w, Opens) && !Listed("filler", w) && Listed("determiner", s.Words[i+2]) && !isCovered(hits, i+1) {
			s.Rest = true
		}
	}
}

// PointsBack reports whether a sentence asks for something to be done to what was spoken of before: the verb has a pronoun
// as its object, or none.
func (s *Sentence) PointsBack() bool {
	for _, verb := range s.AskedBy {
		for i, w := range s.Words {
			if w != verb {
				continue
			}
			rest := s.Words[i+1:]
			for len(rest) > 0 && (Listed("filler", rest[0]) || Listed("particle", rest[0])) {
				rest = rest[1:]
			}
			if len(rest) == 0 || rest[0] == "," || Listed("pointer", rest[0]) || Listed("and", rest[0]) {
				return true
			}
		}
		if _, n := wordForms(verb); n > 1 {
			return true // mettilo
		}
	}
	return false
}

// PointsBackHeld reports whether a clause that says that something stays as it is names it with a pronoun only.
func (s *Sentence) PointsBackHeld() bool {
	for _, clause := range Clauses(s.Held) {
		if AnyListed("pointer", clause) && !slices.ContainsFunc(clause, func(w string) bool { return MayName(w) && !Listed("heldHow", w) }) {
			return true
		}
	}
	return false
}

// MayName reports whether a word of a clause may name a thing.
func MayName(w string) bool {
	return len(w) > 3 && !IsFunctionWord(w) && !Listed("filler", w) && !Listed("pointer", w)
}

// ThingWords returns the words of a clause that may name things.
func ThingWords(words []string) (out []string) {
	for _, w := range words {
		if MayName(w) {
			out = append(out, w)
		}
	}
	return out
}

// Numbers returns the words of a sentence that have a digit, sorted, each once: they name things.
func (s *Sentence) Numbers() (out []string) {
	for _, w := range s.Words {
		if isNumbered(w) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// IsCourtesy reports whether a sentence only greets, thanks or agrees.
func (s *Sentence) IsCourtesy() bool {
	return len(s.Words) > 0 && !slices.ContainsFunc(s.Words, func(w string) bool {
		return w != "," && len(w) > 2 && !Listed("courtesy", w) && !Listed("filler", w) && !IsFunctionWord(w)
	})
}

// IsTitle reports whether a sentence is only a heading, as in "Goal:".
func (s *Sentence) IsTitle() bool {
	return s.Asks == 0 && s.Has == 0 && len(s.Words) < 4 && strings.HasSuffix(s.Text, ":")
}

// LimitsEarlier reports whether a sentence asks for no deed of its own, but says how much of
// what was asked before is still wanted, as in "Only the flight" and "Skip the hotel".
func (s *Sentence) LimitsEarlier() bool {
	return s.Asks == 0 && !s.Question && (s.Has&Limits != 0 || len(s.Without) > 0)
}

// ordersLater reports whether a clause behind the first one begins with the verb of a deed.
func (s *Sentence) ordersLater(hits []hit) bool {
	return slices.ContainsFunc(hits, func(h hit) bool { return h.kinds&Deeds != 0 && h.at > 1 && s.Words[h.at-1] == "," })
}

// Condition returns the words of the clause that says when or of whom an instruction is to be followed, or nil if that is
// always.
func (s *Sentence) Condition() []string {
	from := 0
	switch at := slices.IndexFunc(s.Words, func(w string) bool { return Listed("if", w) }); {
	case at >= 0:
		from = at + 1
	case slices.Contains(s.Words, "once") && s.Receives() != 0: // "Customers get the survey once their case is closed"
		from = slices.Index(s.Words, "once") + 1
	case len(s.Words) > 2 && Listed("if", s.Words[0]+" "+s.Words[1]): // "dès que"
		from = 2
	case len(s.Words) > 2 && Listed("eachTime", s.Words[0]+" "+s.Words[1]), s.isOfAll():
		from = 2
	case !s.isInverted():
		return nil
	}
	to := from
	for !s.endsClause(to) && !Listed("receives", s.Words[to]) {
		to++
	}
	return s.Words[from:to]
}

// isOfAll reports whether a sentence is about all those of whom it says something, as in "Customers who ask for a copy get one".
func (s *Sentence) isOfAll() bool {
	return len(s.Words) > 4 && Listed("userWord", s.Words[0]) && Listed("relative_pronoun", s.Words[1])
}

// IsOnlyBefore reports whether a sentence denies nothing, but says what is to be done before something else, as in "before
// you answer".
func (s *Sentence) IsOnlyBefore() bool {
	return slices.Contains(s.Words, "before") && !AnyListed("denial", s.Words) && !AnyListed("never", s.Words)
}

// isInverted reports whether a sentence begins with its verb before somebody whom it does not name, as in "Nennt ein Kunde
// seine Nummer, notiere sie".
func (s *Sentence) isInverted() bool {
	return len(s.Words) > 4 && Listed("someone", s.Words[1]) && !s.Question && slices.Contains(s.Words, ",") && s.Asks != 0 && !Listed("someone", s.Words[0])
}

// IsStanding reports whether a sentence of the instructions holds for every conversation: it says
// so, or it begins with a condition or with all those whom it is about.
func (s *Sentence) IsStanding() bool {
	return s.Has&standing != 0 || s.isInverted() || len(s.Words) > 3 && Listed("userWord", s.Words[0]) && s.Receives() != 0 || s.isOfAll() || len(s.Words) > 4 && Listed("whenever", s.Words[0]) || len(s.Words) > 0 && (s.Words[0] == "if" || s.Words[0] == "when" || s.Words[0] == "after" || s.Words[0] == "for") && slices.Contains(s.Words, ",")
}

// Receives returns the kinds of deeds by which a thing gets what a sentence says that it gets.
func (s *Sentence) Receives() Kinds {
	if AnyListed("receives", s.Words) {
		return Make | Change | Send | Grant
	}
	return 0
}

// MayWant reports whether a sentence has the form of a request or a wish, but no verb that is known.
func (s *Sentence) MayWant() bool {
	return s.Asks == 0 && s.Has&Look == 0 && !s.Question && s.Reported == 0 && s.Has&(Polite|Vague) != 0
}

// IsOfSeveral reports whether a sentence may ask for several things. In languages whose plurals have no ending of
// their own, each may.
func (s *Sentence) IsOfSeveral(lang string) bool {
	if lang != "en" && lang != "es" && lang != "pt" && lang != "fr" {
		return true
	}
	return slices.ContainsFunc(s.Words, func(w string) bool {
		return w == "," || IsWide(w) || Listed("and", w) || Listed("several", w) || IsDigits(w) || len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !IsFunctionWord(w)
	})
}
