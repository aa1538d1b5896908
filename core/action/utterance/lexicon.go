package utterance

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed words.txt
var wordsText string

// wordsFile returns words.txt. No other function reads it: in the page's core, the file is in the
// second module with this function (wasm/build.sh).
//
//go:noinline
func wordsFile() string { return wordsText }

// Kinds is a set of kinds of deeds and of other meanings that words may have.
type Kinds uint64

// The kinds of deeds. Look changes nothing.
const (
	Look Kinds = 1 << iota
	Remove
	Cancel
	Pay
	Refund
	Buy
	Send
	Make
	Change
	Switch
	Grant
	Block
	Move
	Other // an English verb that changes something and has no other kind
	Opens // begins a question
	Polite
	Vague
	Delegates
	Agrees
	Withdraws
	Refuses
	negates
	standing
	Wishes
	Vendor
	Limits
	without
	unsent
	alone
	nothing
	Exclusive
	language
	Corrects // says what is wanted in place of what was asked before
	Holds    // says that something stays as it is, or waits
	points   // means what a text says
	allows   // such a wish only says what may be done

	handsOver // leaves it to somebody what is to be done
	Ponders   // says what somebody thinks of, and not what is to be done
)

// Deeds are the kinds that change something.
const Deeds = Remove | Cancel | Pay | Refund | Buy | Send | Make | Change | Switch | Grant | Block | Move | Other

// kindNames holds the names of lists in words.txt.
var kindNames = map[string]Kinds{"look": Look, "remove": Remove, "cancel": Cancel, "pay": Pay, "refund": Refund, "buy": Buy, "send": Send,
	"make": Make, "change": Change, "switch": Switch, "grant": Grant, "block": Block, "move": Move, "asks": Opens, "polite": Polite,
	"vague": Vague, "delegates": Delegates, "agrees": Agrees, "withdraws": Withdraws, "no": Refuses, "negates": negates, "standing": standing,
	"wishes": Wishes, "vendor": Vendor, "limits": Limits, "without": without, "unsent": unsent, "alone": alone, "nothing": nothing, "exclusive": Exclusive, "language": language, "corrects": Corrects, "holds": Holds, "points": points, "allows": allows | Wishes, "handsover": handsOver, "ponders": Ponders, "any": Other}

// pattern is one entry of a list: words, perhaps with a gap, and what they mean.
type pattern struct {
	words []string
	gap   int  // index of the first word after the gap; 0 for no gap
	noun  bool // the first word is also a noun
	kinds Kinds
}

// lexicon holds the patterns of one language by their first words.
type lexicon map[string][]pattern

// languages are the languages of words.txt that are written with letters. The first wins
// where a text is equally likely to be of several.
var languages = [...]string{"en", "de", "fr", "es", "it", "pt", "nl"}

// tables holds what words.txt contains.
type tables struct {
	of      map[string]lexicon // by language
	cjk     []pattern
	covers  map[Kinds]Kinds     // kind of a deed → kinds of requests that also ask for it
	related map[string][]string // what a word leads to: "beyond pause" → verbs of stronger deeds, "whole row" → nouns for what holds many, "opposite private" → values that contradict it
	lists   map[string]list     // words by what they are for

	irregular map[string]string // English participle → verb
	functions map[string]bool   // the words that show the language of a text
	members   map[string]Member // word for one of a few things → which of them
	numbers   map[string]int    // word for a number, from one on
	classes   map[string]int    // class → its members so far

	states map[string]*state      // what a condition may ask for
	pairs  map[string][][2]string // words that say opposite things: "pole" of a deed, "side" of the values of arguments only

	nouns   map[string]Kinds // noun of the name of a tool in such a language → its kinds
	foreign map[string]Kinds // word of the name of a tool in another language than English → its kinds
}

// list is a list of words or phrases.
type list struct {
	words []string
	has   map[string]bool
}

