package notation

import (
	"slices"
	"strings"
)

// mostCases is the largest number of cases, each of which has some conditions, as which a condition is written.
const mostCases = 32

// Reach compares the rows which two statements take that are the same but for the condition behind their only WHERE: 1 if the
// first one takes all rows of the second one and more, -1 for the other way round, and 0 if neither is proven.
func Reach(a, b string) int {
	tokens, ok := Statement(a)
	others, ok2 := Statement(b)
	headA, whereA := cutWhere(tokens)
	headB, whereB := cutWhere(others)
	if !ok || !ok2 || len(headA) == 0 || !slices.Equal(headA, headB) {
		return 0
	}
	x, ok := casesOf(whereA)
	y, ok2 := casesOf(whereB)
	if !ok || !ok2 {
		return 0
	}
	wider, narrower := takesAll(x, y), takesAll(y, x)
	switch {
	case wider && !narrower:
		return 1
	case narrower && !wider:
		return -1
	}
	return 0
}

// cutWhere returns the tokens of a statement before its only WHERE, and those behind it. A statement that goes on with another
// clause, or has a query inside, has no head.
func cutWhere(tokens []string) (head, where []string) {
	at := slices.Index(tokens, "where")
	if at < 0 {
		at = len(tokens)
	}
	rest := tokens[min(at+1, len(tokens)):]
	if slices.Contains(rest, "where") || slices.Contains(tokens, "select") || clauseEnd(rest) < len(rest) || len(tokens) == 0 || !isListed(tokens[0], " update delete ") {
		return nil, nil
	}
	return tokens[:at], rest
}

// takesAll reports whether each case of y is one of x with perhaps more conditions.
func takesAll(x, y [][]string) bool {
	return !slices.ContainsFunc(y, func(narrow []string) bool {
		return !slices.ContainsFunc(x, func(wide []string) bool {
			return !slices.ContainsFunc(wide, func(w string) bool {
				return !slices.ContainsFunc(narrow, func(n string) bool { return implies(n, w) })
			})
		})
	})
}

// implies reports whether one comparison proves another one: the same, or another value where one value is denied.
func implies(a, b string) bool {
	if a == b {
		return true
	}
	x, y := strings.Split(a, "\x00"), strings.Split(b, "\x00")
	if len(x) != 3 || len(y) != 3 || x[1] != "=" || y[1] != "!=" {
		return false
	}
	sides := func(t []string) (column, value string) {
		if isLiteral(t[0]) {
			return t[2], t[0]
		}
		return t[0], t[2]
	}
	column, value := sides(x)
	other, denied := sides(y)
	return column == other && isLiteral(value) && isLiteral(denied) && value != denied
}

// casesOf writes a condition as cases, one of which must hold, of comparisons, all of which must. No condition is one empty
// case. ok is false if there are too many.
func casesOf(tokens []string) (cases [][]string, ok bool) {
	for isWrapped(tokens) {
		tokens = tokens[1 : len(tokens)-1]
	}
	if len(tokens) == 0 {
		return [][]string{nil}, true
	}
	if parts := splitTop(tokens, "or"); len(parts) > 1 {
		for _, part := range parts {
			more, ok := casesOf(part)
			if cases = append(cases, more...); !ok || len(cases) > mostCases {
				return nil, false
			}
		}
		return cases, true
	}
	if parts := splitTop(tokens, "and"); len(parts) > 1 {
		cases = [][]string{nil}
		for _, part := range parts {
			more, ok := casesOf(part)
			if !ok || len(cases)*len(more) > mostCases {
				return nil, false
			}
			var product [][]string
			for _, c := range cases {
				for _, m := range more {
					product = append(product, slices.Concat(c, m))
				}
			}
			cases = product
		}
		return cases, true
	}
	if len(tokens) > 4 && tokens[1] == "in" && tokens[2] == "(" && tokens[len(tokens)-1] == ")" {
		values := singles(tokens[3 : len(tokens)-1])
		for _, v := range values {
			cases = append(cases, []string{plainComparison([]string{tokens[0], "=", v})})
		}
		return cases, values != nil && len(values) <= mostCases
	}
	return [][]string{{plainComparison(tokens)}}, true
}
