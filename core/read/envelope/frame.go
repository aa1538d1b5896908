package envelope

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// Evaluators keep tables, and programs write a table as JSON in several ways. A list of rows
// needs nothing. The others are rewritten as rows: {column: {index: cell}}, {columns, data} and
// {schema, data: [rows]} as pandas writes them, {column: [cells]}, and rows whose columns say
// by a prefix whether they were put in or came out, as Azure writes them. Its law: the rows have
// every cell of the table once, and in the order of the table.

// FrameRows returns the rows of a table as JSON lines, and reports whether v is a table. A
// cell that is JSON in a string becomes that JSON.
func FrameRows(v jsonval.Value) (string, bool) {
	if !mayBeFrame(v.Raw()) {
		return "", false
	}
	o := shape.OpenObject(v)
	names, rows := splitFrame(o)
	for _, read := range [...]func(*shape.Object) ([]string, [][]jsonval.Value){columnFrame, parallelFrame, schemaFrame, prefixFrame} {
		if rows == nil {
			names, rows = read(o)
		}
	}
	if rows == nil {
		return "", false
	}
	return frameText(names, rows), true
}

// frameText returns rows as JSON lines.
func frameText(names []string, rows [][]jsonval.Value) string {
	var b strings.Builder
	for _, cells := range rows {
		for i, cell := range cells {
			b.WriteString(shape.IfElse(i == 0, "{", ","))
			b.WriteString(jsonval.Quoted(names[i]))
			b.WriteByte(':')
			b.WriteString(strings.ReplaceAll(shape.EncodedValue(cell).Raw(), "\n", " ")) // JSON has no newlines inside texts
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// mayBeFrame reports whether a text begins like a table. It looks only at the first member,
// so that other texts cost nothing.
func mayBeFrame(text string) bool {
	i := SkipSpace(text, 0)
	if i >= len(text) || text[i] != '{' {
		return false
	}
	i = SkipSpace(text, i+1)
	end := strings.IndexByte(text[min(i+1, len(text)):], '"') + i + 1
	if i >= len(text) || text[i] != '"' || end <= i {
		return false
	}
	name := text[i+1 : end]
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(text[end+1:min(end+80, len(text))], " \t\r\n"), ":"), " \t\r\n")
	inside := strings.TrimLeft(strings.TrimLeft(rest, "[{"), " \t\r\n")
	switch {
	case strings.HasPrefix(rest, `"`) && strings.Contains(text, `"inputs"`):
		return true // words about all rows before the columns
	case strings.HasPrefix(rest, "{"):
		return name == "schema" || name == "metrics" && strings.Contains(text, `"inputs.`) || strings.HasPrefix(inside, `"0"`) || strings.Contains(text, `"span_kind"`)
	case strings.HasPrefix(rest, "["):
		return shape.OneOf(name, columnNames+" index data") || name == "rows" && strings.Contains(text, `"inputs.`) || strings.HasPrefix(inside, `"`) || strings.HasPrefix(rest, "[[") || shape.OneOf(name, idColumns) && !strings.HasPrefix(inside, "{")
	}
	return false
}

// The members with the names of the columns, and the columns with the ids of the rows.
const (
	columnNames = "columns headers header fields"
	idColumns   = "id ids case cases case_id task_id task_ids"
)

// splitFrame returns the columns and the rows of {columns: [names], data: [[cells]]}.
func splitFrame(o *shape.Object) (names []string, rows [][]jsonval.Value) {
	heads, data := o.FirstList(columnNames), o.FirstList("data rows records values")
	if len(heads) == 0 || len(data) == 0 || shape.FirstElement(data[0]).Kind() == jsonval.Missing {
		return nil, nil
	}
	for _, v := range heads {
		name, ok := v.Str()
		if !ok {
			return nil, nil
		}
		names = append(names, name)
	}
	for _, v := range data {
		cells := v.Elements()
		if len(cells) != len(names) || len(cells) == 0 {
			return nil, nil
		}
		rows = append(rows, cells)
	}
	return names, rows
}

// columnFrame returns the columns and the rows of {column: {index: cell}}. The index must
// count the rows from 0, or the columns must be those of spans, because an object with
// records in its members looks alike.
func columnFrame(o *shape.Object) (names []string, rows [][]jsonval.Value) {
	if len(o.Keys) < 2 {
		return nil, nil
	}
	index := o.Values[0].Keys()
	for i, v := range o.Values {
		column := shape.OpenObject(v)
		if len(index) == 0 || !slices.Equal(column.Keys, index) {
			return nil, nil
		}
		if i == 0 {
			rows = make([][]jsonval.Value, len(index))
		}
		for j, cell := range column.Values {
			rows[j] = append(rows[j], cell)
		}
	}
	for i, label := range index {
		if label != strconv.Itoa(i) && !o.HasAny("span_kind") {
			return nil, nil
		}
	}
	return o.Keys, rows
}

// parallelFrame returns the columns and the rows of {column: [cells]}. One column must have
// questions as texts, or ids that differ, because one record may have several lists of the same length.
func parallelFrame(o *shape.Object) (names []string, rows [][]jsonval.Value) {
	questions := o.Get("input inputs question questions query queries prompt prompts user_input goal goals ask asks utterance utterances instruction instructions request requests task tasks objective objectives")
	asked := questions.Kind() == jsonval.Array
	if !asked {
		questions = o.Get(idColumns)
	}
	n := questions.Len()
	if questions.Kind() != jsonval.Array || len(o.Keys) < 2 || n < 2 {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, v := range questions.Elements() {
		if k := v.Kind(); k != jsonval.String && (asked || k != jsonval.Number) || !asked && seen[v.Raw()] {
			return nil, nil
		}
		seen[v.Raw()] = true
	}
	rows = make([][]jsonval.Value, n)
	var columns []string
	for i, v := range o.Values {
		if k := v.Kind(); k != jsonval.Array && k != jsonval.Object {
			continue // such as the model of all rows
		}
		if v.Kind() != jsonval.Array || v.Len() != n {
			return nil, nil
		}
		columns = append(columns, o.Keys[i])
		for j, cell := range v.Elements() {
			rows[j] = append(rows[j], cell)
		}
	}
	if len(columns) < 2 {
		return nil, nil
	}
	for _, name := range columns {
		if shape.OneOf(name, "questions queries prompts inputs goals asks utterances instructions requests tasks objectives outputs predictions references responses answers scores rewards labels passes ids cases task_ids") {
			name = shape.IfElse(name == "queries", "query", shape.SingularName(name))
		}
		names = append(names, name)
	}
	return names, rows
}

// schemaFrame returns the columns and the rows of {schema: {fields: [{name}]}, data: [{column:
// cell}]}. The first column may be pandas' own index, which is left out.
func schemaFrame(o *shape.Object) (names []string, rows [][]jsonval.Value) {
	fields := o.OpenMember("schema").FirstList("fields")
	for i, f := range fields {
		name, ok := f.Get("name").Str()
		if !ok {
			return nil, nil
		}
		if i > 0 || name != "index" || f.Get("type").Text() != "integer" {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		return nil, nil
	}
	for _, v := range o.FirstList("data") {
		row := shape.OpenObject(v)
		if len(row.Keys) != len(fields) {
			return nil, nil
		}
		var cells []jsonval.Value
		for _, name := range names {
			cell := row.Get(name)
			if !cell.Exists() {
				return nil, nil
			}
			cells = append(cells, cell)
		}
		rows = append(rows, cells)
	}
	return names, rows
}

// prefixFrame returns the columns and the rows of {rows: [{"inputs.query": …, "outputs.score":
// …}]}. The columns lose their prefix. All rows must have the same columns.
func prefixFrame(o *shape.Object) (names []string, rows [][]jsonval.Value) {
	var columns []string
	for _, v := range o.FirstList("rows") {
		row := shape.OpenObject(v)
		if columns == nil {
			columns = row.Keys
		}
		if !slices.Equal(columns, row.Keys) {
			return nil, nil
		}
		rows = append(rows, row.Values)
	}
	inputs := 0
	for _, column := range columns {
		name, input := strings.CutPrefix(column, "inputs.")
		if input {
			inputs++
		} else {
			name = strings.TrimPrefix(column, "outputs.")
		}
		if slices.Contains(names, name) {
			return nil, nil
		}
		names = append(names, name)
	}
	if inputs == 0 {
		return nil, nil
	}
	return names, rows
}
