package notation

import (
	"slices"
	"strings"
	"time"
)

// This file writes the tokens of a statement of SQL in one notation. What it understands:
//
//	a > b, b < a                 one comparison, whose sides are in one order
//	a = b and c = d              the parts of "and" and of "or" in any order, with or without parentheses
//	a in (1, 2), a in (1)        the values in any order; one value is a comparison
//	a = 1 or a = 2               a in (1, 2)
//	not (a or b)                 not a and not b
//	a between 1 and 2            two comparisons
//	set a = 1, b = 2             in any order, if each value is a single one
//	(a, b) values (1, 2)         so
//	inner join, left outer join, asc, as: the words that mean nothing

// PlainStatement writes the tokens of a statement in one notation. Two statements with equal results
// do the same.
func PlainStatement(tokens []string) []string {
	out := make([]string, 0, len(tokens))
	for i, t := range tokens {
		next := ""
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		switch {
		case t == "inner" && next == "join", t == "outer", t == "as", t == "asc":
			continue
		case t[0] == '`':
			if name := strings.Trim(t, "`"); IsName(name) && !isListed(strings.ToLower(name), sqlKeywords) {
				t = name
			}
		}
		out = append(out, t)
	}
	depth := 0
	for i := 0; i < len(out); i++ {
		t := out[i]
		depth += nesting(t)
		switch {
		case depth == 0 && (t == "where" || t == "having" || t == "on" && i+1 < len(out) && !isListed(strings.ToLower(out[i+1]), " conflict duplicate ")):
			end := i + 1 + clauseEnd(out[i+1:])
			out = slices.Concat(out[:i+1], []string{PlainCondition(out[i+1 : end])}, out[end:])
			i++
		case depth == 0 && t == "set":
			end := i + 1 + clauseEnd(out[i+1:])
			out = slices.Concat(out[:i+1], sortedSettings(out[i+1:end]), out[end:])
		}
	}
	return sortedColumns(out)
}

// nesting returns by how much a token changes the number of open parentheses.
func nesting(token string) int {
	switch token {
	case "(":
		return 1
	case ")":
		return -1
	}
	return 0
}

// clauseEnd returns where the clause ends at whose beginning some tokens stand.
func clauseEnd(tokens []string) int {
	depth := 0
	for i, t := range tokens {
		depth += nesting(t)
		if depth == 0 && isListed(t, " where group order having limit union returning on join left right full cross offset ; ") {
			return i
		}
	}
	return len(tokens)
}

// splitTop splits tokens at each word outside parentheses. The "and" of a "between" is no such word.
func splitTop(tokens []string, word string) (parts [][]string) {
	depth, last, between := 0, 0, false
	for i, t := range tokens {
		switch {
		case t == "(" || t == "case":
			depth++
		case t == ")" || t == "end":
			depth--
		case depth == 0 && t == "between":
			between = true
		case depth == 0 && t == "and" && between:
			between = false
		case depth == 0 && t == word:
			parts, last = append(parts, tokens[last:i]), i+1
		}
	}
	return append(parts, tokens[last:])
}

// PlainCondition writes the tokens of a condition in one notation.
func PlainCondition(tokens []string) string {
	for isWrapped(tokens) {
		tokens = tokens[1 : len(tokens)-1]
	}
	if parts := splitTop(tokens, "or"); len(parts) > 1 {
		if parts = mergedValues(parts, "="); len(parts) == 1 {
			return plainComparison(parts[0])
		}
		return "(" + joinConditions(parts, " or ") + ")"
	}
	if deniedParts := withinDenial(tokens); deniedParts != nil {
		return PlainCondition(deniedParts)
	}
	var parts [][]string
	for _, part := range splitTop(tokens, "and") {
		if at := slices.Index(part, "between"); at == 1 && len(part) == 5 && part[3] == "and" {
			parts = append(parts, []string{part[0], ">=", part[2]}, []string{part[0], "<=", part[4]})
			continue
		}
		parts = append(parts, part)
	}
	if parts = mergedValues(parts, "!="); len(parts) > 1 {
		return joinConditions(parts, " and ")
	}
	if len(parts[0]) == len(tokens) {
		return plainComparison(tokens)
	}
	return PlainCondition(parts[0])
}

func joinConditions(parts [][]string, word string) string {
	var out []string
	for _, part := range parts {
		out = append(out, PlainCondition(part))
	}
	slices.Sort(out)
	return strings.Join(out, "\x00"+word+"\x00")
}

