package envelope

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/written"
)

// Rows writes a table in CSV, or JSON with the names of another language, as JSON in English. kind says what
// it was, or is "" if the text stays as it is. Each record stands in the line that it had. The error says why
// a text that is a table cannot be read. O(n).
func Rows(text string) (rows, kind string, err error) {
	first := SkipSpace(text, 0)
	if first == len(text) {
		return text, "", nil
	}
	if written.BeginsAlmost(text[first:]) {
		if rows, ok := written.Almost(text); ok {
			return rows, "almost", nil
		}
	}
	if c := text[first]; c == '{' || c == '[' {
		rows, ok := englishNames(text)
		return rows, shape.IfElse(ok, "english", ""), nil
	}
	rows, ok, err := csvRows(text)
	if ok || err != nil {
		return inEnglish(rows), "csv", err
	}
	return text, "", nil
}

// WrittenRows is Rows for what people write or print, if no format of plain text knows it: YAML, Markdown, the
// report of a test runner, and the log of a console.
func WrittenRows(text string) (rows, kind string) {
	if BeginsLikeJSON(text) {
		return text, ""
	}
	if rows, ok := junitRows(text); ok {
		return rows, "junit"
	}
	if written.IsYAML(text) {
		rows, ok := written.YAML(text)
		if !ok {
			return text, "" // written.YAMLFault says where
		}
		if english, ok := englishNames(rows); ok {
			rows = english
		}
		return rows, "yaml"
	}
	if strings.Contains(text, "|") {
		if rows, ok := markdownRows(text); ok {
			return inEnglish(rows), "markdown"
		}
	}
	if rows, ok := dumpRows(text); ok {
		return inEnglish(rows), "sql"
	}
	if rows, ok := pageRows(text); ok {
		return inEnglish(rows), "html"
	}
	if rows, ok := written.XML(text); ok {
		return inEnglish(rows), "xml"
	}
	if rows, ok := written.TOML(text); ok {
		return inEnglish(rows), "toml"
	}
	if rows, ok := sectionRows(text); ok {
		return inEnglish(rows), "markdown"
	}
	if rows, ok := keyedRows(text); ok {
		return rows, "console"
	}
	if rows, ok := prefixedRows(text); ok {
		return rows, "console"
	}
	if rows, ok := consoleRows(text); ok {
		return rows, "console"
	}
	return text, ""
}

// BeginsLikeJSON reports whether a text is empty or begins with an object or a list. A line of a log may begin
// with a time or a word in brackets, which is none.
func BeginsLikeJSON(text string) bool {
	first := SkipSpace(text, 0)
	if first == len(text) || text[first] == '{' {
		return true
	}
	if text[first] != '[' {
		return false
	}
	line, _, _ := strings.Cut(text[first+1:], "\n")
	inner, rest, closed := strings.Cut(line, "]")
	return !closed || strings.ContainsAny(inner, "\"{[,") || inner == "" || !strings.HasPrefix(rest, " ") || strings.TrimSpace(rest) == ""
}

// inEnglish returns the rows of a table with the names in their cells in English.
func inEnglish(rows string) string {
	rows, _ = translateNames(rows, true)
	return rows
}
