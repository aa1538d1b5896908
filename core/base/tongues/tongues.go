// Package tongues reads short values and names of arguments in other languages: it writes their
// words in English, so that one reader of dates, times and numbers is enough. The words are
// data, in tongues.txt. A word that has two meanings is in no row.
package tongues

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

//go:embed tongues.txt
var tonguesText string

// tonguesFile returns tongues.txt. No other function reads it: in the page's core, the file is
// in the second module with this function (wasm/build.sh).
//
//go:noinline
func tonguesFile() string { return tonguesText }

// words maps the foreign words of each group to the English word.
type words struct {
	key, value, polite, negation wordlist.Index[string]
	title                        map[string]string
}

var table = sync.OnceValue(func() *words {
	w := words{key: wordlist.IndexFor[string](500), value: wordlist.IndexFor[string](500), title: map[string]string{}}
	for line := range strings.Lines(tonguesFile()) {
		group, row := wordlist.Next(line)
		english, row := wordlist.Next(row)
		into := map[string]*wordlist.Index[string]{"key": &w.key, "value": &w.value, "polite": &w.polite, "negation": &w.negation}[group]
		for foreign, rest := wordlist.Next(row); foreign != ""; foreign, rest = wordlist.Next(rest) {
			switch {
			case into != nil:
				*into.At(foreign) = english
			case group == "title":
				w.title[foreign] = english
			}
		}
	}
	return &w
})

// Key returns the English word for a word of the name of an argument in another language, or
// "". The word is in lower case, or in a script without letter case.
func Key(word string) string { return table().key.Get(word) }

// IsPolite reports whether a word, in lower case, is of a greeting, of thanks or of the closing of a
// message in another language.
func IsPolite(word string) bool { return table().polite.Get(word) != "" }

// Denies reports whether a word of another language, in lower case, denies what a sentence says.
func Denies(word string) bool { return table().negation.Get(word) != "" }

// Titles maps the forms of address of a man to "he" and those of a woman to "she", in lower
// case. The caller must not change the map.
func Titles() map[string]string { return table().title }

// Word returns the English word for a word beside numbers in another language, such as a month, a
// day of the week or a unit of time, or the word itself. The word is in lower case.
func Word(word string) string {
	if english := table().value.Get(word); english != "" {
		return english
	}
	return word
}

// spans has the units of time behind a number in Chinese, Japanese and Korean.
var spans = map[string]string{"時間": "hours", "小时": "hours", "小時": "hours", "시간": "hours", "分間": "minutes", "分钟": "minutes", "分鐘": "minutes", "分": "minutes", "분": "minutes",
	"秒間": "seconds", "秒": "seconds", "초": "seconds", "日間": "days", "日": "days", "天": "days", "일": "days", "週間": "weeks", "周": "weeks", "주": "weeks",
	"か月": "months", "ヶ月": "months", "个月": "months", "개월": "months", "年間": "years", "年": "years", "년": "years"}

// halves has the words behind the hour that mean half past it.
var halves = map[string]bool{"時半": true, "时半": true, "點半": true, "点半": true, "시반": true}

// wideSigns writes digits and signs of full width, and fractions of one character, in ASCII.
var wideSigns = sync.OnceValue(func() *strings.Replacer {
	pairs := []string{"½", "0.5", "¼", "0.25", "¾", "0.75", "　", " "}
	for _, zero := range [...]rune{'٠', '۰', '०', '০', '๐'} { // digits of Arabic, Persian, Hindi, Bengali and Thai
		for n := range rune(10) {
			pairs = append(pairs, string(zero+n), string('0'+n))
		}
	}
	for r := '！'; r <= '～'; r++ {
		pairs = append(pairs, string(r), string(r-'！'+'!'))
	}
	return strings.NewReplacer(pairs...)
})

// English writes the words of a short value in English: "le 1er mars 2026" becomes "the 1 march
// 2026", "2026年5月3日" becomes "2026-5-3", and "18 Uhr" becomes "18:00". It returns false if
// the value has none of the words and signs that it knows. Other words stay as they are.
// O(len(s)).
func English(s string) (string, bool) {
	wide := wideSigns().Replace(s)
	parts := splitParts(wide)
	if !isASCII(wide) {
		parts = readSigns(parts)
	}
	plain := fullHours(joinEnglish(parts))
	if half, rest, ok := strings.Cut(plain, " "); ok && rest != "" && (half == "am" || half == "pm") && isNumber(rest[:1]) {
		plain = rest + " " + half
	}
	return plain, plain != s
}

