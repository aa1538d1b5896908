package kind

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/base/codes"
)

// exactWords has the last words of the names of arguments in which each character counts.
const exactWords = " id key password passphrase secret token hash sha checksum digest signature version release zip zipcode postcode code pin sku serial username user login handle slug otp cvv iban account isbn commit revision tag prefix suffix separator delimiter "

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
	a, b := codes.Compose(p.a.text), codes.Compose(p.b.text)
	switch {
	case a == b:
		return Same
	case p.named(" card isbn iban ean postcode ") && withoutGroups(a) == withoutGroups(b):
		return Same // groups of digits or letters
	case p.ends(" handle username user ") && strings.TrimPrefix(a, "@") == strings.TrimPrefix(b, "@"):
		return Same
	case p.named(" commit sha hash revision ") && notation.IsShortHash(a, b):
		return Unsure
	case p.ends(" version release tag ") && notation.PlainVersion(a) == notation.PlainVersion(b):
		return Unsure
	case p.ends(" version release tag image ") && isMoving(a) != isMoving(b):
		return Likely // it may point to the other one
	case p.ends(" version release ") && notation.IsOpenVersion(a) != notation.IsOpenVersion(b), p.ends(" tag ") && (a+"s" == b || b+"s" == a):
		return Likely
	case !p.ends(secretWords) && notation.IsSpelling(a, b):
		if p.ends(" user username handle slug login tag sku code ") {
			return Unsure
		}
		return Likely
	}
	return Differs
}

// secretWords end the names of arguments in which letter case and blanks make another value.
const secretWords = " key password passphrase secret token hash signature otp cvv pin "

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
			if !notation.AreDigits(a) {
				continue // the order of a list
			}
		case " bic swift ":
			if len(a) == 8 || len(b) == 8 {
				a, b = strings.TrimSuffix(a, "xxx"), strings.TrimSuffix(b, "xxx") // the head office
			}
		case " isbn ":
			a, b = notation.LongISBN(a), notation.LongISBN(b)
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

// compareMACs compares two addresses of network cards, in pairs of digits.
func (p *pair) compareMACs() Outcome {
	a, b := notation.MACDigits(p.a.text), notation.MACDigits(p.b.text)
	if a == "" || b == "" {
		return Open
	}
	return sameIf(a == b)
}

// withoutGroups returns a number without the signs between its groups.
func withoutGroups(s string) string { return groupMarks.Replace(s) }

var groupMarks = strings.NewReplacer(" ", "", "-", "")

func (v *value) isMultiline() bool { return strings.Contains(v.text, "\n") }

// compareUUIDs compares two UUIDs. Letter case, braces and the prefix urn:uuid: are
// notation (RFC 9562, section 4).
func (p *pair) compareUUIDs() Outcome {
	a, b := notation.UUIDDigits(p.a.text), notation.UUIDDigits(p.b.text)
	if a == "" || b == "" || len(p.a.text) == len(notation.BareUUID) && len(p.b.text) == len(notation.BareUUID) && !p.ends(" uuid guid ") || p.ends(" password secret token ") {
		return Open
	}
	return sameIf(a == b)
}

// isMoving reports whether a version is a word that stands for another one, such as latest.
func isMoving(s string) bool { return isListed(strings.ToLower(s), " latest newest stable current ") }
