package envelope

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A program may keep its runs in a database, of which the dump has a table of runs and one of their calls. The law of
// this file: each row of the first table is one run, with the rows of other tables that point at it by its id, and a
// dump with a table of calls of which a row points at no run is not read.

// dumped is a table of a dump.
type dumped struct {
	table
	name string
}

// dumpRows returns the runs in the dump of a database as lines of JSON, and reports whether the text is one with a
// table of calls. O(n), and O(t²) for t tables.
func dumpRows(text string) (string, bool) {
	if !strings.Contains(text, "INSERT INTO") || !strings.Contains(text, "CREATE TABLE") {
		return "", false
	}
	tables := readDump(text)
	for _, runs := range tables {
		var children []*dumped
		calls := false
		for _, t := range tables {
			if t == runs || runs.columnOf("id "+singularOf(runs.name)+"_id") < 0 {
				continue
			}
			if t.keyOf(runs) >= 0 {
				children = append(children, t)
				calls = calls || t.columnOf(toolColumns+" name") >= 0
			}
		}
		if calls && len(runs.rows) > 0 {
			return joinDumped(runs, children)
		}
	}
	return "", false
}

// keyOf returns the column of a table whose values are the ids of the rows of another one, or -1: it has the name of
// that table.
func (t *dumped) keyOf(runs *dumped) int {
	return t.columnOf(singularOf(runs.name) + "_id " + singularOf(runs.name) + "Id " + singularOf(runs.name))
}

func singularOf(name string) string { return shape.SingularName(strings.ToLower(name)) }

// joinDumped returns the rows of a table with those of others that point at them.
func joinDumped(runs *dumped, children []*dumped) (string, bool) {
	id := runs.columnOf("id " + singularOf(runs.name) + "_id")
	inner := make([]map[string][]string, len(children))
	for c, t := range children {
		inner[c] = map[string][]string{}
		key := t.keyOf(runs)
		for _, cells := range t.rows {
			inner[c][cells[key]] = append(inner[c][cells[key]], t.rowObject(cells, key))
		}
	}
	var b strings.Builder
	line, used := 1, 0
	for n, cells := range runs.rows {
		for ; line < runs.lines[n]; line++ {
			b.WriteByte('\n')
		}
		row := runs.rowObject(cells, -1)
		b.WriteString(row[:len(row)-1])
		for c, t := range children {
			list := inner[c][cells[id]]
			used += len(list)
			b.WriteString("," + literal.Quote(t.name) + ":[" + strings.Join(list, ",") + "]")
		}
		b.WriteByte('}')
	}
	for _, t := range children {
		used -= len(t.rows)
	}
	return b.String() + "\n", used == 0
}

// rowObject returns a row as an object, without one of its columns. The cells are SQL's values.
func (t *dumped) rowObject(cells []string, without int) string {
	var b strings.Builder
	for i, cell := range cells {
		if i == without {
			continue
		}
		b.WriteString(shape.IfElse(b.Len() == 0, "{", ",") + literal.Quote(callName(t.names[i])) + ":" + sqlValue(cell))
	}
	return shape.IfElse(b.Len() == 0, "{", b.String()) + "}"
}

// callName returns the name of a column without the word for how its values are written, such as args_json.
func callName(name string) string {
	for _, ending := range [...]string{"_json", "_text", "_str", "Json", "JSON"} {
		if short, ok := strings.CutSuffix(name, ending); ok && short != "" {
			return short
		}
	}
	return name
}

// sqlValue returns a value of SQL as JSON. An object or a list in JSON is one.
func sqlValue(cell string) string {
	switch {
	case strings.EqualFold(cell, "null"):
		return "null"
	case strings.EqualFold(cell, "true"), strings.EqualFold(cell, "false"):
		return strings.ToLower(cell)
	case cell != "" && cell[0] == '\'':
		text := strings.ReplaceAll(cell[1:len(cell)-1], "''", "'")
		if trimmed := strings.TrimSpace(text); trimmed != "" {
			if v := writtenValue(trimmed); v != "" {
				return v
			}
		}
		return literal.Quote(text)
	}
	return cell
}