// with returns the list with more words. An underscore is a space.
func (l list) with(words []string) list {
	for _, w := range words {
		w = strings.ReplaceAll(w, "_", " ")
		l.words, l.has[w] = append(l.words, w), true
	}
	return l
}

// Listed reports whether a word is in a list.
func Listed(name, word string) bool { return theTables().lists[name].has[word] }

// Related returns the words to which a word leads in one way: to a stronger deed ("beyond"), to what holds
// many of it ("whole"), or to values that contradict it ("opposite").
func Related(how, word string) []string { return theTables().related[how+" "+word] }

// MemberOf returns of which class a word names a member, and which; the zero member for another word.
func MemberOf(word string) Member { return theTables().members[word] }

// Covers returns the kinds of requests that also ask for a deed of a kind, with the kind itself.
func Covers(kind Kinds) Kinds { return theTables().covers[kind] | kind }

// patternsIn returns the patterns of a language, or of "shell", in words.
func patternsIn(lang string, words []string) []hit { return theTables().of[lang].findPatterns(words) }

// EachKind calls fn with the kinds of each word or phrase of a language, or of "shell", in words, and with
// its first word.
func EachKind(lang string, words []string, fn func(word string, k Kinds)) {
	for _, h := range patternsIn(lang, words) {
		fn(words[h.at], h.kinds)
	}
}

// KindsIn returns the kinds of all words and phrases in words, of any language that is written with letters.
func KindsIn(words []string) (k Kinds) {
	for _, lang := range languages {
		EachKind(lang, words, func(_ string, has Kinds) { k |= has })
	}
	return k
}

// PairsOf returns the pairs of words that say opposite things: "pole" of a deed, "side" of the values of arguments only.
func PairsOf(name string) [][2]string { return theTables().pairs[name] }

// AnyListed reports whether one of some words is in a list.
func AnyListed(name string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return Listed(name, w) })
}

// HoldsListed reports whether a text contains a word or phrase of a list, in any case of letters.
func HoldsListed(text, name string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(theTables().lists[name].words, func(w string) bool { return strings.Contains(text, w) })
}

// HoldsListedNoun is like HoldsListed, but the word begins there, and at most two letters follow it: contacts holds
// contact, and accountant does not hold account.
func HoldsListedNoun(text, name string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(theTables().lists[name].words, func(w string) bool {
		for rest := text; ; {
			before, after, found := strings.Cut(rest, w)
			if !found {
				return false
			}
			end := strings.IndexFunc(after, func(c rune) bool { return !unicode.IsLetter(c) })
			if last, _ := utf8.DecodeLastRuneInString(before); !unicode.IsLetter(last) && (0 <= end && end <= 2 || end < 0 && len(after) <= 2 || strings.HasSuffix(w, " ")) {
				return true
			}
			rest = after
		}
	})
}

// holdsListedWord is like HoldsListed for lower-case text, but no letter may follow a word.
func holdsListedWord(text, name string) bool {
	return slices.ContainsFunc(theTables().lists[name].words, func(w string) bool {
		_, rest, found := strings.Cut(text, w)
		for found && wordByte(w[len(w)-1]) && rest != "" && wordByte(rest[0]) && !strings.HasPrefix(rest, "。") && !strings.HasPrefix(rest, "、") {
			_, rest, found = strings.Cut(rest, w)
		}
		return found
	})
}

var theTables = sync.OnceValue(func() *tables { return readTables(wordsFile()) })

