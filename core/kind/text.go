package kind

import "strings"

// compareTexts compares all other values. Two ways to encode the same letters are one text
// (Unicode Standard Annex 15), and white space around a text is none of it. A difference in letter case or in white space alone is
// unsure.
func (p *pair) compareTexts() Outcome {
	if !p.a.isString() || !p.b.isString() {
		return Differs
	}
	a, b := compose(p.a.text), compose(p.b.text)
	switch {
	case strings.TrimSpace(a) == strings.TrimSpace(b):
		return Same
	case strings.EqualFold(a, b), squeezed(a) == squeezed(b):
		return Unsure
	}
	return Differs
}
