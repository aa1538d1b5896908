package kind

import (
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/units"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file compares words and codes that have a few notations, by the table notations.txt of
// internal/codetables, and names of things whose notations follow a rule.

// listedWords has the rows of notations of words: the words of the names of arguments, with a
// space on both sides of each, and the groups of words that mean the same.
var listedWords = sync.OnceValue(func() (out []struct{ names, groups string }) {
	for _, row := range codes.Rows("words") {
		names, groups, _ := strings.Cut(row, ";")
		out = append(out, struct{ names, groups string }{" " + names + " ", groups})
	}
	return out
})

// anyCase has the words of the names of arguments whose values have no letter case.
var anyCase = sync.OnceValue(func() string { return " " + strings.Join(codes.Rows("anycase"), " ") + " " })

// groupOf returns the group of words with a word, or "" if there is none.
func groupOf(groups, word string) string {
	for group := range strings.SplitSeq(groups, ";") {
		for w := range strings.SplitSeq(group, "|") {
			if w == word {
				return group
			}
		}
	}
	return ""
}

// compareListed compares two words by the rows of the table that the argument's name chooses.
func (p *pair) compareListed(a, b string) Outcome {
	for _, row := range listedWords() {
		if !p.named(row.names) {
			continue
		}
		x, y := groupOf(row.groups, a), groupOf(row.groups, b)
		switch {
		case x != "" && y != "":
			return sameIf(x == y)
		case row.names[:7] == " emoji " && codes.IsASCII(a) != codes.IsASCII(b):
			return Unsure // a picture and a name that the table does not have
		}
	}
	if p.named(anyCase()) && a == b {
		return Same
	}
	return Open
}

// plainWord returns a word or a code as the table of notations has it.
func plainWord(s string) string {
	s = wordlist.Lower(strings.TrimSpace(s))
	if len(s) > 2 && s[0] == ':' && s[len(s)-1] == ':' {
		s = s[1 : len(s)-1] // a name in a chat
	}
	return strings.TrimSuffix(s, "\ufe0f") // shown as a picture
}

// codePrefixes lists prefixes that mean nothing in arguments whose name has one of the words.
var codePrefixes = [...]struct{ names, prefix string }{
	{" ref branch base head target source ", "refs/heads/"},
	{" ref tag ", "refs/tags/"},
	{" channel hashtag ", "#"},
}

// longestCode is the length in bytes of the longest text that compareCodeWords reads.
const longestCode = 100

// compareCodeWords compares two words or codes of a few notations, and two media types
// (RFC 9110, section 8.3.1).
func (p *pair) compareCodeWords() Outcome {
	if max(len(p.a.text), len(p.b.text)) > longestCode || strings.HasSuffix(p.a.text, "%") && strings.HasSuffix(p.b.text, "%") {
		return Open
	}
	if o := p.compareListed(plainWord(p.a.text), plainWord(p.b.text)); o != Open || !p.a.isString() && !p.b.isString() {
		return o
	}
	for _, c := range codePrefixes {
		if p.named(c.names) && strings.TrimPrefix(p.a.text, c.prefix) == strings.TrimPrefix(p.b.text, c.prefix) {
			return Same
		}
	}
	if x, y := notation.MediaType(strings.ToLower(p.a.text)), notation.MediaType(strings.ToLower(p.b.text)); x != "" && x == y && p.named(" type mime media format ") {
		return Same
	}
	return p.compareNotations()
}

// notationWords has all words of the names of arguments that compareCodeWords knows. So nothing reads
// the table for another argument.
const notationWords = "agg aggregate aggregation airline airport algo algorithm aspect base bearing blood branch byday cadence callsign channel charset checksum chmod cipher " +
	"codec commit comparator comparison compass condition cron crontab day digest direction dns ear emoji encoding exchange ext extension eye filetype " +
	"flight format frequency function hash hashtag head heading iata icao icon image instrument interval laterality level loglevel media method metric mime " +
	"mode op operator order orderby ordering orientation output_format pair perm permission protocol province ratio reaction recurrence recurring ref " +
	"region remote repeat repo repository rev revision rrule rule scale schedule scheme severity side site sort sorting source state statistic sticker " +
	"symbol tag target ticker tld train transport type umask verb verbosity weekday wind"

// ruledNames has the kinds of names whose notations follow a rule. plain returns one notation,
// or "" for a text that is not of the kind. certain says that two of the kind differ if their
// plain notations differ.
var ruledNames = [...]struct {
	names   string
	plain   func(string) string
	certain bool
}{
	{" flight train ", notation.PlainFlight, true},
	{" image ", notation.PlainImage, false},
	{" repo repository remote ", notation.PlainRepository, false},
	{" ref commit revision branch base target rev ", notation.PlainRevision, false},
	{" mode permission perm chmod umask ", notation.PlainMode, true},
	{" schedule cron crontab ", notation.PlainCron, true},
	{" rrule recurrence recurring repeat schedule rule ", notation.PlainRecurrence, true},
	{" pair symbol instrument ", plainCurrencies, true},
	{" sort order ordering orderby ", notation.PlainOrder, false},
	{" ratio aspect scale ", notation.PlainRatio, true},
}

// compareNotations compares two names by the rule of their kind.
func (p *pair) compareNotations() Outcome {
	for i := range ruledNames {
		n := &ruledNames[i]
		if !p.named(n.names) {
			continue
		}
		a, b := n.plain(p.a.text), n.plain(p.b.text)
		switch {
		case a == "" || b == "":
		case a == b:
			return Same
		case n.certain:
			return Differs
		}
	}
	return Open
}

// plainCurrencies returns a pair of currencies as six letters.
func plainCurrencies(s string) string {
	s = strings.ToUpper(strings.NewReplacer("/", "", "-", "", "_", "", " ", "").Replace(s))
	if len(s) != 6 || units.Currency(s[:3]) == "" || units.Currency(s[3:]) == "" {
		return ""
	}
	return s
}
