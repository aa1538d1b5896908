// Package units knows the units of measure, of data, of time and of money by their notations.
package units

import (
	"math"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/codes"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// Unit is a unit of measure: the dimension that it measures, and its size in the base unit
// of the dimension.
type Unit struct {
	Dimension string
	Size      float64
}

// Count is the dimension of a number of things. It may stand without its unit.
const Count = "count"

// measures has the units by their notations in lower case. Notations whose letter case has a
// meaning are in cased.
var measures = sync.OnceValue(func() map[string]Unit {
	return map[string]Unit{
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
		"pc": {Count, 1}, "piece": {Count, 1}, "item": {Count, 1},
		"byte": {"data", 1}, "kilobyte": {"data", 1000}, "megabyte": {"data", 1000000}, "gigabyte": {"data", 1000000000}, "terabyte": {"data", 1000000000000},
		"kib": {"data", 1024}, "mib": {"data", 1048576}, "gib": {"data", 1073741824}, "tib": {"data", 1099511627776}, "bit": {"data", .125},
	}
})

// cased has the notations of units whose letter case has a meaning.
var cased = sync.OnceValue(func() map[string]Unit {
	return map[string]Unit{
		"m": {"length", 1}, "t": {"mass", 1000000}, "W": {"power", 1}, "kW": {"power", 1000}, "MW": {"power", 1000000},
		"Hz": {"frequency", 1}, "kHz": {"frequency", 1000}, "MHz": {"frequency", 1000000}, "GHz": {"frequency", 1000000000},
		"B": {"data", 1}, "kB": {"data", 1000}, "KB": {"data", 1000}, "MB": {"data", 1000000}, "GB": {"data", 1000000000}, "TB": {"data", 1000000000000},
		"Ki": {"data", 1024}, "Mi": {"data", 1048576}, "Gi": {"data", 1073741824}, "Ti": {"data", 1099511627776}, "K": {"kelvin", 1}, "C": {"celsius", 1}, "F": {"fahrenheit", 1}, "MWh": {"energy", 1e6}, "V": {"voltage", 1}, "mV": {"voltage", 1e-3}, "kV": {"voltage", 1000}, "A": {"current", 1}, "mA": {"current", 1e-3},
		"mW": {"power", 1e-3}, "mWh": {"energy", 1e-3},
	}
})

// Of returns the unit with a notation, in the singular or the plural.
func Of(s string) (Unit, bool) {
	if u, ok := cased()[s]; ok {
		return u, true
	}
	if u, ok := dataUnit(s); ok {
		return u, true
	}
	if len(s) == 1 && s != strings.ToLower(s) || len(s) == 2 && s[0] == 'M' && s[1] >= 'a' {
		return Unit{}, false // 5 G are no grams, and 5 Mg no milligrams
	}
	s = strings.ToLower(s)
	if u, ok := measures()[s]; ok {
		return u, true
	}
	if u, ok := measures()[strings.TrimSuffix(s, "s")]; ok {
		return u, true
	}
	u, ok := measures()[aroundUnits.Replace(s)]
	return u, ok
}

// dataPrefixes has the letters of the prefixes of units of data, in lower case and in the order of their powers.
const dataPrefixes = "kmgtp"

// dataUnit reads an amount of data or its rate by the letters of its notation: b or bit for bits, B for bytes, such as
// Mb, GBps, kbit/s and MiB. It returns false for other texts, and if letter case leaves open which it is. A rate
// written with bps in small letters counts bits.
func dataUnit(s string) (u Unit, ok bool) {
	rest, isRate := s, false
	for _, end := range [...]string{"ps", "/s", "/sec", "/second"} {
		if cut, ok := strings.CutSuffix(rest, end); ok {
			rest, isRate = cut, true
			break
		}
	}
	if short, ok := strings.CutSuffix(strings.TrimSuffix(rest, "s"), "bit"); ok && len(short) < 3 {
		rest = short + "b"
	}
	rest, isByte := strings.CutSuffix(rest, "B")
	if !isByte {
		if rest, ok = strings.CutSuffix(rest, "b"); !ok {
			return u, false
		}
	}
	base, letter := 1000.0, rest
	if cut, ok := strings.CutSuffix(rest, "i"); ok {
		base, letter = 1024, cut
	}
	power := strings.Index(dataPrefixes, strings.ToLower(letter)) + 1
	switch {
	case len(letter) > 1 || letter != "" && power == 0 || letter == "" && (rest != "" || !isRate):
		return u, false // B and b alone are in the tables
	case letter == "":
		power = 0
	case !isByte && letter == strings.ToLower(letter) && !strings.Contains(s, "bit") && !strings.HasSuffix(s, "bps") && !(isRate && letter == "k"):
		return u, false // mb may be megabytes
	}
	u = Unit{"data", math.Pow(base, float64(power))}
	if !isByte {
		u.Size /= 8
	}
	if isRate {
		u.Dimension = "data/time"
	}
	return u, true
}

// prefixes has the prefixes of the International System of Units, as signs and as words.
var prefixes = [...]struct {
	sign, word string
	factor     float64
}{{"µ", "micro", 1e-6}, {"μ", "micro", 1e-6}, {"u", "micro", 1e-6}, {"n", "nano", 1e-9}, {"p", "pico", 1e-12}, {"m", "milli", 1e-3}, {"c", "centi", 1e-2}, {"d", "deci", 0.1},
	{"da", "deca", 10}, {"h", "hecto", 100}, {"k", "kilo", 1e3}, {"M", "mega", 1e6}, {"G", "giga", 1e9}, {"T", "tera", 1e12}}

// metric has the units that take a prefix, by their signs and their English names.
var metric = sync.OnceValue(func() map[string]Unit {
	return map[string]Unit{
		"g": {"mass", 1}, "gram": {"mass", 1}, "m": {"length", 1}, "meter": {"length", 1}, "metre": {"length", 1}, "L": {"volume", 1}, "l": {"volume", 1}, "liter": {"volume", 1}, "litre": {"volume", 1},
		"mol": {"amount", 1}, "mole": {"amount", 1}, "Hz": {"frequency", 1}, "hertz": {"frequency", 1}, "W": {"power", 1}, "watt": {"power", 1}, "Wh": {"energy", 1}, "J": {"joule", 1}, "joule": {"joule", 1},
		"V": {"voltage", 1}, "volt": {"voltage", 1}, "A": {"current", 1}, "amp": {"current", 1}, "ampere": {"current", 1}, "Ah": {"charge", 1}, "N": {"force", 1}, "newton": {"force", 1}, "Nm": {"torque", 1},
		"Pa": {"pressure", 1}, "pascal": {"pressure", 1}, "Ω": {"resistance", 1}, "\u2126": {"resistance", 1}, "ohm": {"resistance", 1}, "farad": {"capacitance", 1}, "H": {"inductance", 1}, "henry": {"inductance", 1},
		"T": {"field", 1}, "tesla": {"field", 1}, "Sv": {"dose", 1}, "sievert": {"dose", 1}, "Gy": {"absorbed dose", 1}, "gray": {"absorbed dose", 1}, "Bq": {"activity", 1}, "lx": {"light", 1}, "lux": {"light", 1},
		"lm": {"luminous flux", 1}, "lumen": {"luminous flux", 1}, "IU": {"international unit", 1}, "eV": {"electronvolt", 1}, "cal": {"heat", 0.004184}, "s": {"time", 1}, "sec": {"time", 1}, "second": {"time", 1},
	}
})

// metricUnit reads a metric unit with a prefix or without one, such as mmol and kilohertz.
func metricUnit(s string) (Unit, bool) {
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
					u.Size *= prefix.factor
					return u, true
				}
			}
		}
	}
	return Unit{}, false
}

