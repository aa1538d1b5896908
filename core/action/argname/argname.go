// Package argname knows when two names of arguments say the same of a call, such as src and
// source, or recipient and to. It never looks at values: whoever takes one name for the other
// compares the values afterwards.
package argname

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// sorts are words in names of arguments that say only in which form the thing is named: by an
// identifier, a name, a place in files or on the web, a time, an address, or a value.
var sorts = [...]string{
	" id identifier key uuid guid slug handle ref reference number num code ",
	" name ",
	" path url uri ",
	" date time day datetime timestamp ",
	" email phone telephone tel address addr ",
	" value ",
}

// Name is a name of an argument in parts. To compare a name with many others, read it once.
type Name struct {
	text   string
	key    string   // see mutation.SpellingKey
	joined string   // key without blanks
	sorted []string // the words of key
	words  []string // without those that say a sort
	sorts  uint8    // a bit for each sort
	ways   uint8    // of all words
}

// Same reports whether two names of arguments say the same of a call: their words are the same,
// or mean the same in an argument, or are short for one another. What one name says more may only
// be the sort of the value, the object of the call, or a noun behind a word such as to, which
// says where the value goes. Words for opposite places, such as from and to, are never the same.
// The objects are those of the tools' names. The relation is symmetric. O(words²).
func Same(a, b string, objects ...[]string) bool {
	if a == b {
		return true
	}
	x, y := Read(a), Read(b)
	return x.Same(&y, objects...)
}

// Read takes a name apart. O(length).
func Read(text string) Name {
	key := mutation.SpellingKey(text)
	n := Name{text: text, key: key, joined: strings.ReplaceAll(key, " ", ""), sorted: strings.Fields(key)}
	for _, w := range n.sorted {
		if w == "of" || w == "the" {
			continue
		}
		n.ways |= verbs.WaysOf(mutation.WordForm(w))
		sort := slices.IndexFunc(sorts[:], func(words string) bool { return wordlist.Contains(words, w) })
		if sort < 0 {
			n.words = append(n.words, w)
			continue
		}
		n.sorts |= 1 << sort
	}
	slices.Sort(n.sorted)
	return n
}

// Same is like the function Same, for names that were read.
func (x *Name) Same(y *Name, objects ...[]string) bool {
	if x.text == y.text || x.key == y.key || x.joined == y.joined {
		return true
	}
	if slices.Equal(x.sorted, y.sorted) {
		return false // from_user is not user_from
	}
	if x.ways != 0 && y.ways != 0 && x.ways&y.ways == 0 {
		return false
	}
	if x.sorts&y.sorts != x.sorts && x.sorts&y.sorts != y.sorts {
		return false
	}
	rest, left := findUnpaired(x.words, y.words)
	switch {
	case len(rest) > 0 && len(left) > 0:
		return false
	case len(rest)+len(left) == 0:
		return len(x.words) > 0 || onlyShorter(x.key, y.key)
	case len(x.words) == 0 || len(y.words) == 0:
		return saysObject(append(rest, left...), objects)
	}
	return x.ways&y.ways != 0 && !slices.ContainsFunc(append(rest, left...), mayBeVerb)
}

// findUnpaired returns the words of two names that have no partner in the other name, in this order.
func findUnpaired(a, b []string) (rest, left []string) {
	from := 0
	for _, w := range a {
		at := slices.IndexFunc(b[from:], func(v string) bool { return oneWord(w, v) })
		if at < 0 {
			rest = append(rest, w)
			continue
		}
		left = append(left, b[from:from+at]...)
		from += at + 1
	}
	return rest, append(left, b[from:]...)
}

// oneWord reports whether two words mean the same in the name of an argument. The singular and the
// plural of a word do not.
func oneWord(a, b string) bool {
	x, y := mutation.WordForm(a), mutation.WordForm(b)
	if x == y {
		return a == b
	}
	return verbs.OneNoun(x) == verbs.OneNoun(y) || verbs.WaysOf(x)&verbs.WaysOf(y) != 0 || verbs.OneArgument(x, y) || isShort(x, y) || isShort(y, x)
}

// isShort reports whether a word has some of the consonants of a longer one, as qty has those of
// quantity.
func isShort(short, long string) bool {
	if len(short) < 3 || len(short) > 4 || len(long) < len(short)+2 || short[0] != long[0] || strings.ContainsAny(short[1:], "aeiou") {
		return false
	}
	at := 0
	for i := range len(long) {
		if at < len(short) && long[i] == short[at] {
			at++
		}
	}
	return at == len(short)
}

// onlyShorter reports whether of two names that say only a sort, one has all words of the other,
// as phone_number has those of phone.
func onlyShorter(key, other string) bool {
	a, b := strings.Fields(key), strings.Fields(other)
	if len(a) > len(b) {
		a, b = b, a
	}
	return !slices.ContainsFunc(a, func(w string) bool {
		return !slices.ContainsFunc(b, func(v string) bool { return oneWord(w, v) })
	})
}

// saysObject reports whether words say no more than the last word of an object.
func saysObject(words []string, objects [][]string) bool {
	return slices.ContainsFunc(objects, func(object []string) bool {
		return len(object) > 0 && len(words) == 1 && verbs.OneNoun(mutation.WordForm(words[0])) == verbs.OneNoun(mutation.WordForm(object[len(object)-1]))
	})
}

// mayBeVerb reports whether a word is perhaps no noun: reply_to does not say what to says.
func mayBeVerb(w string) bool {
	deed := mutation.DeedOf(w)
	return verbs.Known(w) || deed.Class != "" || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing")
}
