package kind

import (
	"math"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/notation"
	"github.com/boundcheck/boundcheck/core/base/units"
)

// feetMarks writes the signs of feet and inches as words.
var feetMarks = strings.NewReplacer("'", " ft ", "′", " ft ", "\"", " in ", "″", " in ")

// compoundQuantity reads a sum of quantities with one dimension, such as 5 ft 11 in, in the base
// unit of the dimension.
func compoundQuantity(s string) (n number, u units.Unit, ok bool) {
	words := strings.Fields(feetMarks.Replace(s))
	if len(words) < 2 || len(words) > 6 || len(words)%2 != 0 {
		return n, u, false
	}
	for i := 0; i < len(words); i += 2 {
		part, ok := readNumber(words[i])
		of, known := units.Of(words[i+1])
		if !ok || !known || i > 0 && of.Dimension != u.Dimension {
			return n, u, false
		}
		n.approx += float64(part.approx * of.Size)
		u = units.Unit{Dimension: of.Dimension, Size: 1}
	}
	return n, u, true
}

// compareQuantities compares two numbers with units. A unit may stand in the value, in the
// argument beside it, or at the end of the argument's name.
func (p *pair) compareQuantities() Outcome {
	if !p.a.hasDigit() || !p.b.hasDigit() {
		return Open
	}
	a, unitA, ok := p.readQuantity(&p.a)
	b, unitB, ok2 := p.readQuantity(&p.b)
	switch {
	case !ok || !ok2 || unitA == (units.Unit{}) && unitB == (units.Unit{}):
		return Open
	case unitA == (units.Unit{}) || unitB == (units.Unit{}):
		switch bytes := a.times(max(unitA.Size, unitB.Size)); {
		case unitA.Dimension+unitB.Dimension == "data" && b.approx >= 1024 && unitB == (units.Unit{}) && sameNumber(bytes, b),
			unitA.Dimension+unitB.Dimension == "data" && a.approx >= 1024 && unitA == (units.Unit{}) && sameNumber(a, b.times(unitB.Size)):
			return Same // so many bytes
		case !sameNumber(a, b):
			return Differs
		case unitA.Dimension == units.Count || unitB.Dimension == units.Count:
			return Same
		}
		return Unsure // the unit is missing on one side
	case isScale(unitA) && isScale(unitB) && unitA != unitB && (p.named(spanWords) || p.tool.has(spanWords)):
		return p.compareSpans(a, unitA, b, unitB)
	case isScale(unitA) && isScale(unitB) && unitA != unitB:
		return sameTemperature(toCelsius(a, unitA), toCelsius(b, unitB))
	case isOpenVolume(unitA) != isOpenVolume(unitB) && (unitA.Dimension == "volume" || unitB.Dimension == "volume"):
		return Likely
	case unitA.Dimension != unitB.Dimension:
		return Differs
	}
	x, y := a.times(unitA.Size), b.times(unitB.Size)
	if !sameNumber(x, y) && unitA != unitB && x.approx > 0 && y.approx > 0 && max(x.approx, y.approx) < 1.11*min(x.approx, y.approx) {
		return Likely // rounded, or a unit of 1024 parts
	}
	return sameIf(sameNumber(x, y))
}

// isOpenVolume reports whether the size of a unit of volume depends on the country.
func isOpenVolume(u units.Unit) bool {
	return isListed(u.Dimension, " gallon tablespoon teaspoon cup pint fluid_ounce ")
}

// isScale reports whether a unit is a scale of temperatures.
func isScale(u units.Unit) bool { return isListed(u.Dimension, " celsius fahrenheit kelvin ") }

// toCelsius returns a temperature in degrees Celsius.
func toCelsius(n number, scale units.Unit) number {
	switch scale.Dimension {
	case "fahrenheit":
		return number{approx: (n.approx - 32) * 5 / 9}
	case "kelvin":
		return number{approx: n.approx - 273.15}
	}
	return n
}

// sameTemperature compares two temperatures of different scales. Those that differ by less
// than three degrees may be rounded.
func sameTemperature(a, b number) Outcome {
	switch apart := math.Abs(a.approx - b.approx); {
	case apart < 1e-6:
		return Same
	case apart < 3:
		return Likely
	}
	return Differs
}

// spanWords has words of names for how far two temperatures lie apart.
const spanWords = " change difference diff delta increase decrease increment decrement tolerance drop rise hysteresis offset deadband raise lower "

