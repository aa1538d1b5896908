package kind

import (
	"math"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/action/notation"
)

// unit is a unit of measure: the dimension that it measures, and its size in the base unit
// of the dimension.
type unit struct {
	dimension string
	size      float64
}

// count is the dimension of a number of things. It may stand without its unit.
const count = "count"

// units has the units by their notations in lower case. Notations whose letter case has a
// meaning are in cased.
var units = sync.OnceValue(func() map[string]unit {
	return map[string]unit{
		"mg": {"mass", 1e-3}, "µg": {"mass", 1e-6}, "μg": {"mass", 1e-6}, "ug": {"mass", 1e-6}, "mcg": {"mass", 1e-6}, "microgram": {"mass", 1e-6}, "milligram": {"mass", 1e-3}, "g": {"mass", 1}, "gram": {"mass", 1}, "kg": {"mass", 1000}, "kilogram": {"mass", 1000}, "kilo": {"mass", 1000},
		"tonne": {"mass", 1000000}, "lb": {"mass", 453.59237}, "pound": {"mass", 453.59237}, "oz": {"mass", 28.349523125}, "ounce": {"mass", 28.349523125},
		"mm": {"length", 1e-3}, "millimeter": {"length", 1e-3}, "millimetre": {"length", 1e-3}, "cm": {"length", 0.01}, "centimeter": {"length", 0.01}, "centimetre": {"length", 0.01},
		"meter": {"length", 1}, "metre": {"length", 1}, "km": {"length", 1000}, "kilometer": {"length", 1000}, "kilometre": {"length", 1000},
		"in": {"length", 0.0254}, "inch": {"length", 0.0254}, "inche": {"length", 0.0254}, "ft": {"length", 0.3048}, "foot": {"length", 0.3048}, "feet": {"length", 0.3048},
		"yd": {"length", 0.9144}, "yard": {"length", 0.9144}, "mi": {"length", 1609.344}, "mile": {"length", 1609.344},
		"ml": {"volume", 1e-3}, "milliliter": {"volume", 1e-3}, "millilitre": {"volume", 1e-3}, "cl": {"volume", 0.01}, "l": {"volume", 1}, "liter": {"volume", 1}, "litre": {"volume", 1},
		"°c": {"celsius", 1}, "celsius": {"celsius", 1}, "°f": {"fahrenheit", 1}, "fahrenheit": {"fahrenheit", 1},
		"kph": {"speed", 1 / 3.6}, "km/h": {"speed", 1 / 3.6}, "kmh": {"speed", 1 / 3.6}, "kmph": {"speed", 1 / 3.6}, "kilometer per hour": {"speed", 1 / 3.6}, "kilometers per hour": {"speed", 1 / 3.6}, "kilometres per hour": {"speed", 1 / 3.6},
		"mph": {"speed", 0.44704}, "mi/h": {"speed", 0.44704}, "miles per hour": {"speed", 0.44704}, "m/s": {"speed", 1}, "meters per second": {"speed", 1}, "metres per second": {"speed", 1}, "knot": {"speed", 1852.0 / 3600}, "kn": {"speed", 1852.0 / 3600}, "kt": {"speed", 1852.0 / 3600},
		"m²": {"area", 1}, "m2": {"area", 1}, "sqm": {"area", 1}, "square meter": {"area", 1}, "square metre": {"area", 1}, "km²": {"area", 1e6}, "km2": {"area", 1e6}, "sqkm": {"area", 1e6}, "square kilometer": {"area", 1e6}, "square kilometre": {"area", 1e6},
		"ha": {"area", 1e4}, "hectare": {"area", 1e4}, "acre": {"area", 4046.8564224}, "ft²": {"area", 0.09290304}, "ft2": {"area", 0.09290304}, "sqft": {"area", 0.09290304}, "sq ft": {"area", 0.09290304}, "square feet": {"area", 0.09290304}, "square foot": {"area", 0.09290304},
		"m³": {"volume", 1000}, "m3": {"volume", 1000}, "cubic meter": {"volume", 1000}, "cubic metre": {"volume", 1000}, "gal": {"gallon", 1}, "gallon": {"gallon", 1}, "tbsp": {"tablespoon", 1}, "tablespoon": {"tablespoon", 1}, "tsp": {"teaspoon", 1}, "teaspoon": {"teaspoon", 1}, "cup": {"cup", 1}, "pint": {"pint", 1}, "fl oz": {"fluid_ounce", 1}, "fluid ounce": {"fluid_ounce", 1},
		"pa": {"pressure", 1}, "pascal": {"pressure", 1}, "hpa": {"pressure", 100}, "mbar": {"pressure", 100}, "kpa": {"pressure", 1000}, "bar": {"pressure", 1e5}, "psi": {"pressure", 6894.757293168},
		"wh": {"energy", 1}, "kwh": {"energy", 1000}, "kilowatt hour": {"energy", 1000}, "kj": {"heat", 1}, "kilojoule": {"heat", 1}, "kcal": {"heat", 4.184}, "kilocalorie": {"heat", 4.184},
		"°": {"angle", 1}, "deg": {"angle", 1}, "degree": {"angle", 1}, "rad": {"radian", 1}, "radian": {"radian", 1}, "rpm": {"rotation", 1}, "px": {"pixel", 1}, "pixel": {"pixel", 1}, "%": {"percent", 1}, "percent": {"percent", 1},
		"watt": {"power", 1}, "kilowatt": {"power", 1000}, "volt": {"voltage", 1}, "amp": {"current", 1}, "ampere": {"current", 1},
		"kbps": {"bit rate", 1e3}, "kbit/s": {"bit rate", 1e3}, "mbps": {"bit rate", 1e6}, "mbit/s": {"bit rate", 1e6}, "gbps": {"bit rate", 1e9}, "gbit/s": {"bit rate", 1e9},
		"pc": {count, 1}, "piece": {count, 1}, "item": {count, 1},
		"byte": {"data", 1}, "kilobyte": {"data", 1000}, "megabyte": {"data", 1000000}, "gigabyte": {"data", 1000000000}, "terabyte": {"data", 1000000000000},
		"kib": {"data", 1024}, "mib": {"data", 1048576}, "gib": {"data", 1073741824}, "tib": {"data", 1099511627776},
	}
})

