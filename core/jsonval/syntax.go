package jsonval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError says where a text stops being JSON. Offset counts bytes from 0;
// Line and Column count from 1, Column in bytes.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string
}

// Error gives the place and what is wrong there.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at line %d column %d: %s", e.Line, e.Column, e.Msg)
}

// ErrorAt makes a SyntaxError for a byte offset of text.
func ErrorAt(text string, offset int, msg string) *SyntaxError {
	offset = min(max(offset, 0), len(text))
	line, column := Position(text, offset)
	return &SyntaxError{Offset: offset, Line: line, Column: column, Msg: msg}
}

// Position turns a byte offset of text into a line and a column, both from 1.
func Position(text string, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n')
}

// checkDepth refuses nesting deeper than MaxDepth without recursing. Texts with
// few brackets, the usual paste, are not scanned at all.
func checkDepth(text string) error {
	if strings.Count(text, "[")+strings.Count(text, "{") <= MaxDepth {
		return nil
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '[', '{':
			if depth++; depth > MaxDepth {
				return ErrorAt(text, i, fmt.Sprintf("nested more than %d deep", MaxDepth))
			}
		case ']', '}':
			depth--
		}
	}
	return nil
}

// stringEnd gives the offset of the quote that closes the string opened at i,
// or the text's length.
func stringEnd(text string, i int) int {
	for i++; i < len(text); i++ {
		j := strings.IndexByte(text[i:], '"')
		if j < 0 {
			return len(text)
		}
		i += j
		slashes := 0
		for text[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return len(text)
}

// locate asks encoding/json where an invalid text breaks; gjson only says that
// it does. Only ever reached on the error path.
func locate(text string) *SyntaxError {
	var probe json.RawMessage
	err := json.Unmarshal([]byte(text), &probe)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return ErrorAt(text, 0, "not one JSON value")
	case errors.As(err, &syntax):
		msg := strings.TrimPrefix(syntax.Error(), "json: ")
		if strings.Contains(msg, "unexpected end") {
			return ErrorAt(text, len(text), "the text ends inside a value (cut off?)")
		}
		return ErrorAt(text, int(syntax.Offset)-1, msg)
	}
	return ErrorAt(text, 0, err.Error())
}

// Sanitize makes text valid UTF-8, each broken byte run becoming U+FFFD, and
// tells the offset of the first one; -1 when the text was valid already.
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
