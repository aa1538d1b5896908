package kind

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// countWords has words of the names of arguments that count or measure something.
const countWords = " amount price total cost fee sum balance refund salary budget quantity qty count limit level size age number max maximum min minimum percent percentage rate score weight height width length depth volume distance radius duration timeout temperature celsius fahrenheit delta offset threshold target capacity speed seat people guest adult child night day hour minute second year month page "

// heapWords end the names of arguments that say how many or how much. Zeros before such a number are never of an id.
const heapWords = " amount quantity qty count seat people guest adult child percent "

// compareNumbers compares two numbers. Groups of digits, a plus and zeros after the point
// are notation. Fractions that were computed and differ by less than 1e-9 of their size are equal (see sameNumber). Two texts
// are numbers only if the argument counts or measures something.
func (p *pair) compareNumbers() Outcome {
	a, ok := p.a.readNumber(p.a.text)
	b, ok2 := p.b.readNumber(p.b.text)
	if !ok || !ok2 {
		return p.compareWords()
	}
	counts := p.named(countWords) || p.tool.has(countWords)
	switch {
	case !sameNumber(a, b) && (isGroupsOf(p.a.text, b) || isGroupsOf(p.b.text, a)):
		return Unsure
	case !sameNumber(a, b) && (isRounded(p.a.text, b) || isRounded(p.b.text, a)):
		return Likely
	case !sameNumber(a, b):
		return Differs
	case hasLeadingZero(p.a.text) != hasLeadingZero(p.b.text) && !p.ends(heapWords):
		return Likely // the zeros may be of an id
	case isGroupedByPoint(p.a.text) || isGroupedByPoint(p.b.text):
		return Unsure
	case p.a.isString() && p.b.isString() && !counts:
		return Unsure
	}
	return Same
}

// isGroupsOf reports whether a text such as 1.250 is a number if its point separates groups.
func isGroupsOf(text string, n number) bool {
	if !isGroupedByPoint(text) {
		return false
	}
	whole, ok := readNumber(strings.Replace(text, ".", "", 1))
	return ok && sameNumber(whole, n)
}

// isRounded reports whether a text is a number with a fraction to which another number may
// have been rounded, such as 33.3 for 33.33.
func isRounded(text string, n number) bool {
	_, fraction, ok := strings.Cut(text, ".")
	return ok && notation.AreDigits(fraction) && strconv.FormatFloat(n.approx, 'f', len(fraction), 64) == text
}

// numberWords has the words for small numbers, each at its number.
var numberWords = [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
	"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}

// tensWords has the words for twenty to ninety.
var tensWords = [...]string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}

// smallNumber returns the number that a word below a hundred names, such as twenty-five.
func smallNumber(word string) (int, bool) {
	tens, unit, found := strings.Cut(word, "-")
	for i, w := range numberWords {
		if w == word {
			return i, true
		}
	}
	for i, w := range tensWords {
		if w != tens {
			continue
		}
		if n, ok := smallNumber(unit); !found || ok && n > 0 && n < 10 {
			return 20 + 10*i + n, true
		}
	}
	return 0, false
}

// scales has the words and signs for large factors.
var scales = sync.OnceValue(func() map[string]float64 {
	return map[string]float64{"k": 1e3, "thousand": 1e3, "m": 1e6, "mio": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9, "dozen": 12, "hundred": 100}
})

// compareWords compares a number with a word for it, such as "three" and "2.5 million", or
// with a fraction such as "1/2". The argument must count or measure something, or the number
// must be a JSON number.
func (p *pair) compareWords() Outcome {
	a, ok := wordNumber(p.a.text)
	b, ok2 := wordNumber(p.b.text)
	if p.named(numeralKeys) {
		if !ok {
			a, ok = romanNumber(p.a.text)
		}
		if !ok2 {
			b, ok2 = romanNumber(p.b.text)
		}
	}
	if !ok || !ok2 || p.a.isString() && p.b.isString() && !p.named(countWords) && !p.named(numeralKeys) && !hasBase(p.a.text) && !hasBase(p.b.text) {
		return Open
	}
	if !sameNumber(a, b) && (isOutOf(p.a.text, b) || isOutOf(p.b.text, a)) {
		return Unsure
	}
	return sameIf(sameNumber(a, b))
}

