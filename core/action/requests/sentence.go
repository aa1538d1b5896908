package requests

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// sentence is what one sentence asks for.
type sentence struct {
	text     string
	words    []string // folded, with "," between clauses
	asks     Kinds    // the kinds of deeds that it asks for
	bars     Kinds    // the kinds of deeds that it forbids
	barred   []string // the words of what it forbids: verbs that have no kind, and things
	named    Kinds    // the kinds of deeds that it names in any form
	has      Kinds    // the other meanings of its words
	verbs    []string // English verbs of deeds that it asks for
	question bool     // it only wants to know something
	opened   bool     // it begins with a word that asks for a fact
	foreign  bool     // its language is not known
	passive  Kinds    // the kinds of deeds that it says are done, as in "Each reset is reported"
	rest     bool     // it goes on with a verb that is not known
	without  []string // the words for what it leaves out
	askedBy  []string // the words of the deeds that it asks for
}

// reading is what a text asks for.
type reading struct {
	sentences []sentence
	lang      string
}

// readText reads the sentences of a text. O(length).
func readText(text string) reading { return readTextNear(text, "") }

// readTextNear is like readText, but a text that may be of several languages is read in the given one.
func readTextNear(text, near string) reading {
	out := reading{}
	lang := languageNear(text, near)
	out.lang = lang
	for _, s := range splitSentences(text) {
		out.sentences = append(out.sentences, readSentence(s, lang))
	}
	return out
}

// mostSentences is the number of sentences of one text that are read.
const mostSentences = 400

// splitSentences splits a text at the ends of sentences and lines.
func splitSentences(text string) []string {
	var out []string
	from := 0
	cut := func(to int) {
		if s := strings.TrimSpace(text[from:to]); s != "" && len(out) < mostSentences {
			out = append(out, s)
		}
		from = to
	}
	for i, r := range text {
		switch r {
		case '\n':
			cut(i)
		case '.', '!', '?', ';', ':':
			if i+1 == len(text) || strings.IndexByte(" \n\t\"')*", text[i+1]) >= 0 {
				if i+1 < len(text) && goesOnAfterQuote(text[i+1:]) || r == '.' && (endsShort(text[from:i]) || isOrdinal(text[from:i], text[i+1:])) {
					continue
				}
				cut(i + 1)
			}
		case '。', '！', '？':
			cut(i + utf8.RuneLen(r))
		}
	}
	cut(len(text))
	return out
}

// goesOnAfterQuote reports whether a text begins with a quotation mark after which a sentence goes on.
func goesOnAfterQuote(text string) bool {
	rest, ok := strings.CutPrefix(text, `"`)
	return ok && len(rest) > 1 && (rest[0] == ',' || rest[0] == ' ' && rest[1] >= 'a' && rest[1] <= 'z')
}

// endsShort reports whether a text ends in a shortened word, such as Dr. or an initial.
func endsShort(s string) bool {
	w := s[strings.LastIndexByte(s, ' ')+1:]
	return isListed("shortened", strings.ToLower(w)) || len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z'
}

// isOrdinal reports whether a dot belongs to the number before it, as in "am 10. um acht".
func isOrdinal(before, after string) bool {
	n := len(before)
	word := before[strings.LastIndexAny(before, " .(")+1:]
	return n > 0 && len(word) <= 2 && strings.Trim(word, "0123456789") == "" && word != "" && len(after) > 1 && after[0] == ' ' && after[1] >= 'a' && after[1] <= 'z'
}

// readTokens returns the folded words of a sentence. A comma, a dash and "but" end a clause
// and become ",". Quoted parts and code are left out, because they are things, not deeds.
func readTokens(s string) []string {
	s = strings.ReplaceAll(dropQuoted(foldText(s)), " - ", " , ")
	var out []string
	from := -1
	flush := func(to int) {
		if from >= 0 {
			w := s[from:to]
			if w == "but" || w == "aber" || w == "pero" || w == "mais" || w == "ma" || w == "mas" || w == "maar" {
				w = ","
			}
			out = append(out, w)
		}
		from = -1
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_@#./", r) && from >= 0:
			if from < 0 {
				from = i
			}
		default:
			flush(i)
			if r == ',' || r == '–' || r == '—' || r == ':' || r == '(' || r == ')' || r == '¿' || r == '¡' {
				out = append(out, ",")
			}
		}
	}
	flush(len(s))
	for i, w := range out {
		out[i] = strings.TrimRight(w, "./_")
	}
	return out
}

