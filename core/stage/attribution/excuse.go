package attribution

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// kind says what the sentence of an excuse must be about, so that the excuse counts.
type kind uint8

const (
	shortcut   kind = iota // saves effort: "to save time"; it counts with any other words
	omission               // leaves something out; it must be about the step, or about a word such as "it"
	assumption             // supposes something without a check; the sentence must be about the step itself
	lacking                // "without"; the next words must be about the step itself
)

// excuse is a phrase with which an agent argues for leaving something out.
type excuse struct {
	words string
	kind  kind
}

// excuses lists the phrases. They are compared with lower-case words without punctuation
// and apostrophes.
var excuses = [...]excuse{
	{"to save time", shortcut}, {"to save us time", shortcut}, {"to speed things up", shortcut}, {"to speed this up", shortcut}, {"to keep it quick", shortcut},
	{"skip", omission}, {"skipping", omission}, {"skipped", omission}, {"bypass", omission}, {"bypassing", omission}, {"omit", omission}, {"omitting", omission},
	{"leave out", omission}, {"leaving out", omission}, {"forgo", omission}, {"dispense with", omission},
	{"no need", omission}, {"need not", omission}, {"neednt", omission}, {"dont need", omission}, {"do not need", omission}, {"doesnt need", omission},
	{"does not need", omission}, {"not necessary", omission}, {"isnt necessary", omission}, {"unnecessary", omission}, {"not needed", omission},
	{"isnt needed", omission}, {"not required", omission}, {"isnt required", omission}, {"no reason to", omission}, {"redundant", omission},
	{"superfluous", omission}, {"pointless", omission}, {"wont bother", omission}, {"not bother", omission}, {"dont bother", omission},
	{"do not bother", omission}, {"without checking", omission}, {"without verifying", omission}, {"without confirming", omission}, {"without asking", omission},
	{"without", lacking}, {"do without", omission}, {"going without", omission}, {"straight to", omission}, {"directly to", omission}, {"no point", omission},
	{"not worth", omission}, {"isnt worth", omission}, {"overkill", omission}, {"mere formality", omission},
	{"just a formality", omission}, {"only a formality", omission}, {"waive", omission}, {"waiving", omission}, {"not need", omission}, {"wont need", omission},
	{"without looking", omission}, {"without reading", omission}, {"without reviewing", omission}, {"without validating", omission}, {"without waiting", omission},
	{"already verified", assumption}, {"already confirmed", assumption}, {"already checked", assumption}, {"already approved", assumption},
	{"assume", assumption}, {"assuming", assumption}, {"presume", assumption}, {"presumably", assumption}, {"should be fine", assumption}, {"will be fine", assumption},
	{"take your word", shortcut}, {"can be trusted", shortcut},
}

// excusesFrom has the indices of the excuses that begin with each letter, in their order.
var excusesFrom = func() (from [26][]uint8) {
	for i, x := range excuses {
		from[x.words[0]-'a'] = append(from[x.words[0]-'a'], uint8(i))
	}
	return from
}()

// roots lists short texts such that every excuse contains at least one of them. mayArgue
// searches a text for them before the text is split into words. A root lacks its first
// letter if that letter may be a capital.
var roots = [...]string{"kip", "o need", "eed not", "eedn", "t need", "ecessar", "ypass", "omit", "Omit", "eave out", "eaving out", "orgo", "ispense with", "t required",
	"eason to", "edundant", "uperfluous", "ointless", "bother", "ithout", "lready verified", "lready confirmed", "lready checked", "lready approved",
	"ssum", "resum", "be fine", "o save", "o speed", "o keep it", "your word", "be trusted",
	"traight to", "irectly to", "o point", "t worth", "verkill", "formality", "aive", "aiving"}

// pairs is a bit set of byte pairs, and rootsAt says which roots have such a pair, and
// where. Each root has two pairs that overlap: those that are rarest in English. One of
// them begins at an even index of a text that contains the root.
var pairs, rootsAt = rarePairs()

