package kind

import "strings"

// exactWords has the last words of the names of arguments in which each character counts.
const exactWords = " id key password passphrase secret token hash sha checksum digest signature version release zip zipcode postcode code pin sku serial username user login handle slug otp cvv iban account isbn commit revision tag "

// compareExact compares values in which each character counts, apart from the blanks in
// a card's number, such as ids and versions. A
// language, country, currency or area has a code that its own kind reads.
func (p *pair) compareExact() Outcome {
	if !p.ends(exactWords) && !(p.named(" card ") && p.ends(" number ")) || p.named(" country language currency locale zone ") || p.isContent() {
		return Open
	}
	if p.ends(" code ") && (p.a.isMultiline() || p.b.isMultiline() || p.tool.has(" run execute eval python interpreter ")) {
		return Open
	}
	if p.a.isBool() || p.b.isBool() {
		return Open
	}
	a, b := composeLetters(p.a.text), composeLetters(p.b.text)
	switch {
	case a == b:
		return Same
	case p.named(" card isbn iban ean postcode ") && withoutGroups(a) == withoutGroups(b):
		return Same // groups of digits or letters
	case p.ends(" handle username user ") && strings.TrimPrefix(a, "@") == strings.TrimPrefix(b, "@"):
		return Same
	case p.named(" commit sha hash revision ") && isShortHash(a, b):
		return Unsure
	case p.ends(" version release tag ") && strings.TrimPrefix(a, "v") == strings.TrimPrefix(b, "v"):
		return Unsure
	}
	return Differs
}

// isShortHash reports whether one of two texts is the beginning of the other one, a hash, in at
// least seven digits.
func isShortHash(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 7 && len(b) >= 40 && strings.HasPrefix(b, a) && strings.Trim(b, "0123456789abcdef") == ""
}

// compareMACs compares two addresses of network cards, in pairs of digits.
func (p *pair) compareMACs() Outcome {
	a, b := macDigits(p.a.text), macDigits(p.b.text)
	if a == "" || b == "" {
		return Open
	}
	return sameIf(a == b)
}

func macDigits(s string) string {
	if len(s) != 17 || s[2] != ':' && s[2] != '-' {
		return ""
	}
	s = strings.ToLower(strings.NewReplacer(":", "", "-", "").Replace(s))
	if len(s) != 12 || strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	return s
}

// withoutGroups returns a number without the signs between its groups.
func withoutGroups(s string) string { return groupMarks.Replace(s) }

var groupMarks = strings.NewReplacer(" ", "", "-", "")

func (v *value) isMultiline() bool { return strings.Contains(v.text, "\n") }

// compareUUIDs compares two UUIDs. Letter case, braces and the prefix urn:uuid: are
// notation (RFC 9562, section 4).
func (p *pair) compareUUIDs() Outcome {
	a, b := uuidDigits(p.a.text), uuidDigits(p.b.text)
	if a == "" || b == "" || len(p.a.text) == len(bareUUID) && len(p.b.text) == len(bareUUID) && !p.ends(" uuid guid ") || p.ends(" password secret token ") {
		return Open
	}
	return sameIf(a == b)
}

// bareUUID is as long as a UUID without dashes.
const bareUUID = "00000000000000000000000000000000"

func uuidDigits(s string) string {
	s = strings.ToLower(s)
	if len(s) == len(bareUUID) && strings.IndexByte(s, '-') < 0 {
		s = s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
	}
	s = strings.TrimPrefix(s, "urn:uuid:")
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	if len(s) != 36 {
		return ""
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && strings.IndexByte("0123456789abcdef", s[i]) < 0 {
			return ""
		}
	}
	return s
}
