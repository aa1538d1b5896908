// Package match is the one language in which people say what a value may be. References,
// procedures and policies all read it here, so that each thing has one spelling:
//
//	equals: v             the value v
//	oneOf: [v, …]         one of these
//	any: true             every value that is there
//	within: .01, "1%"     a number at most so far from equals, or from the step's own value
//	min: n, max: n        a number in a range
//	matches: "a.*z"       a text with this pattern (RE2; see Pattern)
//	contains: v           a text with this text in it, or a list with this element
//	prefix: t             a text that begins so
//	under: /a/b           a path inside this folder, after . and .. are resolved
//	host: [h, "*.h"]      a URL of one of these hosts
//	type: list            text, number, whole, boolean, list, object or null
//	length: {min, max}    the number of characters, elements or members; or one number
//	setOf: [v, …]         a list of exactly these elements, in any order
//	sameAs: step.path     a value in an earlier result of that step, or tool
//	not: {…}              what the matcher in it does not accept
//	optional: true        the value may be absent
//
// What other members of a reference or of a policy say keeps its older name:
//
//	a value in arguments  equals       accept: {path: [v]}  oneOf, with the step's value
//	ignore: [path]        any          accept: {path: [null]}  optional
//	mustNot: true         a step that must not be there; of a value: not
//	compare: [path]       any for all other arguments
//	times: {min, max}     how often a step is done; in a policy, atMost: {n, per}
//	only: [tool]          the tools of a run
//	fails: true           a step whose call must be refused; in a policy, effect: deny
//	pre: [step]           what comes before it; in a policy, after: {tool}
//	oneOf: [node]         beside steps: one of these steps
//	fourEyes: [tool]      in a policy: people: 2
//
// Several tests in one matcher must all hold. A test has three answers: a text such as
// "600" may or may not be the number that a tool will read, so min: 500 answers Unknown.
// A caller that makes something stricter counts Unknown like Yes, a caller that allows or
// accepts something counts it like No.
package match

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Answer says whether a value fits a matcher.
type Answer uint8

// The answers, in the order in which the smallest of several counts for all of them.
const (
	No Answer = iota
	Unknown
	Yes
)

