package machine

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// This file compares values of two calls. Each of the two functions errs to the strict
// side: exactValue says that two values are the same only if they surely are, and
// countedValue that they differ only if they surely do.

// plainValue returns the value at a path, and its text. one is false if the path does not
// surely have one plain value: it is absent, null, empty, a list or an object, it has
// characters that show nothing, or another member has nearly the same name.
func plainValue(arguments jsonval.Value, p *path.Path) (v jsonval.Value, text string, one bool) {
	place, one := match.Find(arguments, p).One()
	if v = place.Value; !one {
		return v, "", false
	}
	switch v.Kind() {
	case jsonval.String:
		text, one = match.Plain(v.Text())
	case jsonval.Number, jsonval.Bool:
		text = v.Raw()
	default:
		one = false
	}
	return v, text, one
}

// exactValue returns the value at a path for a comparison in which the same value meets a
// requirement. A number is the text that programs print for it, so 7.0 and "7" are the
// same; other texts are the same only letter by letter. one is also false for a text with
// blanks around it or letters of full width, and for a number that floats round.
func exactValue(arguments jsonval.Value, p *path.Path) (text string, one bool) {
	v, text, one := plainValue(arguments, p)
	switch v.Kind() {
	case jsonval.String:
		one = one && text == v.Text()
	case jsonval.Number:
		exact := false
		text, exact = jsonval.AsFloat(text)
		one = one && exact
	}
	return "=" + text, one
}

// countedValue returns the value at a path for a count: each other value begins at 0.
// So a text without its letter case, and every spelling of a number, count as the same
// value. one is also false for a number that floats round to another one. Digits in a text
// are rounded by no program.
func countedValue(arguments jsonval.Value, p *path.Path) (text string, one bool) {
	v, text, one := plainValue(arguments, p)
	if !one {
		return "", false
	}
	if number, ok := match.LooseNumber(text); ok {
		digits := v.Kind() == jsonval.String && strings.Trim(number.Raw(), "0123456789") == ""
		_, exact := jsonval.AsFloat(number.Raw())
		return "=" + number.Canonical(), exact || digits
	}
	return "=" + strings.ToLower(text), true
}
