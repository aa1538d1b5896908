package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// flag is the value of a format's own error flag; unsaid if the format has none, or the
// flag is absent.
type flag uint8

const (
	unsaid flag = iota
	fine
	failed
)

// observe returns an observation. The flag decides whether it is an error; without a flag
// the text does.
func observe(text string, f flag) Observation {
	return Observation{Text: text, Error: f == failed || f == unsaid && errorText(text)}
}

// errorFlag reads a member that is true or holds an error if a call failed.
func errorFlag(v jsonval.Value) flag {
	if b, ok := v.Bool(); ok {
		return either(b, failed, fine)
	}
	if v.Exists() && v.Kind() != jsonval.Null && v.Text() != "" {
		return failed
	}
	return unsaid
}

// successFlag reads a member that is true if a call worked.
func successFlag(v jsonval.Value) flag {
	b, ok := v.Bool()
	return either(!ok, unsaid, either(b, fine, failed))
}

// statusFlag reads a status word.
func statusFlag(v jsonval.Value) flag {
	word := strings.ToLower(v.Text())
	switch {
	case oneOf(word, "error failed failure denied rejected cancelled canceled output-error output-denied timeout incomplete"):
		return failed
	case oneOf(word, "success succeeded completed complete ok output-available"):
		return fine
	}
	return unsaid
}

// exitFlag reads an exit code.
func exitFlag(v jsonval.Value) flag {
	n, ok := v.Int()
	return either(!ok, unsaid, either(n == 0, fine, failed))
}

// strictest returns failed if one of the flags is failed, else fine if one is fine.
func strictest(flags ...flag) flag {
	out := unsaid
	for _, f := range flags {
		out = max(out, f)
	}
	return out
}

func either[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}

// errorOpenings holds the beginnings of texts with which tools report a failure.
var errorOpenings = [...]string{"error", "exception", "traceback (most recent call last)", "fatal:"}

// errorText reports whether an observation without a flag of its own is an error: it
// begins with an error word, or is a JSON object that reports an error. It serves formats
// without an error flag; a flag always wins.
func errorText(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if text[0] == '{' {
		return mayFail(text) && errorObject(text)
	}
	if f := exitStatus(text); f != unsaid {
		return f == failed
	}
	if frameworkError(text) {
		return true
	}
	for _, opening := range errorOpenings {
		if n := len(opening); len(text) >= n && strings.EqualFold(text[:n], opening) && ends(text[n:]) {
			return true
		}
	}
	return false
}

// ends reports whether an error word ends before rest: "Error: x", "Error (404)", "Error
// executing tool", but not "errors found: 0" or "error_rate 0.1".
func ends(rest string) bool {
	return rest == "" || strings.IndexByte(": .([-\n", rest[0]) >= 0
}

// mayFail reports whether a JSON text contains any word that errorObject looks for, so
// that most results are never parsed. It scans the text once and compares the words that
// end at a quote.
func mayFail(text string) bool {
	for i := 0; ; i++ {
		at := strings.IndexByte(text[i:], '"')
		if at < 0 {
			return false
		}
		if i += at; i < 2 {
			continue
		}
		switch text[i-2 : i] {
		case "or", "OR", "ed", "ED", "ss", "ok":
			for _, word := range [...]string{"rror", "ailed", "RROR", "AILED", "uccess", "ok"} {
				if strings.HasSuffix(text[:i], word) {
					return true
				}
			}
		}
	}
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
		case "code":
			failed = failureCode(m.Text())
		}
		return !failed
	})
	return failed
}

// failureCode reports whether a code in capitals names a failure: TOOL_EXECUTION_FAILED.
func failureCode(code string) bool {
	return (strings.HasSuffix(code, "_FAILED") || strings.HasSuffix(code, "_ERROR")) && code == strings.ToUpper(code)
}