func readTables(text string) *tables {
	t := &tables{of: map[string]lexicon{}, covers: map[Kinds]Kinds{}, related: map[string][]string{}, pairs: map[string][][2]string{}, lists: map[string]list{}, states: map[string]*state{}, members: map[string]Member{}, numbers: map[string]int{}, classes: map[string]int{}, irregular: map[string]string{}, foreign: map[string]Kinds{}, nouns: map[string]Kinds{}}
	kind, lang := Kinds(0), ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, begins := strings.Cut(line, ":"); begins {
			name, language, _ := strings.Cut(head, " ")
			words := strings.Fields(rest)
			kind = 0
			switch name {
			case "covers":
				for _, w := range words {
					t.covers[kindNames[language]] |= kindNames[w]
				}
				continue
			case "beyond", "opposite", "whole":
				t.related[name+" "+language] = words
				continue
			case "pole", "side":
				t.pairs[name] = append(t.pairs[name], [2]string{language, words[0]})
				continue
			case "irregular":
				for _, w := range words {
					t.irregular[w] = language
				}
				continue
			case "member":
				t.addMembers(language, words)
				continue
			}
			kind, lang, line = kindNames[name], language, rest
			switch name {
			case "list":
				t.lists[lang] = list{has: map[string]bool{}}
			case "state", "opposed":
				lang = name + " " + language
				t.lists[lang] = list{has: map[string]bool{}}
			}
		}
		if l, ok := t.lists[lang]; ok && kind == 0 {
			t.lists[lang] = l.with(strings.Fields(line))
		}
		if kind == 0 {
			continue
		}
		for _, entry := range strings.Fields(line) {
			t.addEntry(lang, entry, kind)
		}
	}
	t.functions = map[string]bool{}
	for _, lang := range languages {
		for w, list := range t.of[lang] {
			if slices.ContainsFunc(list, func(p pattern) bool { return len(p.words) == 1 && p.kinds&language != 0 }) {
				t.functions[w] = true
			}
		}
	}
	for name, l := range t.lists {
		if of, ok := strings.CutPrefix(name, "state "); ok {
			t.states[of] = &state{l.words, t.lists["opposed "+of].words}
		}
	}
	return t
}

// addMembers adds a member of a class, by all its words. A word for a number may also be the name of a
// month, so numbers are kept apart.
func (t *tables) addMembers(class string, words []string) {
	t.classes[class]++
	m := Member{class, len(t.members), t.classes[class]}
	for _, w := range words {
		if class == "number" {
			t.numbers[w] = m.Order
		} else {
			t.members[w] = m
		}
	}
}

// addEntry adds an entry of words.txt.
func (t *tables) addEntry(lang, entry string, kind Kinds) {
	p := pattern{kinds: kind}
	entry, p.noun = strings.CutPrefix(entry, "+")
	first, second, gap := strings.Cut(Fold(entry), "~")
	p.words = splitWords(first)
	if gap {
		p.gap = len(p.words)
		p.words = append(p.words, splitWords(second)...)
	}
	if len(p.words) == 0 {
		return
	}
	if lang == "cjk" {
		p.words = []string{entry}
		t.cjk = append(t.cjk, p)
		return
	}
	if t.of[lang] == nil {
		t.of[lang] = lexicon{}
	}
	if k := kind & (Deeds | Look); lang != "en" && lang != "shell" && k != 0 && len(p.words) == 1 {
		if p.noun {
			t.nouns[umlauts.Replace(p.words[0])] |= k & Deeds
		} else {
			t.foreign[umlauts.Replace(p.words[0])] |= k
		}
	}
	t.of[lang][p.words[0]] = append(t.of[lang][p.words[0]], p)
	if stem, ok := strings.CutSuffix(p.words[0], "e"); ok && lang == "de" && kind&(Deeds|Look) != 0 && len(stem) > 4 {
		p.words = append([]string{stem}, p.words[1:]...) // bezahl for bezahle
		t.of[lang][stem] = append(t.of[lang][stem], p)
	}
}

func splitWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
}

// mostGap is the largest number of words in the gap of a pattern.
const mostGap = 9

