// Package render writes reports and the results of studies for people, as tables, Markdown
// and pages. Package internal/export writes the files for other programs.
package render

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/causes"
	"github.com/boundcheck/boundcheck/internal/words"
)

// TableOptions control how a table is printed.
type TableOptions struct {
	Color bool
	Limit int // runs to print; 0 for all
	Width int // columns of the terminal; 0 if there is no terminal

	Causes []causes.Group // of several runs: why they went wrong
}

// Table prints a report for people. Of a single run it first prints what went wrong, then
// the figures, and then the run step by step with all findings. Of several runs it prints
// what went wrong in groups of like runs, then a list of the runs, and then the figures.
func Table(w io.Writer, r *report.Report, o TableOptions) {
	p := printer{w: w, color: o.Color, width: o.Width}
	one := len(r.Trajectories) == 1
	if one {
		p.printStory(&r.Trajectories[0])
	}
	count := words.Count(r.Corpus.N, "trajectory", "trajectories")
	if one && len(r.Trajectories[0].Observed) == 0 && r.Trajectories[0].Reference == nil {
		count = "nothing to score" // an empty list is a run without a call, or a file without a run
	}
	p.printf("%s · %s · profile %s\n", words.Printable(r.Input.Format), count, r.Profile)
	if len(r.Trajectories) == 0 {
		p.printf("\n  There is no run in this trace, so there is nothing to score.\n\n")
		p.printWarnings(r)
		return
	}
	if !one {
		p.printCauses(r, o)
		p.printRuns(r, o.Limit)
	}
	p.printGroups(r)
	p.printCorpus(r)
	if names := words.Helpers(r); names != "" {
		p.printf("  %s  %s\n", Pad("with", 14), words.Printable(names))
	}
	p.printWarnings(r)
	if one {
		p.printSteps(&r.Trajectories[0])
		p.printFindings(&r.Trajectories[0])
	}
}

type printer struct {
	w     io.Writer
	color bool
	width int // columns of the terminal; 0 if there is no terminal
}

func (p *printer) printf(format string, a ...any) { fmt.Fprintf(p.w, format, a...) }

// paintText returns s in a style, if colours are on. The text must mean the same without
// colours.
func (p *printer) paintText(style, s string) string {
	if !p.color || style == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

const (
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
	dim    = "2"
)

func verdictStyle(verdict string) string {
	switch verdict {
	case "violation":
		return red
	case "correct":
		return green
	case "note", "uncertain":
		return yellow
	}
	return dim
}

func (p *printer) printSteps(t *report.Trajectory) {
	if len(t.Alignment) == 0 {
		p.printObserved(t)
		return
	}
	width := p.columnWidth(38, 36, 2)
	p.printf("\n  %s  %s  %s\n", Pad("agent", width), Pad("reference", width), "verdict")
	for _, row := range t.Alignment {
		verdict := string(row.Verdict)
		if row.Hint {
			verdict = "uncertain"
		}
		word, style := words.Verdicts.Word(verdict), verdictStyle(verdict)
		if row.Op != report.Match {
			word = words.Ops.Word(string(row.Op)) + ", " + word
		}
		p.printf("  %s  %s  %s\n", Pad(sideText(t.Observed, row.Obs), width), Pad(sideText(t.Reference, row.Ref), width), words.Beside(p.paintText(style, word), p.paintText(dim, words.Printable(words.ExcusedBy(&row))))+p.stepSpent(t, row.Obs))
	}
}

// columnWidth returns the width of each of n equal columns, so that the table fills the
// terminal. The parameter others is the number of characters that the rest of the table
// needs. Without a terminal, columnWidth returns the usual width.
func (p *printer) columnWidth(usual, others, n int) int {
	if p.width == 0 {
		return usual
	}
	return max(16, (p.width-others)/n)
}

func (p *printer) printObserved(t *report.Trajectory) {
	p.printf("\n")
	for i, a := range t.Observed {
		p.printf("  %3d  %s  %s%s\n", i+1, Pad(words.Call(&a), p.columnWidth(60, 27, 1)), p.paintText(dim, words.Effect(&a)), p.stepSpent(t, &i))
	}
}

// stepSpent returns what a step took, as the end of its line.
func (p *printer) stepSpent(t *report.Trajectory, i *int) string {
	if i == nil {
		return ""
	}
	if text := words.Printable(t.Observed[*i].Took); text != "" {
		return "  " + p.paintText(dim, text)
	}
	return ""
}

func sideText(actions []report.Action, i *int) string {
	if i == nil {
		return "—"
	}
	return words.Call(&actions[*i])
}

func Pad(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		runes := []rune(s)
		return string(runes[:width-1]) + "…"
	}
	return s + strings.Repeat(" ", width-n)
}

