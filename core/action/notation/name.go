package notation

import (
	"strconv"
	"strings"
)

// MediaType returns a media type without blanks between its parts, or "" for any other text.
func MediaType(s string) string {
	name, _, _ := strings.Cut(s, ";")
	main, sub, ok := strings.Cut(strings.TrimSpace(name), "/")
	if !ok || main == "" || sub == "" || strings.Trim(main+sub, "abcdefghijklmnopqrstuvwxyz0123456789.+-*") != "" {
		return ""
	}
	return strings.ReplaceAll(s, " ", "")
}

// PlainFlight returns the number of a flight or a train, such as LH 400, in one notation:
// the code of the carrier and the number without zeros before it.
func PlainFlight(s string) string {
	var room [8]byte
	plain := room[:0]
	for i := range len(s) {
		c := s[i]
		switch {
		case c == ' ' || c == '-':
			continue
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		case !IsDigitByte(c) && (c < 'A' || c > 'Z'):
			return ""
		}
		if len(plain) == len(room) {
			return ""
		}
		plain = append(plain, c)
	}
	if len(plain) < 3 {
		return ""
	}
	s = string(plain)
	number := strings.TrimLeft(s[2:], "0")
	if carrier := s[:2]; AreDigits(number) && !AreDigits(carrier) {
		return carrier + number
	}
	if carrier := s[:3]; AreDigits(s[3:]) && !strings.ContainsAny(carrier, "0123456789") {
		return carrier + strings.TrimLeft(s[3:], "0")
	}
	return ""
}

// PlainImage returns the name of an image of containers with its registry and tag, which are
// docker.io, its folder library and the tag latest if they are left out.
func PlainImage(s string) string {
	if s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:@") != "" || strings.Contains(s, "://") {
		return ""
	}
	first, rest, ok := strings.Cut(s, "/")
	switch {
	case !ok:
		s = "docker.io/library/" + s
	case !strings.ContainsAny(first, ".:") && first != "localhost":
		s = "docker.io/" + s
	case first == "index.docker.io" || first == "registry-1.docker.io":
		s = "docker.io/" + rest
	case first == "docker.io" && !strings.Contains(rest, "/"):
		s = "docker.io/library/" + rest
	}
	if !strings.ContainsAny(s[strings.LastIndexByte(s, '/'):], ":@") {
		s += ":latest"
	}
	return s
}

// PlainRepository returns the owner and the name of a repository, with its host if that is
// none of the large ones. Letter case means nothing there.
func PlainRepository(s string) string {
	s = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(s), "/"), ".git"))
	address := false
	for _, scheme := range [...]string{"https://", "ssh://", "git://", "git+ssh://", "git@"} {
		rest, ok := strings.CutPrefix(s, scheme)
		if ok {
			s, address = rest, true
		}
	}
	if host, path, ok := strings.Cut(s, ":"); ok && address {
		s = host + "/" + path
	}
	for _, host := range [...]string{"www.", "github.com/", "gitlab.com/", "bitbucket.org/", "codeberg.org/"} {
		s = strings.TrimPrefix(s, host)
	}
	if strings.Count(s, "/") == 0 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789._-/") != "" {
		return ""
	}
	return s
}

// PlainRevision returns the name of a commit relative to another one with its number: HEAD^
// and HEAD~ are HEAD~1.
func PlainRevision(s string) string {
	if s == "@" {
		return "HEAD"
	}
	if rest, ok := strings.CutPrefix(s, "@~"); ok {
		s = "HEAD~" + rest
	}
	name, ok := strings.CutSuffix(s, "^")
	if !ok {
		name, ok = strings.CutSuffix(s, "~")
	}
	if ok && name != "" && !strings.ContainsAny(name, "^~ ") {
		return name + "~1"
	}
	return s
}

// PlainMode returns the permissions of a file as octal digits, from digits or from letters
// for all of its users, such as u=rw,go=r and rw-r--r--.
func PlainMode(s string) string {
	s = strings.TrimSpace(s)
	if digits := strings.TrimLeft(strings.TrimPrefix(s, "0o"), "0"); AreDigits(digits) && len(digits) <= 4 && !strings.ContainsAny(digits, "89") {
		return "0000"[len(digits):] + digits
	}
	if len(s) == 10 && strings.IndexByte("-dl", s[0]) >= 0 {
		s = s[1:]
	}
	if len(s) == 9 && strings.Trim(s, "rwx-") == "" {
		out := "0"
		for i := 0; i < 9; i += 3 {
			out += string(rune('0' + modeBits(s[i:i+3])))
		}
		return out
	}
	bits, seen := [3]int{}, [3]bool{}
	for clause := range strings.SplitSeq(s, ",") {
		who, what, ok := strings.Cut(clause, "=")
		if !ok || strings.Trim(what, "rwx") != "" || strings.Trim(who, "ugoa") != "" {
			return ""
		}
		for i, c := range "ugo" {
			if who == "" || strings.ContainsRune(who, c) || strings.Contains(who, "a") {
				bits[i], seen[i] = modeBits(what), true
			}
		}
	}
	if !seen[0] || !seen[1] || !seen[2] {
		return ""
	}
	return "0" + string([]rune{rune('0' + bits[0]), rune('0' + bits[1]), rune('0' + bits[2])})
}

func modeBits(letters string) (bits int) {
	for i, c := range "xwr" {
		if strings.ContainsRune(letters, c) {
			bits |= 1 << i
		}
	}
	return bits
}

// PlainOrder returns the field of a sort and its direction, such as created:desc for -created.
func PlainOrder(s string) string {
	s = strings.TrimSpace(s)
	if field, ok := strings.CutPrefix(s, "-"); ok && IsName(field) {
		return field + ":desc"
	}
	field, direction, ok := strings.Cut(strings.NewReplacer(":", " ", ",", " ").Replace(s), " ")
	if !ok && IsName(strings.TrimPrefix(s, "+")) {
		return strings.TrimPrefix(s, "+") + ":asc"
	}
	switch strings.ToLower(strings.TrimSpace(direction)) {
	case "asc", "ascending":
		return field + ":asc"
	case "desc", "descending":
		return field + ":desc"
	}
	return ""
}

// PlainRatio returns two whole numbers and what they are to each other, such as 16:9 for 1920/1080.
func PlainRatio(s string) string {
	left, right, ok := strings.Cut(strings.NewReplacer("/", ":", " to ", ":", "x", ":", " ", "").Replace(strings.ToLower(s)), ":")
	a, err := strconv.Atoi(left)
	b, err2 := strconv.Atoi(right)
	if !ok || err != nil || err2 != nil || a <= 0 || b <= 0 {
		return ""
	}
	for x, y := a, b; ; x, y = y, x%y {
		if y == 0 {
			return strconv.Itoa(a/x) + ":" + strconv.Itoa(b/x)
		}
	}
}

// IsName reports whether a text is a name of a program: letters, digits, points and low lines.
func IsName(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789_.") == ""
}