// matchAt returns the length of the pattern at words[i], or 0 if it is not there. A gap
// ends at the end of the clause.
func (p *pattern) matchAt(words []string, i int) int {
	n := len(p.words)
	if p.gap > 0 {
		n = p.gap
	}
	if i+n > len(words) {
		return 0
	}
	for j := range n {
		if words[i+j] != p.words[j] {
			return 0
		}
	}
	if p.gap == 0 {
		return n
	}
	rest := pattern{words: p.words[p.gap:]}
	for j := i + n; j < len(words) && j <= i+n+mostGap; j++ {
		if words[j] == "," && p.kinds&Delegates == 0 {
			if j = p.endOfAside(words, i, j); j < 0 {
				return 0
			}
			continue
		}
		if rest.matchAt(words, j) > 0 {
			return n
		}
	}
	return 0
}

// mostAside is the largest number of words in an apposition inside of a pattern.
const mostAside = 4

// endOfAside returns the index of the comma behind an apposition in the gap of a pattern at words[i], as in "sign me, Ann Lee,
// up"; words[j] is the comma before it. It returns -1 if the clause ends there. Only a particle is looked for behind one.
func (p *pattern) endOfAside(words []string, i, j int) int {
	if j != i+p.gap+1 || len(p.words) != p.gap+1 || len(p.words[p.gap]) > 3 {
		return -1
	}
	if end := slices.Index(words[j+1:min(len(words), j+2+mostAside)], ","); end > 0 {
		return j + 1 + end
	}
	return -1
}

// hit is one pattern in a text.
type hit struct {
	at, length int
	kinds      Kinds
	noun       bool
	gap        bool // other words stand between the two parts
}

// findPatterns returns the patterns in words. Where a phrase begins, its first words alone do not
// count; where a pattern with a gap begins, they only count as deeds.
func (l lexicon) findPatterns(words []string) []hit {
	var out []hit
	for i, w := range words {
		from, longest, gaps := len(out), 0, false
		forms, n := wordForms(w)
		if len(w) > 5 && w[len(w)-1] == 's' && i > 0 && (Listed("denial", words[i-1]) || i > 1 && Listed("pronounBefore", words[i-1]) && Listed("denial", words[i-2])) {
			forms[n], n = w[:len(w)-1], n+1 // "no canceles", of cancele
		}
		for _, form := range forms[:n] {
			at := words
			if form != w {
				at = slices.Clone(words[:min(len(words), i+mostGap+4)])
				at[i] = form
			}
			for _, p := range l[form] {
				if n := p.matchAt(at, i); n > 0 {
					if p.gap > 0 {
						n++
					}
					if p.gap == 0 {
						longest = max(longest, n)
					}
					gaps = gaps || p.gap > 0
					out = append(out, hit{i, n, p.kinds, p.noun, p.gap > 0})
				}
			}
			if len(out) > from {
				break
			}
		}
		kept := out[:from]
		for _, h := range out[from:] {
			if h.length >= longest && (!gaps || h.length > 1 || h.kinds&Deeds != 0) {
				kept = append(kept, h)
			}
		}
		out = kept
	}
	return out
}

// clitics are the pronouns that Spanish and Italian write behind a verb.
var clitics = [...]string{"glielo", "gliela", "noslo", "melo", "sela", "selo", "telo", "mela", "gli", "las", "los", "les", "nos", "la", "lo", "le", "li", "me", "mi", "se", "ne", "ci"}

// wordForms returns a word, and the word without the pronouns at its end, or the ending of a German
// verb, as in schickst, or of a French one, as in prévenez. The first n forms count.
func wordForms(w string) (forms [5]string, n int) {
	forms[0] = w
	if len(w) < 5 {
		return forms, 1
	}
	if s, ok := strings.CutSuffix(w, "st"); ok {
		forms[1], forms[2] = s, s+"e"
		return forms, 3
	}
	if s, ok := strings.CutSuffix(w, "ez"); ok {
		forms[1], forms[2], forms[3], forms[4] = s+"er", s+"ir", s+"re", s+"e"
		return forms, 5
	}
	if strings.IndexByte("aeios", w[len(w)-1]) < 0 || len(w) < 6 {
		return forms, 1
	}
	for _, c := range clitics {
		if s, ok := strings.CutSuffix(w, c); ok && len(s) >= 4 {
			forms[1], forms[2], forms[3] = s, s+"r", s+"e" // saldarla: saldare
			return forms, 4
		}
	}
	return forms, 1
}

