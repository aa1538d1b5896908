package similarity

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/dates"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// normalString returns the canonical text of the string v, whose content is s (the paper's
// parameter normalisation, section 4.2). White space around the string does not count.
// These spellings are equal:
//
//   - a number and its text: 55120 and "55120", but not "055120" or "55120.0";
//   - a boolean and its text: true, "true" and "True";
//   - email addresses in any letter case;
//   - dates with the month in words and in digits: "5 September 2025", "Sep 5, 2025" and
//     "2025-09-05". A date such as 9/5/2025 is left as it is, because its order is not known;
//   - times with and without seconds, "T" or a space, and with any offset from UTC;
//   - quantities with a unit: "500mg", "500 mg" and "0.5 g";
//   - amounts of money with and without groups and decimals, if the argument's name is that
//     of an amount: "1,250.00" and 1250 (see Leaves);
//   - telephone numbers with a country code, and IBANs, however they are grouped.
func normalString(s string, v jsonval.Value) string {
	trimmed := strings.TrimSpace(s)
	normal := trimmed
	switch {
	case trimmed == "" || len(trimmed) > 256:
	case trimmed == "true" || trimmed == "True":
		return "true"
	case trimmed == "false" || trimmed == "False":
		return "false"
	case isMailAddress(trimmed):
		normal = strings.ToLower(trimmed)
	case isNumberText(trimmed):
		return jsonval.Decimal(trimmed)
	case trimmed[0] == '+':
		normal = normalPhone(trimmed)
	case isAccountNumber(trimmed):
		normal = strings.ReplaceAll(trimmed, " ", "")
	case len(trimmed) <= len("Wednesday, 30th of September 2025, 12:00:00"):
		if normal = normalDate(trimmed); normal == trimmed {
			normal = normalQuantity(trimmed)
		}
	}
	if normal != s {
		return jsonval.Quoted(normal)
	}
	return v.Canonical()
}

// isNumberText reports whether a text is a number as programs write it. Such a number has
// no plus, no exponent, no leading zeros and no zeros at the end of the decimals. So it
// returns false for "007" and for the version "1.10".
func isNumberText(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 32 || digits[0] < '0' || digits[0] > '9' {
		return false
	}
	whole, fraction, hasPoint := strings.Cut(digits, ".")
	if len(whole) > 1 && whole[0] == '0' || !areDigits(whole) || s == "-0" {
		return false
	}
	return !hasPoint || areDigits(fraction) && fraction[len(fraction)-1] != '0'
}

// isAmountKey reports whether the name of an argument says that it is an amount of money.
func isAmountKey(key string) bool {
	if key == "" || strings.IndexByte("telmdyTELMDY", key[len(key)-1]) < 0 { // the last letters of these words
		return false
	}
	k := wordlist.Lower(key)
	ends := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(k, word) })
	}
	switch k[len(k)-1] {
	case 't':
		return ends("amount", "cost", "budget")
	case 'e':
		return ends("price", "fee", "balance")
	}
	return ends("total", "sum", "refund", "salary")
}

// normalAmount returns the number in a text such as "1,250.00" or "$1250" as canonical
// text. The second result is false if the text is not such a number. Another currency than
// the dollar is a part of the value.
func normalAmount(s string) (string, bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "$")
	whole, fraction, hasPoint := strings.Cut(s, ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if !areDigits(g) || i > 0 && len(g) != 3 || i == 0 && (len(groups) > 1 && len(g) > 3 || len(g) > 1 && g[0] == '0') {
			return "", false
		}
	}
	if hasPoint && !areDigits(fraction) || len(s) > 32 {
		return "", false
	}
	return jsonval.Decimal(strings.ReplaceAll(s, ",", "")), true
}

func areDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// isMailAddress reports whether a text is a single email address. Letter case is ignored
// in email addresses.
func isMailAddress(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	return ok && name != "" && len(s) < 256 && strings.IndexByte(host, '.') > 0 && !strings.ContainsAny(s, " \n:/") && !strings.Contains(host, "@")
}

// normalPhone returns an international telephone number without the characters that group
// its digits. For example, "+49 (30) 555-0142" becomes "+49305550142". It returns any
// other text unchanged.
func normalPhone(s string) string {
	b := make([]byte, 0, len(s))
	b = append(b, '+')
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			b = append(b, c)
		case strings.IndexByte(" -()./", c) < 0:
			return s
		}
	}
	if len(b) < 8 || len(b) > 16 { // E.164: at most 15 digits
		return s
	}
	return string(b)
}

// isAccountNumber reports whether a text is an IBAN in groups: two capitals, two digits, and
// groups of up to four capitals and digits, such as "DE00 1234 5678 9012 3456 78".
func isAccountNumber(s string) bool {
	if len(s) < 5 || len(s) > 42 || s[4] != ' ' || !areDigits(s[2:4]) {
		return false
	}
	groups := strings.Split(s, " ")
	if len(groups) < 4 || len(groups[0]) != 4 || areDigits(groups[0][:1]) || areDigits(groups[0][1:2]) {
		return false
	}
	for i, g := range groups {
		if len(g) != 4 && i < len(groups)-1 || g == "" || len(g) > 4 || strings.Trim(g, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return false
		}
	}
	return true
}

