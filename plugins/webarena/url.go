package webarena

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// pair is one parameter of a query.
type pair struct{ key, value string }

// address holds the parts of a URL in normal form. scheme and host are in lower case,
// without the scheme's default port. path has no dot segments and no slash at its end.
// query is sorted, without the parameters that only say where a visitor came from.
// fragment is empty except if it is a route of its own.
type address struct {
	scheme, host, path string
	query              []pair
	fragment           string
}

// ports holds the default ports of schemes.
var ports = map[string]string{"http": ":80", "https": ":443", "ws": ":80", "wss": ":443", "ftp": ":21"}

// tracking holds the prefixes of campaign parameters in every analytics system that
// follows the convention.
var tracking = [...]string{"utm_", "mtm_"}

// parseURL parses a URL. The result ok is false if the text is not a URL.
func parseURL(text string) (a address, ok bool) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return a, false
	}
	a.scheme, a.host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if port := ports[a.scheme]; port != "" {
		a.host = strings.TrimSuffix(a.host, port)
	}
	a.path = cleanPath(u)
	a.query = parseQuery(u.RawQuery)
	if f := u.EscapedFragment(); strings.HasPrefix(f, "/") || strings.HasPrefix(f, "!") {
		a.fragment = f
	}
	return a, true
}

func cleanPath(u *url.URL) string {
	p := u.EscapedPath()
	if u.Opaque != "" {
		return u.Opaque
	}
	if strings.HasPrefix(p, "/") {
		p = path.Clean(p)
	}
	return strings.TrimRight(normalEscapes(p), "/")
}

// normalEscapes returns a path with its escapes in normal form. Characters that need no
// escape have none. Other characters are written as %XX with capital digits.
func normalEscapes(p string) string {
	const plain = "-._~!$&'()*+,;=:@/"
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		c := p[i]
		escaped := false
		if c == '%' && i+2 < len(p) {
			if n, err := strconv.ParseUint(p[i+1:i+3], 16, 8); err == nil {
				c, escaped = byte(n), true
				i += 2
			}
		}
		if charClass(c) < joint || strings.IndexByte("-._~", c) >= 0 || !escaped && strings.IndexByte(plain, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// parseQuery reads a query. The result is sorted, because the order has no meaning.
func parseQuery(raw string) (out []pair) {
	for part := range strings.SplitSeq(raw, "&") {
		key, value, _ := strings.Cut(part, "=")
		p := pair{unescapeQuery(key), unescapeQuery(value)}
		if p == (pair{}) || slices.ContainsFunc(tracking[:], func(t string) bool { return strings.HasPrefix(strings.ToLower(p.key), t) }) {
			continue
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pair) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.value, b.value)) })
	return out
}

func unescapeQuery(s string) string {
	if out, err := url.QueryUnescape(s); err == nil {
		return out
	}
	return s
}

// String returns the address in normal form. If this text is parsed again, its normal
// form is the same text.
func (a *address) String() string {
	var b strings.Builder
	if a.scheme != "" {
		b.WriteString(a.scheme + ":")
	}
	if a.host != "" {
		b.WriteString("//" + a.host)
	}
	b.WriteString(a.path)
	for i, p := range a.query {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(p.key))
		if p.value != "" {
			b.WriteString("=" + url.QueryEscape(p.value))
		}
	}
	if a.fragment != "" {
		b.WriteString("#" + a.fragment)
	}
	return b.String()
}

// normalURL returns a URL's normal form, or the text itself if it is not a URL.
func normalURL(text string) string {
	a, ok := parseURL(text)
	if !ok {
		return strings.TrimSpace(text)
	}
	return a.String()
}

// stableURL returns the normal form of a URL without the parts that change at every
// visit. These are parameters whose value is a session, a nonce or a time. They are in
// the query, or after a semicolon in the path.
func stableURL(text string) string {
	a, ok := parseURL(text)
	if !ok {
		return strings.TrimSpace(text)
	}
	a.query = slices.DeleteFunc(a.query, func(p pair) bool { return isTransient(p.value) })
	if i := strings.IndexByte(a.path, ';'); i >= 0 {
		if _, value, ok := strings.Cut(a.path[i:], "="); ok && isTransient(value) {
			a.path = a.path[:i]
		}
	}
	return a.String()
}

// isURL reports whether a text is an absolute URL and nothing else.
func isURL(text string) bool {
	text = strings.TrimSpace(text)
	i := strings.Index(text, ":")
	if i <= 0 || strings.ContainsAny(text, " \t\r\n'\"<>") {
		return false
	}
	_, known := ports[strings.ToLower(text[:i])]
	return known && strings.HasPrefix(text[i:], "://") || strings.HasPrefix(text, "about:") || strings.HasPrefix(text, "file:///")
}
