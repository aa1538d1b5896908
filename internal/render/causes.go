package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/internal/words"
)

// mostCauses is the number of groups that a table of runs shows, if it does not show all
// runs.
const mostCauses = 6

// printCauses prints what went wrong in several runs: the groups of like runs, the largest
// first, each with the story of one of its runs.
func (p *printer) printCauses(r *report.Report, o TableOptions) {
	groups := o.Causes
	shown := groups
	if o.Limit > 0 {
		shown = groups[:min(mostCauses, len(groups))]
	}
	for i := range shown {
		if i == 0 {
			p.printf("\n  %s\n", p.paintText(bold, causes.Head(r)))
		}
		p.printCause(&shown[i])
	}
	if left := groups[len(shown):]; len(left) > 0 {
		runs := 0
		for i := range left {
			runs += len(left[i].Runs)
		}
		p.printf("  … and %s with %s; --limit 0 shows all\n", words.Count(len(left), "other cause", "other causes"), words.Count(runs, "run", "runs"))
	}
}

func (p *printer) printCause(g *causes.Group) {
	p.printf("  %s  %s\n", p.paintText(red, fmt.Sprintf("%4d", len(g.Runs))), p.wrapText(words.Printable(g.Text+" ("+g.Note+")"), 8))
	for i, line := range g.Example.Text {
		if i == 0 {
			line = g.Example.Run + ": " + line
		}
		p.printf("        %s\n", p.paintText(dim, p.wrapText(words.Printable(line), 8)))
	}
}

// CausesTable prints the groups of a report for a terminal.
func CausesTable(w io.Writer, r *report.Report, groups []causes.Group, width int) {
	p := printer{w: w, width: width}
	p.printf("%s\n", causes.Head(r))
	for i := range groups {
		p.printCause(&groups[i])
	}
}

// CausesMarkdown prints the groups of a report as a table in Markdown.
func CausesMarkdown(w io.Writer, r *report.Report, groups []causes.Group) {
	fmt.Fprintf(w, "%s.\n\n| runs | share | what they did | an example |\n|---:|---|---|---|\n", causes.Head(r))
	for i := range groups {
		g := &groups[i]
		fmt.Fprintf(w, "| %d | %s | %s | %s: %s |\n", len(g.Runs), words.Cell(g.Note), words.Cell(g.Text), words.Cell(g.Example.Run), words.Cell(strings.Join(g.Example.Text, " ")))
	}
}
