package provenance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/dates"
)

// OtherUnit ends the formula of a computed number that is a known number in another unit:
// the known number times or divided by 100, as for dollars and cents.
const OtherUnit = " in another unit"

// closer is the largest number of values in one call of Trace for which the texts are
// searched again. Each value costs a search of all texts, and a run with more such values
// has enough findings.
const closer = 200

// reread limits the number of bytes that these searches read in one call of Trace.
const reread = 256 << 20

// most is the largest number of known numbers from which a computed one is derived.
const most = 256

// searchAgain searches the texts again for the values that must have an origin but were
// not found. It looks for other spellings, computed numbers, and similar ids and numbers.
// If there are too many values or bytes, the remaining values except ids become untraced.
func searchAgain(texts []Text, queries []Query, out []Origin) {
	looked, size, left := 0, 0, reread
	for i := range texts {
		size += len(texts[i].Text)
	}
	for i := range out {
		o := &out[i]
		if o.Kind != Nowhere {
			continue
		}
		if looked++; looked > closer || left < 0 {
			if o.Class != ID {
				o.Kind = Untraced
			}
			continue
		}
		left -= size
		known := texts[:min(queries[i].Before, len(texts))]
		switch o.Class {
		case Date:
			findDate(known, queries[i].Value.Text(), o)
		case Money, Number:
			checkComputed(known, queries[i].Value.Text(), o)
		}
		if o.Kind == Nowhere && o.Class != Date {
			findGlued(known, queries[i].Value.Text(), o)
		}
		if o.Kind == Nowhere {
			findSpaced(known, queries[i].Value.Text(), o)
		}
		if o.Kind == Nowhere && (o.Class == ID || o.Class == Number) {
			findSimilar(known, queries[i].Value.Text(), o)
		}
	}
}

// findDate searches the texts for other spellings of a date, and stores the result in o.
// In the user's texts, it also looks for words such as tomorrow, and for the day alone.
// In the instructions, it also looks for a rule about the first or last day of a month.
func findDate(texts []Text, text string, o *Origin) {
	want, _ := readDate(text)
	inMonth := false // the user has named a date in the wanted month
	elsewhere, words := -1, ""
	for at := range texts {
		from := texts[at].From
		found, shifted := false, ""
		tokens := tokensOf(texts[at].Text)
		note := func(d date) {
			found = found || d.mayBeSameDay(want)
			inMonth = inMonth || from == FromUser && d.mayBeSameDay(date{want.year, want.month, d.day})
		}
		datesIn(tokens, note)
		signDates(texts[at].Text, note)
		if found && from == FromAgent {
			if o.Agent < 0 {
				o.Agent = at
			}
			continue
		}
		if found && kindOf(from) < o.Kind {
			o.Kind, o.Text, o.Formula = kindOf(from), at, ""
		}
		if from == FromPolicy && o.Kind == Nowhere && (want.day == 1 || want.day >= 28) && slices.Contains(tokens, "month") && slices.ContainsFunc(tokens, namesEdge) {
			o.Kind, o.Text, o.Formula = Computed, at, strconv.Quote("month") // "on the first of the next month"
		}
		if shift := shiftIn(from, tokens, want); shift != "" {
			elsewhere, words = at, shift
		}
		if from != FromUser || o.Kind != Nowhere {
			continue
		}
		for i, t := range tokens {
			if slices.Contains(shifts[:], t) {
				shifted = t
			}
			if o.Day < 0 && dayOf(t) == want.day && (inMonth || isDayAlone(tokens, i)) {
				o.Day = at
			}
		}
		for _, sign := range shiftSigns {
			if strings.Contains(texts[at].Text, sign) {
				shifted = sign
			}
		}
		if shifted == "" && want.isEdge() && slices.ContainsFunc(tokens, func(t string) bool { return dates.MonthOf(t) == want.month && !isVerbMonth(t) }) {
			shifted = "month" // "in July", from its first to its last day
		}
		if shifted != "" {
			o.Kind, o.Text, o.Formula = Computed, at, strconv.Quote(shifted)
		}
	}
	if o.Kind == Nowhere && elsewhere >= 0 {
		o.Kind, o.Text, o.Formula = Computed, elsewhere, strconv.Quote(words)
	}
}

// shiftIn returns the words by which a text that is not the user's moves a date, or "": a time that the
// instructions give, such as "14 days", or the day of the week of the date in a result.
func shiftIn(from From, tokens []string, want date) string {
	for i, t := range tokens {
		if from == FromTool && want.isOn(t) {
			return t
		}
		if from == FromPolicy && i > 0 && (isDigit(tokens[i-1][0]) || slices.Contains(counts[:], tokens[i-1])) && slices.Contains(shifts[:], t) {
			return tokens[i-1] + " " + t
		}
	}
	return ""
}

