package notation

import (
	"math/bits"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// IsPath reports whether a text is one line with a slash and no blank.
func IsPath(s string) bool { return strings.Contains(s, "/") && !strings.ContainsAny(s, " \t\n") }

// EndsAlike reports whether a path below the folder of the user may be another path.
func EndsAlike(home, whole string) bool {
	for _, name := range [...]string{"~/", "$HOME/", "${HOME}/", "%USERPROFILE%\\"} {
		if rest, ok := strings.CutPrefix(home, name); ok {
			before, ok := strings.CutSuffix(CleanPath(whole), "/"+CleanPath(rest))
			return ok && before != ""
		}
	}
	return false
}

// IsDrive reports whether a path begins with a drive of Windows.
func IsDrive(s string) bool { return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') }

// CleanPath returns a path without notation. A path of a Windows drive has slashes.
func CleanPath(s string) string {
	if len(s) > 2 && s[1] == ':' && s[2] == '\\' {
		s = strings.ReplaceAll(s, "\\", "/")
	}
	if rest, isAddress := strings.CutPrefix(s, "file://"); isAddress {
		s = rest
		if plain, err := url.PathUnescape(rest); err == nil && strings.Count(plain, "/") == strings.Count(rest, "/") {
			s = plain
		}
	}
	if strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "///") {
		return "/" + path.Clean(s) // a host on Windows
	}
	return path.Clean(s)
}

// SortedQuery returns an address with the members of its query in order.
func SortedQuery(s string) string {
	before, query, _ := strings.Cut(s, "?")
	query, fragment, _ := strings.Cut(query, "#")
	members := strings.Split(query, "&")
	slices.Sort(members)
	return before + "?" + strings.Join(members, "&") + "#" + fragment
}

// PlainAddress returns a URL in one notation (RFC 3986, section 6.2). ok is false for any other text.
func PlainAddress(s string) (string, bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	scheme = strings.ToLower(scheme)
	if !ok || scheme == "" || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" || scheme == "file" || strings.ContainsAny(rest, " \t\n") {
		return "", false
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, tail := rest[:end], rest[end:]
	user := ""
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		user, host = host[:i+1], host[i+1:]
	}
	host = strings.ToLower(host)
	switch scheme {
	case "http", "ws":
		host = strings.TrimSuffix(host, ":80")
	case "https", "wss":
		host = strings.TrimSuffix(host, ":443")
	}
	if host == "" {
		return "", false
	}
	if tail == "" || tail[0] != '/' {
		tail = "/" + tail
	}
	return scheme + "://" + user + host + plainTail(plainEscapes(tail)), true
}

// plainTail returns what follows the host of an address without "." and ".." in its path and
// without an empty fragment. A plus in a query is a blank, as forms write it.
func plainTail(s string) string {
	s = strings.TrimSuffix(s, "#")
	end := strings.IndexAny(s, "?#")
	if end < 0 {
		end = len(s)
	}
	before, after := s[:end], s[end:]
	if strings.Contains(before, "/.") && !strings.Contains(before, "//") {
		if clean := path.Clean(before); strings.HasSuffix(before, "/") && clean != "/" {
			before = clean + "/"
		} else {
			before = clean
		}
	}
	if strings.HasPrefix(after, "?") {
		after = strings.ReplaceAll(after, "+", "%20")
	}
	return before + after
}

// plainEscapes writes the digits of each escape such as %2f in upper case. It writes an
// escape of a letter, a digit or one of -._~ as this character, and other letters as escapes.
func plainEscapes(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			b = append(b, '%', "0123456789ABCDEF"[s[i]>>4], "0123456789ABCDEF"[s[i]&15])
			continue
		}
		if s[i] != '%' || i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
			b = append(b, s[i])
			continue
		}
		code, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if c := byte(code); isAddressLetter(c) {
			b = append(b, c)
		} else {
			b = append(b, strings.ToUpper(s[i:i+3])...)
		}
		i += 2
	}
	return string(b)
}

// isAddressLetter reports whether a character is unreserved (RFC 3986, section 2.3).
func isAddressLetter(c byte) bool {
	return 'a' <= c|' ' && c|' ' <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

// IPv4Network returns an IPv4 address with the length of its prefix, which may be written as a
// mask (RFC 4632, section 3.1). An address alone has 32. It returns "" for any other text.
func IPv4Network(s string) string {
	if strings.Count(s, ".") < 3 || s[0] < '0' || s[0] > '9' {
		return ""
	}
	address, length, found := strings.Cut(s, "/")
	if octetsOf(address) == nil {
		return ""
	}
	switch mask := octetsOf(length); {
	case !found:
		return address + "/32"
	case mask != nil:
		set := uint32(mask[0])<<24 | uint32(mask[1])<<16 | uint32(mask[2])<<8 | uint32(mask[3])
		n := bits.LeadingZeros32(^set)
		if set<<n != 0 {
			return ""
		}
		return address + "/" + strconv.Itoa(n)
	case AreDigits(length) && len(length) < 3:
		return s
	}
	return ""
}

// octetsOf returns the four numbers of an IPv4 address, or nil for any other text.
func octetsOf(s string) (out []uint8) {
	for part := range strings.SplitSeq(s, ".") {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return nil
		}
		out = append(out, uint8(n))
	}
	if len(out) != 4 {
		return nil
	}
	return out
}

// IPv6Groups returns the eight groups of an IPv6 address, each with four digits. It returns
// "" for any other text.
func IPv6Groups(s string) string {
	if strings.Count(s, ":") < 2 {
		return ""
	}
	if s = strings.ToLower(s); strings.Trim(s, "0123456789abcdef:") != "" {
		return ""
	}
	head, tail, short := strings.Cut(s, "::")
	before, after := splitGroups(head), splitGroups(tail)
	missing := 8 - len(before) - len(after)
	if short && missing < 1 || !short && missing != 0 {
		return ""
	}
	groups := append(append(before, slices.Repeat([]string{"0"}, missing)...), after...)
	for i, g := range groups {
		if len(g) == 0 || len(g) > 4 {
			return ""
		}
		groups[i] = "0000"[len(g):] + g
	}
	return strings.Join(groups, ":")
}

func splitGroups(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ":")
}

// HostName returns the name of a host in lower case without its last dot, or "" for any
// other text.
func HostName(s string) string {
	s = strings.ToLower(strings.TrimSuffix(s, "."))
	if !strings.Contains(s, ".") || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_.*") != "" {
		return ""
	}
	return s
}
