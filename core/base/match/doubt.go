package match

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// This file says which texts other programs may read as another value. A value that is
// not certainly another one gets the answer Unknown.

// foldText returns a text as a careless program may read it: without characters that
// show nothing, with ordinary letters for full-width ones, and without blanks around it.
func foldText(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case 0xFF01 <= r && r <= 0xFF5E:
			return r - 0xFF01 + '!'
		case unicode.IsSpace(r):
			return ' '
		case isUnseen(r):
			return -1
		}
		return r
	}, s))
}

// unseen are letters and symbols that show nothing.
var unseen = []rune{0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}

// isUnseen reports whether a character shows nothing, apart from blanks.
func isUnseen(r rune) bool {
	return !unicode.IsSpace(r) && (!unicode.IsPrint(r) || unicode.Is(unicode.Variation_Selector, r) || slices.Contains(unseen, r))
}

// Plain returns the one value that a text surely says: without blanks around it, and with
// ordinary letters for full-width ones. ok is false if nothing is left, if the text has
// characters that show nothing, or if it is itself JSON of something in quotes or brackets.
func Plain(s string) (text string, ok bool) {
	text = foldText(s)
	return text, text != "" && !strings.ContainsFunc(strings.TrimSpace(s), func(r rune) bool { return isUnseen(r) || unicode.IsControl(r) }) &&
		strings.IndexByte(`"[{`, text[0]) < 0
}

// insideText returns the list, the object or the text whose JSON a text is.
func insideText(v jsonval.Value) (jsonval.Value, bool) {
	s, _ := v.Str()
	s = foldText(s)
	if s == "" || strings.IndexByte(`"[{`, s[0]) < 0 {
		return jsonval.Value{}, false
	}
	inner, err := jsonval.Parse(s)
	return inner, err == nil
}

// mayEqual reports whether a scalar may be read as one of the test's values.
func (t *test) mayEqual(v jsonval.Value) bool {
	wanted := t.values
	if t.word == "equals" {
		wanted = []jsonval.Value{t.value}
	}
	text := scalarText(v)
	if strings.Contains(text, `\u`) || strings.Contains(text, `\x`) {
		return true // an escape that another program may resolve
	}
	n, isNumber := readLoosely(text)
	return slices.ContainsFunc(wanted, func(w jsonval.Value) bool {
		if k := w.Kind(); k == jsonval.Array || k == jsonval.Object {
			return false
		}
		m, both := readLoosely(scalarText(w))
		return strings.EqualFold(scalarText(w), text) || both && isNumber && n.Compare(m) == 0 || w.Kind() == jsonval.Number && isRoundedTo(text, w)
	})
}

// isRoundedTo reports whether a program with 64-bit floats reads a text as the number w.
func isRoundedTo(text string, w jsonval.Value) bool {
	n, ok := LooseNumber(text)
	if !ok {
		return false
	}
	a, _ := jsonval.AsFloat(n.Raw())
	b, _ := jsonval.AsFloat(w.Raw())
	return a == b
}

func scalarText(v jsonval.Value) string {
	if s, ok := v.Str(); ok {
		return foldText(s)
	}
	return v.Raw()
}

// LooseNumber returns the number that some program may read in a text: with a plus, zeros
// before it, marks between its digits, or a point at an end.
func LooseNumber(s string) (number jsonval.Value, ok bool) {
	s = strings.NewReplacer(",", "", "_", "", " ", "", "'", "").Replace(strings.TrimPrefix(s, "+"))
	digits, sign := strings.TrimPrefix(s, "-"), ""
	if digits != s {
		sign = "-"
	}
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	for len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9' {
		digits = digits[1:]
	}
	v, err := jsonval.Parse(sign + strings.TrimSuffix(digits, "."))
	return v, err == nil && v.Kind() == jsonval.Number
}

func readLoosely(s string) (Number, bool) {
	v, ok := LooseNumber(s)
	if !ok {
		return Number{}, false
	}
	return ReadNumber(v)
}

// isUnder answers whether a path is a folder or lies inside it. It resolves . and .. in
// both. Unknown is a path that a shell or another system may read differently, or that
// depends on where the program stands.
func isUnder(place, folder string) Answer {
	const special = "\\~$%*?[]{}|;&<>`'\"\x00\n\r"
	at, ok := cleanPath(place)
	in, _ := cleanPath(folder)
	plain := ok && !strings.ContainsAny(place, special) && strings.HasPrefix(place, "/") == strings.HasPrefix(folder, "/")
	plain = plain && !hidesSigns(place, at)
	if plain && startsWith(at, in, func(a, b string) bool { return a == b }) {
		return Yes
	}
	if !plain || place != foldText(place) || place == "" || strings.HasPrefix(place, "//") || strings.ContainsAny(place, "∕⁄․‥…。") || ok && isLink(at) ||
		startsWith(at, in, mayBeName) || strings.ContainsFunc(place, unicode.IsSpace) && hasPathIn(place, folder) || strings.Contains(place, ":") {
		return Unknown
	}
	return No
}

