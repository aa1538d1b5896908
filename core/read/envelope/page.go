package envelope

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/written"
)

// A program may write its report as a page: a table with a row for each run, and its calls as a list in a cell. The
// law of this file: each row of a table is one record in the line where it begins, and a cell has its text alone. A
// table inside a table is not read.

// pageRows returns the rows of the tables with calls in a text in HTML as lines of JSON, and reports whether it has
// any. O(n).
func pageRows(text string) (string, bool) {
	head := strings.ToLower(text[:min(len(text), 256)])
	if !strings.HasPrefix(strings.TrimSpace(head), "<") || !strings.Contains(text, "<tr") {
		return "", false
	}
	var out strings.Builder
	shown, found := 1, false
	for at := 0; ; {
		begin := strings.Index(text[at:], "<table")
		if begin < 0 {
			return out.String(), found
		}
		begin += at
		size := strings.Index(text[begin:], "</table>")
		if size < 0 || strings.Contains(text[begin+1:begin+size], "<table") {
			return "", false
		}
		at = begin + size
		t := pageTable(text[begin:at], strings.Count(text[:begin], "\n")+1)
		if t == nil {
			continue
		}
		if rows, last, ok := t.recordsFrom(shown); ok {
			out.WriteString(rows)
			shown, found = last, true
		}
	}
}

// pageTable reads a table that begins in the given line, or returns nil: its first row has the names of the columns.
func pageTable(text string, line int) *table {
	t := &table{}
	for n, part := range strings.Split(text, "<tr") {
		first := line
		line += strings.Count(part, "\n")
		if n == 0 {
			continue
		}
		part, _, _ = strings.Cut(part, "</tr>")
		cells := pageCells(part)
		switch {
		case len(cells) == 0:
		case t.names == nil:
			t.heads, t.names = cells, englishColumns(cells)
		case len(cells) > len(t.names):
			return nil // a cell over several columns
		default:
			for len(cells) < len(t.names) {
				cells = append(cells, "")
			}
			t.addRow(first, cells)
		}
	}
	if len(t.names) < 2 || len(t.rows) == 0 {
		return nil
	}
	return t
}

// pageCells returns the texts of the cells of a row.
func pageCells(row string) (cells []string) {
	for {
		at := strings.Index(row, "<t")
		if at < 0 || at+3 > len(row) {
			return cells
		}
		row = row[at+2:]
		if row[0] != 'd' && row[0] != 'h' || row[1] != '>' && row[1] != ' ' {
			continue
		}
		row = row[max(written.TagEnd(row), 0):]
		cell, rest, _ := cutFirst(row, "</td>", "</th>", "<td", "<th")
		cells, row = append(cells, pageText(cell)), rest
	}
}

// cutFirst cuts a text before the first of several marks. The rest begins with that mark.
func cutFirst(text string, marks ...string) (before, rest string, found bool) {
	at := len(text)
	for _, mark := range marks {
		if i := strings.Index(text, mark); i >= 0 && i < at {
			at, found = i, true
		}
	}
	return text[:at], text[at:], found
}

// pageText returns the text of a part of a page without its tags. The elements of a list and the lines of a text
// stand in lines of their own.
func pageText(part string) string {
	var b strings.Builder
	for part != "" {
		at := strings.IndexByte(part, '<')
		if at < 0 {
			break
		}
		b.WriteString(part[:at])
		part = part[at:]
		size := written.TagEnd(part)
		if size <= 0 {
			break
		}
		tag := strings.Trim(strings.ToLower(part[1:size-1]), "/ ")
		name, _, _ := strings.Cut(tag, " ")
		if shape.OneOf(name, "li br p div tr ol ul pre") && b.Len() > 0 {
			b.WriteByte('\n')
		}
		part = part[size:]
	}
	b.WriteString(part)
	var lines []string
	for line := range strings.Lines(written.FromXML(b.String())) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
