package render

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/internal/words"
)

// mostCauses is the number of groups that a table of runs shows, if it does not show all
// runs.
const mostCauses = 6

// printCauses prints what went wrong in several runs: the groups of like runs, the largest
// first, each with the story of one of its runs.
func (p *printer) printCauses(r *report.Report, limit int) {
	groups := causes.Find(r)
	shown := groups
	if limit > 0 {
		shown = groups[:min(mostCauses, len(groups))]
	}
	for i := range shown {
		if i == 0 {
			p.printf("\n  %s\n", p.paintText(bold, "why "+words.Count(r.Corpus.Flagged, "run", "runs")+" broke a boundary"))
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
	p.printf("  %s  %s\n", p.paintText(red, fmt.Sprintf("%4d", len(g.Runs))), p.wrapText(words.Printable(causeText(g)), 8))
	for i, line := range g.Example.Text {
		if i == 0 {
			line = g.Example.Run + ": " + line
		}
		p.printf("        %s\n", p.paintText(dim, p.wrapText(words.Printable(line), 8)))
	}
}

// causeText returns the words that follow the number of a group's runs.
func causeText(g *causes.Group) string {
	at := ""
	switch {
	case g.From > 0 && g.From == g.To:
		at = fmt.Sprintf(", at step %d", g.From)
	case g.From > 0:
		at = fmt.Sprintf(", at steps %d to %d", g.From, g.To)
	}
	return fmt.Sprintf("%s (%.0f %%%s)", g.Text, 100*g.Share, at)
}
