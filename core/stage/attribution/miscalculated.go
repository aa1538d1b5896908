package attribution

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// findMiscalculation reports whether a wrong argument comes from a wrong calculation,
// such as "3 x 50 = 120". The agent must have written the calculation before the call.
func (a *attributor) findMiscalculation(f *violation.Finding) (Cause, bool) {
	if f.Obs < 0 || a.Words == nil {
		return Cause{}, false
	}
	equations := findEquations(a.Words(f.Obs))
	for _, e := range f.Evidence {
		value, err := strconv.ParseFloat(similarity.Plain(e.Observed), 64)
		if err != nil || e.Reference == "" {
			continue
		}
		for _, q := range equations {
			if q.right == value && math.Abs(q.left-q.right) > q.unit {
				return Cause{Mode: Reasoning, Confidence: 0.75, Evidence: q.text,
					Reason: fmt.Sprintf("the agent calculated %s, but the result is %s", q.text, strconv.FormatFloat(q.left, 'f', -1, 64))}, true
			}
		}
	}
	return Cause{}, false
}

// equation is a calculation in a text: left is the value of the terms before the equals
// sign, and right is the number after it. unit is the value of the last digit of that
// number, by which it may differ because it is rounded.
type equation struct {
	text              string
	left, right, unit float64
}

// findEquations returns the calculations in a text, such as "3 x 50 = 150". The left side
// must have at least two numbers, with +, -, *, x or / between them. O(n).
func findEquations(text string) (all []equation) {
	for at := 0; ; at++ {
		i := strings.IndexByte(text[at:], '=')
		if i < 0 {
			return all
		}
		at += i
		from := at
		for from > 0 && at-from < 200 && isTermByte(text[from-1]) {
			from--
		}
		to := at + 1
		for to < len(text) && to-at < 40 && (text[to] == ' ' || text[to] == '$' || text[to] == ',' || text[to] == '.' || text[to] == '-' || isDigitAt(text, to)) {
			to++
		}
		left, ok := calculate(text[from:at])
		result := strings.Trim(strings.NewReplacer("$", "", ",", "").Replace(text[at+1:to]), " .")
		right, err := strconv.ParseFloat(result, 64)
		if !ok || err != nil {
			continue
		}
		_, decimals, _ := strings.Cut(result, ".")
		all = append(all, equation{strings.TrimSpace(strings.Trim(text[from:to], " .,")), left, right, math.Pow10(-len(decimals))})
	}
}

// isTermByte reports whether a byte can be part of the left side of a calculation. The
// bytes of "×" and "−" count.
func isTermByte(b byte) bool {
	return strings.IndexByte("0123456789 .,+-*/xX$\xc3\x97\xe2\x88\x92", b) >= 0
}

// calculate returns the value of a calculation such as "3 x 50 + 2", in the usual order
// of operations. The text must have at least two numbers, with +, -, *, x or / between
// them. For any other text, the second result is false.
func calculate(text string) (float64, bool) {
	text = strings.NewReplacer("×", "*", "x", "*", "X", "*", "−", "-", "$", "", ",", "", " ", "").Replace(text)
	sum, product, sign, numbers := 0.0, 1.0, 1.0, 0
	for op := byte('*'); ; {
		n := 0
		for n < len(text) && (isDigitAt(text, n) || text[n] == '.') {
			n++
		}
		value, err := strconv.ParseFloat(text[:n], 64)
		if err != nil || op == '/' && value == 0 {
			return 0, false
		}
		if numbers++; op == '/' {
			value = 1 / value
		}
		product *= value
		if n == len(text) {
			return sum + sign*product, numbers > 1
		}
		switch op, text = text[n], text[n+1:]; op {
		case '+', '-':
			sum, product, sign = sum+sign*product, 1, 1
			if op == '-' {
				sign = -1
			}
		case '*', '/':
		default:
			return 0, false
		}
	}
}
