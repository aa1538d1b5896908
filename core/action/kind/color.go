package kind

import "strings"

// compareColors compares two colors in hexadecimal digits, such as #FFF and #ffffff.
func (p *pair) compareColors() Outcome {
	a, b := hexColor(p.a.text), hexColor(p.b.text)
	if a == "" || b == "" || !p.named(" color colour fill stroke background foreground ") && p.a.text[0] != '#' {
		return Open
	}
	return sameIf(a == b)
}

// hexColor returns the six or eight digits of a color in lower case, or "".
func hexColor(s string) string {
	s, marked := strings.CutPrefix(strings.ToLower(s), "#")
	if strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	switch {
	case marked && len(s) == 3:
		return s[:1] + s[:1] + s[1:2] + s[1:2] + s[2:] + s[2:]
	case len(s) == 6, marked && len(s) == 8:
		return s
	}
	return ""
}