// dropQuoted leaves out the quoted parts of a sentence, and joins English short forms
// such as don't.
func dropQuoted(text string) string {
	if !strings.ContainsAny(text, "\"'`“’«") {
		return text
	}
	s := []rune(strings.ReplaceAll(text, "’", "'"))
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); i++ {
		closing, opens := closingQuote[s[i]]
		inWord := i > 0 && (unicode.IsLetter(s[i-1]) || unicode.IsDigit(s[i-1]))
		switch {
		case opens && !(s[i] == '\'' && inWord):
			if end := closingAt(s, i+1, closing); end > 0 {
				i = end
			}
			out = append(out, ' ')
		case s[i] == '\'' && !shortEnd(s[i+1:]):
			out = append(out, ' ')
		case s[i] == '\'' && i+1 < len(s) && s[i+1] == 'r': // we're is not were
			out = append(out, ' ', 'a')
		case s[i] != '\'':
			out = append(out, s[i])
		}
	}
	return string(out)
}

var closingQuote = map[rune]rune{'"': '"', '`': '`', '\'': '\'', '“': '”', '«': '»'}

// closingAt returns the index of the quote that ends a quoted part, or -1.
func closingAt(s []rune, from int, closing rune) int {
	for i := from; i < len(s); i++ {
		if s[i] == closing && (closing != '\'' || i+1 == len(s) || !unicode.IsLetter(s[i+1])) {
			return i
		}
	}
	return -1
}

// shortEnd reports whether what follows an apostrophe is the end of an English short
// form.
func shortEnd(s []rune) bool {
	end := slices.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	switch string(s[:end]) {
	case "t", "s", "re", "ll", "ve", "d", "m":
		return true
	}
	return false
}

// languageOf returns the language of a text: one of languages, "cjk", or "" if it is not
// known.
func languageOf(text string) string { return languageNear(text, "") }

// nearness is what the language of a conversation counts for one of its texts, in words.
const nearness = 3

// languageNear is like languageOf, but prefers a language if the text is nearly as likely to be of it.
func languageNear(text, near string) string {
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return "cjk"
		}
	}
	if len(text) > 4000 {
		text = text[:4000]
	}
	letters, others := 0, 0
	for _, r := range text {
		if letters++; isOtherScript(r) {
			others++
		}
	}
	if others*30 > letters {
		return ""
	}
	words := readTokens(text)
	best, most := "", 0
	for _, lang := range languages {
		n, verbs := 0, 0
		for _, h := range theTables().of[lang].findPatterns(words) {
			n += h.length
			if !h.noun {
				verbs++
			}
			if h.kinds&language != 0 {
				n++
			}
		}
		if verbs == 0 && len(words) > 2 && lang != near {
			continue // "mail" is a word of many languages
		}
		if lang == near && n > 0 {
			n += nearness
		}
		if n > most {
			best, most = lang, n
		}
	}
	return best
}

