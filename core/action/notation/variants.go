package notation

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// This file has the notations of texts that are written in another code or spelling, and of lines in which a name stands for
// a value that only the place knows.

// PlainLine writes what a command does in the usual words: an expression of sed with slashes, and -delete in the place of
// the rm that find runs for each file. It changes the tokens of one line of a shell.
func PlainLine(tokens []string) []string {
	switch {
	case slices.Contains(tokens, "word sed"):
		out := slices.Clone(tokens)
		for i, t := range out {
			out[i] = plainSubstitution(t)
		}
		return out
	case len(tokens) > 0 && tokens[0] == "word find" && hasRun(tokens, "word -type", "word f"):
		at := slices.Index(tokens, "word -exec")
		if at < 0 || !slices.ContainsFunc([][]string{{"word rm", "word {}"}, {"word rm", "word -f", "word {}"}}, func(run []string) bool {
			rest := tokens[at+1:]
			return len(rest) == len(run)+1 && slices.Equal(rest[:len(run)], run) && (rest[len(run)] == "word +" || rest[len(run)] == "word ;")
		}) {
			return tokens
		}
		return append(slices.Clone(tokens[:at]), "word -delete")
	}
	return tokens
}

func hasRun(tokens []string, first, second string) bool {
	at := slices.Index(tokens, first)
	return at >= 0 && at+1 < len(tokens) && tokens[at+1] == second
}

// plainSubstitution writes s|a|b|g as s/a/b/g, if no slash is in it.
func plainSubstitution(token string) string {
	w := WordOf(token)
	if len(w) < 4 || w[0] != 's' || IsLetterByte(w[1]) || strings.IndexByte("\\ \n/", w[1]) >= 0 || strings.Contains(w, "/") || strings.Count(w, w[1:2]) != 3 {
		return token
	}
	return wordToken + strings.ReplaceAll(w, w[1:2], "/")
}

// MayStandFor reports whether two lines of a shell are the same but for words of which one side has a name that stands for
// something, such as $HOME, ~, HEAD or the time that date prints, and the rest of the word is the same. Only the place where
// the line runs knows for what it stands.
func MayStandFor(a, b []string) bool {
	differ := 0
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		x, y := lineWord(a[i]), lineWord(b[i])
		isGit := i > 1 && (a[0] == "word git")
		if !standsFor(x, y, isGit) && !standsFor(y, x, isGit) {
			return false
		}
		differ++
	}
	return differ > 0
}

// lineWord returns the text of a token without quotes.
func lineWord(token string) string {
	text, isSource := strings.CutPrefix(token, "source ")
	if !isSource {
		return WordOf(token)
	}
	return strings.Trim(text, "\"")
}

// standsFor reports whether a word with a name for a value may be the other word, which has none.
func standsFor(word, literal string, isGit bool) bool {
	if word == "" || literal == "" || strings.ContainsAny(literal, "$~`") || strings.HasPrefix(literal, "-") {
		return false
	}
	if isGit && (word == "HEAD" || word == "@") {
		return literal != "HEAD" && literal != "@"
	}
	before, rest, ok := strings.Cut(word, "$")
	switch {
	case strings.HasPrefix(word, "~/") || word == "~":
		return strings.HasPrefix(literal, "/") && strings.HasSuffix(literal, word[1:]) && strings.Count(literal, "/") > strings.Count(word, "/")
	case !ok || strings.Contains(rest, "$") || rest == "":
		return false
	}
	end := 0
	if rest[0] == '{' {
		if end = strings.IndexByte(rest, '}') + 1; end == 0 || strings.ContainsAny(rest[1:end-1], ":#%/") {
			return false
		}
	} else {
		for end < len(rest) && (isWordByte(rest[end]) && strings.IndexByte(".@#$", rest[end]) < 0) {
			end++
		}
	}
	after := rest[end:]
	return end > 0 && len(literal) > len(before)+len(after) && strings.HasPrefix(literal, before) && strings.HasSuffix(literal, after)
}

// entities writes the commonest names of characters in HTML as the characters.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", "\"", "&apos;", "'", "&nbsp;", "\u00a0", "&euro;", "€", "&copy;", "©", "&ndash;", "–", "&mdash;", "—", "&hellip;", "…",
	"&auml;", "ä", "&ouml;", "ö", "&uuml;", "ü", "&Auml;", "Ä", "&Ouml;", "Ö", "&Uuml;", "Ü", "&szlig;", "ß", "&eacute;", "é", "&egrave;", "è", "&agrave;", "à", "&ccedil;", "ç")

