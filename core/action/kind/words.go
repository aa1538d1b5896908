package kind

import (
	"strconv"
	"strings"
	"sync"
)

// This file compares words and codes that have a few notations, by the table notations.txt of
// internal/codetables, and names of things whose notations follow a rule.

// listedWords has the rows of notations of words: the words of the names of arguments, with a
// space on both sides of each, and the groups of words that mean the same.
var listedWords = sync.OnceValue(func() (out []struct{ names, groups string }) {
	for _, row := range codeRows("words") {
		names, groups, _ := strings.Cut(row, ";")
		out = append(out, struct{ names, groups string }{" " + names + " ", groups})
	}
	return out
})

// anyCase has the words of the names of arguments whose values have no letter case.
var anyCase = sync.OnceValue(func() string { return " " + strings.Join(codeRows("anycase"), " ") + " " })

// groupOf returns the group of words with a word, or "" if there is none.
func groupOf(groups, word string) string {
	for group := range strings.SplitSeq(groups, ";") {
		for w := range strings.SplitSeq(group, "|") {
			if w == word {
				return group
			}
		}
	}
	return ""
}

// compareListed compares two words by the rows of the table that the argument's name chooses.
func (p *pair) compareListed(a, b string) Outcome {
	for _, row := range listedWords() {
		if !p.named(row.names) {
			continue
		}
		x, y := groupOf(row.groups, a), groupOf(row.groups, b)
		switch {
		case x != "" && y != "":
			return sameIf(x == y)
		case row.names[:7] == " emoji " && isASCII(a) != isASCII(b):
			return Unsure // a picture and a name that the table does not have
		}
	}
	if p.named(anyCase()) && a == b {
		return Same
	}
	return Open
}

// plainWord returns a word or a code as the table of notations has it.
func plainWord(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if len(s) > 2 && s[0] == ':' && s[len(s)-1] == ':' {
		s = s[1 : len(s)-1] // a name in a chat
	}
	return strings.TrimSuffix(s, "\ufe0f") // shown as a picture
}

// codePrefixes lists prefixes that mean nothing in arguments whose name has one of the words.
var codePrefixes = [...]struct{ names, prefix string }{
	{" ref branch base head target source ", "refs/heads/"},
	{" ref tag ", "refs/tags/"},
	{" channel hashtag ", "#"},
}

// longestCode is the length in bytes of the longest text that compareCodeWords reads.
const longestCode = 100

// compareCodeWords compares two words or codes of a few notations, and two media types
// (RFC 9110, section 8.3.1).
func (p *pair) compareCodeWords() Outcome {
	if max(len(p.a.text), len(p.b.text)) > longestCode {
		return Open
	}
	if o := p.compareListed(plainWord(p.a.text), plainWord(p.b.text)); o != Open || !p.a.isString() && !p.b.isString() {
		return o
	}
	for _, c := range codePrefixes {
		if p.named(c.names) && strings.TrimPrefix(p.a.text, c.prefix) == strings.TrimPrefix(p.b.text, c.prefix) {
			return Same
		}
	}
	if x, y := mediaType(strings.ToLower(p.a.text)), mediaType(strings.ToLower(p.b.text)); x != "" && x == y && p.named(" type mime media format ") {
		return Same
	}
	return p.compareNotations()
}

// notationWords has all words of the names of arguments that compareCodeWords knows. So nothing reads
// the table for another argument.
const notationWords = "agg aggregate aggregation airline airport algo algorithm aspect base bearing blood branch byday cadence callsign channel charset checksum chmod cipher " +
	"codec commit comparator comparison compass condition cron crontab day digest direction dns ear emoji encoding exchange ext extension eye filetype " +
	"flight format frequency function hash hashtag head heading iata icao icon image instrument interval laterality level loglevel media method metric mime " +
	"mode op operator order orderby ordering orientation output_format pair perm permission protocol province ratio reaction recurrence recurring ref " +
	"region remote repeat repo repository rev revision rrule rule scale schedule scheme severity side site sort sorting source state statistic sticker " +
	"symbol tag target ticker tld train transport type umask verb verbosity weekday wind"