// padName pads a run's name to width. It cuts a longer name in the middle, because the
// names of runs from several files begin alike and differ at the end.
func padName(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return Pad(s, width)
	}
	head := (width - 1) / 3
	return string(runes[:head]) + "…" + string(runes[len(runes)-(width-1-head):])
}

// Fill pads a text to width without cutting it.
func Fill(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// printFindings prints all findings of a run, with everything that is known about them.
func (p *printer) printFindings(t *report.Trajectory) {
	if t.Reference == nil && t.Error == nil {
		if len(t.Story) > 0 {
			p.printf("\n")
			p.printLintFindings(t)
		}
		p.printReplay(t)
		return
	}
	if n := len(t.Violations); n > 0 {
		hints := countHints(t.Violations)
		said := words.Count(n-hints, "violation", "violations") + words.Hints(hints)
		if hints == n {
			said = words.Count(n, "hint", "hints")
		}
		p.printf("\n  %s\n", p.paintText(bold, said))
	}
	p.printViolations(t.Violations, red)
	if len(t.Excused) > 0 {
		p.printf("\n  %s\n", p.paintText(bold, words.Count(len(t.Excused), "finding", "findings")+" excused by the judge"))
		p.printViolations(t.Excused, yellow)
	}
	if a := t.Attribution; a != nil {
		p.printf("\n  %s  %s\n", p.paintText(bold, Pad("why", 14)), words.Printable(a.Primary.Mode+": "+a.Primary.Reason))
		for _, f := range a.Factors {
			p.printf("  %s  with %s: %s\n", Pad("", 14), f.Mode, words.Printable(f.Reason))
		}
	}
	p.printReplay(t)
}

func countHints(all []report.Violation) (n int) {
	for i := range all {
		if all[i].Hint {
			n++
		}
	}
	return n
}

func (p *printer) printReplay(t *report.Trajectory) {
	if t.Replay != nil {
		word := p.paintText(bold, Pad("replay", 14))
		p.printf("\n")
		for _, line := range words.Replayed(t.Replay) {
			p.printf("  %s  %s\n", word, words.Printable(line))
			word = Pad("", 14)
		}
	}
}

func (p *printer) printViolations(all []report.Violation, style string) {
	for i := range all {
		v := &all[i]
		p.printf("  %s  %s %s\n", p.paintText(style, Pad(words.Kind(v), 14)), words.Printable(v.Reason), p.paintText(dim, asideText(v)))
		if said := words.Opinion(v); said != "" {
			p.printf("  %s  %s\n", Pad("", 14), words.Printable(said))
		}
		for _, e := range v.Evidence {
			did, wanted := words.Sides(e.Path, e.Observed, e.Reference)
			p.printf("  %s  %s: agent %s, reference %s\n", Pad("", 14), words.Printable(e.Path), did, wanted)
		}
	}
}

func asideText(v *report.Violation) string {
	s := fmt.Sprintf("(%s, %s, %.2f)", v.Rule, v.By, v.Confidence)
	if v.Pattern != "" {
		s = fmt.Sprintf("(%s; %s, %s, %.2f)", v.Pattern, v.Rule, v.By, v.Confidence)
	}
	return s
}

func (p *printer) printRuns(r *report.Report, limit int) {
	name := p.nameWidth(r)
	p.printf("\n  %s  %s  %s  %s  %s  %s\n", Pad("run", name), Pad("success", 7), Pad("flagged", 7), Pad("within", 6), Pad("svr", 5), "what went wrong")
	shown := 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if limit > 0 && shown == limit {
			p.printf("  … and %d more; --limit 0 shows all, --format json has all details\n", len(r.Trajectories)-shown)
			break
		}
		shown++
		flagged, style := "no", green
		switch {
		case t.Error != nil:
			flagged, style = "?", yellow
		case t.Flagged:
			flagged, style = "yes", red
		case t.Reference == nil:
			flagged, style = "–", yellow // nothing was compared
		case words.Unproven(t):
			style = yellow
		}
		p.printf("  %s  %s  %s  %s  %s", padName(words.Printable(t.ID), name), Pad(YesNo(t.Success), 7), p.paintText(style, Pad(flagged, 7)),
			Pad(words.Short(t.Metrics.WithinBounds), 6), Pad(words.Short(t.Metrics.SVR), 5))
		if text := words.WentWrong(t); text != "" {
			p.printf("  %s", p.wrapText(words.Printable(text), name+37))
		}
		p.printf("\n")
	}
}

