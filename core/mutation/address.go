package mutation

import (
	"strconv"
	"strings"
)

// addressAsks returns why a GET of an address may change something, or "" if nothing in
// the address says so. HTTP says that GET only reads, but many devices, forms and links
// do not obey: /relay/0?turn=off, /reboot.cgi, /orders/5/cancel, /unsubscribe?token=….
// Only http and https addresses are judged. O(len(address)).
func addressAsks(address string) string {
	scheme, rest, found := strings.Cut(strings.TrimSpace(address), "://")
	if !found || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	query = decodePercent(query)
	if why := parameterAsks(query); why != "" {
		return why
	}
	_, route, _ := strings.Cut(rest, "/")
	return routeAsks(decodePercent(route), query)
}

// decodePercent replaces %XX by the byte that it means. It keeps anything else.
func decodePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(b))
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// parameterAsks returns why a parameter of a query (a=1&b=2) asks for a change, or "".
func parameterAsks(query string) string {
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(pair, "=")
		switch lower := strings.ToLower(value); {
		case lower == "" && name == pair && memberKind(name) != deedMember, lower == "0", lower == "false", lower == "no":
		case lower == "on" || lower == "off" || lower == "toggle":
			return "the address switches something: " + quote(clip(pair))
		case memberKind(name) == deedMember:
			return "the address asks for a change: " + quote(clip(pair))
		case memberKind(name) == carrierMember || memberKind(name) == methodMember:
			if t := words(value); len(t) > 0 && word(t[0]).has(write|weak|vague) {
				return "the address asks for a change: " + quote(clip(pair))
			}
		}
	}
	return ""
}

// routeAsks returns why the path of an address asks for a change, or "". A segment that
// begins with a writing verb asks for one if a query follows (/delete?id=5), if an id
// stands beside it (/orders/5/cancel), or if it is a program (/reboot.cgi). Other such
// segments are usually titles of pages (/docs/delete-a-repository).
func routeAsks(route, query string) string {
	segments := strings.Split(strings.Trim(route, "/"), "/")
	for i, s := range segments {
		t := words(s)
		if len(t) == 0 || !word(t[0]).has(write|weak) {
			continue
		}
		name, extension, _ := strings.Cut(s, ".")
		sure := word(t[0]).has(write) && !word(t[0]).has(noun)
		switch {
		case query != "" && (sure || i == len(segments)-1 && paysFor(query)),
			sure && programExtension(extension),
			name == s && len(t) == 1 && sure && (i > 0 && idSegment(segments[i-1]) || i+1 < len(segments) && idSegment(segments[i+1])):
			return "the path of the address asks for a change: " + quote(clip(s))
		}
	}
	return ""
}

// paysFor reports whether a query has a parameter for an amount or a quantity.
func paysFor(query string) bool {
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		for _, w := range words(name) {
			if w == "amount" || w == "quantity" || w == "qty" || w == "sum" {
				return true
			}
		}
	}
	return false
}

func programExtension(extension string) bool {
	switch strings.ToLower(extension) {
	case "cgi", "php", "do", "action", "asp", "aspx", "jsp", "pl":
		return true
	}
	return false
}

// idSegment reports whether a segment of a path is an id: it has a digit, and is not a
// version such as v2.
func idSegment(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "vV.0123456789") != "" || strings.Trim(s, "0123456789") == "" && s != ""
}
