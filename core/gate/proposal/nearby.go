package proposal

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/action/participle"
	"github.com/boundcheck/boundcheck/core/action/utterance"
	"github.com/boundcheck/boundcheck/core/action/verbs"
)

// Data orders a call also where a form of the verb of its deed stands near one of its values: as a key, a column, a noun, or in
// a sentence without an imperative. The forms in which data may order are not listed. Only what reports a state is no order.

// nearWords is the number of words that may stand between the verb and the value, and nearWide the number if the verb may be
// that of another deed of the kind. Things and their numbers do not count, so that a list may be of any length.
const (
	nearWords = 12
	nearWide  = 1
)

const (
	toBe  = "be get gets getting need needs needed want wants wanted require requires required must should shall let make see awaiting due please" // before a participle that orders
	may   = "can may is was are were has have had not no never allow allows allowed could"                                                         // begins a key that says a state
	isSo  = "true yes 1 y on now"
	light = "set put make get do have take give go run use add" // verbs of many deeds, and parts of many names

	// What reports that something failed, after a form of the verb: of a noun "payment amount does not add up", of a verb in front of it
	// "could not cancel". The words are those of errors of tools. A negation alone is none: "cannot wait" orders. Nor is a report
	// beside a word that bids: "the refund was not found, so do it".
	faulty   = "add up/found/find/exist/match/valid/available/supported/possible/processed/completed"
	negation = "not cannot can't couldn't doesn't don't isn't wasn't didn't"
	bid      = "please must should shall need needs needed require requires required want wants let make see awaiting due you your do again retry try so therefore instead now"

	nounEnd = "ations ation ions ion ments ment als al ances ance ings ing ures ure ung s"
)

// near is a word of data in which an order may stand.
type near struct {
	word
	first string // the first word of its name, if that is one of several words; "" for none
	end   int    // the index behind this name
}

// place is where a verb or a value stands in data, and behind how many words that count.
type place struct{ at, count int }

// findNearby returns the words from a form of the deed's verb to a value of the call near it, or the other way round; "" for
// none. O(n).
func (g *grammar) findNearby(text string) string {
	all := g.nearWordsOf(text)
	words := make([]word, len(all))
	for i := range all {
		words[i] = all[i].word
	}
	const far = -1 << 30
	value, own, wide := place{0, -far}, place{0, far}, place{0, far}
	count := 0
	for i := range words {
		switch w := words[i].text; {
		case g.isThingAt(words, i):
			value = place{i, count}
		case !g.isOrderAt(all, words, i):
			if !isId(w) && !g.isNoun(w) && !utterance.Listed("idKey", w) && !utterance.Listed("and", w) && strings.ContainsFunc(w, unicode.IsLetter) {
				count++
			}
			continue
		case !isIn(light, w) && (g.isDeed(w) || isNounOf(w, g.isDeed) || g.isOwnForm(w)):
			count++
			own = place{i, count}
		default:
			count++
			wide = place{i, count}
		}
		for _, x := range [...]struct {
			place
			most int
		}{{own, nearWords}, {wide, nearWide}} {
			if max(x.count, value.count)-min(x.count, value.count) <= x.most {
				return joinWords(words[min(x.at, value.at) : max(x.at, value.at)+1])
			}
		}
	}
	return ""
}