// withinDenial writes "not (a or b)" as "not (a) and not (b)", and the same with the two words changed. It returns nil for
// any other condition. One that is neither is no such condition.
func withinDenial(tokens []string) (out []string) {
	if len(tokens) < 5 || tokens[0] != "not" || !isWrapped(tokens[1:]) {
		return nil
	}
	inside, word, other := tokens[2:len(tokens)-1], "or", "and"
	parts := splitTop(inside, word)
	if len(parts) == 1 {
		word, other = other, word
		parts = splitTop(inside, word)
	}
	if len(parts) == 1 {
		return nil
	}
	for i, part := range parts {
		if i > 0 {
			out = append(out, other)
		}
		out = append(append(append(out, "not", "("), part...), ")")
	}
	return out
}

// mergedValues writes the comparisons of one column with single values by = of which one must hold, or by != of which all must
// hold, as one list of values.
func mergedValues(parts [][]string, equal string) [][]string {
	var out [][]string
	in := []string{"in"}
	if equal == "!=" {
		in = []string{"not", "in"}
	}
	lists := map[string]int{} // by column: 1 + the place of its list in out
	for _, part := range parts {
		for isWrapped(part) {
			part = part[1 : len(part)-1]
		}
		if len(part) == 3 && part[1] == equal && isLiteral(part[0]) && !isLiteral(part[2]) {
			part = []string{part[2], equal, part[0]}
		}
		var values []string
		open := 1 + len(in)
		switch {
		case len(part) == 3 && part[1] == equal && isLiteral(part[2]) && !isLiteral(part[0]):
			values = part[2:]
		case len(part) > open+2 && slices.Equal(part[1:open], in) && part[open] == "(" && part[len(part)-1] == ")":
			values = singles(part[open+1 : len(part)-1])
		}
		if values == nil {
			out = append(out, part)
			continue
		}
		if lists[part[0]] == 0 {
			out = append(out, slices.Concat(part[:1], in, []string{"(", ")"}))
			lists[part[0]] = len(out)
		}
		at := lists[part[0]] - 1
		list := out[at][:len(out[at])-1]
		for _, v := range values {
			if len(list) > open+1 {
				list = append(list, ",")
			}
			list = append(list, v)
		}
		out[at] = append(list, ")")
	}
	return out
}

// isLiteral reports whether a token is a text or a number, or a word that is a value, but null.
func isLiteral(token string) bool {
	return token[0] == '\'' || isWordByte(token[0]) && isValue(token) && token != "null"
}

// isWrapped reports whether one pair of parentheses is around all tokens, and no query is in them.
func isWrapped(tokens []string) bool {
	if len(tokens) < 3 || tokens[0] != "(" || tokens[1] == "select" {
		return false
	}
	depth := 0
	for i, t := range tokens {
		if depth += nesting(t); depth == 0 {
			return i == len(tokens)-1
		}
	}
	return false
}

// mirrorOf returns what a comparison becomes whose sides change places, or "".
func mirrorOf(op string) string {
	switch op {
	case "=", "!=":
		return op
	case ">":
		return "<"
	case ">=":
		return "<="
	}
	return ""
}

// denialOf returns what a comparison is behind "not", or "".
func denialOf(op string) string {
	switch op {
	case "=":
		return "!="
	case "!=":
		return "="
	case ">":
		return "<="
	case "<=":
		return ">"
	case "<":
		return ">="
	case ">=":
		return "<"
	}
	return ""
}

