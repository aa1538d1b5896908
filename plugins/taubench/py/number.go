package py

import (
	"math"
	"strconv"
)

// Add returns a + b.
func Add(a, b Value) Value {
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return x + y
		}
	}
	return applyOperator("+", a, b)
}

// Sub returns a - b.
func Sub(a, b Value) Value { return applyOperator("-", a, b) }

// Mul returns a * b for numbers.
func Mul(a, b Value) Value { return applyOperator("*", a, b) }

// Neg returns -a.
func Neg(a Value) Value {
	switch v := boolToInt(a).(type) {
	case int64:
		if v != math.MinInt64 {
			return -v
		}
	case float64:
		return -v
	}
	f, ok := asFloat(a)
	if !ok {
		Raise("bad operand type for unary -: '%s'", TypeName(a))
	}
	return -f
}

// Abs returns abs(a).
func Abs(a Value) Value {
	if Less(a, int64(0)) {
		return Neg(a)
	}
	if f, ok := a.(float64); ok {
		return math.Abs(f) // -0.0
	}
	return boolToInt(a)
}

// Round returns the same number as Python's round(a, 2). It rounds the exact value of a
// float, and rounds ties to even. An integer stays an integer.
func Round(a Value) Value {
	f, ok := a.(float64)
	if !ok {
		return boolToInt(a)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return f
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 2, 64), 64)
	return r
}

// boolToInt converts a bool to 0 or 1.
func boolToInt(v Value) Value {
	if b, ok := v.(bool); ok {
		if b {
			return int64(1)
		}
		return int64(0)
	}
	return v
}

func asFloat(v Value) (float64, bool) {
	switch v := boolToInt(v).(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case Long:
		f, _ := strconv.ParseFloat(string(v), 64)
		return f, true
	}
	return 0, false
}

// applyOperator returns the result of a op b, where op is "+", "-" or "*". It computes
// with integers if the result fits in 64 bits, and with floats otherwise.
func applyOperator(op string, a, b Value) Value {
	x, xInt := boolToInt(a).(int64)
	y, yInt := boolToInt(b).(int64)
	if xInt && yInt {
		if r, ok := applyInt(op, x, y); ok {
			return r
		}
	}
	f, ok := asFloat(a)
	g, ok2 := asFloat(b)
	if !ok || !ok2 {
		Raise("unsupported operand type(s) for %s: '%s' and '%s'", op, TypeName(a), TypeName(b))
	}
	switch op {
	case "+":
		return f + g
	case "-":
		return f - g
	}
	return f * g
}

func applyInt(op string, x, y int64) (int64, bool) {
	switch op {
	case "+":
		r := x + y
		return r, (r > x) == (y > 0)
	case "-":
		r := x - y
		return r, (r < x) == (y > 0)
	}
	if x == 0 || y == 0 {
		return 0, true
	}
	r := x * y
	return r, r/y == x && !(x == -1 && y == math.MinInt64) && !(y == -1 && x == math.MinInt64)
}

// Less returns a < b for two numbers or two strings.
func Less(a, b Value) bool {
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return x < y
		}
	}
	x, xInt := boolToInt(a).(int64)
	y, yInt := boolToInt(b).(int64)
	if xInt && yInt {
		return x < y
	}
	f, ok := asFloat(a)
	g, ok2 := asFloat(b)
	if !ok || !ok2 {
		Raise("'<' not supported between instances of '%s' and '%s'", TypeName(a), TypeName(b))
	}
	return f < g
}

// Equal reports whether a == b in Python. For example, 5 and 5.0 are equal, and 5 and "5"
// are not equal.
func Equal(a, b Value) bool {
	if f, ok := asFloat(a); ok {
		g, ok := asFloat(b)
		x, xInt := boolToInt(a).(int64)
		y, yInt := boolToInt(b).(int64)
		if xInt && yInt {
			return x == y
		}
		return ok && f == g
	}
	switch a := a.(type) {
	case *List:
		b, ok := b.(*List)
		if !ok || len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Equal(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case *Dict:
		b, ok := b.(*Dict)
		return ok && a.equal(b)
	}
	return a == b
}

func (d *Dict) equal(other *Dict) bool {
	if d.Len() != other.Len() {
		return false
	}
	for i := range d.members {
		key, w := d.At(i)
		if v, ok := other.Get(key); !ok || !Equal(w, v) {
			return false
		}
	}
	return true
}