// hidesSigns reports whether another program may see dots or slashes in a path that this one
// does not: behind blanks and dots that some systems strip, and in letters of full width,
// characters that show nothing, and signs that look like them.
func hidesSigns(place string, names []string) bool {
	return foldText(place) != strings.ToLower(place) || strings.ContainsAny(place, "∕⁄／․‥…。") || strings.ContainsFunc(place, unicode.IsControl) ||
		slices.ContainsFunc(names, func(n string) bool { return strings.TrimLeft(strings.TrimRight(n, ". "), " ") != n })
}

func startsWith(at, in []string, same func(a, b string) bool) bool {
	return len(at) >= len(in) && slices.EqualFunc(at[:len(in)], in, same)
}

// mayBeName reports whether two names are the same for a system that ignores letter case
// and what stands behind a name.
func mayBeName(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(foldText(a), ". "), strings.TrimRight(foldText(b), ". "))
}

// isLink reports whether a path goes through links that every system has.
func isLink(names []string) bool {
	return len(names) > 1 && (mayBeName(names[0], "proc") || mayBeName(names[0], "dev") && mayBeName(names[1], "fd"))
}

// hasPathIn reports whether one of several paths in a text may lie in a folder.
func hasPathIn(text, folder string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ReplaceAll(text, ",", " ")), func(p string) bool {
		return strings.Contains(p, "/") && isUnder("/"+strings.TrimLeft(p, "./~"), folder) != No
	})
}

// hasHost answers whether a text is the address of one of the hosts. Only http and https
// addresses in their plainest form surely have a host. Surely another host has an address
// whose host is written plainly. Programs read all others differently.
func hasHost(address string, hosts []jsonval.Value) Answer {
	scheme, rest, ok := strings.Cut(address, "://")
	web := ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
	switch {
	case ok && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-.0123456789") != "":
		return Unknown
	case !ok && strings.HasPrefix(address, "//"):
		rest = address[2:]
	case !ok:
		rest = address
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	host, port, _ := strings.Cut(rest, ":")
	if strings.Trim(port, "0123456789") != "" || strings.Trim(host, ".") == "" {
		return Unknown
	}
	for i := 0; i < len(host); i++ {
		if c := host[i]; c != '.' && c != '-' && !isWord(rune(c)) {
			return Unknown // user names, escapes and letters of other scripts
		}
	}
	host = strings.ToLower(host)
	clean := !strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f })
	switch {
	case isAmong(host, hosts):
		if web && clean {
			return Yes
		}
		return Unknown
	case isAmong(strings.Trim(host, "."), hosts), strings.Contains(host, ".."), isNumeric(host), hasUnicode(hosts) && strings.Contains(host, "xn--"), !clean && hasAddressIn(address, hosts):
		return Unknown
	case !ok && !strings.HasPrefix(address, "//") && !strings.Contains(host, "."):
		return Unknown // a path from an address that is not known
	}
	return No
}

func isAmong(host string, hosts []jsonval.Value) bool {
	return slices.ContainsFunc(hosts, func(v jsonval.Value) bool {
		want := strings.ToLower(v.Text())
		if suffix, wild := strings.CutPrefix(want, "*"); wild {
			return strings.HasSuffix(host, suffix) && len(host) > len(suffix)
		}
		return host == want
	})
}

// isNumeric reports whether a host may be the number of a computer, which has many names.
func isNumeric(host string) bool {
	last := host[strings.LastIndexByte(strings.TrimRight(host, "."), '.')+1:]
	return '0' <= last[0] && last[0] <= '9'
}

func hasUnicode(hosts []jsonval.Value) bool {
	return slices.ContainsFunc(hosts, func(v jsonval.Value) bool {
		return strings.ContainsFunc(v.Text(), func(r rune) bool { return r > unicode.MaxASCII })
	})
}

// hasAddressIn reports whether a text with blanks has several addresses, and one of those
// behind the first may have one of the hosts.
func hasAddressIn(text string, hosts []jsonval.Value) bool {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r == ',' || r == ';' })
	return len(fields) > 1 && slices.ContainsFunc(fields[1:], func(f string) bool {
		return strings.Contains(f, "//") && hasHost(f, hosts) != No
	})
}

// readEscapes returns a text with the characters that its JSON escapes stand for.
func readEscapes(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, `\u`)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		n, err := strconv.ParseUint(after[:min(4, len(after))], 16, 16)
		if err != nil || len(after) < 4 {
			out.WriteString(`\u`)
			text = after
			continue
		}
		out.WriteRune(rune(n))
		text = after[4:]
	}
}

// mayBeText reports whether a test of a text holds for a program that ignores letter case,
// or what does not show.
func (t *test) mayBeText(v jsonval.Value, text string) bool {
	text = foldText(text)
	if t.isText(v, text) != No {
		return true
	}
	if plain := readEscapes(text); plain != text && (t.isText(v, plain) != No || t.mayBeText(v, plain)) {
		return true
	}
	if t.word == "matches" {
		return t.pattern.FindsAnyCase(text)
	}
	if t.word != "contains" && t.word != "prefix" || t.value.Kind() != jsonval.String {
		return false
	}
	want := strings.ToLower(foldText(t.value.Text()))
	if text = strings.ToLower(text); t.word == "prefix" {
		return strings.HasPrefix(text, want)
	}
	return strings.Contains(text, want)
}
