package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// ordersByFlag reports whether a switch that is on, or a number, may order a change,
// because the name of its member holds a verb that changes something. Examples are
// restore_version: 3 and schedule_deletion_days: 7. The law: without a definition, true or
// a number under such a name is unknown, wherever the verb stands. Two kinds of names only
// describe a value: a name that ends in an id, a count or a time, and a name that begins
// like a harmless switch, such as include_deleted.
func ordersByFlag(name string, v jsonval.Value) bool {
	on, number := isOn(v), isNumeric(v)
	if !on && !number {
		return false
	}
	t := memberWords(name)
	if len(t) == 0 || on && flagWord(t[0]) || number && isListed(t[len(t)-1], measureList) {
		return false
	}
	for k, w := range t {
		c := wordClass(w)
		switch {
		case k == 0 && c.has(write) && !readerVerb(w) && len(t) > 1, c.isDeed() && !readerVerb(w), w == "extend" && len(t) > 1:
			return true
		case deedNoun(w):
			return true
		}
	}
	return false
}

// isOn reports whether a value turns a switch on.
func isOn(v jsonval.Value) bool {
	if b, ok := v.Bool(); ok {
		return b
	}
	text := v.Text()
	return len(text) <= len("true") && oneOf(wordlist.Lower(text), "true yes on")
}

// isNumeric reports whether a value is a number other than zero, or a text of digits.
func isNumeric(v jsonval.Value) bool {
	if v.Kind() == jsonval.Number {
		return hasContent(v)
	}
	s, text := v.Str()
	return text && s != "" && strings.Trim(s, "0123456789.") == ""
}

// deedNoun reports whether a word is a noun that is made from a verb for a change, such as
// deletion or renewal. An everyday noun does not count, such as population.
func deedNoun(w string) bool {
	if wordClass(w) != 0 || isListed(w, nounLists) || oneOf(w, "population rotation configuration distribution transformation creation concentration") {
		return false
	}
	for _, end := range [...][2]string{{"ation", "ate"}, {"ation", ""}, {"ation", "e"}, {"cation", "ke"}, {"ion", ""}, {"ion", "e"}, {"al", ""}, {"al", "e"}, {"ure", "e"}, {"sion", "d"}} {
		stem, found := strings.CutSuffix(w, end[0])
		if !found {
			continue
		}
		if n := len(stem); n > 2 && stem[n-1] == stem[n-2] && end[1] == "" && wordClass(stem[:n-1]).isDeed() {
			return true // cancellation
		}
		if c := wordClass(stem + end[1]); c.isDeed() || c.has(write) && oneOf(stem+end[1], "close restore") {
			return true
		}
	}
	return false
}

// returnsPart reports whether the name of a switch asks for a part of the answer, such as
// return_content.
func returnsPart(t []string) bool {
	last := t[len(t)-1]
	return len(t) > 1 && oneOf(t[0], "return returns") && (contentWord(last) || wordClass(last).has(info) || oneOf(last, "fields raw count ids"))
}
