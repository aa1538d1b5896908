package provenance

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// money holds words in the names of arguments that contain an amount.
var money = [...]string{"amount", "price", "total", "cost", "fee", "payment", "refund", "balance", "charge", "deposit", "sum", "paid", "credit"}

// settings holds words in the names of arguments whose numbers the agent chooses.
var settings = [...]string{"limit", "offset", "page", "size", "timeout", "max", "min", "top", "count", "seed", "temperature", "width", "height",
	"index", "line", "lines", "start", "end", "depth", "retries", "duration", "delay", "wait", "seconds", "interval", "port", "score", "rating", "priority", "level", "step",
	"column", "row", "x", "y", "zoom", "quality", "view", "range", "coordinate", "coordinates", "position", "latitude", "longitude", "confidence", "weight"}

// chosen holds words in the names of arguments whose text the agent invents: names of
// things that it creates, and marks of its own requests.
var chosen = [...]string{"name", "branch", "title", "slug", "username", "label", "tag", "subject", "head", "base", "version", "nonce", "idempotency", "request",
	"correlation", "trace", "session", "password", "token", "prefix", "suffix", "alias", "color", "colour", "format"}

// longest is the length in bytes from which a string counts as free text.
const longest = 80

// classifyValue returns the class of an argument's value. The class also depends on key,
// the name of the argument.
func classifyValue(key string, v jsonval.Value) Class {
	switch v.Kind() {
	case jsonval.Number:
		return classifyNumber(key, v)
	case jsonval.String:
		s, _ := v.Str()
		return classifyString(key, strings.TrimSpace(s))
	}
	return Small
}

func classifyNumber(key string, v jsonval.Value) Class {
	f, _ := v.Float()
	if f < 0 {
		f = -f
	}
	switch {
	case hasWord(key, money[:]) && f > 10:
		return Money
	case f < 100 && f == float64(int64(f)) || hasWord(key, settings[:]):
		return Small
	case f == float64(int64(f)):
		return Number
	}
	return Small // a measure
}

func classifyString(key, s string) Class {
	if s != "" && hasWord(key, chosen[:]) && !hasWord(key, []string{"id"}) {
		return Word
	}
	if c, ok := classifyDigits(key, s); ok {
		return c
	}
	digits, letters := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			letters++
		case c == ' ' || c == '\n' || c == '\t' || c == '(' || c == '{' || c == '<' || c == '=' || c == ',' || c == '$' && letters > 0:
			return Free
		}
	}
	switch {
	case s == "":
		return Small
	case len(s) > longest || strings.ContainsAny(s, "、。，！？") || strings.Contains(s, "/") || strings.Contains(s, `\`) || fileLike(s):
		if _, ok := readDate(s); ok {
			return Date
		}
		return Free
	case digits == 0 && strings.Contains(s, "@"):
		return ID
	case digits == 0:
		return Word
	}
	if _, ok := readDate(s); ok {
		return Date
	}
	if isUnitNumber(s) || strings.Contains(s, ":") || digits < 2 && !strings.Contains(s, "@") || len(s) < 4 || isColor(s) || isVersion(s) {
		return Word
	}
	return ID
}

// classifyDigits returns the class of a text of digits, which may have a currency sign,
// commas and a point. ok is false for any other text.
func classifyDigits(key, s string) (c Class, ok bool) {
	n := strings.TrimLeft(s, "$€£")
	digits := len(n) - strings.Count(n, ".") - strings.Count(n, ",")
	switch {
	case digits == 0 || strings.Trim(n, "0123456789.,") != "" || strings.Count(n, ".") > 1:
		return 0, false
	case n != s || hasWord(key, money[:]) && digits > 1:
		return Money, true
	case digits >= 4 && digits == len(n) && !hasWord(key, settings[:]):
		return ID, true
	}
	return Small, true
}

// fileLike reports whether a text ends like the name of a file, for example main_2.go or
// v2.csv.
func fileLike(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i <= 0 || len(s)-i > 6 || i == len(s)-1 || strings.Contains(s, "@") {
		return false
	}
	for _, c := range s[i+1:] {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// isUnitNumber reports whether a text is a number with a short unit, for example 64GB,
// 12px or 1.5h.
func isUnitNumber(s string) bool {
	rest := strings.TrimLeft(s, "0123456789.")
	return rest != s && len(rest) <= 3 && strings.Trim(rest, "0123456789") == rest
}

// isColor reports whether a text is a colour in the notation of web pages, for example
// #1a2b3c.
func isColor(s string) bool {
	return s[0] == '#' && (len(s) == 7 || len(s) == 4) && strings.Trim(strings.ToLower(s[1:]), "0123456789abcdef") == ""
}

// isVersion reports whether a text is a version or a network address, for example v1.2.3
// or 10.0.0.1.
func isVersion(s string) bool {
	return strings.Trim(strings.TrimPrefix(s, "v"), "0123456789.-rcab") == "" && strings.Contains(s, ".")
}

// hasWord reports whether a name in snake_case or camelCase contains one of the given
// words.
func hasWord(name string, words []string) bool {
	start := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '_' && name[i] != '-' && name[i] != '.' && name[i] != ' ' && (i == 0 || name[i] < 'A' || name[i] > 'Z') {
			continue
		}
		for _, w := range words {
			if strings.EqualFold(name[start:i], w) {
				return true
			}
		}
		start = i
		if i < len(name) && (name[i] < 'A' || name[i] > 'Z') {
			start++
		}
	}
	return false
}
