package trajectory

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/repair"
)

// quoteJSON returns a text as a JSON string.
func quoteJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // never happens: a string can always be marshalled
	}
	return string(b)
}

// objectFromPairs returns a JSON object with string values. The arguments are a name, its
// value, the next name, its value, and so on.
func objectFromPairs(pairs ...string) jsonval.Value {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		parts = append(parts, quoteJSON(pairs[i])+":"+quoteJSON(pairs[i+1]))
	}
	v, err := jsonval.Parse("{" + strings.Join(parts, ",") + "}")
	if err != nil {
		return jsonval.Value{}
	}
	return v
}

func countLines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// parsePython parses an object or a list in Python's notation, for example {'id': 'A',
// 'ok': True}. Some tracers write this notation instead of JSON. For any other text, it
// returns Missing.
func parsePython(text string) jsonval.Value {
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