// PlainEntities writes the entities and the sections of raw text of HTML and XML as their characters. A character that
// is a sign of the language stays marked, so that &lt; is no tag.
func PlainEntities(s string) string {
	var out strings.Builder
	for s != "" {
		at := strings.IndexAny(s, "&<")
		if at < 0 {
			at = len(s)
		}
		out.WriteString(s[:at])
		if s = s[at:]; s == "" {
			break
		}
		if raw, ok := strings.CutPrefix(s, "<![CDATA["); ok {
			text, rest, closed := strings.Cut(raw, "]]>")
			if !closed {
				return out.String() + s
			}
			for _, r := range text {
				writeCharacter(&out, r)
			}
			s = rest
			continue
		}
		r, n := readEntity(s)
		if n == 0 {
			out.WriteByte(s[0])
			n = 1
		} else {
			writeCharacter(&out, r)
		}
		s = s[n:]
	}
	return out.String()
}

// writeCharacter writes a character, and one that is a sign of the language as a mark of its own.
func writeCharacter(out *strings.Builder, r rune) {
	switch r {
	case '<', '>', '&', '"':
		out.WriteByte(0)
		r = map[rune]rune{'<': 'l', '>': 'g', '&': 'a', '"': 'q'}[r]
	}
	out.WriteRune(r)
}

// readEntity returns the character of the entity with which a text begins, and its length, or 0.
func readEntity(s string) (r rune, n int) {
	end := strings.IndexByte(s[:min(len(s), 12)], ';')
	if s[0] != '&' || end < 2 {
		return 0, 0
	}
	name := s[1:end]
	if name == "amp" {
		return '&', end + 1
	}
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if len(digits) > 1 && digits[0]|' ' == 'x' {
			digits, base = digits[1:], 16
		}
		if code, err := strconv.ParseUint(digits, base, 21); err == nil && utf8.ValidRune(rune(code)) {
			return rune(code), end + 1
		}
		return 0, 0
	}
	if plain := entities.Replace(s[:end+1]); plain != s[:end+1] {
		r, _ = utf8.DecodeRuneInString(plain)
		return r, end + 1
	}
	return 0, 0
}

// DecodedText returns a text that is in an encoding by the name of the encoding: base64 or hex. ok is false for another
// encoding and for a text that is none of it.
func DecodedText(encoding, text string) (plain string, ok bool) {
	switch strings.ToLower(strings.ReplaceAll(encoding, "-", "")) {
	case "", "utf8", "text", "plain", "none", "ascii", "raw", "string":
		return text, true
	case "base64", "b64":
		data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
		if err != nil {
			data, err = base64.URLEncoding.DecodeString(strings.TrimSpace(text))
		}
		return string(data), err == nil && utf8.Valid(data)
	case "hex", "base16":
		var out []byte
		for i := 0; i+1 < len(text); i += 2 {
			b, err := strconv.ParseUint(text[i:i+2], 16, 8)
			if err != nil {
				return "", false
			}
			out = append(out, byte(b))
		}
		return string(out), len(text)%2 == 0 && utf8.Valid(out)
	}
	return "", false
}

// spellings are the endings of words in British English with those of American English.
var spellings = [...][2]string{{"isation", "ization"}, {"ising", "izing"}, {"ised", "ized"}, {"ises", "izes"}, {"ise", "ize"}, {"yse", "yze"}, {"ysed", "yzed"}, {"ysing", "yzing"},
	{"lled", "led"}, {"lling", "ling"}, {"ller", "ler"}, {"tre", "ter"}, {"ogue", "og"}, {"ence", "ense"}, {"our", "or"}, {"oured", "ored"}, {"ouring", "oring"}, {"ours", "ors"}, {"ourite", "orite"}, {"ourites", "orites"}, {"grey", "gray"}, {"cheque", "check"}, {"programme", "program"}, {"fulfil", "fulfill"}, {"enrol", "enroll"}}

// PlainSpelling writes a short text of words in the American spelling, in lower case. Its words may be apart by a sign.
func PlainSpelling(s string) string {
	if len(s) > 64 {
		return s
	}
	s = wordlist.Lower(s)
	var out strings.Builder
	for len(s) > 0 {
		end := 0
		for end < len(s) && s[end] >= 'a' && s[end] <= 'z' {
			end++
		}
		out.WriteString(americanWord(s[:end]))
		if end < len(s) {
			out.WriteByte(s[end])
			end++
		}
		s = s[end:]
	}
	return out.String()
}

