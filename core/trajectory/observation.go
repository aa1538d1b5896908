package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// errorOpenings are how tools that answer in prose say that they refused.
var errorOpenings = [...]string{"error", "exception", "traceback (most recent call last)", "fatal:"}

// errorText tells whether an observation without a flag of its own is an error:
// it opens with an error word, or is a JSON object that says so. Used where a
// format has no error flag; a flag always wins.
func errorText(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if text[0] == '{' {
		return errorObject(text)
	}
	for _, opening := range errorOpenings {
		if n := len(opening); len(text) >= n && strings.EqualFold(text[:n], opening) && ends(text[n:]) {
			return true
		}
	}
	return false
}

// ends tells whether an error word stops here: "Error: x", "Error (404)",
// "Error executing tool", but not "errors found: 0" or "error_rate 0.1".
func ends(rest string) bool {
	return rest == "" || strings.IndexByte(": .([-\n", rest[0]) >= 0
}

func errorObject(text string) bool {
	v, err := jsonval.Parse(text)
	if err != nil {
		return false
	}
	failed := false
	v.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "error", "isError", "is_error":
			b, isBool := m.Bool()
			failed = b || (!isBool && m.Kind() != jsonval.Null && m.Text() != "" && m.Raw() != "{}" && m.Raw() != "[]" && m.Raw() != "0")
		case "success", "ok":
			b, isBool := m.Bool()
			failed = isBool && !b
		case "status":
			failed = strings.EqualFold(m.Text(), "error") || strings.EqualFold(m.Text(), "failed")
		}
		return !failed
	})
	return failed
}