// compareSpans compares two differences of temperatures, for which the zero of a scale means nothing. Two of
// one point on the scales may be meant as temperatures.
func (p *pair) compareSpans(a number, scaleA units.Unit, b number, scaleB units.Unit) Outcome {
	degree := func(scale units.Unit) float64 {
		if scale.Dimension == "fahrenheit" {
			return 5.0 / 9
		}
		return 1
	}
	switch {
	case sameNumber(a.times(degree(scaleA)), b.times(degree(scaleB))):
		return Same
	case p.tool.has(spanWords) && !p.named(spanWords) && sameTemperature(toCelsius(a, scaleA), toCelsius(b, scaleB)) == Same:
		return Unsure // lower_temperature(to=...) names a point
	}
	return Differs
}

// compareLetters compares two numbers of which one has the letter m or M, which may be minutes, meters or millions.
func (p *pair) compareLetters() Outcome {
	a, x := splitUnit(p.a.text)
	b, y := splitUnit(p.b.text)
	switch isX, isY := strings.EqualFold(x, "m"), strings.EqualFold(y, "m"); {
	case isX && isY && x != y && a == b:
		return Unsure
	case isX != isY && p.named(durationKeys) && !p.named(" length "):
		u, known := units.Of(x)
		if isX {
			u, known = units.Of(y)
		}
		if known && u.Dimension == "length" {
			return Differs // minutes
		}
	}
	return Open
}

func (p *pair) readQuantity(v *value) (n number, u units.Unit, ok bool) {
	text := v.text
	if below, found := strings.CutPrefix(text, "minus "); found {
		text = "-" + below
	}
	number, name := splitUnit(text)
	if name != "" && strings.ContainsAny(name, "0123456789'\"′″") {
		if n, u, ok = compoundQuantity(v.text); ok {
			return n, u, true
		}
	}
	if name == "" && len(p.name) > 0 {
		name = v.other(" unit ")
		if last := p.name[len(p.name)-1]; name == "" && (len(p.name) > 1 || p.many && len(last) > 1 || isListed(last, " kg cm mm km ml kwh ")) {
			if _, found := units.Of(last); found {
				name = last
			}
		}
	}
	if name != "" {
		if u, ok = units.Measure(name); !ok {
			return n, u, false
		}
	}
	n, ok = v.readNumber(number)
	return n, u, ok
}

// splitUnit splits a text such as "1.5 m" into its number and the rest.
func splitUnit(s string) (number, name string) {
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789.,+-− ", r) })
	if end <= 0 {
		return s, ""
	}
	return strings.TrimSpace(s[:end]), strings.TrimSpace(s[end:])
}

// compareCurrencies compares two currencies by their codes (ISO 4217).
func (p *pair) compareCurrencies() Outcome {
	if !p.named(" currency ") && !isCurrencySign(p.a.text) && !isCurrencySign(p.b.text) {
		return Open
	}
	a, b := units.Currency(p.a.text), units.Currency(p.b.text)
	if isAnyDollar(p.a.text, a, b) || isAnyDollar(p.b.text, b, a) {
		return Unsure
	}
	return compareCodes(a, b)
}

// isCurrencySign reports whether a text is only the sign of a currency.
func isCurrencySign(s string) bool {
	return s != "" && len(s) <= 4 && strings.Contains("€$£¥₹₩₽₺₴₪฿₫₦", s)
}

// isAnyDollar reports whether a text has a bare dollar, which may be the dollar of another country
// with the code other.
func isAnyDollar(text, code, other string) bool {
	text = strings.ToLower(text)
	return code == "USD" && other != "USD" && (strings.Contains(text, "$") || strings.Contains(text, "dollar")) && !strings.Contains(text, "us") &&
		isListed(other, " CAD AUD NZD SGD HKD TWD MXN ARS CLP COP JMD BSD BBD TTD FJD ")
}

// compareCodes returns Open if both codes are unknown, and Unsure if one is.
func compareCodes(a, b string) Outcome {
	switch {
	case a == "" && b == "":
		return Open
	case a == "" || b == "":
		return Unsure
	}
	return sameIf(a == b)
}

// minorWords end the names of arguments that count hundredths of a currency.
const minorWords = " cent cents pence penny "

// compareAmounts compares two amounts of money. The currency may stand in the value or in
// the argument beside it.
func (p *pair) compareAmounts() Outcome {
	if !p.a.hasDigit() || !p.b.hasDigit() {
		return Open
	}
	a, codeA, ok := readMoney(&p.a)
	b, codeB, ok2 := readMoney(&p.b)
	if p.ends(minorWords) && (codeA == "") != (codeB == "") {
		if codeA == "" {
			a = a.times(0.01)
		} else {
			b = b.times(0.01)
		}
	}
	switch {
	case !ok || !ok2 || codeA == "" && codeB == "":
		return Open
	case sameNumber(a, b) && (isAnyDollar(p.a.text, codeA, codeB) || isAnyDollar(p.b.text, codeB, codeA)):
		return Unsure
	case !sameNumber(a, b) && (codeA == codeB || codeA == "" || codeB == "") && (isGroupsOf(digitsOf(p.a.text), b) || isGroupsOf(digitsOf(p.b.text), a)):
		return Unsure // 1.500 is 1500 or 1.5
	case !sameNumber(a, b), codeA != codeB && codeA != "" && codeB != "":
		return Differs
	case codeA != codeB && p.ends(minorWords):
		return Same // the argument counts parts of a currency
	case codeA != codeB:
		return Unsure // the currency is missing on one side
	}
	return comparePoints(p.a.text, p.b.text)
}