// cased has the notations of units whose letter case has a meaning.
var cased = sync.OnceValue(func() map[string]unit {
	return map[string]unit{
		"m": {"length", 1}, "t": {"mass", 1000000}, "W": {"power", 1}, "kW": {"power", 1000}, "MW": {"power", 1000000},
		"Hz": {"frequency", 1}, "kHz": {"frequency", 1000}, "MHz": {"frequency", 1000000}, "GHz": {"frequency", 1000000000},
		"B": {"data", 1}, "kB": {"data", 1000}, "KB": {"data", 1000}, "MB": {"data", 1000000}, "GB": {"data", 1000000000}, "TB": {"data", 1000000000000},
		"Ki": {"data", 1024}, "Mi": {"data", 1048576}, "Gi": {"data", 1073741824}, "Ti": {"data", 1099511627776}, "K": {"kelvin", 1}, "C": {"celsius", 1}, "F": {"fahrenheit", 1}, "MWh": {"energy", 1e6}, "V": {"voltage", 1}, "mV": {"voltage", 1e-3}, "kV": {"voltage", 1000}, "A": {"current", 1}, "mA": {"current", 1e-3},
		"kB/s": {"byte rate", 1e3}, "MB/s": {"byte rate", 1e6}, "GB/s": {"byte rate", 1e9}, "kb/s": {"bit rate", 1e3}, "Mb/s": {"bit rate", 1e6}, "Gb/s": {"bit rate", 1e9}, "mW": {"power", 1e-3}, "mWh": {"energy", 1e-3},
	}
})

// unitOf returns the unit with a notation, in the singular or the plural.
func unitOf(s string) (unit, bool) {
	if u, ok := cased()[s]; ok {
		return u, true
	}
	if len(s) == 1 && s != strings.ToLower(s) || len(s) == 2 && s[0] == 'M' && s[1] >= 'a' {
		return unit{}, false // 5 G are no grams, and 5 Mg no milligrams
	}
	s = strings.ToLower(s)
	if u, ok := units()[s]; ok {
		return u, true
	}
	if u, ok := units()[strings.TrimSuffix(s, "s")]; ok {
		return u, true
	}
	u, ok := units()[aroundUnits.Replace(s)]
	return u, ok
}

// prefixes has the prefixes of the International System of Units, as signs and as words.
var prefixes = [...]struct {
	sign, word string
	factor     float64
}{{"µ", "micro", 1e-6}, {"μ", "micro", 1e-6}, {"u", "micro", 1e-6}, {"n", "nano", 1e-9}, {"p", "pico", 1e-12}, {"m", "milli", 1e-3}, {"c", "centi", 1e-2}, {"d", "deci", 0.1},
	{"da", "deca", 10}, {"h", "hecto", 100}, {"k", "kilo", 1e3}, {"M", "mega", 1e6}, {"G", "giga", 1e9}, {"T", "tera", 1e12}}

