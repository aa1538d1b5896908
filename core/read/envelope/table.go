package envelope

import (
	"slices"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/literal"
	"github.com/boundcheck/boundcheck/core/base/tongues"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// One reader of rows serves all tables, in CSV, with tabs, and in Markdown. A column of calls is known by
// its name, or by its cells: each names a call, as pay(id=1). Its law: each row is one record, in the line
// where it begins, and a cell is never of two records.

// table is a table: the names of its columns in English, and its rows with the lines where they begin.
type table struct {
	heads []string // the names as they are written
	names []string
	rows  [][]string
	lines []int
}

func (t *table) addRow(line int, cells []string) {
	t.rows, t.lines = append(t.rows, cells), append(t.lines, line)
}

// englishColumns returns the names of columns in English, where they are in another language.
func englishColumns(names []string) []string {
	out := slices.Clone(names)
	for i, name := range names {
		if strings.EqualFold(name, "id") && !slices.Contains(out, "id") {
			out[i] = "id"
		} else if english := tongues.Member(name); english != "" && !slices.Contains(out, english) {
			out[i] = english
		}
	}
	return out
}

// rowsText returns the rows as lines of JSON, and reports whether a cell is an object or a list. The text before
// them ends in the given line. calls and told are those of callColumns.
func (t *table) rowsText(line int, calls, told []bool) (string, bool) {
	var b strings.Builder
	holds := false
	for n, cells := range t.rows {
		for ; line < t.lines[n]; line++ {
			b.WriteByte('\n')
		}
		silent := isSilentRow(cells, calls)
		for i, cell := range cells {
			v := cellValue(t.names[i], cell, calls[i], told[i] || silent)
			holds = holds || v[0] == '{' || v[0] == '['
			name := t.names[i]
			if v[0] == '[' && i < len(t.heads) && name != t.heads[i] {
				name = pluralMember(name, true)
			}
			b.WriteString(shape.IfElse(i == 0, "{", ",") + literal.Quote(name) + ":" + v)
		}
		b.WriteByte('}')
	}
	return b.String(), holds
}

// isSilentRow reports whether a row has no call in any of several columns of calls: then no call was made, and
// none was expected.
func isSilentRow(cells []string, calls []bool) bool {
	n := 0
	for i, cell := range cells {
		if !calls[i] {
			continue
		}
		if n++; !isNoCall(strings.TrimSpace(cell)) {
			return false
		}
	}
	return n > 1
}

// callColumns reports for each column whether its cells name calls, and whether it has those that were
// made in at least one row, so that an empty cell is a run without a call. A column that only its cells
// show gets the name of its side: what was done, if nothing says that it was expected.
func (t *table) callColumns() (calls, told []bool) {
	calls, told = make([]bool, len(t.names)), make([]bool, len(t.names))
	var open []int
	made := false
	for i, name := range t.names {
		named := shape.SpeaksOfCalls(name) && (shape.IsExpected(name) || shape.IsRunSide(name) || shape.IsCallList(name))
		written, some := true, false
		for _, cells := range t.rows {
			cell := strings.TrimSpace(cells[i])
			if isNoCall(cell) {
				continue
			}
			some = true
			written = written && isWrittenCalls(cell)
		}
		calls[i] = named || written && some
		told[i] = named && some && (shape.IsRunSide(name) || shape.IsCallList(name))
		switch {
		case !calls[i]:
		case named:
			made = made || !shape.IsExpected(name)
		case shape.IsExpected(name):
			t.names[i] = "expected_calls"
		default:
			open = append(open, i)
		}
	}
	if len(open) == 0 && !made && slices.Contains(calls, true) { // beside what was expected
		if i := t.madeColumn(calls); i >= 0 {
			t.names[i], calls[i], told[i] = "actual_calls", true, true
		}
	} else if len(open) == 1 && !made { // the only column with what was done
		t.names[open[0]], told[open[0]] = "actual_calls", true
	} else if len(open) == 2 && !made && !slices.ContainsFunc(t.names, shape.IsExpected) && isLikely(t.names[open[0]]) != isLikely(t.names[open[1]]) {
		for _, i := range open { // a word that says so only beside the other
			told[i] = !isLikely(t.names[i])
			t.names[i] = shape.IfElse(told[i], "actual_calls", "expected_calls")
		}
	}
	return calls, told
}

// madeColumn returns the only column beside those of calls whose name says that calls were made, and nothing else,
// and whose cells name tools; or -1.
func (t *table) madeColumn(calls []bool) int {
	at := -1
	for i, name := range t.names {
		words := shape.SplitWords(strings.ReplaceAll(name, " ", "_"))
		if calls[i] || !slices.ContainsFunc(words, func(w string) bool { return shape.OneOf(w, "call calls called made used executed invoked performed") }) ||
			slices.ContainsFunc(words, func(w string) bool {
				return !shape.OneOf(w, "tool tools function functions action actions call calls called made used executed invoked performed by agent")
			}) ||
			slices.ContainsFunc(t.rows, func(cells []string) bool { return calledNames(strings.TrimSpace(cells[i]), true) == "" }) {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

func isLikely(name string) bool { return shape.SideOf(name) == shape.LikelySide }

// isNoCall reports whether a cell says that there is no call.
func isNoCall(cell string) bool {
	if cell == "" || len(cell) >= 16 {
		return cell == ""
	}
	word := strings.ToLower(strings.Trim(cell, "()[]<>*_` "))
	if no, of, two := strings.Cut(word, " "); two && shape.OneOf(no, "no none kein keine sin aucun aucune geen ingen inga") {
		return shape.OneOf(of, "tool tools call calls action actions")
	}
	return shape.OneOf(word, noCallWords)
}

const noCallWords = "- – — / none no null nil n/a na keine kein ninguno ninguna nada aucun aucune rien nessuna nessuno nenhum nenhuma geen inget inga ingen brak yok нет なし 無し 無 无 沒有 没有 없음"

// isWrittenCalls reports whether a cell names calls with their arguments, and nothing else.
func isWrittenCalls(cell string) bool {
	parts := splitCalls(cell)
	for _, part := range parts {
		if part = strings.TrimSpace(part); !strings.HasSuffix(part, ")") || !shape.IsName(strings.TrimSpace(part[:max(strings.IndexByte(part, '('), 0)])) {
			return false
		}
	}
	return len(parts) > 0
}

// calledNames returns the list of the tools or calls that a cell names, such as "find, pay" and
// "find(n=1)", or "" if it names none. told says that an empty cell is a run without a call.
func calledNames(text string, told bool) string {
	if text != "" && isNoCall(text) {
		return "[]"
	}
	var list []string
	for _, part := range splitCalls(text) {
		if part = strings.Trim(part, " \t\n`"); !shape.IsName(part) && !isWrittenCalls(part) {
			return ""
		}
		list = append(list, literal.Quote(part))
	}
	if len(list) == 0 && !told {
		return ""
	}
	return "[" + strings.Join(list, ",") + "]"
}

// splitCalls splits a text at its commas, semicolons, bars, arrows and lines outside of parentheses and
// quotation marks.
func splitCalls(text string) (parts []string) {
	depth, from, quote, escaped := 0, 0, rune(0), false
	cut := func(at, next int) { parts, from = append(parts, text[from:at]), next }
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case quote != 0:
			escaped = c == '\\'
			quote = shape.IfElse(c == quote, 0, quote)
		case depth > 0 && (c == '"' || c == '\'' && strings.IndexByte("(=[{, :", text[i-1]) >= 0):
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.ContainsRune(",;\n|", c):
			cut(i, i+1)
		case depth == 0 && (c == '→' || c == '⇒'):
			cut(i, i+len(string(c)))
		case depth == 0 && c == '>' && i > 0 && strings.IndexByte(" -=", text[i-1]) >= 0:
			cut(i-shape.IfElse(text[i-1] == ' ', 0, 1), i+1)
		}
	}
	if text == "" {
		return nil
	}
	cut(len(text), len(text))
	if n := len(parts); n > 1 && strings.TrimSpace(parts[n-1]) == "" {
		parts = parts[:n-1]
	}
	return parts
}

// cellValue returns a cell as JSON. An empty cell is null. Words for truth and numbers are
// such only in the columns of outcomes and trials.
func cellValue(name, cell string, calls, told bool) string {
	text := strings.TrimSpace(cell)
	if calls && (text == "" || strings.IndexByte("{[", text[0]) < 0) {
		if names := calledNames(text, told); names != "" {
			return names
		}
	}
	if text == "" {
		return "null"
	}
	if v := writtenValue(text); v != "" {
		return v
	}
	if answer := shape.CellOutcome(name, text); answer != "" {
		return answer
	}
	if (shape.OneOf(name, "reward score trial") || shape.IsScoreColumn(name)) && jsonval.Valid(text) {
		return text
	}
	return literal.Quote(cell)
}

// markdownRows returns the rows of the tables with calls in a text in Markdown as lines of JSON, and
// reports whether it has any. A table without calls, such as a summary, gives no rows.
func markdownRows(text string) (string, bool) {
	if !strings.Contains(text, "|") || !strings.Contains(text, "--") {
		return "", false
	}
	var out strings.Builder
	shown, found := 1, false
	lines := strings.Split(text, "\n")
	for i := 0; i+2 < len(lines); i++ {
		heads := markdownCells(lines[i])
		if len(heads) < 2 || !isRuler(lines[i+1], len(heads)) {
			continue
		}
		t := table{heads: heads, names: englishColumns(heads)}
		at := i + 2
		for ; at < len(lines); at++ {
			cells := markdownCells(lines[at])
			if len(cells) < 2 {
				break
			}
			for len(cells) < len(heads) {
				cells = append(cells, "")
			}
			t.addRow(at+1, cells[:len(heads)])
		}
		i = at - 1
		if rows, last, ok := t.recordsFrom(shown); ok {
			out.WriteString(rows)
			shown, found = last, true
		}
	}
	return out.String(), found
}

// recordsFrom returns the rows of a table in a text as lines of JSON, of which those before end in the given line, and
// the line of its last row. ok is false for a table without calls, such as a summary.
func (t *table) recordsFrom(line int) (rows string, last int, ok bool) {
	t.joinParallel()
	t.joinSteps()
	t.joinNumbered()
	calls, told := t.callColumns()
	if !slices.Contains(calls, true) {
		return "", 0, false
	}
	rows, holds := t.rowsText(line, calls, told)
	return rows, t.lines[len(t.lines)-1], holds
}

// isRuler reports whether a line is the one between the head of a table and its rows.
func isRuler(line string, n int) bool {
	cells := markdownCells(line)
	return len(cells) == n && !slices.ContainsFunc(cells, func(cell string) bool { return strings.Trim(cell, "-:") != "" || !strings.Contains(cell, "-") })
}

// markdownCells returns the cells of a line of a table as plain text, or nil.
func markdownCells(line string) (cells []string) {
	line = strings.TrimSpace(line)
	if !strings.Contains(line, "|") {
		return nil
	}
	line = strings.TrimPrefix(line, "|")
	from := 0
	for i := range len(line) {
		if line[i] == '|' && (i == 0 || line[i-1] != '\\') {
			cells, from = append(cells, plainCell(line[from:i])), i+1
		}
	}
	if rest := plainCell(line[from:]); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}

var cellMarks = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("<br>", "\n", "<br/>", "\n", "<br />", "\n", "`", "", `\|`, "|", "**", "")
})

func plainCell(text string) string { return strings.TrimSpace(cellMarks().Replace(text)) }

// writtenValue returns an object or a list that a cell has in JSON or in Python's notation, in one line, or "".
func writtenValue(text string) string {
	if text[0] != '{' && text[0] != '[' {
		return ""
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		v = literal.Python(text)
	}
	if !v.Exists() {
		return ""
	}
	return strings.ReplaceAll(v.Raw(), "\n", " ")
}
