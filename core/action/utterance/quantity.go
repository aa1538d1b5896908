package utterance

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// IsWide reports whether a folded word says that a request is about more or something else
// than it names, or that a value must be worked out.
func IsWide(w string) bool { return Listed("wide", w) || strings.HasSuffix(w, "%") }

// IsAboutMore reports whether folded text has a word that says that it is about more than it names.
func IsAboutMore(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if IsWide(w) && !Listed("origin", w) && !(i+1 < len(words) && IsDigits(words[i+1][:1]) && w == "alle") && !(i > 0 && Listed("beforeAll", words[i-1])) { // alle 20, after all
			return true
		}
	}
	return false
}

// SaysSeveral reports whether a text has a word for a number of several things in its language. "Due" is none in
// English, and a room for six persons is one room.
func SaysSeveral(text, lang string) bool {
	words := Tokens(text)
	for i, w := range words {
		if !Listed("several", w) || lang == "en" && Listed("notNumber", w) || lang != "" && lang != "cjk" && len(theTables().of[lang][w]) > 0 {
			continue
		}
		if i+1 == len(words) || !Listed("heads", Singular(words[i+1])) && !Listed("unit", words[i+1]) {
			return true
		}
	}
	return false
}

// AmountsIn returns the amounts of money in folded text: the numbers with a currency, or else the
// only number, if it is no limit, date, time or part of a name. Of things that are counted, no number
// has a currency.
func AmountsIn(text string, counted bool) (found []string) {
	var plain []string
	for at := 0; at < len(text); {
		if text[at] < '0' || text[at] > '9' {
			at++
			continue
		}
		end := at
		for end < len(text) && strings.IndexByte("0123456789.,", text[end]) >= 0 {
			end++
		}
		number := readAmount(strings.TrimRight(text[at:end], ".,"))
		before, after := strings.TrimRight(text[:at], " "), strings.TrimLeft(text[end:], " ")
		word := FirstWord(after)
		if zeros := zerosOf(word); zeros != "" {
			number, after = readAmount(shiftPoint(number, len(zeros))), strings.TrimLeft(after[len(word):], " ")
			word = FirstWord(after)
		}
		switch {
		case IsLimited(before):
			return nil
		case MemberOf(word).Class == "month" && len(number) < 3, MemberOf(lastWord(before)).Class == "month" && len(number) < 3: // 27 February
		case Listed("currency", word), Listed("currency", lastRune(before)), Listed("currency", firstRune(after)), at > 0 && !wordByte(text[at-1]) && Listed("currency", lastWord(before)):
			found = append(found, number)
		case len(number) > 3 && number[len(number)-3] == '.' && !(at > 0 && (wordByte(text[at-1]) || strings.IndexByte("-#:/", text[at-1]) >= 0)):
			found = append(found, number) // two decimals are those of money
		case at > 0 && (wordByte(text[at-1]) && !isUnspaced(text[:at], text[at:]) || strings.IndexByte("-#:/", text[at-1]) >= 0), end < len(text) && (wordByte(text[end]) && !isUnspaced(text[:end], text[end:]) || strings.IndexByte("-:/%", text[end]) >= 0):
		default:
			plain = append(plain, number)
		}
		at = end
	}
	if (found == nil || counted) && len(plain) == 1 {
		return plain
	}
	if counted {
		return nil
	}
	return found
}

// zerosOf returns the zeros that a word behind a number stands for; "" for another word.
func zerosOf(word string) string {
	switch {
	case Listed("thousands", word):
		return "000"
	case Listed("millions", word):
		return "000000"
	}
	return ""
}

// shiftPoint returns a number with its point moved to the right by some places, and no point.
func shiftPoint(number string, places int) string {
	whole, part, _ := strings.Cut(number, ".")
	return whole + (part + strings.Repeat("0", places))[:max(places, len(part))]
}

// IsInRange reports whether a number lies between two others that one of the words of a request joins, as in "orders 3 to 6". The
// numbers may have the same letters before them.
func IsInRange(words []string, value string) bool {
	for i := 1; i+1 < len(words); i++ {
		if !Listed("range", words[i]) {
			continue
		}
		low, lowest, ok := cutNumber(words[i-1])
		high, highest, ok2 := cutNumber(words[i+1])
		own, n, ok3 := cutNumber(value)
		if ok && ok2 && ok3 && low == own && (high == own || high == "") && lowest <= n && n <= highest {
			return true
		}
	}
	return false
}

