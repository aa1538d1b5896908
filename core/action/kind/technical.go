package kind

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
)

// This file compares the values of technical arguments: addresses of hosts, and words and
// codes that have a few notations, such as the order of a sort or the schedule of a job.

// hostKeys has words of the names of arguments that hold the name of a host.
const hostKeys = " host hostname domain fqdn nameserver dns "

// compareHosts compares two addresses of hosts: in IPv6 (RFC 4291, section 2.2), or names,
// whose letter case and last dot mean nothing (RFC 1034, section 3.1).
func (p *pair) compareHosts() Outcome {
	if !strings.ContainsAny(p.a.text, ":.") || !strings.ContainsAny(p.b.text, ":.") {
		return Open
	}
	if a, b := notation.IPv6Groups(p.a.text), notation.IPv6Groups(p.b.text); a != "" && b != "" {
		return sameIf(a == b)
	}
	if a, b := notation.IPv4Network(p.a.text), notation.IPv4Network(p.b.text); a != "" && b != "" {
		return sameIf(a == b)
	}
	if !p.named(hostKeys) && !(p.tool.has(hostKeys) && p.ends(" name record target value ")) {
		return Open
	}
	a, b := notation.HostName(p.a.text), notation.HostName(p.b.text)
	if a == "" || a != b {
		return Open
	}
	return Same
}

// compareSheetFormulas compares two formulas of a spreadsheet, which begin with an equals
// sign. Blanks and letter case mean nothing outside quotes.
func (p *pair) compareSheetFormulas() Outcome {
	if !strings.HasPrefix(p.a.text, "=") || !strings.HasPrefix(p.b.text, "=") || !p.named(" formula cell value content ") {
		return Open
	}
	return sameIf(notation.SheetFormula(p.a.text) == notation.SheetFormula(p.b.text))
}

// patternWords has words of the names of arguments that hold a regular expression.
const patternWords = " pattern regex regexp expression "

// comparePatterns compares two regular expressions. A class and a set may have the same
// characters: that depends on the program.
func (p *pair) comparePatterns() Outcome {
	if !p.named(patternWords) || notation.PlainPattern(p.a.text) != notation.PlainPattern(p.b.text) {
		return Open
	}
	return Unsure
}