func joinWords(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// isThingAt reports whether a value stands at index i of words that says which thing the call is about.
func (g *grammar) isThingAt(words []word, i int) bool {
	for _, n := range g.valuesAt(words, i) {
		if a := &g.arguments[n]; a.exact || g.ids[n] && len(a.words[0]) > 2 && !utterance.IsFunctionWord(a.words[0]) {
			return true
		}
	}
	return false
}

// isOrderAt reports whether the word at index i may be the verb of the call's deed in any form, and does not only say that it was
// done or may be done: "status: cancelled", "can_cancel: true", "cancellation_fee: 3".
func (g *grammar) isOrderAt(all []near, words []word, i int) bool {
	w := words[i].text
	switch {
	case len(w) < 3 || isId(w) || strings.ContainsAny(w, "/@."):
		return false
	case g.isNoun(w), len(g.keys[w]) > 0, len(g.keys[utterance.Singular(w)]) > 0: // it names a thing of the call
		return false
	case i > 1 && i+1 < len(words) && words[i-1].text == "=" && isIn("status state", words[i-2].text) && participle.Is(words[i+1].text): // status: return requested
		return false
	case all[i].first == "" && g.isFailureAt(words, i):
		return false
	case g.isDeed(w), isNounOf(w, g.isDeed), g.isWide(w), isNounOf(w, g.isWide):
		return g.isOrderKey(all, words, i)
	case !g.isOwnForm(w):
		return false
	}
	for k := max(0, i-4); k < i; k++ {
		if isIn(toBe, words[k].text) {
			return g.isOrderKey(all, words, i)
		}
	}
	return false
}

// isFailureAt reports whether the word at index i, a form of the deed's verb, stands in a report that something failed, and no word
// near it bids: "payment method p1 not found", "could not cancel 99", "99 cannot be cancelled".
func (g *grammar) isFailureAt(words []word, i int) bool {
	for k := max(0, i-nearWords); k < min(len(words), i+2*nearWords); k++ {
		if k != i && isIn(bid, words[k].text) && !(words[k].text == "do" && k+1 < len(words) && words[k+1].text == "not") {
			return false
		}
	}
	before := func(n int) string {
		if i < n || words[i-n].comma {
			return ""
		}
		return words[i-n].text
	}
	at := 1 // words in front of the verb up to the negation
	if before(1) == "be" {
		at = 2
	}
	switch w := before(at); {
	case isIn("cannot can't couldn't", w), w == "not" && isIn("can could", before(at+1)), w == "to" && isIn("failed fails unable", before(2)):
		return true
	}
	isNoun := before(1) == "the" || isNounOf(words[i].text, g.isOwnOrWide)
	for k, left := i+1, 4; k < len(words) && left > 0 && !words[k-1].comma; k++ {
		switch w := words[k].text; {
		case isIn("that which who whose if when while", w):
			return false
		case isIn(negation, w): // the verb is the noun if the sentence has another one: "refund 99 does not exist"
			return (isNoun || w != "not" || isIn("does is was can could", words[k-1].text)) && isFailure(words[k+1:])
		case !isId(w):
			left--
		}
	}
	return false
}

// reportsFailure reports whether a sentence has forms of the deed's verb, and each is in a report that something failed. O(n).
func (g *grammar) reportsFailure(words []word) (found bool) {
	for i := range words {
		w := words[i].text
		if i > 0 && isIn(negation, words[i-1].text) || !g.isOwnOrWide(w) && !isNounOf(w, g.isOwnOrWide) {
			continue
		}
		if found = g.isFailureAt(words, i); !found {
			return false
		}
	}
	return found
}

// isFailure reports whether words behind a negation begin with what failed: "add up", "be found".
func isFailure(words []word) bool {
	if len(words) > 0 && words[0].text == "be" {
		words = words[1:]
	}
	for x := range strings.SplitSeq(faulty, "/") {
		parts := strings.Fields(x)
		if len(words) >= len(parts) && slices.EqualFunc(words[:len(parts)], parts, func(w word, part string) bool { return w.text == part }) {
			return true
		}
	}
	return false
}

// isOrderKey reports whether the word at index i may be an order by what stands behind it, if it is in a key: a value of the call,
// or that it is so. A name of several words orders only in front of these.
func (g *grammar) isOrderKey(all []near, words []word, i int) bool {
	end := i + 1
	if all[i].first != "" {
		end = all[i].end
	}
	at := end
	for at < len(words) && words[at].text == "=" {
		at++
	}
	switch {
	case at < len(words) && at > end && isIn("false null none no 0", words[at].text):
		return false
	case all[i].first == "":
		return true
	case at < len(words) && isIn(isSo, words[at].text):
		return !isIn(may, all[i].first)
	}
	for ; at < len(words) && isId(words[at].text); at++ {
		if g.isThingAt(words, at) {
			return true
		}
	}
	return false
}

// isDeed reports whether a word is a verb of the call's deed, and not only of its kind.
func (g *grammar) isDeed(w string) bool {
	d := &g.deed
	return w == d.Verb || w == d.Lead && isVerb(w) || d.Verb != "" && verbs.Same(w, d.Verb, verbs.KindsOf(d.Object)) || d.Kinds&utterance.Deeds&(utterance.ForeignKinds(w)|utterance.ForeignNoun(w)) != 0
}

// isWide reports whether a word is a verb of a deed of the kind of the call's.
func (g *grammar) isWide(w string) bool { return kindOf(w)&utterance.Deeds != 0 && g.isOwnVerb(w) }

// isOwnOrWide reports whether a word is a verb of the call's deed or of its kind.
func (g *grammar) isOwnOrWide(w string) bool { return g.isDeed(w) || g.isWide(w) }

// isOwnForm reports whether a word is a form in -ing or -ed of a verb of the call's deed, or such a form without rule.
func (g *grammar) isOwnForm(w string) bool {
	for _, v := range utterance.BaseForms(w) {
		if g.isDeed(v) {
			return true
		}
	}
	return participle.Is(w) && g.deed.Verb != "" && participle.FitsName(w, g.deed.Verb)
}

// isNounOf reports whether a word is the noun of one of some verbs: "cancellation", "removal", "termination".
func isNounOf(w string, isVerb func(string) bool) bool {
	for end := range strings.FieldsSeq(nounEnd) {
		stem, ok := strings.CutSuffix(w, end)
		if !ok || len(stem) < 3 {
			continue
		}
		forms := [...]string{stem, stem + "e", stem + "ate", stem[:len(stem)-1], strings.TrimSuffix(stem, "is") + "y"}
		for k, v := range forms {
			if k == 3 && stem[len(stem)-1] != stem[len(stem)-2] || k == 2 && end == "s" {
				continue
			}
			if len(v) > 2 && isVerb(v) {
				return true
			}
		}
	}
	return false
}

// nearWordsOf returns the words of data in which findNearby looks: those of names in snake_case, kebab-case or camelCase one by
// one, the number behind a thing or a verb alone, and single letters together.
func (g *grammar) nearWordsOf(text string) (out []near) {
	letters := 0 // at the end of out, that stand alone
	for _, w := range wordsOf(strings.ReplaceAll(unmarked.Replace(splitCamel(text)), ":", "=")) {
		w.text = strings.TrimPrefix(w.text, "/")
		parts := g.splitName(w.text)
		if len(parts) == 1 && len(w.text) == 1 && unicode.IsLetter(rune(w.text[0])) {
			if letters++; letters > 1 {
				last := &out[len(out)-1]
				last.text, last.comma = last.text+w.text, w.comma
				continue
			}
		} else {
			letters = 0
		}
		first, end := "", 0
		if len(parts) > 1 && !isId(w.text) {
			first, end = parts[0], len(out)+len(parts)
		}
		for _, part := range parts {
			out = append(out, near{word{part, false, w.capital}, first, end})
		}
		out[len(out)-1].comma = w.comma
	}
	return out
}

// splitName returns the words of a name, at least one.
func (g *grammar) splitName(w string) []string {
	if isId(w) { // "order-99", "cancel_W7712", "cancel99"
		for _, at := range [...]int{strings.IndexAny(w, "_-#"), strings.IndexFunc(w, unicode.IsDigit)} {
			if at > 0 && (g.isNoun(w[:at]) || g.isDeed(w[:at])) {
				return []string{w[:at], strings.TrimLeft(w[at:], "_-#")}
			}
		}
	}
	if isId(w) || strings.ContainsAny(w, "/@.") {
		return []string{w}
	}
	parts := strings.FieldsFunc(w, func(r rune) bool { return r == '_' || r == '-' })
	if len(parts) == 0 {
		return []string{w}
	}
	for _, part := range parts {
		if len(part) > 1 {
			return parts
		}
	}
	return []string{strings.Join(parts, "")} // c-a-n-c-e-l
}

// splitCamel returns a text with blanks in front of a capital that follows a small letter.
func splitCamel(text string) string {
	var b strings.Builder
	last := ' '
	for _, r := range text {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// plainForm returns what a reader sees of a text: without tags and emphasis within words, with the characters for which numbers
// stand, and letters that look like ASCII in ASCII. O(n).
func plainForm(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if r, n := escapeAt(text[i:]); n > 0 {
			if !isUnseen(r) {
				b.WriteRune(r)
			}
			i += n
			continue
		}
		switch text[i] {
		case '<':
			if n := tagAt(text[i:]); n > 0 {
				i += n
				continue
			}
		case '*', '`', '~':
			i++
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	out := b.String()
	if plainASCII(out) {
		return out
	}
	fields := strings.Fields(out)
	for i, f := range fields {
		if looks, all := asciiSkeleton(f); all {
			fields[i] = looks
		}
	}
	return strings.Join(fields, " ")
}

// escapeAt returns the character for which a text begins with a number, as "\u0063", "&#99;" and "&#x63;" do, and the length of
// this beginning, 0 if there is none.
func escapeAt(text string) (r rune, n int) {
	base, from, end := 16, 0, 0
	switch {
	case len(text) >= 6 && text[0] == '\\' && text[1] == 'u':
		from, end, n = 2, 6, 6
	case strings.HasPrefix(text, "&#"):
		if end = strings.IndexByte(text[:min(len(text), 12)], ';'); end < 0 {
			return 0, 0
		}
		if from, n, base = 2, end+1, 10; text[2] == 'x' || text[2] == 'X' {
			from, base = 3, 16
		}
	default:
		return 0, 0
	}
	v, err := strconv.ParseUint(text[from:end], base, 32)
	if err != nil || v > unicode.MaxRune || v < ' ' {
		return 0, 0
	}
	return rune(v), n
}

// tagAt returns the length of the tag or comment with which a text begins, 0 if it begins with none.
func tagAt(text string) int {
	if strings.HasPrefix(text, "<!--") {
		if end := strings.Index(text[:min(len(text), longestComment)], "-->"); end > 0 {
			return end + len("-->")
		}
		return 0
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text[1:], "/"))
	if !unicode.IsLetter(r) {
		return 0
	}
	return 1 + strings.IndexByte(text[:min(len(text), longestTag)], '>')
}

// The numbers of bytes up to which a tag and a comment are taken for one.
const (
	longestTag     = 500
	longestComment = 5000
)

func isUnseen(r rune) bool { return r == '\u00ad' || isInvisible(r) || unicode.Is(unicode.Cf, r) }