// metric has the units that take a prefix, by their signs and their English names.
var metric = sync.OnceValue(func() map[string]unit {
	return map[string]unit{
		"g": {"mass", 1}, "gram": {"mass", 1}, "m": {"length", 1}, "meter": {"length", 1}, "metre": {"length", 1}, "L": {"volume", 1}, "l": {"volume", 1}, "liter": {"volume", 1}, "litre": {"volume", 1},
		"mol": {"amount", 1}, "mole": {"amount", 1}, "Hz": {"frequency", 1}, "hertz": {"frequency", 1}, "W": {"power", 1}, "watt": {"power", 1}, "Wh": {"energy", 1}, "J": {"joule", 1}, "joule": {"joule", 1},
		"V": {"voltage", 1}, "volt": {"voltage", 1}, "A": {"current", 1}, "amp": {"current", 1}, "ampere": {"current", 1}, "Ah": {"charge", 1}, "N": {"force", 1}, "newton": {"force", 1}, "Nm": {"torque", 1},
		"Pa": {"pressure", 1}, "pascal": {"pressure", 1}, "Ω": {"resistance", 1}, "\u2126": {"resistance", 1}, "ohm": {"resistance", 1}, "farad": {"capacitance", 1}, "H": {"inductance", 1}, "henry": {"inductance", 1},
		"T": {"field", 1}, "tesla": {"field", 1}, "Sv": {"dose", 1}, "sievert": {"dose", 1}, "Gy": {"absorbed dose", 1}, "gray": {"absorbed dose", 1}, "Bq": {"activity", 1}, "lx": {"light", 1}, "lux": {"light", 1},
		"lm": {"luminous flux", 1}, "lumen": {"luminous flux", 1}, "IU": {"international unit", 1}, "bit": {"bits", 1}, "eV": {"electronvolt", 1}, "cal": {"heat", 0.004184}, "s": {"time", 1}, "sec": {"time", 1}, "second": {"time", 1},
	}
})

// metricUnit reads a metric unit with a prefix or without one, such as mmol and kilohertz.
func metricUnit(s string) (unit, bool) {
	if plain := strings.TrimSuffix(s, "s"); plain != s && len(plain) > 2 {
		if u, ok := metricUnit(plain); ok {
			return u, true
		}
	}
	if u, ok := metric()[s]; ok {
		return u, true
	}
	if rest, ok := strings.CutSuffix(s, "F"); ok && rest != "" { // a farad has a prefix, and F alone is a temperature
		s = rest + "farad"
	}
	for _, prefix := range prefixes {
		for _, sign := range [...]string{prefix.sign, prefix.word} {
			if rest, ok := strings.CutPrefix(s, sign); ok {
				if u, ok := metric()[rest]; ok {
					u.size *= prefix.factor
					return u, true
				}
			}
		}
	}
	return unit{}, false
}

// measureOf returns the unit with a notation. It may be the quotient of two units, such as
// mg/dL and "liters per minute".
func measureOf(s string) (unit, bool) {
	if u, ok := unitOf(s); ok {
		return u, true
	}
	if len(s) > 40 {
		return unit{}, false
	}
	s = strings.ReplaceAll(strings.NewReplacer("·", "", "*", "", " per ", "/").Replace(s), " ", "")
	if u, ok := metricUnit(s); ok {
		return u, true
	}
	above, below, ok := strings.Cut(s, "/")
	if !ok || above == "" || below == "" || strings.Contains(below, "/") {
		return unit{}, false
	}
	u, ok := measureOf(above)
	if n := spanOf(strings.ToLower(below)); ok && n > 0 {
		if u.dimension == "length" {
			u.dimension = "speed"
		} else {
			u.dimension += "/time"
		}
		u.size /= n
		return u, true
	}
	v, ok2 := measureOf(below)
	return unit{u.dimension + "/" + v.dimension, u.size / max(v.size, 1e-30)}, ok && ok2
}

// feetMarks writes the signs of feet and inches as words.
var feetMarks = strings.NewReplacer("'", " ft ", "′", " ft ", "\"", " in ", "″", " in ")

// compoundQuantity reads a sum of quantities with one dimension, such as 5 ft 11 in, in the base
// unit of the dimension.
func compoundQuantity(s string) (n number, u unit, ok bool) {
	words := strings.Fields(feetMarks.Replace(s))
	if len(words) < 2 || len(words) > 6 || len(words)%2 != 0 {
		return n, u, false
	}
	for i := 0; i < len(words); i += 2 {
		part, ok := readNumber(words[i])
		of, known := unitOf(words[i+1])
		if !ok || !known || i > 0 && of.dimension != u.dimension {
			return n, u, false
		}
		n.approx += float64(part.approx * of.size)
		u = unit{of.dimension, 1}
	}
	return n, u, true
}

// aroundUnits writes the words around a unit as signs.
var aroundUnits = strings.NewReplacer(" per hour", "/h", " per second", "/s", "degrees ", "", "degree ", "", "deg c", "°c", "deg f", "°f")

