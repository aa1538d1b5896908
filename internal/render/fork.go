package render

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/core/study/fork"
	"github.com/boundcheck/boundcheck/internal/words"
)

// sides has the letters of the two sides of a pair.
var sides = [2]string{"A", "B"}

// PairTable prints two runs beside each other for a terminal. Of the rows before the fork
// it prints the last. Names are the files and numbers by which the user named the runs.
func PairTable(w io.Writer, p *fork.Pair, names [2]string, width int) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	for i, s := range []*fork.Side{&p.A, &p.B} {
		f("%s  %s: run %s, %s%s\n", sides[i], words.Printable(names[i]), words.Printable(s.Run), words.Count(len(s.Calls), "call", "calls"), ", "+s.Word)
		for _, line := range s.Story {
			f("     %s\n", words.Printable(line))
		}
	}
	f("\n%s\n", p.Text)
	if width == 0 {
		width = 140
	}
	column := max(20, (width-15)/2)
	for i := pairStart(p); i < len(p.Rows); i++ {
		row := &p.Rows[i]
		mark := " "
		if p.Fork != nil && i == *p.Fork {
			mark = ">"
		}
		f("%s %s  %s  %s\n", mark, Pad(words.Pairs.Word(string(row.Op)), 10), Pad(pairText(p.A.Calls, row.Obs), column), Pad(pairText(p.B.Calls, row.Ref), column))
		if row.Differs != "" {
			f("              %s\n", words.Printable(row.Differs))
		}
	}
}

// PairMarkdown prints two runs beside each other as Markdown.
func PairMarkdown(w io.Writer, p *fork.Pair, names [2]string) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("## Two runs: %s and %s\n\n**%s**\n\n", words.Cell(names[0]), words.Cell(names[1]), words.Cell(p.Text))
	for i, s := range []*fork.Side{&p.A, &p.B} {
		f("- %s: run %s%s%s\n", sides[i], words.Cell(s.Run), ", "+s.Word, words.Cell(prefixed(". ", strings.Join(s.Story, " "))))
	}
	f("\n| | A | B |\n|---|---|---|\n")
	for i := pairStart(p); i < len(p.Rows); i++ {
		row := &p.Rows[i]
		mark := words.Pairs.Word(string(row.Op))
		if p.Fork != nil && i == *p.Fork {
			mark = "**first difference**"
		}
		mark += words.Cell(prefixed(": ", row.Differs))
		f("| %s | %s | %s |\n", mark, words.Cell(pairText(p.A.Calls, row.Obs)), words.Cell(pairText(p.B.Calls, row.Ref)))
	}
}

