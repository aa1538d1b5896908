package jsonval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError reports where a text is not JSON. Offset is in bytes from 0. Line and
// Column count from 1, and Column is in bytes.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string
}

// Error returns the position and the problem.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at line %d column %d: %s", e.Line, e.Column, e.Msg)
}

// invalid is the error of Parse for a text. Most callers only ask whether there is one, so
// the place is searched when somebody asks for it: errors.As finds the *SyntaxError.
type invalid string

// Error returns the position and the problem. O(n).
func (text invalid) Error() string { return locateError(string(text)).Error() }

// As sets a **SyntaxError to the error with its place. O(n).
func (text invalid) As(target any) bool {
	out, ok := target.(**SyntaxError)
	if ok {
		*out = locateError(string(text))
	}
	return ok
}

// ErrorAt returns a SyntaxError with the given message for an offset in text.
func ErrorAt(text string, offset int, msg string) *SyntaxError {
	offset = min(max(offset, 0), len(text))
	line, column := lineAndColumn(text, offset)
	return &SyntaxError{Offset: offset, Line: line, Column: column, Msg: msg}
}

// lineAndColumn returns the line and the column of an offset in text. Both count from 1.
func lineAndColumn(text string, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n')
}

// tooDeep returns the offset of the first bracket that is nested more than MaxDepth
// levels deep. It returns -1 if there is none. It looks only at brackets and quotes, and
// is called only for invalid texts.
func tooDeep(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = closingQuote(text, i)
		case '[', '{':
			if depth++; depth > MaxDepth {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
}

// closingQuote returns the offset of the closing quote of the string whose opening quote
// is at i. It returns the length of the text if there is none. It does not validate the
// string.
func closingQuote(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i, len(text))
}

// locateError returns the error of an invalid text. It finds the position and the problem
// with encoding/json.
func locateError(text string) *SyntaxError {
	if at := tooDeep(text); at >= 0 {
		return ErrorAt(text, at, fmt.Sprintf("nested more than %d levels deep", MaxDepth))
	}
	var probe json.RawMessage
	err := json.Unmarshal([]byte(text), &probe)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return ErrorAt(text, 0, "the text is not exactly one JSON value")
	case errors.As(err, &syntax):
		msg := strings.TrimPrefix(syntax.Error(), "json: ")
		if strings.Contains(msg, "unexpected end") {
			return ErrorAt(text, len(text), "the text ends inside a value (cut off?)")
		}
		return ErrorAt(text, int(syntax.Offset)-1, msg)
	}
	return ErrorAt(text, 0, err.Error())
}

// Sanitize returns text as valid UTF-8. It replaces each sequence of invalid bytes by
// U+FFFD. broken is the offset of the first such sequence, or -1 if text was valid.
func Sanitize(text string) (clean string, broken int) {
	if utf8.ValidString(text) {
		return text, -1
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return strings.ToValidUTF8(text, "\uFFFD"), i
			}
		}
	}
	return text, -1
}