// cutNumber returns a word that ends in a number in its two parts.
func cutNumber(w string) (letters string, n int, ok bool) {
	letters = strings.TrimRight(w, "0123456789")
	n, err := strconv.Atoi(w[len(letters):])
	return letters, n, err == nil
}

// JoinThousands returns folded text in which an amount of money with spaces between its thousands, such as
// 2 000 €, has none. Numbers without a currency stay as they are: two of them may stand side by side.
func JoinThousands(text string) string {
	for at := 1; at+4 <= len(text); at++ {
		if text[at] != ' ' || !isDigit(text[at-1]) || !isGroup(text[at+1:]) {
			continue
		}
		start, end := at, at
		for start > 0 && isDigit(text[start-1]) {
			start--
		}
		for end+4 <= len(text) && text[end] == ' ' && isGroup(text[end+1:]) {
			end += 4
		}
		before, after := strings.TrimRight(text[:start], " "), strings.TrimLeft(strings.TrimLeft(text[end:], ".,0123456789"), " ")
		money := Listed("currency", FirstWord(after)) || Listed("currency", firstRune(after)) || Listed("currency", lastWord(before)) || Listed("currency", lastRune(before))
		if at-start > 3 || !money || start > 0 && (wordByte(text[start-1]) && !isUnspaced(text[:start], text[start:]) || strings.IndexByte("-#.,:/", text[start-1]) >= 0) {
			at = end - 1
			continue
		}
		text = text[:start] + strings.ReplaceAll(text[start:end], " ", "") + text[end:]
		at = start
	}
	return text
}

// isGroup reports whether a text begins with three digits and no fourth.
func isGroup(s string) bool {
	return len(s) >= 3 && isDigit(s[0]) && isDigit(s[1]) && isDigit(s[2]) && (len(s) == 3 || !isDigit(s[3]))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// DropCodes returns a text without the numbers of names such as AZ 610.
func DropCodes(text string) string {
	words := strings.Fields(text)
	out := words[:0:0]
	for i, w := range words {
		named := i > 0 && len(words[i-1]) > 1 && strings.Trim(words[i-1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !Listed("currency", strings.ToLower(words[i-1]))
		if !named || !IsDigits(strings.TrimRight(w, ".,;:!?")) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// IsLimited reports whether a text ends in a word for a limit, such as under.
func IsLimited(before string) bool {
	words := strings.Fields(before)
	for _, w := range words[max(len(words)-2, 0):] {
		if Listed("limit", w) {
			return true
		}
	}
	return false
}

// readAmount returns a number without the marks between its thousands.
func readAmount(s string) string {
	if at := strings.LastIndexAny(s, ".,"); at >= 0 && len(s)-at <= 3 {
		return dropMarks(s[:at]) + "." + s[at+1:]
	}
	return dropMarks(s)
}

func dropMarks(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, ".", ""), ",", "") }

// IsSameAmount reports whether two amounts are equal, perhaps one of them in hundredths.
func IsSameAmount(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil || x == y {
		return true
	}
	return x == 100*y || y == 100*x || x == 60*y || y == 60*x || x == 24*y || y == 24*x || x == 7*y || y == 7*x // cents, or minutes of an hour
}

// NumbersIn returns the hours of the times in a text, and its numbers of at most three digits: all of
// them, or those of units such as days.
func NumbersIn(text string, all bool) (found []string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;!?()\"'", r) })
	for i, w := range words {
		number, minutes, isTime := strings.Cut(strings.TrimRight(w, "."), ":")
		number = strings.TrimLeft(number, "0")
		if number == "" || len(number) > 3 || strings.Trim(number, "0123456789") != "" || isTime && len(minutes) != 2 {
			continue
		}
		if all || isTime || i+1 < len(words) && Listed("unit", strings.TrimRight(words[i+1], ".")) {
			found = append(found, number)
		}
	}
	return found
}

// NumberOf returns the number that a word is, in digits or as a word up to ten, or 0.
func NumberOf(w string) int {
	if IsDigits(w) && len(w) < 3 {
		n, _ := strconv.Atoi(w)
		return n
	}
	return theTables().numbers[w]
}

