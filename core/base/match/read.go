package match

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// Words are the members of a matcher, in the order of the documentation.
var Words = []string{"equals", "oneOf", "any", "within", "min", "max", "matches", "contains", "prefix", "under", "host", "type", "length", "setOf", "sameAs", "not", "optional"}

// Error says which value of a matcher is wrong. Its text has no place, because the
// callers know where the matcher stands.
type Error struct {
	At  jsonval.Value
	Msg string
}

// Error returns the message.
func (e *Error) Error() string { return e.Msg }

func errorAt(v jsonval.Value, format string, a ...any) error {
	return &Error{v, fmt.Sprintf(format, a...)}
}

// Read reads a matcher, such as {"min": 1, "max": 50}. The error is an *Error.
func Read(v jsonval.Value) (*Matcher, error) {
	if v.Kind() != jsonval.Object {
		return nil, errorAt(v, "want a matcher such as {max: 50}, saw %s", v.Kind())
	}
	m := &Matcher{Raw: v.Raw()}
	var err error
	seen := map[string]bool{}
	v.Each(func(word string, w jsonval.Value) bool {
		if seen[word] {
			err = errorAt(w, "the member %q appears twice", word)
			return false
		}
		seen[word] = true
		if word == "optional" {
			m.Optional, err = readTrue(word, w)
			return err == nil
		}
		t := test{word: word, value: w}
		if err = t.read(); err == nil {
			m.tests = append(m.tests, t)
		}
		return err == nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(m.tests) == 0:
		return nil, errorAt(v, "the matcher has no test; write any: true for every value")
	case seen["any"] && len(m.tests) > 1:
		return nil, errorAt(v, "any: true cannot stand beside another test, which would decide alone")
	case seen["equals"] && seen["oneOf"], seen["within"] && seen["oneOf"]:
		return nil, errorAt(v, "write only one of equals, oneOf and within; within goes with equals")
	}
	return m, nil
}

// IsEmptyRange reports whether min is above max, so that no value fits.
func (m *Matcher) IsEmptyRange() bool {
	var low, high *Number
	for i := range m.tests {
		switch m.tests[i].word {
		case "min":
			low = &m.tests[i].number
		case "max":
			high = &m.tests[i].number
		}
	}
	return low != nil && high != nil && low.Compare(*high) > 0
}

func readTrue(word string, v jsonval.Value) (bool, error) {
	if b, ok := v.Bool(); !ok || !b {
		return false, errorAt(v, "invalid %s: want true, saw %.40s", word, v.Raw())
	}
	return true, nil
}

// read reads the value of a test.
func (t *test) read() (err error) {
	switch t.word {
	case "equals":
		t.texts = []string{t.value.Canonical()}
	case "oneOf", "setOf":
		if t.value.Kind() != jsonval.Array || t.word == "oneOf" && t.value.Len() == 0 {
			return errorAt(t.value, "invalid %s: want a list of values, saw %.40s", t.word, t.value.Raw())
		}
		t.values = t.value.Elements()
		t.texts = canonicalTexts(t.values)
	case "any":
		_, err = readTrue(t.word, t.value)
	case "min", "max":
		var ok bool
		if t.number, ok = ReadNumber(t.value); !ok {
			err = errorAt(t.value, "invalid %s: want a number of at most 64 characters with an exponent from -64 to 64, saw %.40s", t.word, t.value.Raw())
		}
	case "within":
		err = t.readWithin()
	case "matches":
		if err = t.needText(); err == nil {
			if t.pattern, err = compilePattern(t.value.Text()); err != nil {
				err = errorAt(t.value, "%v", err)
			}
		}
	case "contains":
		if k := t.value.Kind(); k == jsonval.Array || k == jsonval.Object || t.value.Raw() == `""` {
			err = errorAt(t.value, "invalid contains: want a text or one element, saw %.40s", t.value.Raw())
		}
	case "prefix", "under":
		err = t.needText()
	case "host":
		err = t.readHosts()
	case "type":
		if name := t.value.Text(); !contains(types, name) || t.value.Kind() != jsonval.String {
			err = errorAt(t.value, "unknown type %.40s%s; the types are %s", t.value.Raw(), Hint(name, types), strings.Join(types, ", "))
		}
	case "length":
		t.low, t.high, err = ReadRange(t.word, t.value)
	case "sameAs":
		err = t.readSource()
	case "not":
		if t.inner, err = Read(t.value); err == nil && t.inner.Optional {
			err = errorAt(t.value, "optional cannot stand inside not")
		}
	default:
		err = errorAt(t.value, "unknown member %q of a matcher%s; the known members are %s", t.word, Hint(t.word, Words), strings.Join(Words, ", "))
	}
	return err
}

func contains(all []string, name string) bool {
	for _, s := range all {
		if s == name {
			return true
		}
	}
	return false
}

func (t *test) needText() error {
	if s, ok := t.value.Str(); !ok || s == "" {
		return errorAt(t.value, "invalid %s: want a text, saw %.40s", t.word, t.value.Raw())
	}
	return nil
}

// readWithin reads .01 or "1%".
func (t *test) readWithin() error {
	n, ok := ReadNumber(t.value)
	if s, text := t.value.Str(); text {
		s, t.percent = strings.CutSuffix(s, "%")
		v, err := jsonval.Parse(strings.TrimSpace(s))
		if err == nil && t.percent {
			n, ok = ReadNumber(v)
		}
	}
	if !ok || n.negative {
		return errorAt(t.value, `invalid within: want a number such as .01, or a share such as "1%%", saw %.40s`, t.value.Raw())
	}
	t.number = n
	return nil
}

func (t *test) readHosts() error {
	t.values = []jsonval.Value{t.value}
	if t.value.Kind() == jsonval.Array && t.value.Len() > 0 {
		t.values = t.value.Elements()
	}
	for _, v := range t.values {
		s, _ := v.Str()
		rest := strings.TrimPrefix(s, "*.")
		if rest == "" || strings.Contains(rest, "*") || strings.ContainsAny(rest, "/:@ ") {
			return errorAt(v, `invalid host: want a name such as example.com or *.example.com, saw %.40s`, v.Raw())
		}
	}
	return nil
}

// ReadRange reads {min, max} of whole numbers, or one number for both. Without max, high
// is -1.
func ReadRange(word string, v jsonval.Value) (low, high int, err error) {
	const most = 1_000_000
	wrong := errorAt(v, "invalid %s: want a whole number, or {min, max}, saw %.40s", word, v.Raw())
	if n, ok := v.Int(); ok && n >= 0 && n <= most {
		return int(n), int(n), nil
	}
	if v.Kind() != jsonval.Object || v.Len() == 0 {
		return 0, 0, wrong
	}
	high, err = -1, nil
	v.Each(func(name string, w jsonval.Value) bool {
		n, ok := w.Int()
		switch {
		case name != "min" && name != "max":
			err = errorAt(w, "unknown member %q of %s%s; the known members are min, max", name, word, Hint(name, []string{"min", "max"}))
		case !ok || n < 0 || n > most:
			err = wrong
		case name == "min":
			low = int(n)
		default:
			high = int(n)
		}
		return err == nil
	})
	if _, twice := v.Repeated(); twice || err == nil && high >= 0 && high < low {
		err = wrong
	}
	return low, high, err
}

func (t *test) readSource() error {
	s, _ := t.value.Str()
	step, at, ok := strings.Cut(s, ".")
	if !ok || step == "" {
		return errorAt(t.value, `invalid sameAs: want a step and a path in its result, such as get_order.customer.id, saw %.40s`, t.value.Raw())
	}
	if _, err := path.Compile(at); err != nil {
		return errorAt(t.value, "invalid sameAs: %v", err)
	}
	t.source = Source{step, at}
	return nil
}

// Hint returns a suggestion of the known name that is nearest to a misspelt one, such as
// `; did you mean "matches"`, or "" if none is near. O(known · len²).
func Hint(name string, known []string) string {
	best, at := 1+len(name)/3, -1
	for i, k := range known {
		if d := editDistance(strings.ToLower(name), strings.ToLower(k), best); d <= best && (at < 0 || d < best) {
			best, at = d, i
		}
	}
	if at < 0 || name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q", known[at])
}

// editDistance returns the number of letters to add, remove, replace or swap. Beyond most
// it returns most+1.
func editDistance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, older
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
