package kind

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
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
	if a, b := ipv6Groups(p.a.text), ipv6Groups(p.b.text); a != "" && b != "" {
		return sameIf(a == b)
	}
	if a, b := ipv4Network(p.a.text), ipv4Network(p.b.text); a != "" && b != "" {
		return sameIf(a == b)
	}
	if !p.named(hostKeys) && !(p.tool.has(hostKeys) && p.ends(" name record target value ")) {
		return Open
	}
	a, b := hostName(p.a.text), hostName(p.b.text)
	if a == "" || a != b {
		return Open
	}
	return Same
}

// ipv4Network returns an IPv4 address with the length of its prefix, which may be written as a
// mask (RFC 4632, section 3.1). An address alone has 32. It returns "" for any other text.
func ipv4Network(s string) string {
	if strings.Count(s, ".") < 3 || s[0] < '0' || s[0] > '9' {
		return ""
	}
	address, length, found := strings.Cut(s, "/")
	if octetsOf(address) == nil {
		return ""
	}
	switch mask := octetsOf(length); {
	case !found:
		return address + "/32"
	case mask != nil:
		set := uint32(mask[0])<<24 | uint32(mask[1])<<16 | uint32(mask[2])<<8 | uint32(mask[3])
		n := bits.LeadingZeros32(^set)
		if set<<n != 0 {
			return ""
		}
		return address + "/" + strconv.Itoa(n)
	case areDigits(length) && len(length) < 3:
		return s
	}
	return ""
}

// octetsOf returns the four numbers of an IPv4 address, or nil for any other text.
func octetsOf(s string) (out []uint8) {
	for part := range strings.SplitSeq(s, ".") {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return nil
		}
		out = append(out, uint8(n))
	}
	if len(out) != 4 {
		return nil
	}
	return out
}

// ipv6Groups returns the eight groups of an IPv6 address, each with four digits. It returns
// "" for any other text.
func ipv6Groups(s string) string {
	if strings.Count(s, ":") < 2 {
		return ""
	}
	if s = strings.ToLower(s); strings.Trim(s, "0123456789abcdef:") != "" {
		return ""
	}
	head, tail, short := strings.Cut(s, "::")
	before, after := splitGroups(head), splitGroups(tail)
	missing := 8 - len(before) - len(after)
	if short && missing < 1 || !short && missing != 0 {
		return ""
	}
	groups := append(append(before, slices.Repeat([]string{"0"}, missing)...), after...)
	for i, g := range groups {
		if len(g) == 0 || len(g) > 4 {
			return ""
		}
		groups[i] = "0000"[len(g):] + g
	}
	return strings.Join(groups, ":")
}

func splitGroups(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ":")
}

// hostName returns the name of a host in lower case without its last dot, or "" for any
// other text.
func hostName(s string) string {
	s = strings.ToLower(strings.TrimSuffix(s, "."))
	if !strings.Contains(s, ".") || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_.*") != "" {
		return ""
	}
	return s
}

// compareSheetFormulas compares two formulas of a spreadsheet, which begin with an equals
// sign. Blanks and letter case mean nothing outside quotes.
func (p *pair) compareSheetFormulas() Outcome {
	if !strings.HasPrefix(p.a.text, "=") || !strings.HasPrefix(p.b.text, "=") || !p.named(" formula cell value content ") {
		return Open
	}
	return sameIf(sheetFormula(p.a.text) == sheetFormula(p.b.text))
}

func sheetFormula(s string) string {
	parts := strings.Split(s, `"`)
	for i := 0; i < len(parts); i += 2 { // the others are in quotes
		parts[i] = strings.ToLower(strings.Join(strings.Fields(parts[i]), ""))
	}
	return strings.Join(parts, `"`)
}

// patternWords has words of the names of arguments that hold a regular expression.
const patternWords = " pattern regex regexp expression "

// patternMarks writes the classes of regular expressions as sets.
var patternMarks = strings.NewReplacer(`\d`, "[0-9]", `\w`, "[A-Za-z0-9_]", "[a-zA-Z0-9_]", "[A-Za-z0-9_]", "(?:", "(", `\/`, "/", "{1}", "", "{0,1}", "?", "{0,}", "*", "{1,}", "+")

// comparePatterns compares two regular expressions. A class and a set may have the same
// characters: that depends on the program.
func (p *pair) comparePatterns() Outcome {
	if !p.named(patternWords) || patternMarks.Replace(p.a.text) != patternMarks.Replace(p.b.text) {
		return Open
	}
	return Unsure
}