// readSentence reads one sentence of a language.
func readSentence(text, lang string) sentence {
	s := sentence{text: text, foreign: lang == ""}
	if lang == "cjk" {
		s.readCJK()
		return s
	}
	s.words = readTokens(text)
	hits := theTables().of[lang].findPatterns(s.words)
	for _, h := range hits {
		if h.kinds&wishes != 0 && h.at > 0 && isListed("unbidden", s.words[h.at-1]) {
			h.kinds &^= wishes // "without being asked"
		}
		s.has |= h.kinds &^ (deedKinds | Look | opens | withdraws | refuses | agrees | limits | without | nothing)
		if h.kinds&nothing != 0 && !s.hasCondition() && (h.at+h.length >= len(s.words) || !isListed("anythingElse", s.words[h.at+h.length])) {
			s.has |= nothing
		}
		if h.kinds&deedKinds != 0 {
			s.named |= h.kinds & deedKinds
		}
		if h.kinds&agrees != 0 && s.prefersOther(h.at+h.length) {
			h.kinds &^= agrees
		}
		if h.kinds&(withdraws|refuses|agrees) != 0 && s.startsClause(h.at) && (h.length > 1 || s.endsClause(h.at+1) || h.kinds&(agrees|refuses) != 0 && !h.noun) {
			s.has |= h.kinds & (withdraws | refuses | agrees)
		}
		if h.kinds&limits != 0 && h.at <= 1 && s.startsClause(h.at) && !s.endsClause(h.at+h.length) {
			s.has |= limits
		}
		if h.kinds&without != 0 {
			if h.gap {
				h.length = 1 // "leave Ann out"
			}
			s.readWithout(h.at, h.length)
		}
		if h.kinds&alone != 0 && (h.at == 0 || !isListed("notAlone", s.words[h.at-1])) && slices.Contains(s.words, ",") {
			from, to := h.at, h.at
			for ; from > 0 && s.words[from-1] != ","; from-- {
			}
			for ; to < len(s.words) && s.words[to] != ","; to++ {
			}
			s.leaveOut(s.words[from:to])
		}
		if h.kinds&deedKinds != 0 && lang == "de" && h.at+1 < len(s.words) && s.words[h.at+1] == "du" {
			s.has |= polite // "Schickst du es ab?"
		}
		if h.kinds&opens != 0 && s.opensQuestion(h.at) {
			s.question, s.opened = true, true
		}
	}
	if lang == "en" && len(s.words) > 0 && s.words[0] == "when" && slices.Contains(s.words, ",") {
		s.question = false // a condition
	}
	s.question = (s.question || strings.HasSuffix(strings.TrimRight(text, " \"')"), "?")) && s.has&polite == 0
	for _, h := range hits {
		if lang == "en" && h.kinds&Look != 0 && h.length == 1 {
			h.kinds |= s.looksOrDoes(h.at)
		}
		if h.kinds&(deedKinds|Look) == 0 || s.question && lang != "" {
			continue
		}
		if (h.noun || lang == "en" && s.isNounAt(h.at)) && !s.mayAsk(lang, h.at) {
			continue
		}
		if coveredBy(hits, h, withdraws) && s.has&withdraws != 0 {
			continue
		}
		if s.isNegated(lang, h.at) || s.isDoneAlone(hits, h.at) {
			if !s.isNeedless(h.at) {
				s.bars |= h.kinds & deedKinds
				s.keepBarred(h.at + 1)
			}
			continue
		}
		if lang == "en" && (s.isPlanned(h.at) && h.kinds&Buy == 0 || h.at > 0 && isListed("itWill", s.words[h.at-1])) {
			continue
		}
		if s.asks |= h.kinds & deedKinds; h.kinds&deedKinds != 0 {
			s.askedBy = append(s.askedBy, s.words[h.at])
		}
		s.has |= h.kinds & Look
		if h.kinds&deedKinds != 0 && lang == "en" {
			s.verbs = append(s.verbs, s.words[h.at])
		}
	}
	if len(s.words) > 1 && isListed("else", s.words[0]) && s.isPlanned(2) {
		s.asks = 0 // what the user does if not
	}
	if lang == "en" && !s.question {
		s.readVerbs(hits)
		if s.has&polite != 0 && s.asks == 0 {
			s.readForms()
		}
	}
	s.readRest(hits)
	s.readPassive(lang)
	s.readNone(lang)
	s.readFirstPerson(lang)
	if s.asks == 0 && !s.question {
		s.readMixed(lang)
	}
	if s.has&nothing != 0 {
		s.asks, s.bars = 0, deedKinds
	}
	if s.has&unsent != 0 {
		s.asks, s.bars = s.asks&^Send|Make, s.bars|Send
	}
	return s
}

// readPassive adds the English deeds that a sentence says can, should or must be done, as in "The old one
// can be dropped".
func (s *sentence) readPassive(lang string) {
	if lang == "en" && s.question {
		s.nameDone()
	}
	if lang != "en" || s.question {
		return
	}
	for i := 1; i < len(s.words); i++ {
		if isListed("isDone", s.words[i-1]) && !s.isNegated("en", i) {
			for _, base := range append(baseForms(s.words[i]), theTables().irregular[s.words[i]]) {
				s.passive |= kindOf(base) & deedKinds
			}
		}
	}
	for i := 2; i < len(s.words); i++ {
		if s.words[i-1] != "be" || !isListed("modal", s.words[i-2]) || s.isNegated("en", i) {
			continue
		}
		for _, base := range append(baseForms(s.words[i]), theTables().irregular[s.words[i]]) {
			if k := kindOf(base) & deedKinds; k != 0 {
				s.asks |= k
				s.verbs = append(s.verbs, base)
				break
			}
		}
	}
}