// readDump returns the tables of a dump in their order, or nil if a statement with values cannot be read.
func readDump(text string) (tables []*dumped) {
	line := 1
	for text != "" {
		size := statementEnd(text)
		statement := text[:size]
		trimmed := strings.TrimSpace(statement)
		first := line + strings.Count(statement[:len(statement)-len(strings.TrimLeft(statement, " \t\r\n"))], "\n")
		line += strings.Count(statement, "\n")
		text = text[size:]
		if rest, ok := strings.CutPrefix(trimmed, "CREATE TABLE"); ok {
			name, columns, _ := strings.Cut(rest, "(")
			name = strings.TrimSpace(name)
			if cut, ok := strings.CutPrefix(name, "IF NOT EXISTS"); ok {
				name = cut
			}
			t := &dumped{name: sqlName(name)}
			for _, column := range splitSQL(strings.TrimRight(columns, "); \n\r\t")) {
				word, _, _ := strings.Cut(strings.TrimSpace(column), " ")
				if name := sqlName(word); name != "" && !shape.OneOf(strings.ToUpper(name), "PRIMARY FOREIGN UNIQUE CONSTRAINT CHECK KEY INDEX") {
					t.heads, t.names = append(t.heads, name), append(t.names, name)
				}
			}
			tables = append(tables, t)
		} else if rest, ok := strings.CutPrefix(trimmed, "INSERT INTO"); ok && !insertRows(tables, rest, first) {
			return nil
		}
	}
	return tables
}

// insertRows adds the rows of a statement to its table, and reports whether it is known and each row has all columns.
func insertRows(tables []*dumped, rest string, line int) bool {
	head, values, ok := strings.Cut(rest, "VALUES")
	name, columns, listed := strings.Cut(head, "(")
	at := slices.IndexFunc(tables, func(t *dumped) bool { return t.name == sqlName(name) })
	if !ok || at < 0 {
		return false
	}
	t := tables[at]
	if listed {
		var names []string
		for _, column := range splitSQL(strings.TrimRight(columns, ") \n\r\t")) {
			names = append(names, sqlName(column))
		}
		if !slices.Equal(names, t.names) {
			return false // other columns than those of the table
		}
	}
	for _, row := range splitSQL(strings.TrimRight(values, "; \n\r\t")) {
		row = strings.TrimSpace(row)
		if len(row) < 2 || row[0] != '(' || row[len(row)-1] != ')' {
			return false
		}
		cells := splitSQL(row[1 : len(row)-1])
		for i := range cells {
			if cells[i] = strings.TrimSpace(cells[i]); cells[i] == "" || cells[i][0] != '\'' && strings.ContainsAny(cells[i], "'( ") || cells[i][0] == '\'' && (len(cells[i]) < 2 || cells[i][len(cells[i])-1] != '\'') {
				return false
			}
			if cells[i][0] != '\'' && !jsonval.Valid(strings.ToLower(cells[i])) {
				return false
			}
		}
		if len(cells) != len(t.names) {
			return false
		}
		t.addRow(line, cells)
	}
	return true
}

// sqlName returns a name without quotation marks and without that of its schema.
func sqlName(name string) string {
	name = strings.TrimSpace(name)
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.Trim(name, "\"`[] ")
}

// statementEnd returns the offset behind the statement with which a text begins.
func statementEnd(text string) int {
	quoted := false
	for i := range len(text) {
		switch text[i] {
		case '\'':
			quoted = !quoted
		case ';':
			if !quoted {
				return i + 1
			}
		}
	}
	return len(text)
}

// splitSQL splits a text at its commas outside of parentheses and quotation marks.
func splitSQL(text string) (parts []string) {
	depth, from, quoted := 0, 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}
