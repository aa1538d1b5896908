// Package literal writes texts as JSON, and reads the notation in which Python prints values.
package literal

import (
	"encoding/json"
	"strings"

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
