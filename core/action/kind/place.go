package kind

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pathKeys has the last words of the names of arguments that hold a path.
const pathKeys = " path file filename dir directory folder source src destination dest dst target output input location root cwd from to old new "

// comparePaths compares two paths. The parts "." and "..", a doubled slash and a slash at
// the end mean nothing. A link that ".." follows is not known here.
func (p *pair) comparePaths() Outcome {
	if !p.ends(pathKeys) || !p.a.isString() || !p.b.isString() || !strings.ContainsAny(p.a.text+p.b.text, "/\\.") || strings.ContainsAny(p.a.text+p.b.text, "\n@") {
		return Open
	}
	a, b := p.a.text, p.b.text
	if a == "" || b == "" {
		return Open
	}
	if cleanPath(a) != cleanPath(b) {
		if isDrive(a) && isDrive(b) && strings.EqualFold(cleanPath(a), cleanPath(b)) {
			return Same // Windows ignores case
		}
		if strings.EqualFold(cleanPath(a), cleanPath(b)) {
			return Likely // some file systems ignore case
		}
		if x, y := cleanPath(a), cleanPath(b); strings.HasSuffix(x, "/"+y) || strings.HasSuffix(y, "/"+x) || strings.EqualFold(joinedWords(x), joinedWords(y)) {
			return Likely // only the folder in which the tool works says where a path begins
		}
		if endsAlike(a, b) || endsAlike(b, a) {
			return Unsure // only a shell knows the folder of the user
		}
		if !strings.ContainsAny(a, "/\\") && !strings.ContainsAny(b, "/\\") && !p.named(" path file filename dir directory folder ") {
			return Open
		}
		return Differs
	}
	if p.tool.has(" rsync sync mirror ") && p.ends(" source src from path folder ") && strings.HasSuffix(a, "/") != strings.HasSuffix(b, "/") {
		return Unsure // rsync copies a folder, or what is in it
	}
	return Same
}

// isPath reports whether a text is one line with a slash and no blank.
func isPath(s string) bool { return strings.Contains(s, "/") && !strings.ContainsAny(s, " \t\n") }

// endsAlike reports whether a path below the folder of the user may be another path.
func endsAlike(home, whole string) bool {
	for _, name := range [...]string{"~/", "$HOME/", "${HOME}/", "%USERPROFILE%\\"} {
		if rest, ok := strings.CutPrefix(home, name); ok {
			return strings.HasSuffix(cleanPath(whole), "/"+cleanPath(rest))
		}
	}
	return false
}

// isDrive reports whether a path begins with a drive of Windows.
func isDrive(s string) bool { return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') }

// cleanPath returns a path without notation. A path of a Windows drive has slashes.
func cleanPath(s string) string {
	if len(s) > 2 && s[1] == ':' && s[2] == '\\' {
		s = strings.ReplaceAll(s, "\\", "/")
	}
	s = strings.TrimPrefix(s, "file://")
	if strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "///") {
		return "/" + path.Clean(s) // a host on Windows
	}
	return path.Clean(s)
}

// compareAddresses compares two web addresses (RFC 3986, section 6.2.2 and 6.2.3). Letter
// case of scheme and host, the scheme's own port, and an empty path are notation.
func (p *pair) compareAddresses() Outcome {
	a, ok := plainAddress(p.a.text)
	b, ok2 := plainAddress(p.b.text)
	switch {
	case p.isContent() || !ok && !ok2:
		return Open
	case !ok || !ok2:
		x, okX := plainAddress("https://" + strings.TrimPrefix(p.a.text, "https://"))
		y, okY := plainAddress("https://" + strings.TrimPrefix(p.b.text, "https://"))
		if okX && okY && strings.TrimSuffix(x, "/") == strings.TrimSuffix(y, "/") {
			return Unsure // the scheme is missing on one side
		}
		return Open
	case a == b:
		return Same
	case strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/"):
		return Unsure // many servers answer both alike
	case sortedQuery(a) == sortedQuery(b):
		return Unsure // the order of the members of a query rarely means something
	case strings.EqualFold(strings.TrimSuffix(strings.Replace(a, "://www.", "://", 1), "/"), strings.TrimSuffix(strings.Replace(b, "://www.", "://", 1), "/")):
		return Likely // some servers answer both alike
	}
	return Differs
}

// sortedQuery returns an address with the members of its query in order.
func sortedQuery(s string) string {
	before, query, _ := strings.Cut(s, "?")
	query, fragment, _ := strings.Cut(query, "#")
	members := strings.Split(query, "&")
	slices.Sort(members)
	return before + "?" + strings.Join(members, "&") + "#" + fragment
}

func plainAddress(s string) (string, bool) {
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