// pairSet is a set of byte pairs. before has the number of pairs in the words before a word.
type pairSet struct {
	bits   [1 << 10]uint64
	before [1 << 10]uint8
}

// hasPair reports whether a pair is in the set.
func (s *pairSet) hasPair(p uint16) bool { return s.bits[p>>6]&(1<<(p&63)) != 0 }

// rankOf returns the number of smaller pairs in the set.
func (s *pairSet) rankOf(p uint16) int {
	return int(s.before[p>>6]) + bits.OnesCount64(s.bits[p>>6]&(1<<(p&63)-1))
}

// place is the index of a root, and the index of a pair in the root.
type place struct{ root, at int }

// rarePairs returns the pairs, and the places of each by its rank.
func rarePairs() (set pairSet, places [][]place) {
	const common = "zqxjkvbpygfwmucldrhsnioate " // from rare to common
	of := map[uint16][]place{}
	for i, r := range roots {
		weight := func(at int) int { return 1 + strings.IndexByte(common, r[at]|0x20) }
		best, least := 0, len(common)*len(common)
		for at := range len(r) - 2 {
			if w := weight(at+1) * (weight(at) + weight(at+2)); w < least { // how common the two pairs are
				best, least = at, w
			}
		}
		for _, at := range [...]int{best, best + 1} {
			p := pairIn(r, at)
			of[p] = append(of[p], place{i, at})
			set.bits[p>>6] |= 1 << (p & 63)
		}
	}
	for i := range len(set.bits) - 1 {
		set.before[i+1] = set.before[i] + uint8(bits.OnesCount64(set.bits[i]))
	}
	places = make([][]place, len(of))
	for p, at := range of {
		places[set.rankOf(p)] = at
	}
	return set, places
}

// pairIn returns the two bytes at the given index of a text as one number.
func pairIn(text string, at int) uint16 { return uint16(text[at])<<8 | uint16(text[at+1]) }

// mayArgue reports whether a text may contain an excuse. O(len(text)).
func mayArgue(text string) bool {
	for i := 0; i+1 < len(text); i += 2 {
		if p := pairIn(text, i); pairs.hasPair(p) && rootAt(text, i) {
			return true
		}
	}
	return false
}

// rootAt reports whether a text contains a root near the given index. Roots are short
// texts, and every excuse contains at least one of them. One of the root's two rarest
// pairs of bytes must be at the given index.
func rootAt(text string, at int) bool {
	for _, p := range rootsAt[pairs.rankOf(pairIn(text, at))] {
		if from := at - p.at; from >= 0 && strings.HasPrefix(text[from:], roots[p.root]) {
			return true
		}
	}
	return false
}

// allCapitals reports whether a text has no lower-case letter. In such a text, mayArgue
// cannot find an excuse, because it searches for lower-case letters.
func allCapitals(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.ToUpper(r) != r }) < 0
}

// excuseSentences returns the sentences that the agent wrote before an action and that
// may contain an excuse. It leaves out questions, and caches the result for each action.
func (a *attributor) excuseSentences(next int) []string {
	found, known := a.spoken[next]
	if known {
		return found
	}
	if words := a.Words(next); allCapitals(words) || mayArgue(words) {
		for _, s := range splitSentences(words) {
			if !strings.HasSuffix(s, "?") && (allCapitals(s) || mayArgue(s)) { // a question is not an argument
				found = append(found, s)
			}
		}
	}
	if a.spoken == nil {
		a.spoken = map[int][]string{}
	}
	a.spoken[next] = found
	return found
}

// findJustification reports whether the agent argued for the deviation that a finding is
// about. It looks at what the agent wrote since the last action before the finding's row.
func (a *attributor) findJustification(f *violation.Finding) (Cause, bool) {
	if a.Words == nil || f.Row < 0 {
		return Cause{}, false
	}
	next := a.nextObs(f.Row)
	all := a.excuseSentences(next)
	if len(all) == 0 {
		return Cause{}, false
	}
	matter := a.matterOf(f)
	for _, s := range all {
		if !containsExcuse(splitWords(s), matter.markNamed(s)) {
			continue
		}
		place := "at the end"
		if next < len(a.Obs) {
			place = "before " + a.Obs[next].Name
		}
		return Cause{Mode: Reasoning, Confidence: 0.6, Evidence: clipSentence(s), Reason: fmt.Sprintf("the agent gave a reason for this deviation (%s)", place)}, true
	}
	return Cause{}, false
}

