package notation

import "strings"

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

// SchemeWords has the words of all schemes.
const SchemeWords = " doi arxiv orcid bic swift iban vat tin ein ssn sin nhs isbn sort routing gtin ean upc issn imei lei vin nino cusip isin cas postcode postal zip sha sha1 sha256 sha512 md5 hash checksum digest fingerprint thumbprint "

// AreOneOfScheme reports whether two texts are one name of a scheme, such as a DOI or the code of a bank.
// named reports whether the name of their argument has one of the words of a list, which chooses the scheme.
func AreOneOfScheme(named func(list string) bool, x, y string) bool {
	if len(x) < 3 || len(y) < 3 || !named(SchemeWords) {
		return false
	}
	for i := range schemes {
		s := &schemes[i]
		if !named(s.names) {
			continue
		}
		a, b := plainScheme(x, s.prefixes, s.drop), plainScheme(y, s.prefixes, s.drop)
		if strings.HasPrefix(s.names, " sha ") && (len(a) < 32 || strings.Trim(a, "0123456789abcdef") != "") {
			return false // no digits of a hash
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
			if !AreDigits(a) {
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
			return true
		}
	}
	return false
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