// looksOrDoes returns the kinds of deeds that an English word for looking asks for with what stands behind it:
// "Tell me" asks to know, "Tell Anna" to send, and "Open the page" to look, "Open the window" to do something.
func (s *sentence) looksOrDoes(i int) Kinds {
	rest := s.words[i+1:]
	for k, w := range rest {
		if w == "," {
			rest = rest[:k]
			break
		}
	}
	if len(rest) == 0 || !s.verbAt(i) {
		return 0
	}
	switch s.words[i] {
	case "tell":
		if !isListed("toldSelf", rest[0]) && !isFunctionWord(rest[0]) {
			return Send
		}
	case "open":
		if !slices.ContainsFunc(rest, func(w string) bool {
			return isListed("shown", singularOf(w)) || isListed("shown", w) || strings.ContainsAny(w, "./_")
		}) {
			return Switch | Make
		}
	}
	return 0
}

// nameDone adds the deeds of which an English question asks whether they can be done, as in "Can it be
// dropped?"
func (s *sentence) nameDone() {
	for i := 3; i < len(s.words); i++ {
		if s.words[i-1] != "be" || !isListed("modal", s.words[i-3]) {
			continue
		}
		for _, base := range append(baseForms(s.words[i]), theTables().irregular[s.words[i]]) {
			s.named |= kindOf(base) & deedKinds
		}
	}
}

// readNone adds what an English sentence says there is to be none of, as in "So no cake".
func (s *sentence) readNone(lang string) {
	if lang != "en" || len(s.words) > 5 {
		return
	}
	for i := 0; i+1 < len(s.words); i++ {
		if w := s.words[i+1]; s.words[i] == "no" && kindOf(w) == 0 && !isFiller(w) && w != "," && !isListed("courtesy", w) {
			end := i + 1
			for !s.endsClause(end) {
				end++
			}
			s.leaveOut(s.words[i+1 : end])
			return
		}
	}
}

// readFirstPerson adds what a verb in the first person names: what the agent offers to do, or what the
// user does himself.
func (s *sentence) readFirstPerson(lang string) {
	if lang != "es" && lang != "it" && lang != "pt" {
		return
	}
	for _, w := range s.words {
		k := theTables().of[lang].firstPerson(w)
		s.has |= k & Look
		if k &= deedKinds; k == 0 {
			continue
		}
		if s.named |= k; s.has&alone != 0 {
			s.bars |= k
		}
	}
}

// readMixed adds the deeds that a sentence asks for in another language than its own, as in "do the
// devolución". Only words count that are no words of its own language, and long.
func (s *sentence) readMixed(lang string) {
	for _, other := range languages {
		if other == lang || lang == "" {
			continue
		}
		for _, h := range theTables().of[other].findPatterns(s.words) {
			w := s.words[h.at]
			if h.kinds&deedKinds == 0 || len(w) < 5 || len(theTables().of[lang][w]) > 0 || other == "en" && h.noun || s.isNegated(lang, h.at) || s.isNegated(other, h.at) {
				continue
			}
			s.asks |= h.kinds & deedKinds
			if other == "en" {
				s.verbs = append(s.verbs, w)
			}
		}
	}
}

// readForms adds the English verbs that a polite question has in another form, as in "Any chance
// of deleting it?" and "Is it possible to have it removed?"
func (s *sentence) readForms() {
	for i, w := range s.words {
		for _, base := range baseForms(w) {
			if k := kindOf(base) & deedKinds; k != 0 && !s.isNegated("en", i) {
				s.asks |= k
				s.verbs = append(s.verbs, base)
				break
			}
		}
	}
}

