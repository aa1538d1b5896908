package render

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/internal/words"
)

// ComparisonTable prints a comparison for a terminal. The parameter limit is the largest
// number of changed runs that it lists; 0 means all.
func ComparisonTable(w io.Writer, c *compare.Comparison, limit int) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("baseline   %s\ntreatment  %s\n", sideLine(&c.A), sideLine(&c.B))
	f("paired     %s, %s\n\n", words.Count(c.Tasks, "task", "tasks"), words.Count(c.Runs, "pair of runs", "pairs of runs"))
	printRows(f, c, limit)
	f("  %s  %8s  %9s  %-24s  %s  %7s  %6s  %s\n", Pad("figure", 13), "baseline", "treatment", "change [95 %]", Pad("", plotWidth), "p", "d", "tasks moved")
	span := widestSpan(c)
	for i := range c.Figures {
		g := &c.Figures[i]
		if !g.Delta.Scored {
			f("  %s  %s\n", Pad(g.Name, 13), g.Delta.Reason)
			continue
		}
		f("  %s  %8.3f  %9.3f  %-24s  %s  %7s  %6s  %d of %d\n", Pad(g.Name, 13), *g.A.Value, *g.B.Value, changeText(&g.Delta), plotInterval(&g.Delta, span),
			formatOptional(g.Adjusted, "%.4f"), formatOptional(g.Effect, "%+.2f"), g.Moved, g.Tasks)
	}
	f("\n  p is the larger p of the paired t test and Wilcoxon's test, adjusted over all figures (Holm). d is Cohen's d for paired samples.\n")
	if s := c.Success; s != nil {
		f("\n  %s\n", s.Text)
	}
	if len(c.Changes) > 0 {
		f("\n  %s  %8s  %9s  %6s  %6s\n", Pad("violation", 14), "baseline", "treatment", "gained", "lost")
	}
	for _, v := range c.Changes {
		f("  %s  %8d  %9d  %6d  %6d\n", Pad(v.Type, 14), v.A, v.B, v.Gained, v.Lost)
	}
	for i := range c.Flips {
		if limit > 0 && i == limit {
			f("\n  … and %d more; --limit 0 shows all\n", len(c.Flips)-limit)
			break
		}
		printFlip(f, &c.Flips[i])
	}
	f("\n%s\n", c.Verdict.Text)
	for _, n := range c.Notes {
		f("note: %s\n", words.Printable(n))
	}
}

// ComparisonPower prints how many tasks would show a change of the size of each figure's
// change.
func ComparisonPower(w io.Writer, c *compare.Comparison) {
	fmt.Fprintf(w, "\n  %s  %8s  %s\n", Pad("figure", 13), "change", "tasks that would show it in 4 of 5 experiments")
	for i := range c.Figures {
		if g := &c.Figures[i]; g.Adjusted != nil {
			fmt.Fprintf(w, "  %s  %+8.3f  %s\n", Pad(g.Name, 13), *g.Delta.Value, neededText(g))
		}
	}
}

func sideLine(s *compare.Side) string {
	return fmt.Sprintf("%s: %s of %s, profile %s", words.Printable(strings.Join(s.Files, ", ")), words.Count(s.Runs, "run", "runs"), words.Count(s.Tasks, "task", "tasks"), s.Profile)
}

func printFlip(f func(string, ...any), x *compare.Flip) {
	f("\n  task %s: %s (%s → %s)", words.Printable(x.Task), x.What, words.Printable(x.A), words.Printable(x.B))
	if len(x.Rules) > 0 {
		f(", %s", words.Printable(strings.Join(x.Rules, ", ")))
	}
	if x.Parted == nil {
		f("\n    both runs did the same\n")
		return
	}
	f("\n    first difference at action %d\n      baseline   %s\n      treatment  %s\n", x.Parted.Action+1, actionText(x.Parted.A), actionText(x.Parted.B))
}

// longestCall is the largest number of bytes of a call that are shown.
const longestCall = 120

func actionText(text string) string {
	if text == "" {
		return "the run had ended"
	}
	if len(text) > longestCall {
		text = strings.ToValidUTF8(text[:longestCall], "") + "…"
	}
	return words.Printable(text)
}

func changeText(d *report.Score) string {
	if d.Interval == nil {
		return fmt.Sprintf("%+.3f", *d.Value)
	}
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", *d.Value, d.Interval.Low, d.Interval.High)
}

