package kind

import "strings"

// comparePhones compares two telephone numbers. The characters that group digits mean
// nothing, and 00 before a country's code is a plus. A number without the code of its
// country may be the same as one with it.
func (p *pair) comparePhones() Outcome {
	if !p.named(" phone telephone tel mobile fax cell msisdn whatsapp ") {
		return Open
	}
	a, b := phoneDigits(p.a.text), phoneDigits(p.b.text)
	if a == "" || b == "" {
		return Open
	}
	if a == b {
		return Same
	}
	if (a[0] == '+') != (b[0] == '+') && lastDigits(a) == lastDigits(b) {
		return Unsure
	}
	return Differs
}

// lastDigits returns the last seven digits of a number, which the code of a country or an
// area is no part of.
func lastDigits(s string) string { return s[max(0, len(s)-7):] }

func phoneDigits(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(strings.ToLower(s)), "tel:")
	plus := strings.HasPrefix(s, "+") || strings.HasPrefix(s, "00")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "+"), "00")
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -()./\u00a0", r) {
			return -1
		}
		return r
	}, s)
	if !areDigits(digits) || len(digits) < 5 || len(digits) > 15 {
		return ""
	}
	if plus {
		return "+" + digits
	}
	return digits
}