// nextObs returns the first observed action in the given row or a later row, or the
// number of actions if there is none.
func (a *attributor) nextObs(row int) int {
	for ; row < len(a.Steps); row++ {
		if a.Steps[row].Obs >= 0 {
			return a.Steps[row].Obs
		}
	}
	return len(a.Obs)
}

// matter describes what a finding is about. Words are reduced to stems.
type matter struct {
	own     []string // of the step's name and of the arguments' names
	values  []string // of the step's arguments, or the wrong values of a wrong action
	named   bool     // the current sentence names a value
	look    bool     // the step checks or reads, so any word for checking refers to it
	leftOut bool     // a step was not done
}

func (a *attributor) matterOf(f *violation.Finding) matter {
	m := matter{leftOut: leftOut(f)}
	var about *boundary.Action
	switch {
	case m.leftOut && f.Ref >= 0:
		about = &a.Ref[f.Ref]
		m.look = !about.Writes() || about.Deed().Class == "check" || about.Deed().Class == "approve" || f.Pattern == violation.MissingConsent || f.Pattern == violation.MissingVerification
	case f.Obs >= 0 && len(f.Evidence) > 0:
		for _, e := range f.Evidence {
			m.values = append(m.values, similarity.Plain(e.Observed))
			m.own = append(m.own, wordStems(mutation.NameWords(e.Path))...)
		}
		return m
	default:
		return m
	}
	m.own = wordStems(mutation.NameWords(about.Name))
	for _, l := range about.Leaves {
		m.values = append(m.values, similarity.Plain(l.Raw))
	}
	return m
}

// markNamed returns a copy of m for one sentence. In the copy, the field named tells
// whether the sentence contains a value of m with at least three bytes.
func (m matter) markNamed(sentence string) matter {
	m.named = slices.ContainsFunc(m.values, func(v string) bool { return len(v) > 2 && strings.Contains(sentence, v) })
	return m
}

// wordStems returns the first five letters of each word, so that different forms of a
// word are equal. It leaves out filler words and words of one or two letters.
func wordStems(words []string) []string {
	var out []string
	for _, w := range words {
		switch w {
		case "get", "do", "the", "id", "to", "of", "user", "customer", "a", "an", "and", "all", "set":
			continue
		}
		if len(w) > 2 {
			out = append(out, w[:min(len(w), 5)])
		}
	}
	return out
}

// containsExcuse reports whether a sentence contains an excuse that is about m. words are
// the words of the sentence. An excuse that the sentence negates or rejects does not
// count.
func containsExcuse(words []string, m matter) bool {
	for i := range words {
		first := words[i][0] - 'a'
		if first > 'z'-'a' {
			continue
		}
		for _, at := range excusesFrom[first] {
			x := excuses[at]
			n := phraseLength(words[i:], x.words)
			if n == 0 || isDenied(words[max(0, i-5):i], x.isAdjective()) || isCondemned(words[i+n:]) || addressesUser(words[:i], x.words) {
				continue
			}
			if m.matchesExcuse(words, words[i+n:], x) {
				return true
			}
		}
	}
	return false
}

// phraseLength returns the number of words in a phrase, if the given words begin with
// this phrase. Otherwise it returns 0.
func phraseLength(words []string, phrase string) int {
	for n, w := range words {
		rest, ok := strings.CutPrefix(phrase, w)
		switch {
		case !ok || rest != "" && rest[0] != ' ':
			return 0
		case rest == "":
			return n + 1
		}
		phrase = rest[1:]
	}
	return 0
}