// comparePoints compares the notations of two amounts that are equal if a point separates the
// fraction. The point of 1.250 may separate groups instead; beside 1,25 it does.
func comparePoints(a, b string) Outcome {
	a, _ = splitCurrency(a)
	b, _ = splitCurrency(b)
	switch {
	case a == b:
		return Same
	case isGroupedByPoint(a) && strings.Contains(b, ","), isGroupedByPoint(b) && strings.Contains(a, ","):
		return Differs
	case isGroupedByPoint(a), isGroupedByPoint(b):
		return Unsure
	}
	return Same
}

// readMoney reads an amount such as "USD 20", "$49.90" or 20 beside "currency": "USD". The
// code is "" if there is no currency. ok is false for any other value.
func readMoney(v *value) (n number, code string, ok bool) {
	number, code := splitCurrency(v.text)
	beside := units.Currency(v.other(" currency "))
	switch {
	case code == "":
		code = beside
	case beside != "" && beside != code && isBareDollar(v.text):
		code = beside // a dollar of another country
	case beside != "" && beside != code:
		return n, "", false
	}
	for _, minor := range [...]string{" cents", " cent", "¢"} {
		if cents, found := strings.CutSuffix(number, minor); found && notation.AreDigits(cents) {
			n, ok = readNumber(cents)
			return n.times(0.01), code, ok // 50 cents
		}
	}
	if pence, found := strings.CutSuffix(number, "p"); found && code == "" && notation.AreDigits(pence) {
		n, _ = readNumber(pence)
		return n.times(0.01), "GBP", true // 99p
	}
	if n, ok = v.readNumber(number); !ok && code != "" {
		n, ok = wordNumber(number)
	}
	return n, code, ok
}

// isBareDollar reports whether an amount has the sign of a dollar without the letters of a country beside it.
func isBareDollar(s string) bool {
	return strings.Contains(s, "$") && strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' }) < 0
}

// splitCurrency splits a text into its number and the code of the currency before or after
// the number.
func splitCurrency(s string) (number, code string) {
	s = strings.Replace(strings.TrimSpace(s), ",-", "", 1) // EUR 45,-
	first, last := strings.IndexAny(s, "0123456789"), strings.LastIndexAny(s, "0123456789")
	if first < 0 {
		return s, ""
	}
	before, after := strings.TrimSpace(s[:first]), strings.TrimSpace(s[last+1:])
	sign := ""
	if rest, ok := strings.CutPrefix(before, "-"); ok {
		sign, before = "-", strings.TrimSpace(rest)
	}
	if rest, ok := strings.CutSuffix(before, "-"); ok {
		sign, before = "-", strings.TrimSpace(rest)
	}
	scale := ""
	if word, rest, _ := strings.Cut(after, " "); scales()[strings.ToLower(word)] > 0 {
		scale, after = " "+word, strings.TrimSpace(rest)
	}
	switch {
	case before != "" && after == "":
		code = units.Currency(before)
	case after != "" && before == "":
		code = units.Currency(after)
	case len(before) <= 4 && len(after) == 3: // $20 USD
		code = units.Currency(after)
		if sign := units.Currency(before); sign != code && !(before == "$" && strings.HasSuffix(code, "D")) {
			code = ""
		}
	}
	if code == "" {
		return s, ""
	}
	return sign + s[first:last+1] + scale, code
}

// coreWords has words of the names of arguments that hold a number of processors.
const coreWords = " cpu core vcpu "

// compareCores compares two numbers of processors, of which one may count thousandths, such as
// 500m (Kubernetes).
func (p *pair) compareCores() Outcome {
	if !p.named(coreWords) {
		return Open
	}
	a, ok := readCores(&p.a)
	b, ok2 := readCores(&p.b)
	if !ok || !ok2 {
		return Open
	}
	return sameIf(sameNumber(a, b))
}

func readCores(v *value) (number, bool) {
	if thousandths, found := strings.CutSuffix(v.text, "m"); found && notation.AreDigits(thousandths) {
		n, ok := readNumber(thousandths)
		return n.times(1e-3), ok
	}
	return v.readNumber(v.text)
}

// digitsOf returns an amount without what stands around its digits.
func digitsOf(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}
