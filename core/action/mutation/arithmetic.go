package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// proveArithmetic judges a call of a calculator. The call changes nothing if each text in
// the arguments is a mathematical expression (see isArithmeticText). Any other text may
// be code that the calculator runs.
func proveArithmetic(s *start, arguments jsonval.Value) Verdict {
	a := arithProof{}
	a.walkValue("", otherMember, arguments, 0)
	return a.raiseVerdict(s.verdict)
}

type arithProof struct{ raise }

func (a *arithProof) walkValue(key string, k kind, v jsonval.Value, depth int) {
	if depth > maxDepth {
		a.addEvidence(Unknown, LayerArgument, "arguments are nested too deep to read")
		return
	}
	switch v.Kind() {
	case jsonval.Object:
		v.Each(func(name string, m jsonval.Value) bool {
			k := memberKind(name)
			if (k == deedMember || k == outputMember) && hasContent(m) {
				a.noteDeed(name)
			}
			if k == carrierMember && hasContent(m) && !isOperatorName(name) {
				a.doubtMember(name, " may describe any action")
			}
			if anyOf(splitWords(name), func(w string) bool { return isListed(w, moneyList) }) && hasContent(m) {
				a.doubtMember(name, " may name an account that the result changes")
			}
			a.walkValue(name, k, m, depth+1)
			return true
		})
	case jsonval.Array:
		v.Each(func(_ string, m jsonval.Value) bool { a.walkValue(key, k, m, depth+1); return true })
	case jsonval.String:
		if s, _ := v.Str(); !isArithmeticText(s) && !(k != wordsMember && plainWord(s)) {
			a.doubtMember(key, " is not a plain arithmetic expression")
		}
	}
}

// isOperatorName reports whether a member names the operation of a calculator.
func isOperatorName(name string) bool {
	switch strings.ToLower(name) {
	case "operation", "op", "operator", "function", "func", "action":
		return true
	}
	return false
}

// plainWord reports whether a text is one word of letters, such as an operation or a
// unit.
func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) && s[i] != '_' && s[i] != '-' {
			return false
		}
	}
	return len(s) < 32
}

// isArithmeticText reports whether a text is only arithmetic. A full stop may occur only
// in numbers, so that the text cannot access an attribute of an object. A name must be a
// known function or constant, or a single letter. O(n).
func isArithmeticText(s string) bool {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isDigit(c):
			for i < len(s) && (isDigit(s[i]) || s[i] == '.' || s[i] == '_') {
				i++
			}
			if i < len(s) && (s[i] == 'e' || s[i] == 'E') && i+1 < len(s) && (isDigit(s[i+1]) || s[i+1] == '-' || s[i+1] == '+') {
				i += 2
			}
		case c == '.' && i+1 < len(s) && isDigit(s[i+1]):
			i++
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			n := i
			for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '_') {
				n++
			}
			if !mathName(strings.ToLower(s[i:n])) {
				return false
			}
			i = n
		case strings.IndexByte(" \t\n+-*/%^(),!=<>|&$", c) >= 0:
			i++
		default:
			size := mathSign(s[i:])
			if size == 0 {
				return false
			}
			i += size
		}
	}
	return true
}

// mathSign returns the length in bytes of the mathematical sign at the beginning of a
// text, such as × or √. It returns 0 if there is none. ASCII signs do not count.
func mathSign(s string) int {
	for _, sign := range [...]string{"×", "÷", "−", "√", "π", "²", "³", "·", "€", "£", "≤", "≥", "°"} {
		if strings.HasPrefix(s, sign) {
			return len(sign)
		}
	}
	return 0
}

func mathName(w string) bool {
	if len(w) == 1 {
		return true
	}
	switch w {
	case "pi", "tau", "inf", "infinity", "nan", "mod", "div", "and", "or", "not", "of", "per", "to", "sqrt", "cbrt", "root", "abs", "ceil", "ceiling", "floor", "round", "trunc", "sign",
		"sgn", "exp", "log", "ln", "log2", "log10", "log1p", "pow", "power", "min", "max", "sum", "mean", "avg", "average", "median",
		"mode", "std", "stdev", "var", "variance", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
		"sec", "csc", "cot", "deg", "rad", "degrees", "radians", "hypot", "gcd", "lcm", "factorial", "fact", "comb", "perm",
		"ncr", "npr", "choose", "int", "float", "gamma", "erf", "prod", "if", "percent", "usd", "eur", "gbp":
		return true
	}
	return false
}
