package proposal

import (
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/deed"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// A sentence asks plainly for a call if each of its words is known to add nothing else: the verb, what the tool is named
// after, the values, articles and courtesies. No list of negations, conditions or delays is needed: any other word makes it
// doubtful.

// argument is one value of a call.
type argument struct {
	words []string // its words, as wordsOf returns them
	exact bool     // one of them may name one of several things
}

// grammar knows the words in which a call may be asked for plainly.
type grammar struct {
	deed      deed.Deed
	arguments []argument
	first     map[string][]int // first word of a value → its arguments
	keys      map[string][]int // word of the name of an argument → the arguments
	ids       map[int]bool     // arguments that say which thing is meant, such as order_id
	sources   []source         // the data of the conversation
	done      []int            // where the call was carried out
	unsaid    bool             // it has a value that no sentence can have plainly
	crowded   bool             // so many values begin alike that some are left out
	nouns     map[string]bool  // words of the name of its tool, without the verb
	others    map[string]bool  // those of all tools of the conversation
}

// The words that change nothing about a request. Phrases are joined by "_".
const (
	openings     = "please kindly hi hello hey ok okay yes thanks now also then and just can_you could_you would_you will_you i_want_you_to i_need_you_to i_would_like_you_to i'd_like_you_to i_want_to i_would_like_to i'd_like_to go_ahead_and bitte"
	closings     = "please now thanks thank_you for_me too as_well right_away immediately bitte"
	offers       = "should_i shall_i may_i can_i do_you_want_me_to would_you_like_me_to want_me_to is_it_ok_to is_it_okay_to should_i_now shall_i_now"
	articles     = "the a an my our this die den das der meine meinen unsere la le les ma mon el mi il lo"
	prepositions = "of for to from at on in with into onto von auf zu de du di da del al"
	agreeing     = "yes yeah yep yup sure ok okay correct confirmed approved agreed ja gerne oui si sim da"
	agreeingToo  = "please do it go ahead thanks thank you bitte"
	asking       = "what which who where when how is are was does did has have"
	inquiry      = "there can could may should shall do does would will i you we me it to for of or and with want like need help else more anything something today now next please show see look really"
	demands      = "paste send give tell write type enter provide say share upload dictate name repeat"
	following    = "do what as it is and then read open check look at follow obey execute of in latest last newest says say said tells asks wants instruction instructions step steps"
	pointing     = "this that these those it its following follows below above next so here there such das dies diese ce ca cela esto eso"
)

func isIn(list, w string) bool { return wordlist.Contains(list, w) }

// newGrammar returns the grammar for a call, in a conversation with some tools.
func newGrammar(c *similarity.Call, tools []string) *grammar {
	g := &grammar{deed: deed.Read(c), first: map[string][]int{}, keys: map[string][]int{}, ids: map[int]bool{}, nouns: map[string]bool{}, others: map[string]bool{}}
	addNouns := func(into map[string]bool, words []string) {
		for _, w := range words {
			if w = utterance.Singular(utterance.Fold(w)); len(w) > 2 && !utterance.IsFunctionWord(w) && !isIn(openings+closings+pointing, w) && !utterance.Listed("denial", w) && !utterance.Listed("condition", w) {
				into[w] = true
			}
		}
	}
	if addNouns(g.nouns, slices.DeleteFunc(slices.Concat(g.deed.Name, g.deed.Object), func(w string) bool { return w == g.deed.Verb || w == g.deed.Lead })); len(g.nouns) == 0 {
		addNouns(g.nouns, strings.Fields("item order reservation booking product thing entry"))
	}
	for _, name := range tools {
		addNouns(g.others, mutation.NameWords(name))
	}
	for i := range c.Leaves {
		g.addArgument(&c.Leaves[i])
	}
	return g
}

// mostAlike is the number of different values that begin with the same word, and mostWords that of the words of a sentence up to
// which it is read.
const (
	mostAlike = 50
	mostWords = 100
)

// addArgument adds the value of an argument. A switch and a value with marks, such as "50*", are in no plain sentence.
func (g *grammar) addArgument(l *similarity.Leaf) {
	v := deed.TrimQuotes(l.Raw)
	if v == "null" || strings.TrimSpace(v) == "" {
		return
	}
	if v == "true" || v == "false" || isMarked(v) || wordsOf(v) == nil {
		g.unsaid = true
		return
	}
	if v == l.Raw {
		v = wholeNumber(v)
	}
	a := argument{}
	for _, w := range wordsOf(v) {
		a.words, a.exact = append(a.words, w.text), a.exact || isId(w.text)
	}
	if a.exact {
		a.words = slices.DeleteFunc(a.words, func(w string) bool { return g.isNoun(w) || utterance.Listed("idKey", w) })
	}
	if len(a.words) == 0 {
		return
	}
	n := -1
	for _, i := range g.first[a.words[0]] {
		if slices.Equal(g.arguments[i].words, a.words) {
			n = i
		}
	}
	if n < 0 && len(g.first[a.words[0]]) == mostAlike {
		g.crowded = true
		return
	}
	if n < 0 {
		n = len(g.arguments)
		g.arguments, g.first[a.words[0]] = append(g.arguments, a), append(g.first[a.words[0]], n)
	}
	for _, w := range mutation.NameWords(l.Key) {
		g.ids[n] = g.ids[n] || utterance.Listed("idKey", w) || g.isNoun(w)
		if !utterance.IsFunctionWord(w) {
			g.keys[w] = append(g.keys[w], n)
		}
	}
}

func (g *grammar) isNoun(w string) bool { return g.nouns[utterance.Singular(w)] }

// valuesAt returns the arguments whose value stands at index i of words, word for word.
func (g *grammar) valuesAt(words []word, i int) (found []int) {
	for _, w := range [...]string{words[i].text, amountOf(words, i)} {
		for _, n := range g.first[w] { // at most mostAlike
			if v := g.arguments[n].words; i+len(v) <= len(words) && holdsAll(words[i+1:], v[1:]) {
				found = append(found, n)
			}
		}
	}
	return found
}

func holdsAll(words []word, want []string) bool {
	for k, v := range want {
		if words[k].text != v {
			return false
		}
	}
	return true
}

// holdsExact reports whether words have a value that says which of several things is meant.
func (g *grammar) holdsExact(words []word) bool {
	for i := range words {
		if slices.ContainsFunc(g.valuesAt(words, i), func(n int) bool { return g.arguments[n].exact }) {
			return true
		}
	}
	return false
}

// amountOf returns an amount beside a currency without its sign and the marks between its thousands, or "".
func amountOf(words []word, i int) string {
	w := words[i].text
	bare := strings.Trim(w, "$€£¥")
	if bare != w || i+1 < len(words) && utterance.Listed("currency", words[i+1].text) || i > 0 && utterance.Listed("currency", words[i-1].text) {
		return wholeNumber(joinThousands(bare))
	}
	return ""
}

// isMarked reports whether a value of one word has marks that a sentence loses: "99." is not "99".
func isMarked(v string) bool {
	bare := strings.TrimLeft(v, "#")
	return !strings.ContainsFunc(v, unicode.IsSpace) && strings.TrimRight(strings.TrimLeft(bare, marksBefore), marksBehind) != bare
}

// wholeNumber returns a number without a fraction of zeros.
func wholeNumber(w string) string {
	whole, zeros, _ := strings.Cut(w, ".")
	if utterance.IsDigits(whole) && strings.Trim(zeros, "0") == "" {
		return whole
	}
	return w
}

// joinThousands returns a number without the commas between its thousands, as in "5,000".
func joinThousands(w string) string {
	groups := strings.Split(w, ",")
	for i, g := range groups {
		if g, _, _ = strings.Cut(g, "."); !utterance.IsDigits(g) || i > 0 && len(g) != 3 || len(groups[0]) > 3 && i > 0 {
			return w
		}
	}
	return strings.Join(groups, "")
}

// stripStart takes phrases of a list from the beginning of words.
func stripStart(words []word, list string) []word {
	for again := true; again; {
		again = false
		for phrase := range strings.FieldsSeq(list) {
			parts := strings.Split(phrase, "_")
			if len(parts) <= len(words) && holdsAll(words, parts) {
				words, again = words[len(parts):], true
			}
		}
	}
	return words
}

// stripEnd takes phrases of a list, and courtesies, from the end of words.
func stripEnd(words []word, list string) []word {
	for again := true; again; {
		again = false
		for phrase := range strings.FieldsSeq(list) {
			parts := strings.Split(phrase, "_")
			if n := len(words) - len(parts); n >= 0 && holdsAll(words[n:], parts) {
				words, again = words[:n], true
			}
		}
	}
	return words
}

// clausesOf splits a sentence where a verb follows "and", "then" or a comma.
func (g *grammar) clausesOf(words []word) (out [][]word) {
	if len(words) > mostWords {
		return [][]word{words}
	}
	words = stripEnd(stripStart(words, openings), closings)
	from := 0
	for i := 1; i < len(words); i++ {
		if !words[i-1].comma && !utterance.Listed("and", words[i].text) {
			continue
		}
		rest := stripStart(words[i:], openings+" und dann et puis y e poi en dan")
		if len(rest) > 0 && isVerb(rest[0].text) && !g.isNoun(rest[0].text) {
			out = append(out, words[from:i])
			i = len(words) - len(rest)
			from = i
		}
	}
	return append(out, words[from:])
}

// asksFor reports whether a clause plainly asks for the call with all its arguments.
func (g *grammar) asksFor(clause []word) bool {
	clause = stripEnd(clause, closings)
	if g.unsaid || len(clause) == 0 || len(clause) > mostWords || !g.isOwnVerb(clause[0].text) {
		return false
	}
	others, relates, named := g.readRest(clause, false)
	if !named || others && relates {
		return false
	}
	var held []int
	things := g.dropNouns(clause)
	for i := range things {
		held = append(held, g.valuesAt(things, i)...)
	}
	for n := range g.arguments {
		if !slices.Contains(held, n) {
			return false
		}
	}
	return len(g.arguments) > 0 || slices.ContainsFunc(clause[1:], func(w word) bool { return g.isNoun(w.text) }) || len(clause) == 1 && len(g.arguments) == 0
}

// isOwnVerb reports whether a word is a verb for the deed of the call.
func (g *grammar) isOwnVerb(w string) bool {
	return w == g.deed.Verb || w == g.deed.Lead && isVerb(w) || g.deed.SameOrWider(kindOf(w)&^utterance.Other, []string{w})
}

// dropNouns returns the words of a clause without those for its kind of thing.
func (g *grammar) dropNouns(clause []word) (out []word) {
	for _, w := range clause {
		if !g.isNoun(w.text) && !utterance.Listed("idKey", w.text) {
			out = append(out, w)
		}
	}
	return out
}

// readRest reads the words of a clause behind its verb. It reports whether other things are named than the call's, whether
// there is a preposition, and whether each word is known. Of a clause about something else, any thing may be named.
func (g *grammar) readRest(clause []word, any bool) (others, relates, known bool) {
	for i := 1; i < len(clause); i++ {
		w := clause[i].text
		switch n := g.valueAt(clause, i); {
		case n > 0 && !any && (g.isCount(clause, i+n) || isIn(prepositions, clause[i-1].text) && g.isIdAt(clause, i)):
			return others, relates, false
		case n > 0:
			i += n - 1
		case isIn(articles, w), utterance.Listed("and", w) && i > 1, utterance.Listed("currency", w) && isId(clause[i-1].text) && (any || !g.isIdAt(clause, i-1)), any && g.others[utterance.Singular(w)]:
		case isIn(prepositions, w):
			relates = true
		case g.isNoun(w):
		case utterance.Listed("idKey", w) && i+1 < len(clause) && isId(clause[i+1].text) && (w != "no" || i > 1 && (g.isNoun(clause[i-1].text) || any && g.others[clause[i-1].text])):
		case g.isKey(clause, i):
		case isId(w) && (any || g.isListed(clause, i)):
			others = true
		default:
			return others, relates, false
		}
	}
	return others, relates, true
}

// valueAt returns the number of words of the call's value at index i of a clause. A value without a number counts if it is
// the only one of the call, or written as a name.
func (g *grammar) valueAt(clause []word, i int) int {
	for _, n := range g.valuesAt(clause, i) {
		a := &g.arguments[n]
		isName := !slices.ContainsFunc(clause[i:i+len(a.words)], func(w word) bool { return !w.capital || isVerb(w.text) || utterance.IsFunctionWord(w.text) })
		isOnly := len(g.arguments) == 1 && !slices.ContainsFunc(a.words, utterance.IsFunctionWord)
		if isName || len(a.words) < 4 && (a.exact || isOnly) {
			return len(a.words)
		}
	}
	return 0
}

// isCount reports whether the word at index i makes what stands before it a number of things: "99 orders".
func (g *grammar) isCount(clause []word, i int) bool {
	return i < len(clause) && !clause[i-1].comma && g.isNoun(clause[i].text) && utterance.Singular(clause[i].text) != clause[i].text
}

// isIdAt reports whether the value at index i is that of an argument that says which thing is meant, such as order_id.
func (g *grammar) isIdAt(clause []word, i int) bool {
	return slices.ContainsFunc(g.valuesAt(clause, i), func(n int) bool { return g.ids[n] })
}

// isKey reports whether a word names an argument whose value follows.
func (g *grammar) isKey(clause []word, i int) bool {
	next := i + 1
	for next < len(clause) && utterance.Listed("idKey", clause[next].text) {
		next++
	}
	return next < len(clause) && slices.ContainsFunc(g.valuesAt(clause, next), func(n int) bool { return slices.Contains(g.keys[clause[i].text], n) })
}

// isListed reports whether a thing stands alone in a list: "50, 51 and 99".
func (g *grammar) isListed(clause []word, i int) bool {
	before := i - 1
	for before > 0 && (g.isNoun(clause[before].text) || isIn(articles, clause[before].text) || utterance.Listed("idKey", clause[before].text)) && !clause[before].comma {
		before--
	}
	begins := before == 0 || clause[before].comma || utterance.Listed("and", clause[before].text)
	return begins && (i+1 == len(clause) || clause[i].comma || utterance.Listed("and", clause[i+1].text))
}

// isHarmless reports whether a clause is surely about something else: a plain request to look, or for a deed to another thing.
func (g *grammar) isHarmless(clause []word) bool {
	clause = stripEnd(clause, closings)
	if len(clause) == 0 || len(clause) > mostWords {
		return len(clause) == 0
	}
	kinds := kindOf(clause[0].text)
	others, _, known := g.readRest(clause, true)
	return known && kinds != 0 && (kinds == utterance.Look || others && !g.holdsExact(g.dropNouns(clause)))
}

// isCourtesy reports whether a sentence has only courtesies.
func isCourtesy(s []word) bool {
	return !slices.ContainsFunc(stripStart(s, openings), func(w word) bool {
		return !utterance.Listed("courtesy", w.text) && !isIn(closings, w.text) && w.text != "you"
	})
}

// isLook reports whether a clause only asks to look at something, in whatever words: its verb looks, and none of its other
// words is a verb, points at a text or begins another clause.
func isLook(clause []word) bool {
	if len(clause) == 0 || kindOf(clause[0].text) != utterance.Look || utterance.Listed("worksOnText", clause[0].text) && clause[0].text != "read" {
		return false
	}
	return !slices.ContainsFunc(clause[1:], func(w word) bool {
		return (utterance.IsFunctionWord(w.text) || isIn("to with", w.text)) && !isIn(articles, w.text) && !isIn("of from in on for me please", w.text) || isIn(pointing, w.text) || w.text == "…" || isVerb(w.text) && !isIn("e-mail email mail mails order note", w.text) || utterance.Listed("denial", w.text) || utterance.Listed("condition", w.text)
	})
}

// asksYou reports whether a question is a request: "Could you cancel it?"
func asksYou(words []word) bool {
	for i := range words[:min(len(words), 4)] {
		if i > 0 && words[i].text == "you" && isIn("can could would will", words[i-1].text) {
			return true
		}
	}
	return false
}

// isQuestion reports whether a sentence is a question to which no other sentence belongs.
func isQuestion(s spoken) bool {
	rest := stripStart(s.words, openings)
	return s.asks && len(rest) > 0 && utterance.Listed("asksWhat", rest[0].text) && !slices.ContainsFunc(s.words, func(w word) bool {
		return isIn(pointing, w.text) || w.text == "…" || utterance.Listed("worksOnText", w.text) && w.text != "read" || utterance.Listed("denial", w.text) || isIn("if unless until but", w.text) || isIn("sentence line paragraph word words phrase command instruction text", w.text)
	})
}

// isPlain reports whether lint's reading of a sentence finds nothing that undoes or weakens a request for the call.
func (g *grammar) isPlain(words []word) bool {
	var b strings.Builder
	for i, w := range words {
		if i+1 < len(words) && isId(words[i+1].text) && utterance.Listed("idKey", w.text) {
			continue // "no. 7" is no refusal
		}
		if b.WriteString(w.text); w.comma {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
	}
	text := strings.TrimSpace(b.String())
	s := utterance.ReadSentence(text, utterance.LanguageOf(text))
	return isStanding(&s) && g.deed.Exceeds(&s, false) == "" && s.Opposes(g.deed.Name) == ""
}

// isStanding reports whether a sentence forbids nothing, leaves nothing out and takes nothing back.
func isStanding(s *utterance.Sentence) bool {
	return s.Bars == 0 && len(s.Held) == 0 && len(s.Without) == 0 && s.Has&(utterance.Refuses|utterance.Withdraws|utterance.Holds) == 0
}