func americanWord(w string) string {
	if len(w) < 4 {
		return w
	}
	for _, e := range spellings {
		if stem, ok := strings.CutSuffix(w, e[0]); ok && (len(stem) > 2 || stem == "") && !isListed(w, " four hour your pour tour flour advise devise raise rise wise noise cruise promise exercise precise enterprise surprise otherwise likewise franchise called filled pulled rolled killed spelled skilled selling calling billing filling pulling rolling seller caller smaller taller roller ") {
			return stem + e[1]
		}
	}
	return w
}

// InBrackets returns the text in the only brackets at the end of a name, such as VIE of "Vienna International (VIE)", or "".
func InBrackets(s string) string {
	name, inside, ok := strings.Cut(strings.TrimSpace(s), "(")
	code, ok2 := strings.CutSuffix(inside, ")")
	if !ok || !ok2 || strings.TrimSpace(name) == "" || strings.ContainsAny(code, "()") {
		return ""
	}
	return strings.TrimSpace(code)
}

// Frequency reads how often something is done: "three times a day", "3x/day", "twice daily" and TID are 3 in a day. The unit is
// day, week, month, year or hour. ok is false for any other text.
func Frequency(s string) (times int, unit string, ok bool) {
	s = wordlist.Lower(strings.TrimSpace(s))
	switch s {
	case "bid", "b.i.d.":
		return 2, "day", true
	case "tid", "t.i.d.":
		return 3, "day", true
	case "qid", "q.i.d.":
		return 4, "day", true
	}
	words := strings.FieldsFunc(strings.NewReplacer("/", " per ", "×", "x").Replace(s), func(r rune) bool { return r == ' ' || r == ',' })
	var left []string
	for _, w := range words {
		if !isListed(w, " times time a an per each every x ") {
			left = append(left, strings.TrimSuffix(w, "x"))
		}
	}
	if len(left) == 1 && slices.Contains([]string{"daily", "weekly", "monthly", "yearly", "hourly"}, left[0]) {
		left = append([]string{"once"}, left...)
	}
	if len(left) != 2 {
		return 0, "", false
	}
	unit = strings.NewReplacer("daily", "day", "weekly", "week", "monthly", "month", "yearly", "year", "hourly", "hour", "d.", "day").Replace(left[1])
	if unit == "d" {
		unit = "day"
	}
	times = 1 + slices.Index([]string{"once", "twice", "thrice", "four", "five", "six", "seven", "eight"}, left[0])
	switch left[0] {
	case "one":
		times = 1
	case "two":
		times = 2
	case "three":
		times = 3
	}
	if n, err := strconv.Atoi(left[0]); err == nil {
		times = n
	}
	isCount := slices.Contains(words, "per") || slices.Contains(words, "times") || slices.Contains(words, "a") || left[0] == "once" || left[0] == "twice" || strings.HasSuffix(words[0], "x") || left[1] != unit
	return times, unit, times > 0 && isCount && isListed(unit, " day week month year hour ")
}

// Cell reads a seat or a cell of a table, such as 12C and C12, as its number and its letters, or returns "".
func Cell(s string) string {
	s = strings.ToUpper(strings.TrimSpace(s))
	digits, letters := strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), strings.Trim(s, "0123456789")
	if digits == "" || letters == "" || len(letters) > 2 || !AreDigits(digits) || len(digits)+len(letters) != len(s) || strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return strings.TrimLeft(digits, "0") + "\x00" + letters
}

// FoldersOf returns the lines that each make one of the folders that "mkdir -p a/b/c" makes, from the outer one on. It
// returns nil for any other line.
func FoldersOf(tokens []string) (lines []string) {
	if len(tokens) != 3 || tokens[0] != "word mkdir" || tokens[1] != "word -p" && tokens[1] != "word --parents" {
		return nil
	}
	path := strings.TrimRight(WordOf(tokens[2]), "/")
	if path == "" || strings.ContainsAny(path, " '\"") || strings.Contains(path, "..") {
		return nil
	}
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			lines = append(lines, "mkdir "+path[:i])
		}
	}
	return append(lines, "mkdir "+path)
}
