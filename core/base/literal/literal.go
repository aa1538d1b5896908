// Package literal writes texts as JSON, and reads the notation in which Python prints values, and the
// references to characters of XML and HTML.
package literal

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/repair"
)

// Quote returns a text as a JSON string.
func Quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // never happens: a string can always be marshalled
	}
	return string(b)
}

// Object returns a JSON object with string values. The arguments are a name, its
// value, the next name, its value, and so on.
func Object(pairs ...string) jsonval.Value {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		parts = append(parts, Quote(pairs[i])+":"+Quote(pairs[i+1]))
	}
	v, err := jsonval.Parse("{" + strings.Join(parts, ",") + "}")
	if err != nil {
		return jsonval.Value{}
	}
	return v
}

// Python parses an object or a list in Python's notation, for example {'id': 'A',
// 'ok': True}. Some tracers write this notation instead of JSON. For any other text, it
// returns Missing.
func Python(text string) jsonval.Value {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return jsonval.Value{}
	}
	r, err := repair.JSON(text)
	if err != nil {
		return jsonval.Value{}
	}
	v, err := jsonval.Parse(r.Text)
	if err != nil {
		return jsonval.Value{}
	}
	return v
}

// longestReference is the length in bytes of the longest reference to a character, without its ampersand.
const longestReference = 32

// CharacterReference reads the reference to a character, as XML and HTML have it, that stands behind an
// ampersand at the beginning of text: lt; or #65; or #x41;. char is 0 for a name other than the five of XML,
// and for a number that is no character. ok is false if no reference stands there. O(1).
func CharacterReference(text string) (name string, char rune, rest string, ok bool) {
	name, _, ok = strings.Cut(text[:min(len(text), longestReference)], ";")
	if !ok {
		return "", 0, text, false
	}
	rest = text[len(name)+1:]
	switch name {
	case "lt":
		return name, '<', rest, true
	case "gt":
		return name, '>', rest, true
	case "quot":
		return name, '"', rest, true
	case "apos":
		return name, '\'', rest, true
	case "amp":
		return name, '&', rest, true
	}
	number, isNumber := strings.CutPrefix(name, "#")
	if !isNumber {
		return name, 0, rest, true
	}
	digits, base := strings.TrimLeft(number, "xX"), 10
	if digits != number {
		base = 16
	}
	if n, err := strconv.ParseUint(digits, base, 21); err == nil && utf8.ValidRune(rune(n)) {
		char = rune(n)
	}
	return name, char, rest, true
}