// isOutOf reports whether a text is a number of points with their largest number, such as 4.5/5.
func isOutOf(text string, points number) bool {
	above, _, ok := strings.Cut(text, "/")
	n, isNumber := readNumber(above)
	return ok && isNumber && sameNumber(n, points)
}

// numeralKeys has words of the names of arguments that count the parts of a work, or places
// in an order, which may have Roman numerals.
const numeralKeys = " chapter volume part act section episode season level phase stage edition book scene article grade floor rank position place century class "

// romanNumber reads a Roman numeral from I to XXXIX in capitals.
func romanNumber(s string) (n number, ok bool) {
	tens := strings.TrimLeft(s, "X")
	i := slices.Index(romanUnits[:], tens)
	count := len(s) - len(tens)
	if i < 0 || count > 3 || s == "" {
		return n, false
	}
	return number{approx: float64(10*count + i)}, true
}

var romanUnits = [...]string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}

// ordinalWords has the words for the first places in an order, each at its number.
var ordinalWords = [...]string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"}

// ordinalNumber reads 3rd and third.
func ordinalNumber(s string) (n number, ok bool) {
	if i := slices.Index(ordinalWords[1:], s); i >= 0 {
		return number{approx: float64(i + 1)}, true
	}
	if len(s) < 3 || !isListed(s[len(s)-2:], " st nd rd th ") || !notation.AreDigits(s[:len(s)-2]) {
		return n, false
	}
	return readNumber(s[:len(s)-2])
}

// programNumber reads a number with a base, such as 0x1F, 0o17 and 0b101.
func programNumber(s string) (n number, ok bool) {
	if len(s) < 3 || s[0] != '0' || strings.IndexByte("xob", s[1]) < 0 {
		return n, false
	}
	v, err := strconv.ParseUint(s, 0, 52)
	return number{approx: float64(v)}, err == nil
}

func hasBase(s string) bool {
	_, ok := programNumber(strings.ToLower(s))
	return ok
}

// signedNumber reads an amount in parentheses, which is negative in accounts.
func signedNumber(s string) (n number, ok bool) {
	inner, opens := strings.CutPrefix(s, "(")
	inner, closes := strings.CutSuffix(inner, ")")
	if n, ok = readNumber(inner); !ok || !opens || !closes {
		return n, false
	}
	return n.times(-1), true
}

// fractions has characters for fractions, each with its notation in digits.
var fractions = strings.NewReplacer("½", " 1/2", "¼", " 1/4", "¾", " 3/4", "⅓", " 1/3", "⅔", " 2/3", "⅛", " 1/8")

// mixedNumber reads a whole number and a fraction, such as 1 1/2 and 1½.
func mixedNumber(s string) (n number, ok bool) {
	whole, fraction, found := strings.Cut(fractions.Replace(s), " ")
	if above, below, isFraction := strings.Cut(fraction, "/"); found && isFraction && notation.AreDigits(above) && notation.AreDigits(below) {
		x, _ := strconv.ParseFloat(above, 64)
		y, _ := strconv.ParseFloat(below, 64)
		if whole != "" {
			n, ok = readNumber(whole)
		} else {
			ok = true
		}
		return number{approx: n.approx + x/y}, ok && y != 0
	}
	return n, false
}

// powerMarks writes a power of ten as programs do.
var powerMarks = strings.NewReplacer(" × 10^", "e", "×10^", "e", " x 10^", "e", "*10^", "e", "·10^", "e")

// hundreds reads words such as "one hundred and twenty".
func hundreds(s string) (n number, ok bool) {
	before, after, found := strings.Cut(s, "hundred")
	after = strings.TrimPrefix(strings.TrimSpace(after), "and ")
	count, ok := smallNumber(strings.TrimSpace(before))
	if before == "a " || before == "" {
		count, ok = 1, true
	}
	rest := 0
	if after != "" {
		more := false
		rest, more = smallNumber(strings.ReplaceAll(after, " ", "-"))
		ok = ok && more
	}
	return number{approx: float64(100*count + rest)}, found && ok
}

// otherNumbers has the readers of rarer notations of numbers, for a text in lower case.
var otherNumbers = [...]func(string) (number, bool){programNumber, ordinalNumber, signedNumber, mixedNumber, hundreds}

