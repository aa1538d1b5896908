package envelope

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// A table may have one row for each call, with a column that names the run. The law of this file: the rows of one
// run are one record, in their order, in the line where the first of them begins, and no row is lost.

// toolColumns are the columns that name the tool of a row.
const toolColumns = "tool tool_name toolName function function_name functionName"

// callMembers are the members in which a call has its name and its arguments. A column with such a name that is not the
// chosen one tells something else, such as the name of a customer.
const callMembers = toolColumns + " name arguments args parameters params input"

// longText returns the rows of such a table as lines of JSON, one for each run, and reports whether the table is
// one: each row names one tool, and the rows of a run stand together. O(n).
func (t *table) longText() (string, bool) {
	tool, run := t.columnOf(toolColumns), t.runColumn()
	if tool < 0 || run < 0 || tool == run || t.hasExpected() {
		return "", false
	}
	arguments := t.columnOf("arguments args parameters params input")
	recorded := false
	for _, cells := range t.rows {
		if !shape.IsName(strings.TrimSpace(cells[tool])) {
			return "", false
		}
		recorded = recorded || arguments >= 0 && strings.TrimSpace(cells[arguments]) != ""
	}
	ends := t.endColumns(run)
	var b strings.Builder
	line, last, from := 1, "", 0
	for n, cells := range t.rows {
		id := strings.TrimSpace(cells[run])
		if n == 0 || id != last {
			b.WriteString(shape.IfElse(n == 0, "", "]"+t.endsOf(ends, from, n)+"}"))
			from = n
			for ; line < t.lines[n]; line++ {
				b.WriteByte('\n')
			}
			b.WriteString(`{"run_id":` + literal.Quote(id) + `,"calls":[`)
		} else {
			b.WriteByte(',')
		}
		last = id
		b.WriteString(`{"name":` + literal.Quote(strings.TrimSpace(cells[tool])))
		for i, cell := range cells {
			switch {
			case i == tool || i == run || slices.Contains(ends, i) || i != arguments && strings.TrimSpace(cell) == "":
			case i == arguments && recorded:
				b.WriteString(`,"arguments":` + argumentsCell(cell))
			case i != arguments:
				name := t.names[i]
				if shape.OneOf(name, callMembers) { // another name of the call stands there already
					name = "column_" + name
				}
				b.WriteString("," + literal.Quote(name) + ":" + cellValue(t.names[i], cell, false, false))
			}
		}
		b.WriteByte('}')
	}
	b.WriteString("]" + t.endsOf(ends, from, len(t.rows)) + "}")
	return b.String(), true
}

// endColumns returns the columns that say how the run of each row ended, and nothing of its call: their names say so.
func (t *table) endColumns(run int) (ends []int) {
	for i, name := range t.names {
		if i != run && isRunEnd(name) {
			ends = append(ends, i)
		}
	}
	return ends
}

// isRunEnd reports whether a column says how the run of its row ended, and nothing of the row's call: its name says so.
func isRunEnd(name string) bool {
	if !shape.IsOutcomeName(name) {
		return false
	}
	words := shape.SplitWords(name)
	return len(words) > 1 && slices.ContainsFunc(words, func(w string) bool {
		return shape.OneOf(w, "run conversation session episode task case trial final overall")
	})
}

// endsOf returns the cells of columns in the rows of one run as members of a record, each behind a comma. A cell that
// repeats is written once, and several that differ are a list.
func (t *table) endsOf(columns []int, from, to int) string {
	out := ""
	for _, i := range columns {
		var cells []string
		for _, row := range t.rows[from:to] {
			if cell := strings.TrimSpace(row[i]); cell != "" {
				if v := cellValue(t.names[i], cell, false, false); !slices.Contains(cells, v) {
					cells = append(cells, v)
				}
			}
		}
		switch len(cells) {
		case 0:
		case 1:
			out += "," + literal.Quote(t.names[i]) + ":" + cells[0]
		default:
			out += "," + literal.Quote(t.names[i]) + ":[" + strings.Join(cells, ",") + "]"
		}
	}
	return out
}

// hasExpected reports whether a column, or a word in one, speaks of what should have been done.
func (t *table) hasExpected() bool {
	return slices.ContainsFunc(t.names, shape.IsExpected) || slices.ContainsFunc(t.rows, func(cells []string) bool {
		return slices.ContainsFunc(cells, func(cell string) bool { return len(cell) < 25 && shape.IsExpected(cell) })
	})
}

// columnOf returns the index of the first column with one of the names, or -1.
func (t *table) columnOf(names string) int {
	for i, name := range t.names {
		if shape.OneOf(name, names) {
			return i
		}
	}
	return -1
}

// runColumn returns the index of the column that names the run of each row, or -1: one whose name says so, or
// else the first column. Its values stand in blocks, of which one has several rows.
func (t *table) runColumn() int {
	for i, name := range t.names {
		if hasColumnWord(name, partColumns) || i > 0 && !hasColumnWord(name, runColumns) {
			continue
		}
		seen, blocks, last := map[string]bool{}, 0, ""
		for n, cells := range t.rows {
			id := strings.TrimSpace(cells[i])
			if n > 0 && id == last {
				continue
			}
			if id == "" || seen[id] || len(id) > 128 {
				blocks = 0
				break
			}
			seen[id], last = true, id
			blocks++
		}
		if blocks > 1 && blocks < len(t.rows) {
			return i
		}
	}
	return -1
}

// argumentsCell returns the arguments of a call as JSON: an object, or words such as "pet=Moss day=9". Other
// words are one argument without a name of its own.
func argumentsCell(cell string) string {
	text := strings.TrimSpace(cell)
	if text == "" {
		return "{}"
	}
	if v := writtenValue(text); v != "" {
		return v
	}
	if pairs := namedWords(text); pairs != "" {
		return pairs
	}
	return `{"input":` + literal.Quote(text) + "}"
}

// namedWords returns words such as "pet=Moss day=9" as an object, or "". A value goes on to the next name.
func namedWords(text string) string {
	var b strings.Builder
	name, value := "", ""
	end := func() {
		if name != "" {
			v := strings.Trim(value, " ,;")
			if quoted := len(v) > 1 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0]; quoted {
				v = literal.Quote(v[1 : len(v)-1])
			} else if !jsonval.Valid(v) || v[0] == '"' {
				v = literal.Quote(v)
			}
			b.WriteString(shape.IfElse(b.Len() == 0, "{", ",") + literal.Quote(name) + ":" + v)
		}
	}
	for _, word := range strings.Fields(text) {
		if key, rest, ok := strings.Cut(word, "="); ok && shape.IsName(key) {
			end()
			name, value = key, rest
			continue
		}
		if name == "" {
			return ""
		}
		value += " " + word
	}
	end()
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "}"
}