func answerOf(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// Matcher says what a value may be. Read makes it.
type Matcher struct {
	Optional bool // the value may be absent
	Raw      string
	tests    []test
}

// test is one member of a matcher.
type test struct {
	word    string
	value   jsonval.Value   // as it was written
	values  []jsonval.Value // of equals, oneOf, setOf, host
	texts   []string        // of equals and oneOf: canonical
	number  Number          // of min, max and within
	percent bool            // of within
	low     int             // of length
	high    int             // of length; -1 for no limit
	pattern *Pattern
	inner   *Matcher // of not
	source  Source   // of sameAs
}

// Source names the values that sameAs compares with: the path in the results of a step.
type Source struct{ Step, Path string }

// Context is what a matcher may have to know beside the value.
type Context struct {
	// Base is the value that within is measured from if there is no equals.
	Base jsonval.Value
	// Seen reports whether an earlier result holds the value; nil if results are not
	// known.
	Seen func(s Source, v jsonval.Value) Answer
	// Doubts says that a value in another notation may be the same value for the program
	// that reads it, as for a policy: "7" for 7, " Prod" for "prod", a list of one value for
	// the value. Is then answers Unknown.
	Doubts bool
}

// Is reports whether a value fits. v must exist; see Optional for a value that does not.
func (m *Matcher) Is(v jsonval.Value, c Context) Answer {
	out := Yes
	for i := range m.tests {
		out = min(out, m.tests[i].is(m, v, c))
	}
	return out
}

// Absent answers for a value that is not there, apart from Optional. Only not can hold.
func (m *Matcher) Absent() Answer {
	for i := range m.tests {
		if t := &m.tests[i]; t.word != "not" || t.inner.Absent() != No {
			return No
		}
	}
	return Yes
}

// is answers for one test. With Doubts, a value whose numbers a program with 64-bit floats
// rounds must get the same answer before and after.
func (t *test) is(m *Matcher, v jsonval.Value, c Context) Answer {
	out := t.isExactly(m, v, c)
	if !c.Doubts || t.word == "not" {
		return out
	}
	if r, changed := rounded(v); changed && t.isExactly(m, r, c) != out {
		return Unknown
	}
	return out
}

// isExactly answers for a value as it is written. Texts, numbers and other scalars inside a
// list or an object count as well, for tests that are about scalars.
func (t *test) isExactly(m *Matcher, v jsonval.Value, c Context) Answer {
	switch t.word {
	case "not":
		return Yes - t.inner.Is(v, c)
	case "type", "length", "setOf":
		if inner, ok := insideText(v); ok && c.Doubts && t.isWhole(inner) != t.isWhole(v) {
			return Unknown
		}
		return answerOf(t.isWhole(v))
	case "contains":
		if v.Kind() == jsonval.Array && slices.ContainsFunc(v.Elements(), func(e jsonval.Value) bool { return jsonval.Equal(e, t.value) }) {
			return Yes
		}
	case "equals", "oneOf":
		if m.tolerant() {
			return Yes // within decides
		}
		if slices.Contains(t.texts, v.Canonical()) {
			return Yes
		}
	case "sameAs":
		if c.Seen == nil {
			return Unknown
		}
		return c.Seen(t.source, v)
	}
	if v.Kind() == jsonval.Array || v.Kind() == jsonval.Object {
		return t.isEach(m, v, c)
	}
	out := t.isScalar(m, v, c)
	if inner, ok := insideText(v); c.Doubts && ok && out == No && t.is(m, inner, c) != No {
		return Unknown
	}
	return out
}

// isWhole answers for a test of the form of a value.
func (t *test) isWhole(v jsonval.Value) bool {
	switch t.word {
	case "type":
		return t.hasType(v)
	case "length":
		n := lengthOf(v)
		return n >= t.low && (t.high < 0 || n <= t.high)
	}
	return v.Kind() == jsonval.Array && slices.Equal(canonicalTexts(v.Elements()), canonicalTexts(t.values))
}

// isEach answers for a list or an object: Yes if all its scalars fit, No if none does. It
// is never sure that a list is one of its scalars: ["prod"] may or may not be read as "prod".
func (t *test) isEach(m *Matcher, v jsonval.Value, c Context) Answer {
	least, most := Yes, No
	for _, l := range v.Leaves() {
		a := t.isScalar(m, l.Value, c)
		if inner, ok := insideText(l.Value); c.Doubts && ok && a == No && t.is(m, inner, c) != No {
			a = Unknown
		}
		least, most = min(least, a), max(most, a)
	}
	switch {
	case most == No:
		return No
	case least == Yes && (t.word == "any" || t.word == "contains" && !c.Doubts):
		return Yes
	}
	return Unknown
}

func (t *test) isScalar(m *Matcher, v jsonval.Value, c Context) Answer {
	switch t.word {
	case "any":
		return answerOf(v.Kind() != jsonval.Null && v.Kind() != jsonval.Array && v.Kind() != jsonval.Object)
	case "equals", "oneOf":
		if slices.Contains(t.texts, v.Canonical()) {
			return Yes
		}
		if c.Doubts && t.mayEqual(v) {
			return Unknown
		}
		return No
	case "min", "max", "within":
		return t.isNumber(m, v, c)
	}
	text, ok := plainText(v)
	if !ok {
		return No
	}
	out := t.isText(v, text)
	if c.Doubts && out == No && t.mayBeText(v, text) {
		return Unknown
	}
	return out
}

// isText answers for a test of a text.
func (t *test) isText(v jsonval.Value, text string) Answer {
	switch t.word {
	case "matches":
		return answerOf(t.pattern.Finds(text))
	case "contains":
		return answerOf(v.Kind() == jsonval.String && t.value.Kind() == jsonval.String && strings.Contains(text, t.value.Text()))
	case "prefix":
		return answerOf(strings.HasPrefix(text, t.value.Text()))
	case "under":
		return isUnder(text, t.value.Text())
	}
	return hasHost(text, t.values)
}

// plainText returns the text of a string, or a number as it was written.
func plainText(v jsonval.Value) (string, bool) {
	switch v.Kind() {
	case jsonval.String:
		return v.Text(), true
	case jsonval.Number:
		return v.Raw(), true
	}
	return "", false
}

func (t *test) isNumber(m *Matcher, v jsonval.Value, c Context) Answer {
	n, ok := ReadNumber(v)
	if !ok {
		return Unknown
	}
	switch t.word {
	case "min":
		return answerOf(n.Compare(t.number) >= 0)
	case "max":
		return answerOf(n.Compare(t.number) <= 0)
	}
	base := c.Base
	for i := range m.tests {
		if e := &m.tests[i]; e.word == "equals" {
			base = e.value
		}
	}
	center, ok := ReadNumber(base)
	if !ok {
		return Unknown
	}
	reach := t.number
	if t.percent {
		reach = reach.times(center)
		reach.exponent -= 2
	}
	return answerOf(n.distance(center).Compare(reach) <= 0)
}

// MeasuresFrom reports whether the matcher has a test that measures from the step's own value.
func (m *Matcher) MeasuresFrom() bool {
	return m.tolerant() && !slices.ContainsFunc(m.tests, func(t test) bool { return t.word == "equals" })
}

// tolerant reports whether within decides about equality.
func (m *Matcher) tolerant() bool {
	return slices.ContainsFunc(m.tests, func(t test) bool { return t.word == "within" })
}

// types are the words of the test type.
var types = []string{"text", "number", "whole", "boolean", "list", "object", "null"}

func (t *test) hasType(v jsonval.Value) bool {
	switch t.value.Text() {
	case "text":
		return v.Kind() == jsonval.String
	case "number":
		return v.Kind() == jsonval.Number
	case "whole":
		n, ok := ReadNumber(v)
		return ok && n.exponent >= 0
	case "boolean":
		return v.Kind() == jsonval.Bool
	case "list":
		return v.Kind() == jsonval.Array
	case "object":
		return v.Kind() == jsonval.Object
	}
	return v.Kind() == jsonval.Null
}

// lengthOf returns the number of characters, elements or members, or -1 for a value that
// has no length.
func lengthOf(v jsonval.Value) int {
	switch v.Kind() {
	case jsonval.String:
		return utf8.RuneCountInString(v.Text())
	case jsonval.Array, jsonval.Object:
		return v.Len()
	}
	return -1
}

func canonicalTexts(all []jsonval.Value) []string {
	out := make([]string, len(all))
	for i, v := range all {
		out[i] = v.Canonical()
	}
	slices.Sort(out)
	return out
}

// cleanPath splits a path into its names. ok is false if it leaves the folder in which it
// begins.
func cleanPath(place string) (names []string, ok bool) {
	for _, name := range strings.Split(place, "/") {
		switch name {
		case "", ".":
		case "..":
			if len(names) == 0 {
				return nil, false
			}
			names = names[:len(names)-1]
		default:
			names = append(names, name)
		}
	}
	return names, true
}

// Sources returns what the tests with sameAs compare with.
func (m *Matcher) Sources() (all []Source) {
	for i := range m.tests {
		switch t := &m.tests[i]; t.word {
		case "sameAs":
			all = append(all, t.source)
		case "not":
			all = append(all, t.inner.Sources()...)
		}
	}
	return all
}

// Any returns the matcher {any: true}.
func Any() *Matcher { return &Matcher{Raw: `{"any":true}`, tests: []test{{word: "any"}}} }

// TakeSources returns the matcher without its tests with sameAs, and what these name: in
// same the tests themselves, in other those that are alone in a not. ok is false if there
// are others. rest is nil if no test is left.
func (m *Matcher) TakeSources() (rest *Matcher, same, other []Source, ok bool) {
	rest = &Matcher{Optional: m.Optional, Raw: m.Raw}
	for i := range m.tests {
		switch t := &m.tests[i]; {
		case t.word == "sameAs":
			same = append(same, t.source)
		case t.word == "not" && len(t.inner.tests) == 1 && t.inner.tests[0].word == "sameAs":
			other = append(other, t.inner.tests[0].source)
		default:
			rest.tests = append(rest.tests, *t)
		}
	}
	ok = len(rest.Sources()) == 0
	if len(rest.tests) == 0 {
		return nil, same, other, ok
	}
	return rest, same, other, ok
}

// String returns the matcher in words, such as "a number of at most 50".
func (m *Matcher) String() string {
	var parts []string
	for i := range m.tests {
		if t := &m.tests[i]; t.word != "equals" || !m.tolerant() {
			parts = append(parts, t.words(m))
		}
	}
	out := strings.Join(parts, " and ")
	if m.Optional {
		out += ", or absent"
	}
	return strings.TrimPrefix(out, ", or ")
}

// phrases are the words of tests that show one value.
var phrases = map[string]string{"equals": "", "oneOf": "one of ", "min": "at least ", "max": "at most ", "matches": "a text like ", "contains": "something with ",
	"prefix": "a text that begins with ", "under": "a path under ", "host": "an address of ", "type": "of the type ", "setOf": "in any order ", "sameAs": "as in the result of "}

func (t *test) words(m *Matcher) string {
	switch t.word {
	case "any":
		return "any value"
	case "not":
		return "anything but " + t.inner.String()
	case "length":
		switch {
		case t.high < 0:
			return "of length " + strconv.Itoa(t.low) + " or more"
		case t.low == t.high:
			return "of length " + strconv.Itoa(t.low)
		}
		return "of length " + strconv.Itoa(t.low) + " to " + strconv.Itoa(t.high)
	case "within":
		for i := range m.tests {
			if e := &m.tests[i]; e.word == "equals" {
				return e.value.Raw() + " ± " + t.value.Text()
			}
		}
		return "within ± " + t.value.Text()
	case "type", "sameAs":
		return phrases[t.word] + t.value.Text()
	}
	return phrases[t.word] + t.value.Raw()
}