// counts holds numbers of days and weeks in words.
var counts = [...]string{"one", "two", "three", "four", "five", "six", "seven", "ten", "fourteen", "zwei", "drei", "vier", "fünf", "sieben", "zehn", "vierzehn", "deux", "trois", "quatre", "cinq", "sept",
	"dix", "quinze", "dos", "tres", "cuatro", "cinco", "siete", "diez", "quince", "due", "tre", "quattro", "cinque", "sette", "dieci", "duas", "três", "dez", "twee", "drie", "vijf", "zeven", "tien"}

// namesEdge reports whether a word means the first or the last day of a month.
func namesEdge(word string) bool {
	switch word {
	case "first", "1st", "last", "end", "beginning", "start":
		return true
	}
	return false
}

// findGlued searches the texts for a value of at least one digit or sign in ASCII that letters or signs of
// Chinese or Japanese touch, as in 10000円 or （mei@shop.example）.
func findGlued(texts []Text, value string, o *Origin) {
	plain := !strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 || r == ' ' })
	if !plain || !strings.ContainsFunc(value, func(r rune) bool { return r < 'A' }) {
		return
	}
	for at := range texts {
		if from := texts[at].From; from != FromAgent && kindOf(from) < o.Kind && holdsGlued(texts[at].Text, value) {
			o.Kind, o.Text = kindOf(from), at
		}
	}
}

// holdsGlued reports whether a text has a value that no letter or digit of ASCII touches, and a letter or sign of
// Chinese or Japanese does.
func holdsGlued(text, value string) bool {
	for from := 0; value != ""; {
		at := strings.Index(text[from:], value)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(value)
		last, _ := utf8.DecodeLastRuneInString(text[:at])
		next, _ := utf8.DecodeRuneInString(text[end:])
		before, after := at > 0 && last >= firstWide && last != utf8.RuneError, end < len(text) && next >= firstWide && next != utf8.RuneError
		if (before || at == 0 || letter[text[at-1]] == 0) && (after || end == len(text) || letter[text[end]] == 0) && (before || after) {
			return true
		}
		from = at + 1
	}
	return false
}

// firstWide is the first character of Chinese and Japanese writing. Wide signs are behind it.
const firstWide = 0x2E80

// findSpaced searches the texts for a value that is written with spaces or other
// separators inside, for example 48 317 for 48317. The value must have at least five
// letters and digits.
func findSpaced(texts []Text, text string, o *Origin) {
	want := squeezeText(text)
	if len(want) < 5 || o.Class == Date {
		return
	}
	for at := range texts {
		from := texts[at].From
		if from != FromAgent && kindOf(from) >= o.Kind || !tokensFormText(tokensOf(texts[at].Text), want) {
			continue
		}
		if from == FromAgent {
			if o.Agent < 0 {
				o.Agent = at
			}
			continue
		}
		o.Kind, o.Text = kindOf(from), at
	}
}

// tokensFormText reports whether some consecutive tokens, written together, are equal to
// want.
func tokensFormText(tokens []string, want string) bool {
	for i := range tokens {
		rest, whole := want, true
		for k := i; whole && rest != "" && k < len(tokens); k++ {
			rest, whole = strings.CutPrefix(rest, tokens[k])
		}
		if whole && rest == "" {
			return true
		}
	}
	return false
}

// squeezeText returns the ASCII letters and digits of a text, in lower case.
func squeezeText(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if c := letter[text[i]]; c != 0 && text[i] < 0x80 {
			out = append(out, c)
		}
	}
	return string(out)
}

// checkComputed checks whether a number follows from known numbers, and stores the result
// in o. It tries these ways:
//
//   - a known number in another unit (times 100 or divided by 100);
//   - a known number times a count from 2 to 9;
//   - the sum or the difference of two known numbers;
//   - a known number with a known percentage.
//
// It does not multiply, add or subtract small numbers, because almost any number follows
// from them.
func checkComputed(texts []Text, text string, o *Origin) {
	d, _, ok := readNumber(trimSign(text))
	want, whole := d.toCents()
	if !ok || !whole || want == 0 {
		return
	}
	known := numbersOf(texts)
	for _, n := range known {
		if want == n*100 || n == want*100 {
			o.Kind, o.Formula = Computed, formatCents(n)+OtherUnit
			return
		}
	}
	for _, n := range known {
		if n >= 30_00 && want%n == 0 && want/n >= 2 && want/n <= 9 {
			o.Kind, o.Formula = Computed, fmt.Sprintf("%s × %d", formatCents(n), want/n)
			return
		}
	}
	has := make(map[int64]bool, len(known))
	for _, n := range known {
		has[n] = true
	}
	for _, n := range known {
		if n >= 20_00 && want-n >= 20_00 && has[want-n] {
			o.Kind, o.Formula = Computed, fmt.Sprintf("%s + %s", formatCents(n), formatCents(want-n))
			return
		}
	}
	for _, n := range known {
		if n > want && n-want >= 20_00 && has[n-want] {
			o.Kind, o.Formula = Computed, fmt.Sprintf("%s − %s", formatCents(n), formatCents(n-want))
			return
		}
	}
	checkPercentage(texts, known, want, o)
}