// pairStart returns the index of the first row to show: the fork, or the row before it.
func pairStart(p *fork.Pair) int {
	if p.Fork == nil {
		return 0
	}
	return max(0, *p.Fork-1)
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func pairText(calls []report.Action, at *int) string {
	if at == nil {
		return "–"
	}
	return words.Call(&calls[*at])
}

// The measures of a picture of two runs, in px.
const (
	pairColumn = 420
	pairLine   = 24
	pairMargin = 16
	pairLetter = 7   // of the font, which has one width
	mostDrawn  = 200 // rows
)

// pairStyle colours the picture as the page does, in a dark viewer too.
const pairStyle = "svg{background:#fff;color:#1b2024}text{font:11px ui-monospace,monospace;fill:currentColor}.head{font-weight:bold}.same{opacity:.65}rect{fill:#fbe3df;stroke:#b3261e}line{stroke:#b3261e}@media(prefers-color-scheme:dark){svg{background:#16191c;color:#e6e8ea}rect{fill:#4a1f1b;stroke:#ff9a8d}line{stroke:#ff9a8d}}"

// PairSVG draws two runs beside each other: the calls of both, equal ones on one line, and
// a line where they part. It needs nothing from outside.
func PairSVG(w io.Writer, p *fork.Pair, names [2]string) {
	start := pairStart(p)
	rows := p.Rows[start:min(len(p.Rows), start+mostDrawn)]
	width, height := 3*pairMargin+2*pairColumn, 2*pairMargin+pairLine*(len(rows)+3)
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	text := func(class string, side, y int, s string) {
		most := (pairColumn - 12) / pairLetter
		if r := []rune(s); len(r) > most {
			s = string(r[:most-1]) + "…"
		}
		f(`<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, pairMargin+side*(pairColumn+pairMargin)+6, y, html.EscapeString(words.Printable(s)))
	}
	f(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s"><style>%s</style>`+"\n", width, height, width, height, html.EscapeString(words.Printable("Two runs beside each other: "+names[0]+" and "+names[1]+". "+p.Text)), pairStyle)
	for i, s := range []*fork.Side{&p.A, &p.B} {
		text("head", i, pairMargin+pairLine/2, fmt.Sprintf("%s  %s%s", sides[i], names[i], ", "+s.Word))
	}
	text("head", 0, pairMargin+pairLine*3/2, p.Text)
	for i := range rows {
		row, y := &rows[i], pairMargin+pairLine*(i+2)
		if p.Fork != nil && start+i == *p.Fork {
			f(`<line x1="%d" x2="%d" y1="%d" y2="%d"/>`+"\n", pairMargin, width-pairMargin, y, y)
		}
		for side, at := range []*int{row.Obs, row.Ref} {
			class := "same"
			if at != nil && row.Op != report.Match {
				class = "differs"
				f(`<rect x="%d" y="%d" width="%d" height="%d" rx="4"/>`+"\n", pairMargin+side*(pairColumn+pairMargin), y+2, pairColumn, pairLine-4)
			}
			text(class, side, y+pairLine-8, pairText([][]report.Action{p.A.Calls, p.B.Calls}[side], at))
		}
	}
	if more := len(p.Rows) - start - len(rows); more > 0 {
		text("head", 0, pairMargin+pairLine*(len(rows)+3)-8, "and "+words.Count(more, "more row", "more rows"))
	}
	f("</svg>\n")
}

// rowStory returns what went wrong in the worse run of a row, and whose run that is.
func rowStory(r *compare.Row) string {
	whose, story := "treatment", r.B.Story
	if r.What == "fixed" || len(story) == 0 && r.What != "broken" {
		whose, story = "baseline", r.A.Story
	}
	if len(story) == 0 {
		return ""
	}
	return whose + ": " + strings.Join(story, " ")
}

// printRows prints a line for each task that is not unchanged. limit is the largest number
// of lines; 0 means all.
func printRows(f func(string, ...any), c *compare.Comparison, limit int) {
	f("tasks      %s\n", c.Counts)
	rows, more := changedRows(c, limit)
	for _, r := range rows {
		f("  %s %s %s  %s\n", Pad(r.Word, 9), Pad(words.Printable(r.Task), 20), Pad(halvesText(r), 12), words.Printable(rowStory(r)))
	}
	if more {
		f("  … and more; --limit 0 shows all\n")
	}
	f("\n")
}

// changedRows returns the rows of the tasks that are not unchanged, at most limit of them, and
// reports whether there are more. With 0, limit means all.
func changedRows(c *compare.Comparison, limit int) (rows []*compare.Row, more bool) {
	for i := range c.Rows {
		if c.Rows[i].What == "unchanged" {
			continue
		}
		if limit > 0 && len(rows) == limit {
			return rows, true
		}
		rows = append(rows, &c.Rows[i])
	}
	return rows, false
}

// halvesText says how many runs are good on both sides, such as "1/2 → 2/2".
func halvesText(r *compare.Row) string {
	return fmt.Sprintf("%d/%d → %d/%d", r.A.Good, r.A.Runs, r.B.Good, r.B.Runs)
}

// markdownRows prints the tasks that are not unchanged as a Markdown table.
func markdownRows(f func(string, ...any), c *compare.Comparison, limit int) {
	f("Tasks: %s.\n\n", c.Counts)
	rows, more := changedRows(c, limit)
	if len(rows) > 0 {
		f("| | task | good runs | runs | what went wrong |\n|---|---|---|---|---|\n")
	}
	for _, r := range rows {
		f("| %s | %s | %s | %s, %s | %s |\n", r.Word, words.Cell(r.Task), halvesText(r), words.Cell(r.A.Run), words.Cell(r.B.Run), words.Cell(rowStory(r)))
	}
	if more {
		f("\nThere are more such tasks.\n")
	}
	if len(rows) > 0 {
		f("\n")
	}
}
