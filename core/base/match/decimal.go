package match

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Number is an exact decimal number: digits × 10^exponent. The digits have no leading
// zeros; zero has none.
type Number struct {
	negative bool
	digits   string
	exponent int
}

// ReadNumber returns the exact value of a JSON number. It returns false for any other
// value, and for a number of more than 64 characters or with an exponent beyond ±64.
func ReadNumber(v jsonval.Value) (Number, bool) {
	if v.Kind() != jsonval.Number {
		return Number{}, false
	}
	return parseNumber(v.Raw())
}

// parseNumber parses the text of a JSON number.
func parseNumber(text string) (n Number, ok bool) {
	const longest, largest = 64, 64
	if len(text) > longest {
		return n, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if e, err := strconv.Atoi(text[i+1:]); err != nil || e > largest || e < -largest {
			return n, false
		}
	}
	digits, exponent, _ := strings.Cut(jsonval.Decimal(text), "e")
	if digits == "0" {
		return n, true
	}
	n.digits = strings.TrimPrefix(digits, "-")
	n.negative = n.digits != digits
	n.exponent, _ = strconv.Atoi(exponent)
	return n, true
}

// rounded returns a value with its numbers as a program with 64-bit floats stores them.
// changed is false if all of them stay the same. A number beyond the floats is left as it is.
func rounded(v jsonval.Value) (out jsonval.Value, changed bool) {
	var text strings.Builder
	raw, begin, done := v.Raw(), v.Offset(), 0
	var walk func(v jsonval.Value)
	walk = func(v jsonval.Value) {
		switch v.Kind() {
		case jsonval.Number:
			if float, same := jsonval.AsFloat(v.Raw()); !same && !strings.HasSuffix(float, "y") {
				at := v.Offset() - begin
				text.WriteString(raw[done:at] + float)
				done = at + len(v.Raw())
			}
		case jsonval.Array, jsonval.Object:
			v.Each(func(_ string, m jsonval.Value) bool {
				walk(m)
				return true
			})
		}
	}
	if walk(v); done == 0 {
		return v, false
	}
	out, err := jsonval.Parse(text.String() + raw[done:])
	return out, err == nil
}

// Compare returns -1, 0 or 1 if n is less than, equal to or greater than m.
func (n Number) Compare(m Number) int {
	switch {
	case n.negative && !m.negative:
		return -1
	case m.negative && !n.negative:
		return 1
	case n.negative:
		n, m = m, n
	}
	return compareDigits(align(n, m))
}

// distance returns |n − m|.
func (n Number) distance(m Number) Number {
	a, b := align(n, m)
	out := Number{exponent: min(n.exponent, m.exponent)}
	switch {
	case n.negative != m.negative:
		out.digits = addDigits(a, b)
	case compareDigits(a, b) < 0:
		out.digits = subtractDigits(b, a)
	default:
		out.digits = subtractDigits(a, b)
	}
	return out
}

// times returns |n × m|.
func (n Number) times(m Number) Number {
	cells := make([]int, len(n.digits)+len(m.digits))
	for i := range n.digits {
		for j := range m.digits {
			cells[i+j+1] += int(n.digits[i]-'0') * int(m.digits[j]-'0')
		}
	}
	digits := make([]byte, len(cells))
	carry := 0
	for i := len(cells) - 1; i >= 0; i-- {
		carry += cells[i]
		digits[i] = byte('0' + carry%10)
		carry /= 10
	}
	return Number{digits: strings.TrimLeft(string(digits), "0"), exponent: n.exponent + m.exponent}
}

// Scaled returns n × 10^places if this is a whole number of at most 15 digits that is not
// negative.
func (n Number) Scaled(places int) (int64, bool) {
	const most = 15
	zeros := n.exponent + places
	if n.negative || n.digits != "" && (zeros < 0 || len(n.digits)+zeros > most) {
		return 0, false
	}
	if n.digits == "" {
		return 0, true
	}
	out, err := strconv.ParseInt(n.digits+strings.Repeat("0", zeros), 10, 64)
	return out, err == nil
}

// align returns the digits of two numbers at a common exponent.
func align(n, m Number) (a, b string) {
	low := min(n.exponent, m.exponent)
	return n.digitsAt(low), m.digitsAt(low)
}

func (n Number) digitsAt(low int) string {
	if n.digits == "" {
		return ""
	}
	return n.digits + strings.Repeat("0", n.exponent-low)
}

func compareDigits(a, b string) int {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

func addDigits(a, b string) string {
	return combineDigits(a, b, func(x, y int) int { return x + y })
}

// subtractDigits returns a − b, where a is not less than b.
func subtractDigits(a, b string) string {
	return combineDigits(a, b, func(x, y int) int { return x - y })
}

// combineDigits computes two numbers digit by digit, with carry or borrow.
func combineDigits(a, b string, digit func(x, y int) int) string {
	out := make([]byte, max(len(a), len(b))+1)
	carry := 0
	for i := range out {
		d := digit(digitFromEnd(a, i), digitFromEnd(b, i)) + carry
		carry = 0
		for d < 0 {
			d, carry = d+10, carry-1
		}
		out[len(out)-1-i] = byte('0' + d%10)
		carry += d / 10
	}
	return strings.TrimLeft(string(out), "0")
}

func digitFromEnd(digits string, i int) int {
	if i >= len(digits) {
		return 0
	}
	return int(digits[len(digits)-1-i] - '0')
}
