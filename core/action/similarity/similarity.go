// Package similarity computes the similarity of two actions, in [0, 1].
//
// For calls the similarity is ½·name + ½·overlap. name is 1 if the canonical names are
// equal, else 0. overlap is the Jaccard index of the normalised leaf paths with their
// values; it is 1 if neither call has arguments. So calls with different names never
// exceed the papers' τ = 0.85. For free texts the similarity is the cosine of the word
// counts.
package similarity

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Leaf is one scalar argument: its path, the name of the member that contains it, its
// canonical value for comparisons, and its original text for display.
type Leaf struct{ Path, Key, Value, Raw string }

// Call is an action that is prepared for comparison. Two calls have the same Key if and
// only if no comparison can distinguish them.
type Call struct {
	Name   string
	Text   string
	Raw    string // the arguments' own text, byte for byte
	Leaves []Leaf // sorted by path
	Key    string

	seen []string          // the values that an earlier result holds; see NoteSeen
	held map[string]string // what the earlier results of a source hold; see NoteHeld
}

// NewCall returns a call that is ready for comparison. broken is the text of arguments
// that are not a JSON object, and becomes one leaf without a path. Null arguments count
// as absent. White space around strings, the order of lists of entities and the way to
// encode a letter with its marks are ignored.
func NewCall(name string, arguments jsonval.Value, broken, text string) Call {
	c := Call{Name: name, Text: codes.Compose(text), Raw: arguments.Raw()}
	if broken != "" {
		c.Raw = broken
		c.Leaves = []Leaf{{Value: jsonval.Quoted(strings.TrimSpace(broken)), Raw: broken}}
	} else if arguments.Len() > 0 {
		arguments = composed(arguments)
		c.Leaves = sortSets(name, arguments)
		if strings.Contains(c.Raw, "null") && mutation.ChangesFields(name) {
			c.Leaves = withNulls(c.Leaves, arguments)
		}
	}
	c.Key = c.buildKey()
	return c
}

// withNulls adds the members that are null. For a tool that changes fields, null clears a
// field, and no member leaves it as it is.
func withNulls(leaves []Leaf, object jsonval.Value) []Leaf {
	for _, l := range object.Leaves() {
		if l.Value.Kind() == jsonval.Null {
			leaves = append(leaves, Leaf{l.Path, l.Key, "null", "null"})
		}
	}
	slices.SortStableFunc(leaves, byPath)
	return leaves
}

func (c *Call) buildKey() string {
	size := len(c.Name) + len(c.Text) + 1
	for _, l := range c.Leaves {
		size += len(l.Path) + len(l.Value) + 2
	}
	b := make([]byte, 0, size)
	b = append(b, c.Name...)
	if c.Text != "" {
		b = append(append(b, 0), c.Text...)
	}
	for _, l := range c.Leaves {
		b = append(append(b, 0), l.Path...)
		b = append(append(b, 1), l.Value...)
	}
	return string(b)
}

func leavesOf(v jsonval.Value) []Leaf { return Leaves(v.Leaves()) }

// Leaves prepares leaves for comparison: it sorts them by path and drops nulls.
func Leaves(all []jsonval.Leaf) []Leaf {
	out := make([]Leaf, 0, len(all))
	for _, l := range all {
		if l.Value.Kind() == jsonval.Null {
			continue
		}
		value := NormalText(l.Value)
		if value[0] == '"' && isAmountKey(l.Key) {
			if amount, ok := normalAmount(l.Value.Text()); ok {
				value = amount
			}
		}
		if value != l.Value.Raw() && l.Value.Kind() == jsonval.String && isWritten(l.Key, l.Value.Text(), value) {
			value = l.Value.Canonical()
		}
		out = append(out, Leaf{l.Path, l.Key, value, l.Value.Raw()})
	}
	if !slices.IsSortedFunc(out, byPath) { // members come sorted; lists of ten elements and more do not
		slices.SortStableFunc(out, byPath)
	}
	return out
}

// isWritten reports whether a text is compared as it is written, although its canonical text is normal: it
// is code or a secret, and not a plain number, or white space stands around it that may be a part of it. Where
// the text is a message, its kind says that the white space is none of it (package kind).
func isWritten(key, text, normal string) bool {
	words := mutation.NameWords(key)
	if strings.TrimSpace(text) != text && wordlist.HasLast(blankWords, words) {
		return true
	}
	if text == normal || !wordlist.HasLast(codeWords, words) && !wordlist.HasLast(secretWords, words) {
		return len(words) == 2 && wordlist.Contains(partWords, words[0]+"_"+words[1])
	}
	return true
}

