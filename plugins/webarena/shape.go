package webarena

import "strings"

// Values that change at every visit are recognised only by their shape. A rule with the
// name of a site, a field or a framework would work only for that site, field or
// framework.

// isTransient reports whether a value is a generated identifier or a point in time. Such
// a value is new at each visit.
func isTransient(value string) bool {
	return isGenerated(value) || isEpochTime(value) || isTimestamp(value)
}

// isGenerated reports whether a value looks like a generated identifier. It has one of
// these forms:
//
//   - 16 or more hexadecimal digits, with both letters and digits
//   - 20 or more characters of base64, in which capitals, small letters and digits alternate too often for words
func isGenerated(value string) bool {
	value = strings.TrimRight(value, "=")
	if len(value) < 16 || len(value) > 4096 {
		return false
	}
	bare := strings.ReplaceAll(value, "-", "")
	if strings.Trim(strings.ToLower(bare), "0123456789abcdef") == "" {
		return strings.ContainsAny(bare, "0123456789") && strings.ContainsAny(strings.ToLower(bare), "abcdef")
	}
	if len(value) < 20 {
		return false
	}
	kinds, changes, last := [3]bool{}, 0, -1
	for i := range len(value) {
		k := charClass(value[i])
		if k == other {
			return false
		}
		if k == joint {
			continue
		}
		kinds[k] = true
		if k != last && last >= 0 {
			changes++
		}
		last = k
	}
	return kinds == [3]bool{true, true, true} && changes*2 >= len(value)
}

// Classes of a character in base64, its two alphabets.
const (
	digit = iota
	small
	capital
	joint
	other
)

func charClass(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return digit
	case c >= 'a' && c <= 'z':
		return small
	case c >= 'A' && c <= 'Z':
		return capital
	case strings.IndexByte("+/-_~.", c) >= 0:
		return joint
	}
	return other
}

// isEpochTime reports whether a value is a time in seconds or milliseconds since 1970,
// from 2001 to 2286.
func isEpochTime(value string) bool {
	whole, fraction, _ := strings.Cut(value, ".")
	return (len(whole) == 10 || len(whole) == 13) && whole[0] != '0' && isDigits(whole) && (fraction == "" || isDigits(fraction))
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isTimestamp reports whether a value is a date with a time of day, such as
// 2024-01-31T10:20:30.5+01:00.
func isTimestamp(value string) bool {
	if len(value) < 16 || len(value) > 40 || value[4] != '-' || value[7] != '-' || value[10] != 'T' && value[10] != ' ' || value[13] != ':' {
		return false
	}
	return isDigits(value[:4]) && isDigits(value[5:7]) && isDigits(value[8:10]) && isDigits(value[11:13]) &&
		strings.Trim(value[14:], "0123456789:.+-Z UTCGM") == ""
}

// stableIdentifier returns an identifier in which each numbered or generated part is
// shortened and ends in #. For example, "field-17-label" and "field-4-label" both become
// "field-#-label", because they name the same thing on two visits.
func stableIdentifier(id string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(id) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for i := 0; i < len(word); {
			j := i
			for j < len(word) && charClass(word[j]) < joint {
				j++
			}
			if part := word[i:j]; isGenerated(part) || isCounted(part) {
				b.WriteString(strings.TrimRight(part, "0123456789abcdefABCDEF") + "#")
			} else {
				b.WriteString(part)
			}
			if j < len(word) {
				b.WriteByte(word[j])
				j++
			}
			i = j
		}
	}
	return b.String()
}

// isCounted reports whether a part ends in a number, or is a mix of hexadecimal digits.
func isCounted(part string) bool {
	if part == "" {
		return false
	}
	if charClass(part[len(part)-1]) == digit {
		return true
	}
	return len(part) >= 6 && strings.Trim(part, "0123456789abcdef") == "" && strings.ContainsAny(part, "0123456789")
}

// units holds the units of ages.
const units = " second minute hour day week month year sec min hr "

// isAge reports whether a text says how long ago something was, for example "3 minutes
// ago".
func isAge(text string) bool {
	f := strings.Fields(strings.ToLower(text))
	if len(f) == 2 && f[0] == "just" && f[1] == "now" {
		return true
	}
	n := len(f)
	if n < 3 || n > 4 || f[n-1] != "ago" {
		return false
	}
	return strings.Contains(units, " "+strings.TrimSuffix(f[n-2], "s")+" ") && (isDigits(f[n-3]) || f[n-3] == "a" || f[n-3] == "an")
}

// stableText returns a text with single spaces. For a date or an age it returns "#time",
// because these differ at every visit.
func stableText(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if isAge(text) || isTimestamp(text) {
		return "#time"
	}
	return text
}