// plainComparison writes one condition in one notation.
func plainComparison(tokens []string) string {
	if len(tokens) > 1 && tokens[0] == "not" {
		inside := tokens[1:]
		for isWrapped(inside) {
			inside = inside[1 : len(inside)-1]
		}
		if len(inside) == 3 && denialOf(inside[1]) != "" {
			return plainComparison([]string{inside[0], denialOf(inside[1]), inside[2]})
		}
	}
	if at := slices.Index(tokens, "in"); at > 0 && len(tokens) > at+3 && tokens[at+1] == "(" && tokens[len(tokens)-1] == ")" {
		if values := singles(tokens[at+2 : len(tokens)-1]); values != nil {
			slices.Sort(values)
			values = slices.Compact(values)
			side, equal := tokens[:at], "="
			if side[len(side)-1] == "not" {
				side, equal = side[:len(side)-1], "!="
			}
			if len(values) == 1 && len(side) > 0 {
				return plainComparison(append(slices.Clone(side), equal, values[0]))
			}
			return strings.Join(slices.Concat(tokens[:at+2], values), "\x00")
		}
	}
	at, depth := -1, 0
	for i, t := range tokens {
		depth += nesting(t)
		switch t {
		case "=", "!=", "<", ">", "<=", ">=":
			if at >= 0 {
				return strings.Join(tokens, "\x00")
			}
			if depth == 0 {
				at = i
			}
		}
	}
	if at <= 0 || at == len(tokens)-1 || tokens[0] == "not" {
		return strings.Join(tokens, "\x00")
	}
	left, right, op := strings.Join(tokens[:at], "\x00"), strings.Join(tokens[at+1:], "\x00"), tokens[at]
	if other := mirrorOf(op); other != "" && (other != op || left > right) {
		left, right, op = right, left, other
	}
	return left + "\x00" + op + "\x00" + right
}

// singles returns the values of a list of single tokens, or nil.
func singles(tokens []string) (out []string) {
	for _, part := range splitTop(tokens, ",") {
		if len(part) != 1 {
			return nil
		}
		out = append(out, part[0])
	}
	return out
}

// sortedSettings writes the settings of an update in order, if each value is a single one and no
// column stands twice.
func sortedSettings(tokens []string) []string {
	var out []string
	names := map[string]bool{}
	for _, part := range splitTop(tokens, ",") {
		if len(part) != 3 || part[1] != "=" || names[part[0]] || isWordByte(part[2][0]) && !isValue(part[2]) {
			return tokens
		}
		names[part[0]] = true
		out = append(out, strings.Join(part, "\x00"))
	}
	slices.Sort(out)
	return out
}

// isValue reports whether a token of letters and digits is a number, or a word that is a value.
func isValue(token string) bool {
	return IsDigitByte(token[0]) || isListed(token, " true false null default ")
}

// sortedColumns writes the columns of an insert of one row in order, with their values.
func sortedColumns(tokens []string) []string {
	if len(tokens) < 8 || tokens[0] != "insert" || tokens[1] != "into" || tokens[3] != "(" {
		return tokens
	}
	end := slices.Index(tokens, ")")
	if end < 0 || end+2 >= len(tokens) || tokens[end+1] != "values" || tokens[end+2] != "(" || tokens[len(tokens)-1] != ")" {
		return tokens
	}
	names, values := singles(tokens[4:end]), singles(tokens[end+3:len(tokens)-1])
	if len(names) != len(values) || names == nil {
		return tokens
	}
	var pairs []string
	for i := range names {
		pairs = append(pairs, names[i]+"\x00"+values[i])
	}
	slices.Sort(pairs)
	return append(slices.Clone(tokens[:4]), pairs...)
}

// AreDaysApart reports whether two lists of tokens of PlainStatement differ only in conditions such as day <= '2025-12-31' and
// day < '2026-01-01': for a column of days they are the same, and for one with times they are not.
func AreDaysApart(a, b []string) bool {
	x, y := strings.Split(strings.Join(a, "\x00"), "\x00"), strings.Split(strings.Join(b, "\x00"), "\x00")
	if len(x) != len(y) {
		return false
	}
	apart := false
	for i := 0; i < len(x); i++ {
		switch rest, other := x[i:], y[i:]; {
		case isDayBound(rest, other), isDayBound(other, rest):
			apart = true
			i += 2
		case x[i] != y[i]:
			return false
		}
	}
	return apart
}

// isDayBound reports whether two lists of tokens begin with one bound of days: c <= D and c < D+1, or D < c and D+1 <= c.
func isDayBound(a, b []string) bool {
	if len(a) < 3 || len(b) < 3 {
		return false
	}
	return a[0] == b[0] && a[1] == "<=" && b[1] == "<" && nextDay(a[2]) == b[2] || a[2] == b[2] && a[1] == "<" && b[1] == "<=" && nextDay(a[0]) == b[0]
}

// nextDay returns the literal of the day behind that of a literal, or "".
func nextDay(literal string) string {
	day, err := time.Parse("'2006-01-02'", literal)
	if err != nil {
		return ""
	}
	return day.AddDate(0, 0, 1).Format("'2006-01-02'")
}