// CountsOf returns the numbers of a thing or of persons that the words of a request name: before the noun,
// or for persons after a word such as for, as in "a table for two". It returns none if the request is
// about more, such as more persons.
func CountsOf(tokens []string, noun string) (found []int) {
	for i, w := range tokens {
		if w != "from" && IsWide(w) || noun == "heads" && Listed("headsMore", w) {
			return nil
		}
		n := NumberOf(w)
		next := ""
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		switch {
		case n == 0:
		case Singular(next) == noun, noun == "heads" && Listed("heads", Singular(next)):
			found = append(found, n)
		case noun == "heads" && n > 1 && i > 0 && Listed("forWhom", tokens[i-1]) && (next == "" || next == "," || Listed("notAlone", next) || Listed("beforePlace", next)):
			found = append(found, n)
		}
	}
	return found
}

// CurrenciesIn returns the currencies that a text names in words, codes or signs.
func CurrenciesIn(text string) (found []Member) {
	words := Tokens(text)
	for _, sign := range text {
		if unicode.Is(unicode.Sc, sign) {
			words = append(words, string(sign))
		}
	}
	for _, w := range words {
		if m := MemberOf(strings.TrimLeft(w, "0123456789.")); m.Class == "currency" && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found
}

// FoldTimes writes the times of day in folded text as 9:00, whatever the notation: 09:00, 9h00, 16 Uhr.
func FoldTimes(s string) string {
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		end := i
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		if n := end - i; n == 0 || n > 2 || i > 0 && (wordByte(s[i-1]) || strings.IndexByte(".,:-/#", s[i-1]) >= 0) {
			end = max(end, i+1)
			b.WriteString(s[i:end])
			i = end
			continue
		}
		hour, rest := strings.TrimPrefix(s[i:end], "0"), s[end:]
		if hour == "" {
			hour = "0"
		}
		switch {
		case len(rest) > 2 && (rest[0] == ':' || rest[0] == 'h') && IsDigits(rest[1:3]) && (len(rest) == 3 || !wordByte(rest[3])):
			b.WriteString(hour + ":" + rest[1:3])
			i = end + 3
		case Listed("hourWord", FirstWord(strings.TrimLeft(rest, " "))):
			word := FirstWord(strings.TrimLeft(rest, " "))
			i = end + strings.Index(rest, word) + len(word)
			minutes := "00"
			if after := strings.TrimLeft(s[i:], " "); len(after) > 1 && IsDigits(after[:2]) && (len(after) == 2 || !wordByte(after[2])) && after[0] < '6' { // 7 h 04
				minutes, i = after[:2], i+len(s[i:])-len(after)+2
			}
			b.WriteString(hour + ":" + minutes)
		default:
			b.WriteString(s[i:end])
			i = end
		}
	}
	return b.String()
}

// Date is a day of a month.
type Date struct{ Day, month int }

// WeekdayOf returns the English name of the day of the week of a date such as 2026-12-04, perhaps with a time of no zone; "" for
// anything else. In another zone it may be another day.
func WeekdayOf(value string) string {
	if len(value) < 10 || FormOf(value[:10]) != "9999-99-99" || strings.ContainsAny(value[10:], "z+-") {
		return ""
	}
	day, err := time.Parse(time.DateOnly, value[:10])
	if err != nil {
		return ""
	}
	return strings.ToLower(day.Weekday().String())
}

// DatesIn returns the days that a text names with their months, and all its small numbers.
func DatesIn(text string) (dates []Date, numbers []int) {
	words := strings.FieldsFunc(Fold(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;!?()\"'", r) })
	for i, w := range words {
		n := dayOf(w)
		if n == 0 {
			if len(w) >= 10 && FormOf(w[:10]) == "9999-99-99" {
				dates = append(dates, IsoDate(w))
			}
			continue
		}
		numbers = append(numbers, n)
		for _, near := range words[max(0, i-2):min(len(words), i+3)] {
			if m := MemberOf(strings.Trim(near, ".")); m.Class == "month" {
				dates = append(dates, Date{n, m.Order})
				break
			}
		}
	}
	return dates, numbers
}

// dayOf returns the day of a month that a word such as 4th or 4. is, or 0.
func dayOf(w string) int {
	w = strings.TrimRight(w, ".:")
	for _, end := range [...]string{"st", "nd", "rd", "th", "er"} {
		w = strings.TrimSuffix(w, end)
	}
	if !IsDigits(w) || len(w) > 2 {
		return 0
	}
	n := int(w[0] - '0')
	if len(w) == 2 {
		n = 10*n + int(w[1]-'0')
	}
	if n > 31 {
		return 0
	}
	return n
}

// IsoDate returns the day of a text that begins with a date such as 2025-08-04.
func IsoDate(w string) Date {
	return Date{10*int(w[8]-'0') + int(w[9]-'0'), 10*int(w[5]-'0') + int(w[6]-'0')}
}
