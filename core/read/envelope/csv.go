package envelope

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// A table may also be CSV (RFC 4180) with the names of the columns in the first line, and
// with JSON, or Python's notation as pandas writes it, in its cells. Its law: each row of
// the table is one record, in the line where the row begins.

// csvRows returns the rows of a table in CSV as lines of JSON, and reports whether the text
// is one. At least one cell must be an object or a list. The error says why a text with the
// columns of such a table is not one.
func csvRows(text string) (string, bool, error) {
	names := csvColumns(text)
	if names == nil {
		return "", false, nil
	}
	r := newTable(text)
	if _, err := r.Read(); err != nil {
		return "", false, nil
	}
	t := table{heads: names, names: englishColumns(names)}
	for {
		cells, err := r.Read()
		if err == io.EOF {
			if rows, ok := t.longText(); ok {
				return rows, true, nil
			}
			t.joinParallel()
			t.joinSteps()
			t.joinNumbered()
			calls, told := t.callColumns()
			rows, holds := t.rowsText(1, calls, told)
			return rows, holds, nil
		}
		if err != nil {
			return "", false, csvError(names, err)
		}
		line, _ := r.FieldPos(0)
		t.addRow(line, cells)
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