// fewNumbers is the largest number of known numbers of which multiples are tried with a
// percentage. With more, a multiple could be found for almost any number.
const fewNumbers = 16

// checkPercentage checks whether a number follows from a known number and a known
// percentage. The known number may be raised, lowered or multiplied by the percentage. A
// small multiple of the known number is tried, too.
func checkPercentage(texts []Text, known []int64, want int64, o *Origin) {
	times := int64(1)
	if len(known) <= fewNumbers {
		times = 9
	}
	for _, p := range percentsOf(texts) {
		for _, n := range known {
			for k := int64(1); k <= times && n < 1<<40 && (k == 1 || n >= 10_00); k++ {
				for _, share := range [...]int64{p, hundredPercent - p, hundredPercent + p} {
					if share > 0 && (n*k*share+hundredPercent/2)/hundredPercent == want {
						o.Kind, o.Formula = Computed, fmt.Sprintf("%s × %s %%", formatCents(n*k), formatCents(share))
						return
					}
				}
			}
		}
	}
}

// hundredPercent is 100 % in hundredths of a percent.
const hundredPercent = 100_00

// percentsOf returns the first distinct percentages in the texts of users, tools and the
// instructions, in hundredths of a percent. It returns at most 8.
func percentsOf(texts []Text) []int64 {
	var out []int64
	for at := range texts {
		text := texts[at].Text
		if texts[at].From > FromPolicy {
			continue
		}
		for i := 0; i < len(text) && len(out) < 8; {
			if !isDigit(text[i]) {
				i++
				continue
			}
			d, end, ok := readNumber(text[i:])
			i += max(end, 1)
			unit := strings.ToLower(strings.TrimLeft(text[i:min(i+12, len(text))], " \u00a0\u202f"))
			if !strings.HasPrefix(unit, "%") && !strings.HasPrefix(unit, "percent") && !strings.HasPrefix(unit, "per cent") {
				continue
			}
			if p, exact := d.toCents(); ok && exact && p > 0 && p < hundredPercent && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

func trimSign(s string) string {
	for len(s) > 0 && !isDigit(s[0]) {
		s = s[1:]
	}
	return s
}

func formatCents(cents int64) string {
	if cents%100 == 0 {
		return strconv.FormatInt(cents/100, 10)
	}
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

// numbersOf returns the distinct numbers in the texts of users and tools, in hundredths.
// It begins with the last text and returns at most 256 numbers.
func numbersOf(texts []Text) []int64 {
	var out []int64
	seen := map[int64]bool{}
	for at := len(texts) - 1; at >= 0 && len(out) < most; at-- {
		if f := texts[at].From; f != FromUser && f != FromTool {
			continue
		}
		text := texts[at].Text
		for i := 0; i < len(text) && len(out) < most; {
			if letter[text[i]] == 0 {
				i++
				continue
			}
			start := i
			for i < len(text) && letter[text[i]] != 0 {
				i++
			}
			if !isDigit(text[start]) {
				continue
			}
			d, end, ok := readNumber(text[start:])
			i = max(i, start+end)
			if c, whole := d.toCents(); ok && whole && c > 0 && !seen[c] && start+end >= i {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// shortest is the smallest length of a token for which one differing character counts.
const shortest = 5

// findSimilar searches the texts for a token that is similar to a token of the value (see
// isSimilarToken). A token in the user's words takes precedence over a token that a tool
// returned.
func findSimilar(texts []Text, text string, o *Origin) {
	var want []string
	for _, t := range tokensOf(text) {
		if len(t) >= shortest && hasDigit(t) {
			want = append(want, t)
		}
	}
	for at := range texts {
		from := texts[at].From
		if len(want) == 0 || from != FromUser && from != FromTool || o.Near != nil && from != FromUser {
			continue
		}
		eachToken(texts[at].Text, func(token string) bool {
			for _, w := range want {
				if len(token) == len(w) && isSimilarToken(token, w) {
					o.Near = &Near{Value: token, Token: w, Text: at, Kind: kindOf(from)}
					return false
				}
			}
			return true
		})
		if o.Near != nil && o.Near.Kind == User {
			return
		}
	}
}

// eachToken calls fn for each token of a text, in its original spelling. It stops if fn
// returns false.
func eachToken(text string, fn func(string) bool) {
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && letter[text[i]] != 0 {
			i++
		}
		if i == start {
			i++
		} else if !fn(text[start:i]) {
			return
		}
	}
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}

// isSimilarToken reports whether two tokens of the same length differ in exactly one
// character, or only in the order of two neighbouring characters. b is in lower case.
func isSimilarToken(a, b string) bool {
	differ, first := 0, -1
	for i := range len(a) {
		if letter[a[i]] != b[i] {
			if differ++; differ > 2 {
				return false
			}
			if first < 0 {
				first = i
			}
		}
	}
	if differ == 2 {
		return letter[a[first]] == b[first+1] && letter[a[first+1]] == b[first]
	}
	return differ == 1
}
