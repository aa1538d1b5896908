package match

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// Constants returns the values that the matcher compares with. finite reports whether
// these values alone decide about every value: two values of one type with the same order
// relative to all of them get the same answer. It is false for patterns, paths, hosts and
// other tests of a text's content.
func (m *Matcher) Constants() (values []jsonval.Value, finite bool) {
	finite = true
	for i := range m.tests {
		t := &m.tests[i]
		switch t.word {
		case "any", "type":
		case "equals", "min", "max":
			values = append(values, t.value)
		case "oneOf":
			values = append(values, t.values...)
		case "not":
			inner, ok := t.inner.Constants()
			values, finite = append(values, inner...), finite && ok
		default:
			finite = false
		}
	}
	return values, finite && !m.tolerant()
}

// Negated returns the matcher whose contrary this one is, for {not: …} without another
// test; nil if there is none.
func (m *Matcher) Negated() *Matcher {
	if len(m.tests) == 1 && m.tests[0].word == "not" {
		return m.tests[0].inner
	}
	return nil
}
