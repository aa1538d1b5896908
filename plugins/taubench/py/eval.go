package py

import (
	"math"
	"strconv"
	"strings"
)

func lower(s string) string { return strings.ToLower(s) }

// maxDepth limits nesting, so that a hostile text cannot exhaust the stack.
const maxDepth = 200

// Calculate returns str(round(float(eval(expression)), 2)), as in Python. The caller must
// ensure that the expression has only digits, + - * / ( ) . and blanks. Calculate raises
// the same exceptions as Python. The texts of common syntax errors are those of Python
// 3.11.
func Calculate(expression string) string {
	e := &evaluator{s: strings.TrimLeft(expression, " \t")}
	if e.peek() == 0 {
		Raise("invalid syntax (<string>, line %d)", chooseInt(e.s == "" && expression == "", 0, 1))
	}
	v := e.evalSum(0)
	if e.peek() == ')' {
		Raise("unmatched ')' (<string>, line 1)")
	}
	if e.peek() != 0 {
		e.raiseSyntax()
	}
	f, ok := asFloat(v)
	if !ok {
		Raise("float() argument must be a string or a real number, not '%s'", TypeName(v))
	}
	return reprFloat(Round(f).(float64))
}

func chooseInt(cond bool, yes, no int) int {
	if cond {
		return yes
	}
	return no
}

type evaluator struct {
	s string
	i int
}

func (e *evaluator) raiseSyntax() { Raise("invalid syntax (<string>, line 1)") }

// peek skips blanks and returns the next byte, or 0 at the end.
func (e *evaluator) peek() byte {
	for e.i < len(e.s) && e.s[e.i] == ' ' {
		e.i++
	}
	if e.i < len(e.s) {
		return e.s[e.i]
	}
	return 0
}

// takeOperator skips the operator op and reports whether it was there. "*" does not match
// the first half of "**".
func (e *evaluator) takeOperator(op string) bool {
	e.peek()
	rest := e.s[e.i:]
	if !strings.HasPrefix(rest, op) || len(op) == 1 && (op == "*" || op == "/") && strings.HasPrefix(rest, op+op) {
		return false
	}
	e.i += len(op)
	return true
}

func (e *evaluator) evalSum(depth int) Value {
	v := e.evalProduct(depth)
	for {
		switch {
		case e.takeOperator("+"):
			v = Add(v, e.evalProduct(depth))
		case e.takeOperator("-"):
			v = Sub(v, e.evalProduct(depth))
		default:
			return v
		}
	}
}

func (e *evaluator) evalProduct(depth int) Value {
	v := e.evalUnary(depth)
	for {
		switch {
		case e.takeOperator("*"):
			v = Mul(v, e.evalUnary(depth))
		case e.takeOperator("//"):
			v = floorDiv(v, e.evalUnary(depth))
		case e.takeOperator("/"):
			v = divide(v, e.evalUnary(depth))
		default:
			return v
		}
	}
}

func (e *evaluator) evalUnary(depth int) Value {
	if depth > maxDepth {
		Raise("too many nested parentheses (<string>, line 1)")
	}
	switch {
	case e.takeOperator("-"):
		return Neg(e.evalUnary(depth + 1))
	case e.takeOperator("+"):
		return e.evalUnary(depth + 1)
	}
	v := e.evalAtom(depth)
	if e.takeOperator("**") {
		return power(v, e.evalUnary(depth+1))
	}
	return v
}

func (e *evaluator) evalAtom(depth int) Value {
	if e.takeOperator("(") {
		if e.peek() == 0 {
			Raise("'(' was never closed (<string>, line 1)")
		}
		v := e.evalSum(depth + 1)
		if !e.takeOperator(")") {
			if e.peek() == 0 {
				Raise("'(' was never closed (<string>, line 1)")
			}
			e.raiseSyntax()
		}
		return v
	}
	return e.readLiteral()
}

func (e *evaluator) readLiteral() Value {
	e.peek()
	start := e.i
	for e.i < len(e.s) && strings.IndexByte("0123456789.", e.s[e.i]) >= 0 {
		e.i++
	}
	word := e.s[start:e.i]
	if strings.Contains(word, ".") {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			e.raiseSyntax()
		}
		return f
	}
	if word == "" {
		e.raiseSyntax()
	}
	if len(word) > 1 && word[0] == '0' && strings.Trim(word, "0") != "" {
		Raise("leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<string>, line 1)")
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return n
	}
	return Long(word)
}

func divide(a, b Value) Value {
	f, _ := asFloat(a)
	g, _ := asFloat(b)
	if g == 0 {
		Raise("%s", map[bool]string{true: "float division by zero", false: "division by zero"}[isFloat(a, b)])
	}
	return f / g
}

func isFloat(values ...Value) bool {
	for _, v := range values {
		if _, ok := v.(float64); ok {
			return true
		}
	}
	return false
}

func floorDiv(a, b Value) Value {
	x, xInt := a.(int64)
	y, yInt := b.(int64)
	if !xInt || !yInt {
		f, _ := asFloat(a)
		g, _ := asFloat(b)
		if g == 0 {
			Raise("float floor division by zero")
		}
		return math.Floor(f / g)
	}
	if y == 0 {
		Raise("integer division or modulo by zero")
	}
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

func power(a, b Value) Value {
	f, _ := asFloat(a)
	g, _ := asFloat(b)
	if f == 0 && g < 0 {
		Raise("0.0 cannot be raised to a negative power")
	}
	r := math.Pow(f, g)
	if math.IsInf(r, 0) {
		Raise("(34, 'Numerical result out of range')")
	}
	if !isFloat(a, b) && g >= 0 && math.Abs(r) < 1<<53 {
		return int64(r)
	}
	return r
}