// firstPerson returns the kinds of a Spanish, Italian or Portuguese verb of which a word is the first
// person, as in "Lo prenoto io".
func (l lexicon) firstPerson(w string) (k Kinds) {
	stem, ok := strings.CutSuffix(w, "o")
	if x, would := strings.CutSuffix(w, "ria"); would { // borraria, cancelaria
		stem, ok = x+"r", true
	} else if x, would := strings.CutSuffix(w, "erei"); would { // eliminerei
		stem, ok = x, true
	}
	if !ok || len(stem) < 4 {
		return 0
	}
	for _, ending := range [...]string{"", "a", "ar", "are", "e", "er", "ere", "i", "ir", "ire"} {
		for _, p := range l[stem+ending] {
			if len(p.words) == 1 {
				k |= p.kinds & (Deeds | Look)
			}
		}
	}
	return k
}

// KindOf returns the kinds of a single English word.
func KindOf(word string) Kinds {
	var k Kinds
	for _, p := range theTables().of["en"][word] {
		if len(p.words) == 1 {
			k |= p.kinds & (Deeds | Look)
		}
	}
	return k
}

// IsNounToo reports whether an English word for a deed is also a noun.
func IsNounToo(word string) bool {
	return slices.ContainsFunc(theTables().of["en"][word], func(p pattern) bool { return len(p.words) == 1 && p.noun })
}

// PhraseKinds returns the kinds of the phrases that begin at words[i], such as send_money.
func PhraseKinds(words []string, i int) Kinds {
	var k Kinds
	for _, p := range theTables().of["en"][words[i]] {
		if len(p.words) > 1 && p.gap == 0 && p.matchAt(words, i) > 0 {
			k |= p.kinds & Deeds
		}
	}
	return k
}

// ForeignKinds returns the kinds of a word of a name in another language than English, perhaps with a
// prefix, as in nachbestellen.
func ForeignKinds(w string) Kinds {
	if k := theTables().foreign[w]; k != 0 || len(w) < 7 {
		return k
	}
	for _, p := range theTables().lists["prefix"].words {
		if rest, ok := strings.CutPrefix(w, p); ok && len(rest) > 4 {
			if k := theTables().foreign[rest]; k != 0 {
				return k
			}
		}
	}
	return 0
}

// ForeignNoun returns the kinds of deeds of a noun of a name in another language than English, as in bestellung.
func ForeignNoun(w string) (k Kinds) {
	if stem, ok := strings.CutSuffix(w, "ung"); ok {
		k = theTables().foreign[stem+"en"] & Deeds
	}
	return k | theTables().nouns[w]
}

// HasKind reports whether a single word has a meaning in a language.
func HasKind(lang, word string, kind Kinds) bool {
	for _, p := range theTables().of[lang][word] {
		if len(p.words) == 1 && p.kinds&kind != 0 {
			return true
		}
	}
	return false
}

// IsFunctionWord reports whether a word says nothing but the language of its text.
func IsFunctionWord(w string) bool {
	return theTables().functions[w]
}

// Member is a word for one of a few things of which the others are not meant: a day of the week, a role.
type Member struct {
	Class string
	at    int // the same for all words for it
	Order int // its place in its class, from 1
}

// CoverAll returns the kinds of all requests that also ask for a deed of one of some kinds.
func CoverAll(kinds Kinds) (all Kinds) {
	for k := Remove; k < Other; k <<= 1 {
		if kinds&k != 0 {
			all |= k | Covers(k)
		}
	}
	return all
}