// changeEnds returns the ends of the interval of a change, or the change itself twice if
// it has no interval.
func changeEnds(d *report.Score) (low, high float64) {
	if d.Interval == nil {
		return *d.Value, *d.Value
	}
	return d.Interval.Low, d.Interval.High
}

// neededText returns the number of tasks that would show a change.
func neededText(g *compare.Figure) string {
	if g.TasksNeeded == 0 {
		return "–"
	}
	return strconv.Itoa(g.TasksNeeded)
}

func formatOptional(v *float64, format string) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf(format, *v)
}

// widestSpan returns the largest distance between zero and an end of an interval.
func widestSpan(c *compare.Comparison) float64 {
	span := 0.0
	for i := range c.Figures {
		if d := &c.Figures[i].Delta; d.Scored {
			low, high := changeEnds(d)
			span = max(span, math.Abs(low), math.Abs(high))
		}
	}
	return span
}

// plotWidth is the number of characters in an interval's plot; zero is in the middle.
const plotWidth = 21

// plotInterval draws a value and its interval as characters, on a scale from -span to
// span.
func plotInterval(d *report.Score, span float64) string {
	cells := []rune(strings.Repeat(" ", plotWidth))
	middle := plotWidth / 2
	cells[middle] = '│'
	at := func(v float64) int {
		if span == 0 {
			return middle
		}
		return middle + int(math.Round(v/span*float64(middle)))
	}
	low, high := changeEnds(d)
	for i := at(low); i <= at(high); i++ {
		if cells[i] = '─'; i == middle {
			cells[i] = '┼'
		}
	}
	cells[at(*d.Value)] = '●'
	return string(cells)
}

// ComparisonMarkdown prints a comparison as Markdown for a pull request.
func ComparisonMarkdown(w io.Writer, c *compare.Comparison, limit int) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("## Boundcheck: %s against %s\n\n**%s**\n\n", words.Cell(strings.Join(c.B.Files, ", ")), words.Cell(strings.Join(c.A.Files, ", ")), words.Cell(c.Verdict.Text))
	f("Both groups have runs of %s; there are %s.\n\n", words.Count(c.Tasks, "task", "tasks"), words.Count(c.Runs, "pair of runs", "pairs of runs"))
	markdownRows(f, c, limit)
	f("| figure | baseline | treatment | change [95 %%] | p (Holm) | d | tasks needed |\n|---|---|---|---|---|---|---|\n")
	for i := range c.Figures {
		g := &c.Figures[i]
		if !g.Delta.Scored {
			f("| %s | – | – | – | %s | – | – |\n", words.Cell(g.Name), words.Cell(g.Delta.Reason))
			continue
		}
		f("| %s | %.3f | %.3f | %s | %s | %s | %s |\n", words.Cell(g.Name), *g.A.Value, *g.B.Value, changeText(&g.Delta),
			formatOptional(g.Adjusted, "%.4f"), formatOptional(g.Effect, "%+.2f"), neededText(g))
	}
	if s := c.Success; s != nil {
		f("\n%s\n", s.Text)
	}
	if len(c.Changes) > 0 {
		f("\n| violation | baseline | treatment | gained | lost |\n|---|---|---|---|---|\n")
	}
	for _, v := range c.Changes {
		f("| %s | %d | %d | %d | %d |\n", words.Cell(v.Type), v.A, v.B, v.Gained, v.Lost)
	}
	if len(c.Flips) > 0 {
		f("\n| task | what | first difference | baseline | treatment |\n|---|---|---|---|---|\n")
	}
	for i := range c.Flips {
		if limit > 0 && i == limit {
			f("\n%d more changed.\n", len(c.Flips)-limit)
			break
		}
		x := &c.Flips[i]
		at, a, b := "–", "did the same", "did the same"
		if x.Parted != nil {
			at, a, b = fmt.Sprint(x.Parted.Action+1), actionText(x.Parted.A), actionText(x.Parted.B)
		}
		f("| %s | %s | %s | %s | %s |\n", words.Cell(x.Task), x.What, at, words.Cell(a), words.Cell(b))
	}
	for i, n := range c.Notes {
		if i == 0 {
			f("\n")
		}
		f("- %s\n", words.Cell(n))
	}
}