// nameWidth returns the width of the column of run names. It is the width of the longest
// name, but at most a third of the terminal and at least 14. Without a terminal it is 14.
func (p *printer) nameWidth(r *report.Report) int {
	width := 14
	for i := range r.Trajectories {
		if p.width > 0 {
			width = max(width, utf8.RuneCountInString(words.Printable(r.Trajectories[i].ID)))
		}
	}
	return min(width, max(14, p.width/3))
}

func YesNo(b *bool) string {
	switch {
	case b == nil:
		return "?"
	case *b:
		return "yes"
	}
	return "no"
}

func (p *printer) printCorpus(r *report.Report) {
	c := &r.Corpus
	p.printf("\n  %s  %s, mean length %.2f observed, %.2f reference\n", p.paintText(bold, Pad("corpus", 14)),
		words.Count(c.Tasks, "task", "tasks"), c.Lengths.Observed, c.Lengths.Reference)
	p.printFigures(words.Figures(&c.Metrics))
	p.printPasses(c)
	if spent := words.Spent(r); spent != "" {
		p.printf("  %s  %s\n", Pad("took", 14), p.wrapText(spent, 18))
	}
	total, byType, hints := words.Violations(r)
	p.printf("  %s  %d in %s%s%s\n", Pad("violations", 14), total, words.Count(c.Flagged, "flagged run", "flagged runs"), words.Types(byType), words.Hints(hints))
	if a := c.Agreement; a != nil {
		p.printf("  %s  %.3f: %d of %d successes were flagged, %d of %d failures were not flagged\n", Pad("agreement", 14), a.Value,
			a.FlaggedSuccesses, a.Successes, a.UnflaggedFailures, a.Failures)
	}
}

// printPasses prints pass^k and pass@k, one line for each k.
func (p *printer) printPasses(c *report.Corpus) {
	for i, pass := range words.Passes(c) {
		if i == 0 {
			p.printf("  %s  %s  %s\n", Pad("trials", 7), Fill("all succeed (pass^k)", 20), "one succeeds (pass@k)")
		}
		p.printf("  %s  %s  %s\n", Pad(fmt.Sprint("k = ", pass.K), 7), Fill(words.Figure(&pass.Score), 20), words.Figure(&pass.Any))
	}
	if c.TrialsNote != "" {
		p.printf("  %s  %s\n", p.paintText(dim, "trials"), p.wrapText(c.TrialsNote, 10))
	}
}

// printGroups prints a table with one line for each scored file. The runs of one file are
// a group of the corpus.
func (p *printer) printGroups(r *report.Report) {
	for i, g := range r.Corpus.Groups {
		if i == 0 {
			p.printf("\n  %s  %s  %s  %s  %s  %s\n", Pad("file", 40), Pad("runs", 6), Pad("flagged", 7), Pad("within", 6), Pad("svr", 5), "sr")
		}
		p.printf("  %s  %s  %s  %s  %s  %s\n", Pad(words.Printable(g.Name), 40), Pad(fmt.Sprint(g.N), 6), Pad(fmt.Sprint(g.Flagged), 7),
			Pad(words.Short(g.Metrics.WithinBounds), 6), Pad(words.Short(g.Metrics.SVR), 5), words.Short(*g.Metrics.SR))
	}
}

// printWarnings prints the first warning of each code, and the number of other warnings
// with the same code.
func (p *printer) printWarnings(r *report.Report) {
	more := map[string]int{}
	for _, w := range r.Warnings {
		more[w.Code]++
	}
	first := true
	for _, w := range r.Warnings {
		n := more[w.Code]
		if n == 0 {
			continue
		}
		delete(more, w.Code)
		if first {
			p.printf("\n")
			first = false
		}
		p.printf("  %s %s\n", p.paintText(yellow, "warning"), words.Printable(words.Warning(&w)))
		if n > 1 {
			p.printf("          and %d more with the code %s; --format json shows all\n", n-1, w.Code)
		}
	}
}
