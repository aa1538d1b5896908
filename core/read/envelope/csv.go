package envelope

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A table may also be CSV (RFC 4180) with the names of the columns in the first line, and
// with JSON, or Python's notation as pandas writes it, in its cells. Its law: each row of
// the table is one record, in the line where the row begins.

// CSVRows returns the rows of a table in CSV as lines of JSON, and reports whether the text
// is one. At least one cell must be an object or a list. The error says why a text with the
// columns of such a table is not one.
func CSVRows(text string) (string, bool, error) {
	names := csvColumns(text)
	if names == nil {
		return "", false, nil
	}
	r := newTable(text)
	if _, err := r.Read(); err != nil {
		return "", false, nil
	}
	var b strings.Builder
	line, holds, told := 1, false, toldColumns(text, names)
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return b.String(), holds, nil
		}
		if err != nil {
			return "", false, csvError(names, err)
		}
		for at, _ := r.FieldPos(0); line < at; line++ {
			b.WriteByte('\n')
		}
		for i, cell := range cells {
			v := cellValue(names[i], cell, told[i])
			holds = holds || v[0] == '{' || v[0] == '['
			b.WriteString(shape.IfElse(i == 0, "{", ",") + literal.Quote(names[i]) + ":" + v)
		}
		b.WriteByte('}')
	}
}

// newTable returns a reader of the rows of a table, of which the first has the names.
func newTable(text string) *csv.Reader {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = separator(text)
	r.LazyQuotes = r.Comma != ',' // between tabs and semicolons, JSON may stand as it is
	return r
}

// csvColumns returns the names in the first line of a text, or nil if the line has no two
// different names.
func csvColumns(text string) []string {
	head, rest, _ := strings.Cut(text, "\n")
	if head == "" || rest == "" || strings.IndexByte("{[\"", head[0]) >= 0 && !strings.HasPrefix(head, `"`) || !strings.ContainsAny(head, ",;\t") {
		return nil
	}
	columns := csv.NewReader(strings.NewReader(head))
	columns.Comma = separator(head)
	names, err := columns.Read()
	if err != nil || len(names) < 2 {
		return nil
	}
	seen := map[string]bool{}
	for i, name := range names {
		if name == "" && i == 0 {
			names[i], name = "row", "row" // the index that pandas writes
		}
		if name == "" || seen[name] || strings.ContainsAny(name, "{}[]()=:;") {
			return nil
		}
		seen[name] = true
	}
	return names
}

// separator returns the character between the columns of a table: a tab if the first line has one,
// and a semicolon, as spreadsheets of many countries write it, if it has more of them than commas.
func separator(text string) rune {
	head, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.Contains(head, "\t"):
		return '\t'
	case strings.Count(head, ";") > strings.Count(head, ","):
		return ';'
	}
	return ','
}

// csvError returns the error of a table whose columns are those of records, or nil.
func csvError(names []string, err error) error {
	sides := 0
	for _, name := range names {
		sides += shape.IfElse(shape.IsExpected(name) || shape.IsCallList(name) || shape.OneOf(name, "input output messages actual_output response trace"), 1, 0)
	}
	var fault *csv.ParseError
	if sides == 0 || !errors.As(err, &fault) {
		return nil
	}
	return &trajectory.Error{Msg: fmt.Sprintf("the input is a table in CSV, but its rows cannot be read: %v", fault.Err), Seen: "a table with the columns " + shape.ListNames(names), Line: fault.Line, Column: fault.Column}
}

// calledNames returns the list of the tools or calls that a cell names, such as "find, pay" and
// "find(n=1)", or "" if the column is not one of calls. told says that an empty cell is a run without a call.
func calledNames(name, text string, told bool) string {
	if !shape.SpeaksOfCalls(name) || !shape.IsExpected(name) && !shape.IsRunSide(name) && !shape.IsCallList(name) || text != "" && strings.IndexByte("{[", text[0]) >= 0 {
		return ""
	}
	var list []string
	for _, part := range splitCalls(text) {
		if part = strings.TrimSpace(part); !shape.IsName(part) && !(strings.HasSuffix(part, ")") && shape.IsName(strings.TrimSpace(part[:max(strings.IndexByte(part, '('), 0)]))) {
			return ""
		}
		list = append(list, literal.Quote(part))
	}
	if len(list) == 0 && !told {
		return ""
	}
	return "[" + strings.Join(list, ",") + "]"
}

// toldColumns reports for each column whether it has the calls that were made: another row names some.
func toldColumns(text string, names []string) []bool {
	told := make([]bool, len(names))
	var open []int // the columns of calls in which no row has named one yet
	for i, name := range names {
		if shape.IsRunSide(name) && shape.SpeaksOfCalls(name) {
			open = append(open, i)
		}
	}
	r := newTable(text)
	r.ReuseRecord = true
	for n := 0; len(open) > 0; n++ {
		cells, err := r.Read()
		if err != nil || len(cells) < len(names) {
			break
		}
		open = slices.DeleteFunc(open, func(i int) bool {
			told[i] = n > 0 && strings.TrimSpace(cells[i]) != ""
			return told[i]
		})
	}
	return told
}

// splitCalls splits a text at its commas, semicolons and lines outside of parentheses.
func splitCalls(text string) (parts []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.ContainsRune(",;\n|", c):
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	if text == "" {
		return nil
	}
	return append(parts, text[from:])
}

// cellValue returns a cell as JSON. An empty cell is null. Words for truth and numbers are
// such only in the columns of outcomes and trials.
func cellValue(name, cell string, told bool) string {
	text := strings.TrimSpace(cell)
	if names := calledNames(name, text, told); names != "" {
		return names
	}
	if text == "" {
		return "null"
	}
	if text[0] == '{' || text[0] == '[' {
		if v, err := jsonval.Parse(text); err == nil {
			return strings.ReplaceAll(v.Raw(), "\n", " ")
		}
		if v := literal.Python(text); v.Exists() {
			return strings.ReplaceAll(v.Raw(), "\n", " ")
		}
	}
	if answer := shape.CellOutcome(name, text); answer != "" {
		return answer
	}
	if shape.OneOf(name, "reward score trial") && jsonval.Valid(text) {
		return text
	}
	return literal.Quote(cell)
}