// splitParts splits a text into numbers, words and single other characters. A word with letters
// of Chinese, Japanese or Korean ends where other letters begin. A blank between such a word and
// a number is left out.
func splitParts(s string) (parts []string) {
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		end := n
		switch {
		case isNumber(s[:1]):
			end = len(s) - len(strings.TrimLeft(s, "0123456789"))
		case unicode.IsLetter(r):
			end = strings.IndexFunc(s, func(c rune) bool {
				return !(unicode.IsLetter(c) && isSigned(c) == isSigned(r)) && !unicode.IsMark(c) && c != '-'
			})
			if end < 0 {
				end = len(s)
			}
			end = len(strings.TrimRight(s[:end], "-"))
		case r == ' ' && len(parts) > 0 && n < len(s) && isNumber(s[n:n+1]):
			if last, _ := utf8.DecodeRuneInString(parts[len(parts)-1]); isSigned(last) {
				s = s[n:]
				continue
			}
		}
		parts = append(parts, s[:end])
		s = s[end:]
	}
	return parts
}

func isSigned(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// readSigns writes the dates, times of day and lengths of Chinese, Japanese and Korean, which have a
// sign behind each number, as 2026-5-3, 14:30 and 3 hours.
func readSigns(parts []string) (out []string) {
	at := func(i int, signs string) bool {
		return i+1 < len(parts) && isNumber(parts[i]) && len(parts[i+1]) == 3 && strings.Contains(signs, parts[i+1])
	}
	for i := 0; i < len(parts); i++ {
		switch {
		case at(i, "年년") && len(parts[i]) == 4 && at(i+2, "月월") && at(i+4, "日号일"):
			out = append(out, parts[i]+"-"+parts[i+2]+"-"+parts[i+4])
			i += 5
		case at(i, "時时點点시") && at(i+2, "分분"):
			out = append(out, parts[i]+":"+parts[i+2])
			i += 3
		case at(i, "時时點点시"):
			out = append(out, parts[i]+":00")
			i++
		case i+1 < len(parts) && isNumber(parts[i]) && halves[parts[i+1]]:
			out = append(out, parts[i]+":30")
			i++
		case i+2 == len(parts) && isNumber(parts[i]) && spans[parts[i+1]] != "":
			return append(out, parts[i], " ", spans[parts[i+1]])
		default:
			out = append(out, parts[i])
		}
	}
	return out
}

// joinEnglish joins the parts of a text with each known word in English. Digits before a word, as
// in 1er and 90min, are of the word or a number of their own.
func joinEnglish(parts []string) string {
	value := &table().value
	var b strings.Builder
	for i := 0; i < len(parts); i++ {
		word := strings.ToLower(parts[i])
		if i+1 < len(parts) && isNumber(word) && value.Get(word+strings.ToLower(parts[i+1])) != "" {
			b.WriteString(value.Get(word + strings.ToLower(parts[i+1])))
			i++
			continue
		}
		english := value.Get(word)
		if english == "" {
			b.WriteString(parts[i])
			continue
		}
		if i > 0 && isNumber(parts[i-1]) || i > 0 && strings.Contains(parts[i-1], ":") && len(parts[i-1]) > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(english)
		if i+1 < len(parts) && (isNumber(parts[i+1]) || strings.Contains(parts[i+1], ":")) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// fullHours writes "18 oclock" and "um 18.30 oclock" as 18:00 and 18:30.
func fullHours(s string) string {
	clock, ok := strings.CutSuffix(s, " oclock")
	if !ok {
		return s
	}
	for _, at := range [...]string{"um ", "Um "} {
		clock = strings.TrimPrefix(clock, at)
	}
	hour, minute, found := strings.Cut(strings.Replace(clock, ".", ":", 1), ":")
	switch {
	case !isNumber(hour) || len(hour) > 2 || found && (!isNumber(minute) || len(minute) != 2):
		return s
	case !found:
		minute = "00"
	}
	return hour + ":" + minute
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
