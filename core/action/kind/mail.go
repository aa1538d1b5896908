package kind

import "strings"

// mailKeys has the last words of the names of arguments that hold mail addresses.
const mailKeys = " to cc bcc from email mail recipient sender address attendee invitee "

// compareMailAddresses compares two mail addresses. The name before an address in brackets
// and the scheme mailto are notation (RFC 5322, section 3.4).
func (p *pair) compareMailAddresses() Outcome {
	if !p.ends(mailKeys) {
		return Open
	}
	a, b := mailAddress(p.a.text), mailAddress(p.b.text)
	if a == "" || b == "" {
		return Open
	}
	if a != b && withoutTag(a) == withoutTag(b) {
		return Likely
	}
	return sameIf(a == b)
}

// withoutTag returns a mail address without what stands behind a plus in its name, because
// many hosts deliver both to one person (RFC 5233).
func withoutTag(address string) string {
	name, host, _ := strings.Cut(address, "@")
	name, _, _ = strings.Cut(name, "+")
	return name + "@" + host
}

func mailAddress(s string) string {
	s = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "mailto:")
	if open := strings.IndexByte(s, '<'); open >= 0 && strings.HasSuffix(s, ">") {
		s = s[open+1 : len(s)-1]
	}
	name, host, ok := strings.Cut(s, "@")
	if !ok || name == "" || !strings.Contains(host, ".") || strings.ContainsAny(s, " ,;<>/:") || strings.Contains(host, "@") {
		return ""
	}
	return s
}