const (
	// secretWords end the names of secrets, and codeWords those of code and contents of files.
	secretWords = " password passphrase secret token hash signature otp cvv pin passcode passwd pwd credential salt passkey apikey mnemonic nonce "
	codeWords   = " content code patch diff script snippet source replacement char oldstring newstring oldtext newtext "
	// partWords are names of parts of a file.
	partWords = " old_string new_string old_str new_str old_text new_text file_text insert_text "
	// blankWords end the names of arguments whose outer white space may be a part of the value.
	blankWords = " content code patch diff script snippet source replacement replace find body text data value string str char oldstring newstring delimiter separator delim sep indent prefix suffix key" + secretWords
)

func byPath(a, b Leaf) int { return strings.Compare(a.Path, b.Path) }

// NormalText returns the canonical text of a scalar for comparisons. Different spellings
// of the same value have the same canonical text (see normalString).
func NormalText(v jsonval.Value) string {
	if s, ok := v.Str(); ok {
		return normalString(s, v)
	}
	return v.Canonical()
}

// Difference is the result of comparing two calls of the same name, leaf by leaf. Paths
// are sorted. Ignored paths are left out.
type Difference struct {
	Same    int    // leaves with equal path and value
	Extra   []Leaf // only in the observed call
	Missing []Leaf // only in the reference
	Changed []Pair // equal path, different value
}

// Pair is one path with its values on the two sides, as they are written in the calls.
type Pair struct {
	Path, Key           string
	Observed, Reference string

	Wanted bool // Reference is not a value but says in words what the value may be
}

// Equal reports whether the calls have no difference.
func (d *Difference) Equal() bool {
	return len(d.Extra) == 0 && len(d.Missing) == 0 && len(d.Changed) == 0
}

// Compare returns the differences between the arguments of two calls. terms is from the
// reference step. If terms is nil, all arguments are compared exactly. O(leaves · terms).
func Compare(obs, ref *Call, terms *Terms) Difference {
	var d Difference
	ignore := terms.settleAccepted(obs, ref, &d)
	o, r := obs.Leaves, ref.Leaves
	for len(o) > 0 || len(r) > 0 {
		switch {
		case len(r) == 0 || (len(o) > 0 && o[0].Path < r[0].Path):
			if !ignore(o[0].Path) {
				d.Extra = append(d.Extra, o[0])
			}
			o = o[1:]
		case len(o) == 0 || r[0].Path < o[0].Path:
			if !ignore(r[0].Path) {
				d.Missing = append(d.Missing, r[0])
			}
			r = r[1:]
		default:
			d.pairLeaves(o[0], r[0], ignore)
			o, r = o[1:], r[1:]
		}
	}
	if terms != nil && len(terms.Expect) > 0 {
		slices.SortStableFunc(d.Missing, byPath)
		slices.SortStableFunc(d.Changed, func(a, b Pair) int { return strings.Compare(a.Path, b.Path) })
	}
	return d
}

func (d *Difference) pairLeaves(o, r Leaf, ignore func(string) bool) {
	switch {
	case ignore(o.Path):
	case o.Value == r.Value:
		d.Same++
	default:
		d.Changed = append(d.Changed, Pair{Path: o.Path, Key: o.Key, Observed: o.Raw, Reference: r.Raw})
	}
}

// callSimilarity returns the similarity of two actions. terms have the same meaning as in
// Compare.
func callSimilarity(obs, ref *Call, terms *Terms) float64 {
	if obs.Text != "" && ref.Text != "" {
		return textSimilarity(obs.Text, ref.Text)
	}
	d := Compare(obs, ref, terms)
	return d.toCounts().Similarity(obs.Name == ref.Name)
}

func (d *Difference) toCounts() Counts {
	return Counts{d.Same, len(d.Extra), len(d.Missing), len(d.Changed)}
}

// textSimilarity returns the cosine of the word counts of two texts. It is 1 for texts
// with the same words in any order, 0 for texts without a common word, and 1 if neither
// text has a word.
func textSimilarity(a, b string) float64 {
	wa, wb := countWords(a), countWords(b)
	if len(wa) == 0 && len(wb) == 0 {
		return 1
	}
	var dot, na, nb float64
	for w, n := range wa {
		dot += n * wb[w]
		na += n * n
	}
	for _, n := range wb {
		nb += n * n
	}
	if dot == 0 {
		return 0
	}
	return math.Min(1, dot/math.Sqrt(na*nb))
}

// countWords counts the words of a text. The counts are whole numbers, so that sums are
// exact in any order.
func countWords(s string) map[string]float64 {
	out := map[string]float64{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out[w]++
	}
	return out
}

// Plain returns the content of a JSON string, and any other JSON text unchanged.
func Plain(raw string) string {
	if text, ok := jsonval.Unquote(raw); ok {
		return text
	}
	if v, err := jsonval.Parse(raw); err == nil {
		return v.Text()
	}
	return raw
}
