package kind

import "github.com/boundcheck/boundcheck/core/action/notation"

// compareXML compares two documents in XML. Blanks inside a tag, the order of attributes, the kind of quotes, and an
// empty element written as one tag or as two mean nothing, as do line ends and blanks alone between tags.
// The text between tags is exact.
func (p *pair) compareXML() Outcome {
	if !notation.IsMarkup(p.a.text) || !notation.IsMarkup(p.b.text) {
		return Open
	}
	a, ok := notation.PlainXML(notation.PlainEntities(p.a.text))
	b, ok2 := notation.PlainXML(notation.PlainEntities(p.b.text))
	if !ok || !ok2 {
		return Open
	}
	return sameIf(a == b)
}