// baseForms returns what an English word in -ing or -ed may be a form of.
func baseForms(w string) []string {
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
func (s *sentence) readVerbs(hits []hit) {
	for i, w := range s.words {
		if len(w) < 3 || !s.verbAt(i) || isCovered(hits, i) {
			continue
		}
		if d := mutation.DeedOf(w); (d.Class == "" || !d.Effectful()) && !verbs.Acts(w) {
			continue
		}
		if s.isNegated("en", i) || s.isDoneAlone(hits, i) {
			s.bars |= Other
			s.barred = append(s.barred, w)
			continue
		}
		s.asks |= Other
		s.verbs = append(s.verbs, w)
	}
}

func isCovered(hits []hit, i int) bool {
	for _, h := range hits {
		if h.at <= i && i < h.at+h.length && h.kinds&(deedKinds|Look|language|withdraws|without|limits) != 0 {
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
func (s *sentence) readWithout(i, length int) {
	from, to := i+length, i+length
	if s.endsClause(from) {
		for to = i; i > 0 && s.words[i-1] != ","; i-- {
		}
		from = i
	} else {
		for to < len(s.words) && s.words[to] != "," {
			to++
		}
	}
	s.leaveOut(s.words[from:to])
}

// leaveOut keeps the words of things that are not wanted.
func (s *sentence) leaveOut(words []string) {
	for _, w := range words {
		if len(w) > 2 && !isFunctionWord(w) || strings.ContainsFunc(w, unicode.IsDigit) {
			s.without = append(s.without, w)
		}
	}
}

// isDoneAlone reports whether the clause of words[i] says that the user does it himself.
func (s *sentence) isDoneAlone(hits []hit, i int) bool {
	return slices.ContainsFunc(hits, func(h hit) bool {
		return h.kinds&alone != 0 && !slices.Contains(s.words[min(h.at, i):max(h.at, i)], ",") && (h.at == 0 || !isListed("notAlone", s.words[h.at-1]))
	})
}

// hasCondition reports whether a sentence begins a clause with if.
func (s *sentence) hasCondition() bool {
	return slices.ContainsFunc(s.words, func(w string) bool { return isListed("if", w) })
}

// startsClause reports whether words[i] is the first word of its clause, apart from words
// such as "well" and "actually".
func (s *sentence) startsClause(i int) bool {
	for i > 0 && isFiller(s.words[i-1]) {
		i--
	}
	return i == 0 || s.words[i-1] == ","
}

// isFiller reports whether a folded word may stand before an answer and changes nothing.
func isFiller(w string) bool { return isListed("filler", w) }

// prefersOther reports whether the clause goes on from words[i] with what the user would rather have, as in
// "ok then I'd rather wait".
func (s *sentence) prefersOther(i int) bool {
	for ; i < len(s.words) && s.words[i] != ","; i++ {
		if isListed("rather", s.words[i]) {
			return true
		}
	}
	return false
}

func (s *sentence) endsClause(i int) bool { return i >= len(s.words) || s.words[i] == "," }

// opensQuestion reports whether a question word at words[i] is where a question begins.
func (s *sentence) opensQuestion(i int) bool {
	return i == 0 || i == 1 && (s.words[0] == "," || s.words[0] == "and" || s.words[0] == "so") || i > 0 && s.words[i-1] == "," && strings.HasSuffix(s.text, "?")
}

// verbAt reports whether an English word stands where a verb of a request stands.
func (s *sentence) verbAt(i int) bool {
	if i == 0 {
		return true
	}
	if isListed("beforeVerb", s.words[i-1]) {
		return s.words[i-1] != "me" && s.words[i-1] != "go" || i > 1 && s.words[i-2] == "help"
	}
	return false
}

// isNounAt reports whether the English word at words[i] follows one after which no verb stands, as in "on
// shift" and "their install page".
func (s *sentence) isNounAt(i int) bool { return i > 0 && isListed("beforeNoun", s.words[i-1]) }

// mayAsk reports whether a word that is also a noun asks for a deed at words[i].
func (s *sentence) mayAsk(lang string, i int) bool {
	if lang == "en" {
		return s.verbAt(i) || s.wantedAt(i) || i > 0 && hasKind(lang, s.words[i-1], negates)
	}
	return i == 0 || isListed("beforeVerbElsewhere", s.words[i-1]) || s.isNegated(lang, i)
}

// wantedAt reports whether the noun at words[i] is something that the sentence wants, as
// in "I need a refund".
func (s *sentence) wantedAt(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		switch {
		case isListed("wants", s.words[j]):
			return s.words[i] != "update" || s.words[i-1] != "an" // news
		case isListed("endsWanted", s.words[j]):
			return false
		}
	}
	return false
}

// isNegated reports whether a word of the four words before words[i], in the same clause,
// turns it into its opposite. In German the word may also follow.
func (s *sentence) isNegated(lang string, i int) bool {
	for j := i - 1; j >= 0 && j >= i-4 && s.words[j] != ","; j-- {
		if hasKind(lang, s.words[j], negates) {
			return true
		}
	}
	if lang == "de" || lang == "nl" {
		for j := i + 1; j < len(s.words) && j <= i+4 && s.words[j] != ","; j++ {
			if isListed("notAfter", s.words[j]) {
				return true
			}
		}
	}
	return false
}

// isPlanned reports whether the clause of words[i] begins with what the user is going to do himself, as
// in "I'll talk to him and let you know".
func (s *sentence) isPlanned(i int) bool {
	i = min(i, len(s.words))
	for i > 0 && s.words[i-1] != "," {
		i--
	}
	for i < len(s.words) && (isFiller(s.words[i]) && s.words[i] != "ill" || isListed("else", s.words[i])) {
		i++
	}
	return i+1 < len(s.words) && (s.words[i] == "ill" || s.words[i] == "i" && (s.words[i+1] == "will" || s.words[i+1] == "shall"))
}

// isNeedless reports whether the words before a denied verb at words[i] only say that it need not be
// done, as in "You don't have to".
func (s *sentence) isNeedless(i int) bool {
	return i > 1 && s.words[i-1] == "to" && (s.words[i-2] == "have" || s.words[i-2] == "need")
}

// keepBarred keeps the things that a clause names from words[i] on as what is forbidden.
func (s *sentence) keepBarred(i int) {
	for ; i < len(s.words) && s.words[i] != ","; i++ {
		if w := s.words[i]; len(w) > 3 && !isFunctionWord(w) && !isFiller(w) {
			s.barred = append(s.barred, w)
		}
	}
}

// hasKind reports whether a single word has a meaning in a language.
func hasKind(lang, word string, kind Kinds) bool {
	for _, p := range theTables().of[lang][word] {
		if len(p.words) == 1 && p.kinds&kind != 0 {
			return true
		}
	}
	return false
}

// readCJK reads a sentence of Chinese or Japanese, whose words have no spaces.
func (s *sentence) readCJK() {
	for _, clause := range strings.FieldsFunc(s.text, func(r rune) bool { return strings.ContainsRune(",，;；、", r) }) {
		var has Kinds
		for _, p := range theTables().cjk {
			if strings.Contains(clause, p.words[0]) {
				has |= p.kinds
			}
		}
		s.rest = s.rest || has == 0 && utf8.RuneCountInString(clause) > 3
		if deeds := has & deedKinds; has&withdraws == 0 {
			s.asks |= deeds
		} else {
			s.bars |= deeds
		}
		s.has |= has &^ deedKinds
	}
	if s.asks != 0 {
		s.has &^= withdraws // what one clause denies is not what the others ask for
	} else {
		s.asks, s.bars = s.bars, 0
	}
	s.named = s.asks
	s.question = strings.ContainsAny(s.text, "？?") || strings.HasSuffix(strings.TrimRight(s.text, "。"), "吗") || strings.HasSuffix(strings.TrimRight(s.text, "。"), "か")
	if s.has&polite != 0 && !strings.ContainsAny(s.text, "何谁誰哪") && !strings.Contains(s.text, "什么") {
		s.question = false
	}
	if s.question || s.has&withdraws != 0 {
		s.asks = 0
	}
}

// readsOnly reports whether a sentence is a request or a question that only wants to know
// something.
func (s *sentence) readsOnly() bool {
	return s.asks == 0 && (s.question || s.has&Look != 0) && s.has&delegates == 0 && !s.rest
}

// isVague reports whether a sentence wishes something, but names no deed.
func (s *sentence) isVague() bool {
	return s.asks == 0 && !s.question && s.has&vague != 0 && s.has&Look == 0
}
