package kind

import "strings"

// exactWords has the last words of the names of arguments in which each character counts.
const exactWords = " id key password passphrase secret token hash sha checksum digest signature version release zip zipcode postcode code pin sku serial username user login handle slug otp cvv iban account isbn commit revision tag "

// compareExact compares values in which each character counts, apart from the blanks in
// a card's number, such as ids and versions. A
// language, country, currency or area has a code that its own kind reads.
func (p *pair) compareExact() Outcome {
	if !p.ends(exactWords) && !(p.named(" card ") && p.ends(" number ")) || p.named(" country language currency locale zone operator algorithm emoji reaction ") || p.isContent() {
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
	case p.ends(" version release tag ") && plainVersion(a) == plainVersion(b):
		return Unsure
	case p.ends(" version release tag image ") && isMoving(a) != isMoving(b):
		return Likely // it may point to the other one
	case p.ends(" version release ") && isOpenVersion(a) != isOpenVersion(b), p.ends(" tag ") && (a+"s" == b || b+"s" == a):
		return Likely
	case !p.ends(secretWords) && isSpelling(a, b):
		if p.ends(" user username handle slug login tag sku code ") {
			return Unsure
		}
		return Likely
	}
	return Differs
}

// plainVersion returns a version without the letter before it and without zeros at its end.
func plainVersion(s string) string {
	s = strings.TrimPrefix(s, "v")
	for strings.Count(s, ".") > 1 && strings.HasSuffix(s, ".0") {
		s = strings.TrimSuffix(s, ".0")
	}
	return s
}

// secretWords end the names of arguments in which letter case and blanks make another value.
const secretWords = " key password passphrase secret token hash signature otp cvv pin "

// isSpelling reports whether two ids differ only in letter case, or in the signs between their
// parts. They are probably two, but no table says so.
func isSpelling(a, b string) bool {
	return strings.EqualFold(spelledOut.Replace(a), spelledOut.Replace(b))
}

var spelledOut = strings.NewReplacer(" ", "", "-", "", "_", "", ".", "")

// isOpenVersion reports whether a text names no single version: latest, 3.x or >=3.
func isOpenVersion(s string) bool {
	return !strings.ContainsAny(s, "0123456789") || strings.ContainsAny(s, "x*<>=^~")
}

// schemes has names and numbers of things that a standard writes in groups, with a prefix, or in
// any letter case.
var schemes = [...]struct {
	names, drop string
	prefixes    []string
	anyCase     bool
}{
	{" doi ", "", []string{"https://doi.org/", "http://dx.doi.org/", "https://dx.doi.org/", "doi:"}, true},
	{" arxiv ", "", []string{"https://arxiv.org/abs/", "arxiv:"}, true},
	{" orcid ", " -", []string{"https://orcid.org/", "orcid:"}, true},
	{" bic swift ", " ", nil, true},
	{" iban ", " -", []string{"iban"}, true},
	{" vat tin ein ssn sin nhs ", " -", []string{"vat"}, true},
	{" isbn ", " -", []string{"urn:isbn:", "isbn-13:", "isbn-10:", "isbn:", "isbn"}, true},
	{" routing gtin ean upc issn imei lei vin nino cusip isin cas ", " -", nil, true},
	{" sort ", " -", nil, true}, // the code of a bank's branch
	{" postcode postal zip ", " -", nil, true},
	{" sha sha1 sha256 sha512 md5 hash checksum digest fingerprint thumbprint ", ": ", []string{"sha256:", "sha-256:", "sha1:", "sha512:", "md5:"}, true},
}

// schemeWords has the words of all schemes.
const schemeWords = " doi arxiv orcid bic swift iban vat tin ein ssn sin nhs isbn sort routing gtin ean upc issn imei lei vin nino cusip isin cas postcode postal zip sha sha1 sha256 sha512 md5 hash checksum digest fingerprint thumbprint "

// compareSchemes compares two names of a scheme, such as a DOI or the code of a bank. It leaves
// names that it does not call the same to the other kinds.
func (p *pair) compareSchemes() Outcome {
	if len(p.a.text) < 3 || len(p.b.text) < 3 || !p.named(schemeWords) {
		return Open
	}
	for i := range schemes {
		s := &schemes[i]
		if !p.named(s.names) {
			continue
		}
		a, b := plainScheme(p.a.text, s.prefixes, s.drop), plainScheme(p.b.text, s.prefixes, s.drop)
		if strings.HasPrefix(s.names, " sha ") && (len(a) < 32 || strings.Trim(a, "0123456789abcdef") != "") {
			return Open // no digits of a hash
		}
		switch s.names {
		case " vat tin ein ssn sin nhs ":
			if len(a) < 8 {
				continue // a rate
			}
		case " postcode postal zip ":
			if len(a) > 10 || strings.Contains(a, ".") {
				continue // the name of a file
			}
		case " sort ":
			if !areDigits(a) {
				continue // the order of a list
			}
		case " bic swift ":
			if len(a) == 8 || len(b) == 8 {
				a, b = strings.TrimSuffix(a, "xxx"), strings.TrimSuffix(b, "xxx") // the head office
			}
		case " isbn ":
			a, b = longISBN(a), longISBN(b)
		}
		if a == b && a != "" {
			return Same
		}
	}
	return Open
}

// plainScheme returns a name of a scheme in lower case without a prefix and without some signs.
func plainScheme(s string, prefixes []string, drop string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			s = rest
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(drop, r) {
			return -1
		}
		return r
	}, s)
}

// longISBN returns the number of a book in thirteen digits. It returns any other text unchanged.
func longISBN(s string) string {
	if len(s) != 10 || !areDigits(s[:9]) {
		return s
	}
	s, sum := "978"+s[:9], 0
	for i := range s {
		sum += int(s[i]-'0') * (1 + 2*(i%2))
	}
	return s + string(rune('0'+(10-sum%10)%10))
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
	if !(len(s) == 17 && (s[2] == ':' || s[2] == '-') || len(s) == 14 && s[4] == '.' && s[9] == '.') {
		return ""
	}
	s = strings.ToLower(strings.NewReplacer(":", "", "-", "", ".", "").Replace(s))
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

// isMoving reports whether a version is a word that stands for another one, such as latest.
func isMoving(s string) bool { return isListed(strings.ToLower(s), " latest newest stable current ") }
