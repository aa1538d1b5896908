package kind

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/base/codes"
)

// comparePhones compares two telephone numbers. The characters that group digits mean
// nothing, and 00 before a country's code is a plus. A number without the code of its
// country may be the same as one with it. An argument with another name holds a telephone
// number if both texts have the code of a country.
func (p *pair) comparePhones() Outcome {
	named := p.named(" phone telephone tel mobile fax cell msisdn whatsapp ") || p.named(" number to recipient ") && p.tool.has(" call dial ring phone sms whatsapp ") && p.a.hasDigit() && p.b.hasDigit()
	if !named && !(p.a.isString() && p.b.isString() && p.named(" number to from contact line recipient sender caller ")) {
		return Open
	}
	a, b := phoneDigits(p.a.text), phoneDigits(p.b.text)
	if a == "" || b == "" {
		return Open
	}
	named = named || len(a) >= 10 && len(b) >= 10 && (hasAreaCode(p.a.text) || hasAreaCode(p.b.text))
	if (a[0] == '+') != (b[0] == '+') && (named || p.named(" to number ")) {
		if x, y := dialAbroad(&p.a, a), dialAbroad(&p.b, b); x[0] == '+' && y[0] == '+' {
			return sameIf(x == y)
		}
	}
	switch {
	case !named && (a[0] == '+') != (b[0] == '+') && p.ends(" number contact caller recipient line ") && lastDigits(a) == lastDigits(b) && len(a) > 7 && len(b) > 7:
		return Unsure // without the code of the country, and with it
	case !named && (a[0] != '+' || b[0] != '+'):
		return Open
	case a == b:
		return Same
	}
	if (a[0] == '+') != (b[0] == '+') && lastDigits(a) == lastDigits(b) {
		return Unsure
	}
	return Differs
}

// dialAbroad returns the digits of a number with the code of the country that stands beside it.
func dialAbroad(v *value, digits string) string {
	country := countryCodes().Get(strings.ToLower(v.other(" country ")))
	if digits[0] == '+' || country == "" {
		return digits
	}
	for _, row := range codes.Rows("dial") {
		w := strings.Fields(row)
		if slices.Contains(w[2:], country) {
			return "+" + w[0] + strings.TrimPrefix(digits, w[1])
		}
	}
	return digits
}

// hasAreaCode reports whether a text begins with digits in brackets, as only telephone numbers do.
func hasAreaCode(text string) bool {
	code, _, ok := strings.Cut(strings.TrimPrefix(text, "("), ")")
	return ok && strings.HasPrefix(text, "(") && len(code) >= 2 && len(code) <= 5 && notation.AreDigits(code)
}

// lastDigits returns the last seven digits of a number, which the code of a country or an
// area is no part of.
func lastDigits(s string) string { return s[max(0, len(s)-7):] }

func phoneDigits(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(strings.ToLower(s)), "tel:")
	if plus, rest, ok := strings.Cut(s, "(0)"); ok && strings.HasPrefix(plus, "+") {
		s = plus + rest // the zero is not dialled from abroad
	}
	s = strings.TrimPrefix(s, "(")
	plus := strings.HasPrefix(s, "+") || strings.HasPrefix(s, "00")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "+"), "00")
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -()./\u00a0", r) {
			return -1
		}
		return r
	}, s)
	if !notation.AreDigits(digits) || len(digits) < 5 || len(digits) > 15 {
		return ""
	}
	if plus {
		return "+" + digits
	}
	return digits
}