// isAdjective reports whether an excuse calls the step superfluous with an adjective or a
// noun, for example "redundant" or "mere formality".
func (x *excuse) isAdjective() bool {
	switch x.words {
	case "redundant", "unnecessary", "superfluous", "pointless", "overkill", "not necessary", "not needed", "not required", "not worth", "mere formality", "just a formality", "only a formality":
		return true
	}
	return false
}

// isDenied reports whether the words before an excuse negate it or make it conditional,
// for example "never" or "if". The argument adjective is the result of isAdjective. For
// an adjective, the word "would" does not count, because "it would be redundant" is still
// an argument.
func isDenied(before []string, adjective bool) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch w := before[i]; w {
		case "not", "never", "cannot", "cant", "mustnt", "wont", "dont", "doesnt", "didnt", "shouldnt", "wouldnt", "couldnt", "isnt", "arent", "without", "avoid", "rather",
			"refuse", "nor", "nothing", "hardly", "forbids", "forbidden", "prohibited", "wrong", "if", "unless", "could", "instead", "nobody", "tempting", "tempted",
			"anything", "circumstances":
			return true
		case "would", "or":
			if !adjective {
				return true
			}
		case "means", "one", "way":
			if i > 0 && before[i-1] == "no" {
				return true
			}
		case "from":
			if i > 0 && before[i-1] == "far" {
				return true
			}
		case "but":
			return i > 0 && before[i-1] == "anything"
		case "so", "because", "and", "then", "since":
			return false
		}
	}
	return false
}

// isCondemned reports whether the words after an excuse reject it, for example "would be
// a mistake" or "is not allowed".
func isCondemned(after []string) bool {
	for i, w := range after {
		negated := false
		for _, n := range after[max(0, i-3):i] {
			negated = negated || isNegation(n)
		}
		switch w {
		case "but", "so", "because":
			return false
		case "mistake", "wrong", "forbidden", "prohibited", "violate", "violates", "violation", "breach", "risky", "unsafe", "dangerous", "irresponsible", "against", "question", "unacceptable":
			if !negated {
				return true
			}
		case "allowed", "permitted", "acceptable", "option", "right", "ok", "okay", "fine", "safe":
			if negated {
				return true
			}
		}
	}
	return false
}

func isNegation(w string) bool {
	switch w {
	case "not", "no", "never", "isnt", "arent", "wouldnt", "cannot", "cant", "wont", "hardly", "doesnt":
		return true
	}
	return false
}

// addressesUser reports whether an excuse says that the user need not do something, for
// example "you need not". The argument phrase is the excuse, and the argument before has
// the words that come before the excuse.
func addressesUser(before []string, phrase string) bool {
	if !strings.Contains(phrase, "need") || len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return last == "you" || last == "youll" || last == "customers" || last == "they"
}

// matchesExcuse reports whether an excuse in a sentence refers to the finding that m
// describes. The argument after has the words that follow the excuse.
func (m *matter) matchesExcuse(sentence, after []string, x excuse) bool {
	owned := slices.ContainsFunc(sentence, m.ownsWord)
	if !m.leftOut {
		return (owned || m.named) && x.kind == assumption
	}
	checking := m.look && slices.ContainsFunc(sentence, isCheckWord)
	switch x.kind {
	case shortcut:
		return true
	case lacking:
		return slices.ContainsFunc(after[:min(len(after), 4)], m.ownsWord) && !startsWithStem(after, "skip", "omit", "bypass")
	case omission:
		return owned || m.named && !m.namesOtherVerb(after) || checking && !m.namesOtherThing(after) || isVague(after)
	}
	return (owned || m.named || checking) && !announcesCheck(sentence) || x.words == "should be fine" && isVague(after)
}

// ownsWord reports whether a word is specific to the step. For a step that checks
// something, words such as "check" do not count, because all such steps share them.
func (m *matter) ownsWord(w string) bool {
	return !(m.look && isCheckWord(w) && !strings.HasPrefix(w, "identi")) && slices.ContainsFunc(m.own, func(s string) bool { return strings.HasPrefix(w, s) })
}

