package notation

import (
	"strings"
	"sync"
)

// SheetFormula returns a formula of a spreadsheet without blanks and capitals outside quotes.
func SheetFormula(s string) string {
	parts := strings.Split(s, `"`)
	for i := 0; i < len(parts); i += 2 { // the others are in quotes
		parts[i] = strings.ToLower(strings.Join(strings.Fields(parts[i]), ""))
	}
	return strings.Join(parts, `"`)
}

// PlainPattern returns a regular expression with its classes written as sets.
func PlainPattern(s string) string { return patternMarks().Replace(s) }

var patternMarks = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(`\d`, "[0-9]", `\w`, "[A-Za-z0-9_]", "[a-zA-Z0-9_]", "[A-Za-z0-9_]", "(?:", "(", `\/`, "/", "{1}", "", "{0,1}", "?", "{0,}", "*", "{1,}", "+")
})

// IsFormula reports whether a text has an operator and no quotes, and no two names that
// only a blank separates.
func IsFormula(s string) bool {
	if !strings.ContainsAny(s, "+-*/^=(") || strings.ContainsAny(s, "'\"`;{}\n") {
		return false
	}
	fields := strings.Fields(s)
	for i := 1; i < len(fields); i++ {
		before, after := fields[i-1][len(fields[i-1])-1], fields[i][0]
		if isFormulaByte(before) && isFormulaByte(after) {
			return false
		}
	}
	return true
}

func isFormulaByte(c byte) bool { return isWordByte(c) && c != '$' }

// PlainFormula returns a formula without blanks, with ^ for a power and * for each product.
func PlainFormula(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), ""), "**", "^")
	var b strings.Builder
	for i := range len(s) {
		digit := i > 0 && s[i-1] >= '0' && s[i-1] <= '9'
		if letter := s[i] >= 'a' && s[i] <= 'z' && s[i] != 'e'; letter && digit && !nameBefore(s, i) {
			b.WriteByte('*')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// nameBefore reports whether the digits that end before i belong to a name, such as A1.
func nameBefore(s string, i int) bool {
	for i--; i >= 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '.'); i-- {
	}
	return i >= 0 && (isWordByte(s[i]) || s[i] == '_')
}
