package kind

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/base/codes"
)

// exactWords has the last words of the names of arguments in which each character counts.
const exactWords = " id key password passphrase secret token hash sha checksum digest signature version release zip zipcode postcode code pin sku serial username user login handle slug otp cvv iban account isbn commit revision tag prefix suffix separator delimiter sep delim indent "

// compareExact compares values in which each character counts, apart from the blanks in
// a card's number, such as ids and versions. A
// language, country, currency or area has a code that its own kind reads.
func (p *pair) compareExact() Outcome {
	isSecret := p.isSecret()
	if !isSecret && !p.ends(exactWords) && !(p.ends(" number ") && p.named(" card ")) && !p.isNumbered() || p.named(" country language currency locale zone operator algorithm emoji reaction ") || p.isContent() {
		return Open
	}
	if p.ends(" code ") && (p.a.isMultiline() || p.b.isMultiline() || p.tool.has(" run execute eval python interpreter ")) {
		return Open
	}
	if isBool := p.a.isBool() || p.b.isBool(); isBool && (!isSecret || !p.a.isString() || !p.b.isString()) {
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
	case !isSecret && (notation.IsSpelling(a, b) || p.isNumbered() && strings.Trim(a, "# ") == strings.Trim(b, "# ")):
		if p.ends(" user username handle slug login tag sku code ") {
			return Unsure
		}
		return Likely
	}
	return Differs
}

// secretWords end the names of arguments in which letter case and blanks make another value.
const secretWords = " key password passphrase secret token hash signature otp cvv pin passcode passwd pwd pass credential salt passkey apikey mnemonic nonce "

// isSecret reports whether the argument is a secret, which has no other notation than itself.
func (p *pair) isSecret() bool {
	if p.ends(" pwd ") && strings.IndexAny(p.a.text, "/~.") == 0 {
		return false // the working directory
	}
	return p.ends(secretWords) || p.ends(" phrase answer word ") && p.named(" seed recovery security secret backup ")
}

// numberedWords has words of the names of things that a number names, and does not count or measure.
const numberedWords = " order invoice account serial tracking routing check cheque ticket policy flight room po purchase reference confirmation booking reservation case claim license passport part customer member employee student shipment "

// isNumbered reports whether the argument is the number that a thing has, or a seat: 007 is no other notation of 7. A flight
// and a train with letters have notations of their own.
func (p *pair) isNumbered() bool {
	if !p.a.hasDigit() || !p.b.hasDigit() || !(p.ends(" number no num ") && p.named(numberedWords)) && (p.many || !p.ends(" seat ")) {
		return false
	}
	return !p.named(" flight train ") || notation.PlainFlight(p.a.text) == "" || notation.PlainFlight(p.b.text) == ""
}

// compareSchemes compares two names of a scheme, such as a DOI or the code of a bank. It leaves
// names that it does not call the same to the other kinds.
func (p *pair) compareSchemes() Outcome {
	if notation.AreOneOfScheme(p.named, p.a.text, p.b.text) {
		return Same
	}
	return Open
}

// compareMACs compares two addresses of network cards, in pairs of digits.
func (p *pair) compareMACs() Outcome {
	a, b := notation.MACDigits(p.a.text), notation.MACDigits(p.b.text)
	if a == "" || b == "" || p.isSecret() {
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
	if a == "" || b == "" || len(p.a.text) == len(notation.BareUUID) && len(p.b.text) == len(notation.BareUUID) && !p.ends(" uuid guid ") || p.isSecret() {
		return Open
	}
	return sameIf(a == b)
}

// isMoving reports whether a version is a word that stands for another one, such as latest.
func isMoving(s string) bool { return isListed(strings.ToLower(s), " latest newest stable current ") }