func wordNumber(s string) (n number, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, ok = readNumber(s); ok {
		return n, true
	}
	if i, ok := smallNumber(s); ok {
		return number{approx: float64(i)}, true
	}
	switch s {
	case "half", "a half":
		return number{approx: 0.5}, true
	case "a quarter":
		return number{approx: 0.25}, true
	case "dozen", "a dozen":
		return number{approx: 12}, true
	}
	for _, read := range otherNumbers {
		if n, ok = read(s); ok {
			return n, true
		}
	}
	s = powerMarks.Replace(s)
	if above, below, found := strings.Cut(s, "/"); found {
		x, ok := readNumber(above)
		y, ok2 := readNumber(below)
		if !ok || !ok2 || y.approx == 0 {
			return n, false
		}
		return number{approx: x.approx / y.approx}, true
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && strings.ContainsAny(s, "e") && s[0] != 'i' && s[0] != 'n' {
		return number{approx: v}, true
	}
	end := strings.LastIndexAny(s, "0123456789") + 1
	if end == 0 {
		end = strings.IndexByte(s+" ", ' ')
		if end < len(s) {
			if n, ok = wordNumber(s[:end]); ok && scales()[strings.TrimSpace(s[end:])] > 0 {
				return n.times(scales()[strings.TrimSpace(s[end:])]), true
			}
		}
		return n, false
	}
	scale := scales()[strings.TrimSpace(s[end:])]
	n, ok = readNumber(s[:end])
	return n.times(scale), ok && scale > 0
}

// isGroupedByPoint reports whether the point of a number may separate groups, as in 1.250.
func isGroupedByPoint(s string) bool {
	whole, fraction, ok := strings.Cut(strings.TrimLeft(s, "+-"), ".")
	return ok && len(fraction) == 3 && notation.AreDigits(fraction) && len(whole) <= 3 && whole != "0" && !strings.ContainsAny(s, ", ")
}

func hasLeadingZero(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0' && s[1] != '.'
}

// number is a number of any notation. exact is its canonical text; it is "" for a number
// that was computed from others.
type number struct {
	exact  string
	approx float64
}

// times returns the product of a number and a factor.
func (n number) times(factor float64) number { return number{approx: n.approx * factor} }

func (n number) isWhole() bool { return n.approx == math.Trunc(n.approx) }

// readNumber reads a number such as 1,000,000 or +7 or 2 500 or 1.250,00. It returns
// false for any other text. A single comma before three digits separates groups.
func readNumber(s string) (n number, ok bool) {
	if s = strings.TrimSpace(s); s == "" || s[len(s)-1] > '9' || len(s) > 100 { // a number ends in a digit
		return n, false
	}
	if s = numberMarks.Replace(s); len(s) > 40 {
		return n, false
	}
	sign := ""
	if s[0] == '+' || s[0] == '-' {
		sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	power := ""
	if i := strings.IndexAny(s, "eE"); i > 0 && isPlainNumber(s[:i]) && notation.AreDigits(strings.TrimLeft(s[i+1:], "+-")) && len(s)-i <= 5 && i < 8 {
		s, power = s[:i], s[i:] // 1e-3
	}
	digits, ok := plainDigits(s)
	if !ok {
		return n, false
	}
	digits += power
	approx, err := strconv.ParseFloat(sign+digits, 64)
	return number{jsonval.Decimal(sign + digits), approx}, err == nil
}

// numberMarks are other characters for the minus sign, and for blanks between groups.
var numberMarks = strings.NewReplacer("−", "-", "\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2007", " ", "_", " ", "'", " ", "’", " ")

// plainDigits returns a number without groups, and with a point before its fraction.
func plainDigits(s string) (string, bool) {
	if isPlainNumber(s) {
		return s, true
	}
	point, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	whole, fraction, group := s, "", byte(',')
	switch {
	case point >= 0 && comma > point, point < 0 && comma >= 0 && len(s)-comma <= 3: // 1.250,00 and 20,5
		whole, fraction, group = s[:comma], s[comma+1:], '.'
	case point >= 0:
		whole, fraction = s[:point], s[point+1:]
	}
	if strings.Contains(whole, " ") {
		group = ' '
	}
	parts := strings.Split(whole, string(group))
	for i, part := range parts {
		inner := i > 0 && i < len(parts)-1 && group == ',' && len(part) == 2 && len(parts[1]) == 2 // 1,50,000
		if !notation.AreDigits(part) || i > 0 && len(part) != 3 && !inner || i > 1 && len(part) == 3 && len(parts[1]) == 2 && i < len(parts)-1 || i == 0 && len(parts) > 1 && len(part) > 3 {
			return "", false
		}
	}
	if (point >= 0 || fraction != "") && !notation.AreDigits(fraction) {
		return "", false
	}
	return strings.Join(parts, "") + "." + fraction + "0", true
}

// isPlainNumber reports whether a text is a number of JSON without a sign and an exponent.
func isPlainNumber(s string) bool {
	whole, fraction, found := strings.Cut(s, ".")
	return notation.AreDigits(whole) && (len(whole) == 1 || whole[0] != '0') && (!found || notation.AreDigits(fraction))
}

// sameNumber reports whether two numbers are equal. Two fractions are equal if they differ
// by less than 1e-9 of their size, but never by half of a thousandth, which no currency has, and not if both are
// written with at most mostPlaces places: then nothing was rounded.
func sameNumber(a, b number) bool {
	switch {
	case a.exact != "" && a.exact == b.exact:
		return true
	case a.exact != "" && b.exact != "" && (a.isWhole() && b.isWhole() || a.hasFewPlaces() && b.hasFewPlaces()):
		return false
	}
	size := math.Abs(a.approx)
	return math.Abs(a.approx-b.approx) <= min(size*1e-9, max(leastPart, size*roundings))
}

const (
	mostPlaces = 8     // of a number that nobody computed
	leastPart  = .0005 // half of the smallest part of a currency
	roundings  = 4e-15 // of a few operations with float64
)

// hasFewPlaces reports whether a number is written with at most mostPlaces decimals.
func (n number) hasFewPlaces() bool {
	_, power, ok := strings.Cut(n.exact, "e")
	places, err := strconv.Atoi(power)
	return ok && err == nil && places >= -mostPlaces
}

// shareWords has words of the names of arguments that are a share of one.
const shareWords = " rate ratio share fraction probability discount margin tax vat interest commission proportion apr apy opacity transparency alpha confidence likelihood chance coverage utilization utilisation "

// percentWords has words of the names of arguments that count percent.
const percentWords = " percent percentage pct brightness volume humidity battery saturation contrast intensity dimmer "

// isPercentOfShare reports whether one of two numbers is a hundred times the other one. Somebody may
// mean one thing with 50 percent and 0.5 in an argument that is a share. So it is with a share of
// something that the name does not tell, unless it counts things or money.
func (p *pair) isPercentOfShare() bool {
	a, ok := p.a.readNumber(p.a.text)
	b, ok2 := p.b.readNumber(p.b.text)
	if !ok || !ok2 || !sameNumber(a.times(100), b) && !sameNumber(a, b.times(100)) {
		return false
	}
	if p.named(percentWords + shareWords) {
		return true
	}
	least := min(math.Abs(a.approx), math.Abs(b.approx))
	return least > 0 && least < 1 && !p.named(" amount price total cost sum balance refund salary budget quantity qty count number id size age version ")
}

// compareShares compares a percentage with another notation of it. In an argument that is a
// rate, 15% is .15. In an argument that counts percent, 15% is 15.
func (p *pair) compareShares() Outcome {
	if !p.a.hasDigit() || !p.b.hasDigit() {
		return Open
	}
	a, percent, ok := readPercent(&p.a)
	b, percent2, ok2 := readPercent(&p.b)
	switch {
	case !ok || !ok2 || !percent && !percent2:
		return Open
	case percent == percent2:
		return sameIf(sameNumber(a, b))
	case percent2:
		a, b = b, a
	}
	hundred := a.times(0.01)
	asShare, asCount := sameNumber(hundred, b), sameNumber(a, b)
	counts := p.named(percentWords)
	switch {
	case asCount && counts, asShare && !counts && p.named(shareWords):
		return Same
	case asShare || asCount:
		return Unsure
	}
	return Differs
}

// readPercent reads a number, perhaps with a percent sign or the word after it.
func readPercent(v *value) (n number, percent, ok bool) {
	text := strings.ToLower(v.text)
	for _, end := range [...]string{"%", "percent", "per cent", "pct"} {
		if rest, found := strings.CutSuffix(text, end); found {
			n, ok = readNumber(rest)
			return n, true, ok
		}
	}
	for end, hundredths := range [...]float64{1, 1, 10} {
		if rest, found := strings.CutSuffix(text, [...]string{"bps", "basis points", "‰"}[end]); found {
			n, ok = readNumber(rest)
			return n.times(hundredths / 100), true, ok
		}
	}
	n, ok = v.readNumber(v.text)
	return n, false, ok
}