// startsWithStem reports whether the first word begins with one of the given stems.
func startsWithStem(words []string, stems ...string) bool {
	return len(words) > 0 && slices.ContainsFunc(stems, func(s string) bool { return strings.HasPrefix(words[0], s) })
}

// namesOtherVerb reports whether the words after an excuse begin with a verb that is not
// about the step. For example, "skip printing it" is not about a step that checks
// something.
func (m *matter) namesOtherVerb(after []string) bool {
	if len(after) > 1 && after[0] == "to" {
		switch w := after[1]; w {
		case "do", "go", "perform", "run", "bother", "worry", "waste", "make":
			return false
		default:
			return !isCheckWord(w) && !m.ownsWord(w)
		}
	}
	return len(after) > 0 && strings.HasSuffix(after[0], "ing") && !isCheckWord(after[0]) && !m.ownsWord(after[0])
}

// namesOtherThing reports whether the words after an excuse name something else that need
// not be checked, for example the weather. Words such as "customer", "data" and
// "everything" do not count as something else.
func (m *matter) namesOtherThing(after []string) bool {
	at := slices.IndexFunc(after, isCheckWord)
	if at < 0 || at > 2 || len(m.own) == 0 || !slices.ContainsFunc(m.own, func(s string) bool { return !isCheckWord(s) }) {
		return false
	}
	for i, w := range after[at+1:] {
		switch w {
		case "the", "his", "her", "their", "your", "its", "a", "an", "any", "whether", "that", "if":
			continue
		}
		thing := i > 0 // after an article
		switch w {
		case "customer", "user", "caller", "person", "client", "member", "account", "holder", "detail", "details", "data", "info", "information", "anything", "everything",
			"things", "policy", "rules", "again", "twice", "first", "further", "step", "steps", "status", "record", "same", "whole":
			thing = false
		}
		return thing
	}
	return false
}

// announcesCheck reports whether a sentence announces a check, for example "assuming you
// mean the lamp, let me look at it". Such a sentence is not an excuse for leaving a check
// out.
func announcesCheck(sentence []string) bool {
	for i := range sentence {
		if phraseLength(sentence[i:], "let me") > 0 || phraseLength(sentence[i:], "ill look") > 0 || phraseLength(sentence[i:], "ill check") > 0 || phraseLength(sentence[i:], "i will check") > 0 {
			return true
		}
	}
	return false
}

// isCheckWord reports whether a word is about checking or reading.
func isCheckWord(w string) bool {
	for _, stem := range [...]string{"check", "verif", "confirm", "valid", "inspect", "review", "identi", "approv", "permission", "consent"} {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return w == "look" || w == "lookup" || w == "looking" || w == "ask" || w == "asking" || w == "read" || w == "reading" || w == "step" || w == "steps"
}

// isVague reports whether the words after an excuse name no specific thing, for example
// "it" in "skip it". It looks at the first four words, and stops at a word such as
// "because". It returns true if there are no words.
func isVague(after []string) bool {
	if len(after) > 4 {
		after = after[:4]
	}
	for _, w := range after {
		switch w {
		case "it", "that", "this", "to", "them", "here", "now", "then", "for", "so", "do", "these", "those", "anyway", "at", "all":
		case "and", "because", "since", "as":
			return true
		default:
			return false
		}
	}
	return true
}

// splitSentences splits a text at line ends and at full stops, question marks and
// exclamation marks.
func splitSentences(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '!' || c == '?' || c == '\n' || c == '.' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '"') {
			out, start = append(out, strings.TrimSpace(text[start:i+1])), i+1
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// splitWords returns the words of a text in lower case, without apostrophes.
func splitWords(text string) []string {
	text = strings.ReplaceAll(strings.ReplaceAll(wordlist.Lower(text), "'", ""), "’", "")
	return strings.FieldsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127)
	})
}

// clipSentence returns the first 200 bytes of a sentence. It removes an incomplete
// character at the end.
func clipSentence(s string) string {
	if len(s) > 200 {
		s = s[:200]
	}
	return strings.TrimSpace(strings.ToValidUTF8(s, ""))
}