// normalDate returns a date or a time in the form of RFC 3339. For example, "5 September
// 2025" becomes "2025-09-05", and "2025-09-05 14:00" becomes "2025-09-05T14:00:00". It
// returns any other text unchanged.
func normalDate(s string) string {
	switch {
	case len(s) < len("5 May 2025") || !hasYear(s), isShaped(s, "0000-00-00"):
		return s
	case isShaped(s, "0000/00/00"):
		return s[:4] + "-" + s[5:7] + "-" + s[8:]
	case len(s) > 10 && isShaped(s[:10], "0000-00-00") && strings.IndexByte("Tt ", s[10]) >= 0:
		return normalInstant(s)
	}
	return wordDate(s)
}

// isShaped reports whether a text has the given shape, for example "14:05" the shape
// "00:00". In a shape, 0 stands for any digit, and every other character stands for
// itself.
func isShaped(s, shape string) bool {
	if len(s) != len(shape) {
		return false
	}
	for i := range len(s) {
		if digit := s[i] >= '0' && s[i] <= '9'; digit != (shape[i] == '0') || !digit && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// hasYear reports whether a text contains four digits in a row.
func hasYear(s string) bool {
	row := 0
	for i := range len(s) {
		if row++; s[i] < '0' || s[i] > '9' {
			row = 0
		}
		if row == 4 {
			return true
		}
	}
	return false
}

// normalInstant returns a date with a time in one form, for example
// "2025-09-05T14:00:00Z". A time with an offset is converted to UTC, and missing seconds
// become "00". It returns any other text unchanged.
func normalInstant(s string) string {
	clock, zone := s[11:], ""
	if i := strings.IndexAny(clock, "Zz+-"); i >= 0 {
		clock, zone = clock[:i], strings.ToUpper(clock[i:])
	}
	clock, fraction, _ := strings.Cut(clock, ".")
	if isShaped(clock, "00:00") {
		clock += ":00"
	}
	if zone == "+00:00" {
		zone = "Z"
	}
	if !isShaped(clock, "00:00:00") || fraction != "" && !areDigits(fraction) || zone != "" && zone != "Z" && !isShaped(zone[1:], "00:00") {
		return s
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		fraction = "." + fraction
	}
	out := s[:10] + "T" + clock + fraction + zone
	if len(zone) > 1 {
		if t, err := time.Parse(time.RFC3339Nano, out); err == nil {
			return t.UTC().Format(time.RFC3339Nano)
		}
	}
	return out
}

// units has the metric units that have multiples: each with its base unit and the power of
// ten between them.
var units = map[string]struct {
	base  string
	power int
}{
	"g": {"g", 0}, "mg": {"g", -3}, "kg": {"g", 3}, "t": {"g", 6},
	"l": {"l", 0}, "L": {"l", 0}, "ml": {"l", -3}, "mL": {"l", -3}, "cl": {"l", -2},
	"m": {"m", 0}, "mm": {"m", -3}, "cm": {"m", -2}, "km": {"m", 3},
	"W": {"W", 0}, "kW": {"W", 3}, "MW": {"W", 6}, "Hz": {"Hz", 0}, "kHz": {"Hz", 3}, "MHz": {"Hz", 6}, "GHz": {"Hz", 9},
}

// normalQuantity returns a quantity in the base unit of its unit. For example, "500mg"
// becomes "5e-1 g". It returns any other text unchanged.
func normalQuantity(s string) string {
	if s[0] < '0' || s[0] > '9' {
		return s
	}
	end := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		return s
	}
	whole, fraction, hasPoint := strings.Cut(s[:end], ".")
	u, ok := units[strings.TrimPrefix(s[end:], " ")]
	if !ok || !areDigits(whole) || hasPoint && !areDigits(fraction) || len(whole) > 1 && whole[0] == '0' {
		return s
	}
	return jsonval.Decimal(s[:end]+"e"+strconv.Itoa(u.power)) + " " + u.base
}

// wordDate converts a date whose month is a word, for example "Friday, the 5th of
// September 2025" to "2025-09-05". The day may be before or after the month. It returns
// any other text unchanged.
func wordDate(s string) string {
	marks := 0
	for i := range len(s) {
		if s[i] == ' ' || s[i] == ',' || s[i] == '-' {
			marks++
		}
	}
	if marks < 2 { // fewer than three words
		return s
	}
	month, day, year, weekday := 0, 0, 0, -1
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '-' }) {
		lower := strings.ToLower(strings.TrimSuffix(word, "."))
		if m := dates.Month(lower); m != 0 && month == 0 {
			month = m
			continue
		}
		n, err := strconv.Atoi(strings.TrimRight(lower, "stndrh"))
		switch {
		case err == nil && len(word) == 4 && areDigits(word) && year == 0:
			year = n
		case err == nil && n >= 1 && n <= 31 && day == 0 && isOrdinal(lower, n):
			day = n
		case err != nil && dates.IsWeekday(lower):
			weekday = dates.Weekday(lower)
		case err == nil || lower != "of" && lower != "the":
			return s
		}
	}
	if year == 0 || month == 0 || !dates.Exists(year, month, day) || weekday >= 0 && weekday != dates.WeekdayOf(year, month, day) {
		return s // no day of the calendar, or two days
	}
	two := func(n int) string { return strconv.Itoa(100 + n)[1:] }
	return strconv.Itoa(10_000 + year)[1:] + "-" + two(month) + "-" + two(day)
}

// isOrdinal reports whether a word is the number n, perhaps with its ordinal ending.
func isOrdinal(word string, n int) bool {
	switch strings.TrimLeft(word, "0123456789") {
	case "", "th":
		return true
	case "st":
		return n%10 == 1
	case "nd":
		return n%10 == 2
	case "rd":
		return n%10 == 3
	}
	return false
}
