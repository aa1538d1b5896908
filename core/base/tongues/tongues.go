// Package tongues reads short values and names of arguments in other languages: it writes their
// words in English, so that one reader of dates, times and numbers is enough. The words are
// data, in tongues.txt. A word that has two meanings is in no row.
package tongues

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

//go:embed tongues.txt
var tonguesText string

// tonguesFile returns tongues.txt. No other function reads it: in the page's core, the file is
// in the second module with this function (wasm/build.sh).
//
//go:noinline
func tonguesFile() string { return tonguesText }

// words maps the foreign words of each group to the English word.
type words struct{ key, value, polite, title map[string]string }

var table = sync.OnceValue(func() words {
	w := words{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	groups := map[string]map[string]string{"key": w.key, "value": w.value, "polite": w.polite, "title": w.title}
	for line := range strings.Lines(tonguesFile()) {
		row := strings.Fields(line)
		if len(row) < 3 || groups[row[0]] == nil {
			continue
		}
		for _, foreign := range row[2:] {
			groups[row[0]][foreign] = row[1]
		}
	}
	return w
})

// Key returns the English word for a word of the name of an argument in another language, or
// "". The word is in lower case, or in a script without letter case.
func Key(word string) string { return table().key[word] }

// IsPolite reports whether a word, in lower case, is of a greeting, of thanks or of the closing of a
// message in another language.
func IsPolite(word string) bool { return table().polite[word] != "" }

// Titles maps the forms of address of a man to "he" and those of a woman to "she", in lower
// case. The caller must not change the map.
func Titles() map[string]string { return table().title }

// Word returns the English word for a word beside numbers in another language, such as a month, a
// day of the week or a unit of time, or the word itself. The word is in lower case.
func Word(word string) string {
	if english := table().value[word]; english != "" {
		return english
	}
	return word
}

// patterns has the forms of dates and times that a number and a sign or a word make.
var patterns = sync.OnceValue(func() (p struct{ day, half, clock, hour, oclock, halfFirst, span, word *regexp.Regexp }) {
	p.day = regexp.MustCompile(`(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号일]`)
	p.half = regexp.MustCompile(`(\d{1,2}) ?[時时點点시] ?[半반]`)
	p.clock = regexp.MustCompile(`(\d{1,2}) ?[時时點点시] ?(\d{1,2}) ?[分분]`)
	p.hour = regexp.MustCompile(`(\d{1,2}) ?[時时點点시]($|[^間间\p{L}])`)
	p.oclock = regexp.MustCompile(`^(?:(?:um|a las|alle|às|at|kl) )?(\d{1,2})(?:[:.](\d\d))? oclock$`)
	p.halfFirst = regexp.MustCompile(`^(am|pm) ?(\d.*)$`)
	p.span = regexp.MustCompile(`\d ?(時間|小时|小時|시간|分間|分钟|分鐘|分|분|秒間|秒|초|日間|日|天|일|週間|周|주|か月|ヶ月|个月|개월|年間|年|년)$`)
	p.word = regexp.MustCompile(`(\d*)([\p{L}\p{M}]+(?:-\p{L}+)*)`)
	return p
})

// spans has the units of time behind a number in Chinese, Japanese and Korean.
var spans = map[string]string{"時間": "hours", "小时": "hours", "小時": "hours", "시간": "hours", "分間": "minutes", "分钟": "minutes", "分鐘": "minutes", "分": "minutes", "분": "minutes",
	"秒間": "seconds", "秒": "seconds", "초": "seconds", "日間": "days", "日": "days", "天": "days", "일": "days", "週間": "weeks", "周": "weeks", "주": "weeks",
	"か月": "months", "ヶ月": "months", "个月": "months", "개월": "months", "年間": "years", "年": "years", "년": "years"}

// wideSigns writes digits and signs of full width, and fractions of one character, in ASCII.
var wideSigns = sync.OnceValue(func() *strings.Replacer {
	pairs := []string{"½", "0.5", "¼", "0.25", "¾", "0.75", "　", " "}
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
	p := patterns()
	plain := wideSigns().Replace(s)
	if !isASCII(plain) {
		plain = p.day.ReplaceAllString(plain, "$1-$2-$3")
		plain = p.half.ReplaceAllString(plain, "$1:30")
		plain = p.clock.ReplaceAllString(plain, "$1:$2")
		plain = strings.TrimSpace(p.hour.ReplaceAllString(plain, "$1:00$2"))
		if m := p.span.FindStringSubmatch(plain); m != nil {
			plain = strings.TrimSuffix(plain, m[1]) + " " + spans[m[1]]
		}
	}
	plain = p.word.ReplaceAllStringFunc(plain, englishWord)
	plain = p.oclock.ReplaceAllStringFunc(plain, func(s string) string {
		m := p.oclock.FindStringSubmatch(s)
		return m[1] + ":" + (m[2] + "00")[:2]
	})
	return p.halfFirst.ReplaceAllString(plain, "$2 $1"), plain != s
}

// englishWord returns a word in English, or the word itself. Digits before it, as in 1er and
// 90min, are of the word or a number of their own.
func englishWord(word string) string {
	value, lower := table().value, strings.ToLower(word)
	if english := value[lower]; english != "" {
		return english
	}
	letters := strings.TrimLeft(lower, "0123456789")
	if english := value[letters]; english != "" && letters != lower {
		return lower[:len(lower)-len(letters)] + " " + english
	}
	return word
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