// Measure returns the unit with a notation. It may be the quotient of two units, such as
// mg/dL and "liters per minute".
func Measure(s string) (Unit, bool) {
	if u, ok := Of(s); ok {
		return u, true
	}
	if len(s) > 40 {
		return Unit{}, false
	}
	s = strings.ReplaceAll(strings.NewReplacer("·", "", "*", "", " per ", "/").Replace(s), " ", "")
	if u, ok := metricUnit(s); ok {
		return u, true
	}
	above, below, ok := strings.Cut(s, "/")
	if !ok || above == "" || below == "" || strings.Contains(below, "/") {
		return Unit{}, false
	}
	u, ok := Measure(above)
	if n := Span(strings.ToLower(below)); ok && n > 0 {
		if u.Dimension == "length" {
			u.Dimension = "speed"
		} else {
			u.Dimension += "/time"
		}
		u.Size /= n
		return u, true
	}
	v, ok2 := Measure(below)
	return Unit{u.Dimension + "/" + v.Dimension, u.Size / max(v.Size, 1e-30)}, ok && ok2
}

// aroundUnits writes the words around a unit as signs.
var aroundUnits = strings.NewReplacer(" per hour", "/h", " per second", "/s", "degrees ", "", "degree ", "", "deg c", "°c", "deg f", "°f")

// spans has the units of time, each with its length in seconds.
var spans = sync.OnceValue(func() map[string]float64 {
	return map[string]float64{"ms": .001, "millisecond": .001, "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86400, "day": 86400, "w": 604800, "week": 604800, "fortnight": 1209600}
})

// Span returns the length in seconds of a unit of time in lower case, in the singular or the plural, or 0.
func Span(word string) float64 {
	if n := spans()[word]; n != 0 {
		return n
	}
	return spans()[strings.TrimSuffix(word, "s")]
}

// currencyCodes has the codes of ISO 4217, with a space on both sides of each.
var currencyCodes = sync.OnceValue(func() string { return " " + strings.Join(codes.Rows("currencies"), " ") + " " })

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

// Currency returns the code of a currency, or "" for any other text. A code counts in any
// letter case.
func Currency(s string) string {
	s = strings.TrimSpace(s)
	if code := symbols()[s]; code != "" {
		return code
	}
	if upper := strings.ToUpper(s); len(s) == 3 && wordlist.Contains(currencyCodes(), upper) {
		return upper
	}
	return currencyNames()[strings.TrimSuffix(strings.ToLower(s), "s")]
}