// compareQuantities compares two numbers with units. A unit may stand in the value, in the
// argument beside it, or at the end of the argument's name.
func (p *pair) compareQuantities() Outcome {
	if !p.a.hasDigit() || !p.b.hasDigit() {
		return Open
	}
	a, unitA, ok := p.readQuantity(&p.a)
	b, unitB, ok2 := p.readQuantity(&p.b)
	switch {
	case !ok || !ok2 || unitA == (unit{}) && unitB == (unit{}):
		return Open
	case unitA == (unit{}) || unitB == (unit{}):
		switch bytes := a.times(max(unitA.size, unitB.size)); {
		case unitA.dimension+unitB.dimension == "data" && b.approx >= 1024 && unitB == (unit{}) && sameNumber(bytes, b),
			unitA.dimension+unitB.dimension == "data" && a.approx >= 1024 && unitA == (unit{}) && sameNumber(a, b.times(unitB.size)):
			return Same // so many bytes
		case !sameNumber(a, b):
			return Differs
		case unitA.dimension == count || unitB.dimension == count:
			return Same
		}
		return Unsure // the unit is missing on one side
	case isScale(unitA) && isScale(unitB) && unitA != unitB:
		return sameTemperature(toCelsius(a, unitA), toCelsius(b, unitB))
	case isOpenVolume(unitA) != isOpenVolume(unitB) && (unitA.dimension == "volume" || unitB.dimension == "volume"):
		return Likely
	case unitA.dimension != unitB.dimension:
		return Differs
	}
	x, y := a.times(unitA.size), b.times(unitB.size)
	if !sameNumber(x, y) && unitA != unitB && x.approx > 0 && y.approx > 0 && max(x.approx, y.approx) < 1.11*min(x.approx, y.approx) {
		return Likely // rounded, or a unit of 1024 parts
	}
	return sameIf(sameNumber(x, y))
}

// isOpenVolume reports whether the size of a unit of volume depends on the country.
func isOpenVolume(u unit) bool {
	return isListed(u.dimension, " gallon tablespoon teaspoon cup pint fluid_ounce ")
}

// isScale reports whether a unit is a scale of temperatures.
func isScale(u unit) bool { return isListed(u.dimension, " celsius fahrenheit kelvin ") }

// toCelsius returns a temperature in degrees Celsius.
func toCelsius(n number, scale unit) number {
	switch scale.dimension {
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

func (p *pair) readQuantity(v *value) (n number, u unit, ok bool) {
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
			if _, found := unitOf(last); found {
				name = last
			}
		}
	}
	if name != "" {
		if u, ok = measureOf(name); !ok {
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

// symbols has the signs of currencies that stand for one currency.
var symbols = sync.OnceValue(func() map[string]string {
	return map[string]string{"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₫": "VND", "zł": "PLN", "US$": "USD", "A$": "AUD", "C$": "CAD", "R$": "BRL", "$": "USD"}
})

// currencyNames has names of currencies in lower case, in the singular.
var currencyNames = sync.OnceValue(func() map[string]string {
	return map[string]string{"euro": "EUR", "dollar": "USD", "us dollar": "USD", "pound sterling": "GBP", "british pound": "GBP", "sterling": "GBP", "yen": "JPY", "japanese yen": "JPY", "swiss franc": "CHF",
		"indian rupee": "INR", "yuan": "CNY", "renminbi": "CNY", "chinese yuan": "CNY", "canadian dollar": "CAD", "australian dollar": "AUD", "swedish krona": "SEK", "norwegian krone": "NOK", "danish krone": "DKK", "zloty": "PLN", "złoty": "PLN",
		"brazilian real": "BRL", "mexican peso": "MXN", "south african rand": "ZAR", "new zealand dollar": "NZD", "singapore dollar": "SGD", "hong kong dollar": "HKD", "turkish lira": "TRY", "korean won": "KRW"}
})

// currencyOf returns the code of a currency, or "" for any other text. A code counts in any
// letter case.
func currencyOf(s string) string {
	s = strings.TrimSpace(s)
	if code := symbols()[s]; code != "" {
		return code
	}
	if upper := strings.ToUpper(s); len(s) == 3 && isListed(upper, currencyCodes()) {
		return upper
	}
	return currencyNames()[strings.TrimSuffix(strings.ToLower(s), "s")]
}

// compareCurrencies compares two currencies by their codes (ISO 4217).
func (p *pair) compareCurrencies() Outcome {
	if !p.named(" currency ") && !isCurrencySign(p.a.text) && !isCurrencySign(p.b.text) {
		return Open
	}
	a, b := currencyOf(p.a.text), currencyOf(p.b.text)
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
	beside := currencyOf(v.other(" currency "))
	switch {
	case code == "":
		code = beside
	case beside != "" && beside != code && strings.Contains(v.text, "$"):
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
		code = currencyOf(before)
	case after != "" && before == "":
		code = currencyOf(after)
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
