package failure

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/participle"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// A call may have a name in which no word is a known verb, such as stock and seat_map. The law of this file: its
// result is a listing only if it brings facts about what the call names, and nothing in it may be the report, the new
// state or the new id of a change. A listing is a reason to doubt that the call changed something, and no proof.

// mostAsked is the largest number of arguments of a call whose result may be a listing.
const mostAsked = 3

// reportKeys are the names of members with which a result reports what a call did.
const reportKeys = " ok success done ack status state result message msg note outcome code error warning count affected total created updated changed modified "

// Lists reports whether the result of a call is a listing: an object or a list with facts about what the call names.
// A list of records is one, so are numbers and words beside a repeated argument, and for a call with one argument
// single numbers. words are those of the tool's name: the member that its last word names is what was asked for, such as
// state for approval_state. A single value that nobody gave is one, too, if it reads like a reading (see isReading).
// O(length of the text).
func Lists(words []string, arguments jsonval.Value, text string) bool {
	if isReading(arguments, text) {
		return true
	}
	text = innerText(strings.TrimSpace(text))
	if len(words) == 0 || len(text) < 2 || len(text) > longestParts || text[0] != '{' && text[0] != '[' {
		return false
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return false
	}
	l := listing{asked: words[len(words)-1], given: map[string]bool{}}
	n := 0
	arguments.Each(func(_ string, m jsonval.Value) bool {
		n++
		l.isChange = l.isChange || m.Kind() != jsonval.String && m.Kind() != jsonval.Number
		l.given[m.Text()] = true
		return true
	})
	if n > mostAsked || l.isChange {
		return false
	}
	if v.Kind() == jsonval.Array {
		return areRecords(v)
	}
	v.Each(func(key string, m jsonval.Value) bool {
		l.read(key, m)
		return !l.isChange
	})
	return !l.isChange && l.facts > 0 && (n < 2 || l.echoes || l.records)
}

// listing is what the members of a result say.
type listing struct {
	asked                     string          // the last word of the tool's name
	given                     map[string]bool // the values of the arguments
	facts                     int
	echoes, records, isChange bool
}

func (l *listing) read(key string, m jsonval.Value) {
	word := wordlist.FoldName(key)
	isAsked := word == l.asked
	switch {
	case !isAsked && (wordlist.Contains(reportKeys, word) || participle.Is(word) || isNewID(key, m, l.given)), m.Kind() == jsonval.Bool:
		l.isChange = true
	case m.Kind() == jsonval.Null:
	case l.given[m.Text()]:
		l.echoes = true
	case l.given[key]:
		l.facts, l.echoes = l.facts+1, true
	case m.Kind() == jsonval.Array || m.Kind() == jsonval.Object:
		l.records = l.records || areRecords(m) || m.Kind() == jsonval.Object && m.Len() > 0
		l.facts++
	case m.Kind() == jsonval.String && !isAsked && participle.Is(wordlist.FoldName(m.Text())):
		l.isChange = true // the thing is now so
	default:
		l.facts++
	}
}

// isNewID reports whether a member may hold the id of what a call made: its name says so, or it is one word of letters and
// digits that the call did not name.
func isNewID(key string, m jsonval.Value, given map[string]bool) bool {
	if m.Kind() != jsonval.String && m.Kind() != jsonval.Number || given[m.Text()] {
		return false
	}
	words := mutation.NameWords(key)
	if wordlist.HasLast(" id uuid ref reference number nr no key token receipt ticket ", words) {
		return true
	}
	text := m.Text()
	return m.Kind() == jsonval.String && strings.ContainsAny(text, "0123456789") && !strings.ContainsAny(text, " :,") &&
		strings.ContainsAny(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz")
}

// areRecords reports whether a value is a list of objects with two members or more.
func areRecords(v jsonval.Value) bool {
	if v.Kind() != jsonval.Array || v.Len() == 0 {
		return false
	}
	for _, e := range v.Elements() {
		if e.Kind() != jsonval.Object || e.Len() < 2 {
			return false
		}
	}
	return true
}

// mostReading is the length in bytes of the longest reading.
const mostReading = 120

// isReading reports whether a result is one value that only says how something is: a number with a point or a unit, such
// as 18.8 and "4 TB", a few words without a report of a deed, and for a call without arguments, which can set nothing, any
// word or number that is no report. A value that the call gives is what it set, and a whole number or one word behind
// arguments may be a new id or a new state.
func isReading(arguments jsonval.Value, text string) bool {
	text = strings.TrimSpace(text)
	v, err := jsonval.Parse(text)
	if err == nil && v.Kind() != jsonval.String && v.Kind() != jsonval.Number || len(text) > mostReading || text == "" {
		return false
	}
	if err == nil {
		text = v.Text()
	}
	given, n := false, 0
	arguments.Each(func(_ string, m jsonval.Value) bool {
		n++
		given = given || m.Kind() == jsonval.Bool || m.Text() == text
		return true
	})
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,;:/-!", r) })
	if given || n > mostAsked || len(words) == 0 || strings.ContainsAny(text, "{}\n>") {
		return false
	}
	for _, w := range words {
		if w = strings.Trim(w, ".'\""); wordlist.Contains(reportKeys+reportWords, w) || participle.Is(w) {
			return false
		}
	}
	isNumber := strings.Trim(words[0], "0123456789.,+-") == ""
	switch {
	case n == 0:
		return true
	case len(words) == 1:
		return isNumber && strings.Contains(words[0], ".")
	}
	return isNumber || !isNewID("", v, nil)
}

// reportWords are words with which a text says that a deed was done, beside participles.
const reportWords = " yes true okay fine running started on off active open closed now ready complete new changes change "