// mediaType returns a media type without blanks between its parts, or "" for any other text.
func mediaType(s string) string {
	name, _, _ := strings.Cut(s, ";")
	main, sub, ok := strings.Cut(strings.TrimSpace(name), "/")
	if !ok || main == "" || sub == "" || strings.Trim(main+sub, "abcdefghijklmnopqrstuvwxyz0123456789.+-*") != "" {
		return ""
	}
	return strings.ReplaceAll(s, " ", "")
}

// ruledNames has the kinds of names whose notations follow a rule. plain returns one notation,
// or "" for a text that is not of the kind. certain says that two of the kind differ if their
// plain notations differ.
var ruledNames = [...]struct {
	names   string
	plain   func(string) string
	certain bool
}{
	{" flight train ", plainFlight, true},
	{" image ", plainImage, false},
	{" repo repository remote ", plainRepository, false},
	{" ref commit revision branch base target rev ", plainRevision, false},
	{" mode permission perm chmod umask ", plainMode, true},
	{" schedule cron crontab ", plainCron, true},
	{" rrule recurrence recurring repeat schedule rule ", plainRecurrence, true},
	{" pair symbol instrument ", plainCurrencies, true},
	{" sort order ordering orderby ", plainOrder, false},
	{" ratio aspect scale ", plainRatio, true},
}

// compareNotations compares two names by the rule of their kind.
func (p *pair) compareNotations() Outcome {
	for i := range ruledNames {
		n := &ruledNames[i]
		if !p.named(n.names) {
			continue
		}
		a, b := n.plain(p.a.text), n.plain(p.b.text)
		switch {
		case a == "" || b == "":
		case a == b:
			return Same
		case n.certain:
			return Differs
		}
	}
	return Open
}

// plainFlight returns the number of a flight or a train, such as LH 400, in one notation:
// the code of the carrier and the number without zeros before it.
func plainFlight(s string) string {
	s = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(s))
	if len(s) < 3 || len(s) > 8 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return ""
	}
	number := strings.TrimLeft(s[2:], "0")
	if carrier := s[:2]; areDigits(number) && !areDigits(carrier) {
		return carrier + number
	}
	if carrier := s[:3]; areDigits(s[3:]) && !strings.ContainsAny(carrier, "0123456789") {
		return carrier + strings.TrimLeft(s[3:], "0")
	}
	return ""
}

// plainImage returns the name of an image of containers with its registry and tag, which are
// docker.io, its folder library and the tag latest if they are left out.
func plainImage(s string) string {
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

// plainRepository returns the owner and the name of a repository, with its host if that is
// none of the large ones. Letter case means nothing there.
func plainRepository(s string) string {
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

// plainRevision returns the name of a commit relative to another one with its number: HEAD^
// and HEAD~ are HEAD~1.
func plainRevision(s string) string {
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

// plainMode returns the permissions of a file as octal digits, from digits or from letters
// for all of its users, such as u=rw,go=r and rw-r--r--.
func plainMode(s string) string {
	s = strings.TrimSpace(s)
	if digits := strings.TrimLeft(strings.TrimPrefix(s, "0o"), "0"); areDigits(digits) && len(digits) <= 4 && !strings.ContainsAny(digits, "89") {
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

// plainCurrencies returns a pair of currencies as six letters.
func plainCurrencies(s string) string {
	s = strings.ToUpper(strings.NewReplacer("/", "", "-", "", "_", "", " ", "").Replace(s))
	if len(s) != 6 || currencyOf(s[:3]) == "" || currencyOf(s[3:]) == "" {
		return ""
	}
	return s
}

// plainOrder returns the field of a sort and its direction, such as created:desc for -created.
func plainOrder(s string) string {
	s = strings.TrimSpace(s)
	if field, ok := strings.CutPrefix(s, "-"); ok && isName(field) {
		return field + ":desc"
	}
	field, direction, ok := strings.Cut(strings.NewReplacer(":", " ", ",", " ").Replace(s), " ")
	if !ok && isName(strings.TrimPrefix(s, "+")) {
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

// plainRatio returns two whole numbers and what they are to each other, such as 16:9 for 1920/1080.
func plainRatio(s string) string {
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

// isName reports whether a text is a name of a program: letters, digits, points and low lines.
func isName(s string) bool {
	return s != "" && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789_.") == ""
}
