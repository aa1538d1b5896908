package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/words"
)

// writeMarkdown prints a report as Markdown, for an issue or a pull request.
func writeMarkdown(w io.Writer, r *report.Report) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("## Boundcheck: %s, %s, profile %s\n\n", r.Input.Format, words.Count(r.Corpus.N, "trajectory", "trajectories"), r.Profile)
	if len(r.Trajectories) == 1 {
		f("%s\n\n", words.Cell(words.Headline(&r.Trajectories[0])))
	}
	writeStories(f, r)
	f("| | figure | value | 95 %% interval | name |\n|---|---|---|---|---|\n")
	for _, m := range words.Figures(&r.Corpus.Metrics) {
		value, interval := "–", m.Score.Reason
		if m.Score.Scored {
			value, interval = fmt.Sprintf("%.3f", *m.Score.Value), ""
		}
		if i := m.Score.Interval; i != nil {
			interval = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
		}
		f("| %s | %s | %s | %s | %s |\n", m.Arrow(), m.Plain, value, words.Cell(interval), m.Name)
	}
	writePasses(f, &r.Corpus)
	total, byType, hints := words.Violations(r)
	f("\n%s in %s%s%s.\n", words.Count(total, "violation", "violations"), words.Count(r.Corpus.Flagged, "flagged run", "flagged runs"), words.Types(byType), words.Hints(hints))
	if spent := words.Spent(r); spent != "" {
		f("\nTook: %s.\n", words.Cell(spent))
	}
	if names := words.Helpers(r); names != "" {
		f("\nWith %s.\n", words.Cell(names))
	}
	if r.Corpus.Violations.Total > 0 {
		f("\n| run | type | pattern | reason | confidence |\n|---|---|---|---|---|\n")
	}
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		for _, v := range t.Violations {
			f("| %s | %s | %s | %s | %.2f |\n", words.Cell(t.ID), words.Kind(&v), v.Pattern, words.Cell(words.Beside(v.Reason, words.Opinion(&v))), v.Confidence)
		}
	}
	writeDoubts(f, r)
	excused := 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		for _, v := range t.Excused {
			if excused++; excused == 1 {
				f("\nExcused by the judge, and not counted:\n\n| run | type | reason | judge |\n|---|---|---|---|\n")
			}
			f("| %s | %s | %s | %s |\n", words.Cell(t.ID), v.Type, words.Cell(v.Reason), words.Cell(strings.TrimPrefix(words.Opinion(&v), "judge: ")))
		}
	}
	for i, warning := range r.Warnings {
		if i == 0 {
			f("\n")
		}
		f("- warning: %s\n", words.Cell(words.Warning(&warning)))
	}
}

// writePasses writes pass^k and pass@k, one row for each k.
func writePasses(f func(string, ...any), c *report.Corpus) {
	for i, pass := range words.Passes(c) {
		if i == 0 {
			f("\n| k trials of a task | all succeed (pass^k) | one succeeds (pass@k) |\n|---|---|---|\n")
		}
		f("| %d | %s | %s |\n", pass.K, words.Figure(&pass.Score), words.Figure(&pass.Any))
	}
	if c.TrialsNote != "" {
		f("\n%s.\n", words.Title(c.TrialsNote))
	}
}

// mostStories is the largest number of runs whose stories a report in Markdown tells.
const mostStories = 20

// writeStories tells what went wrong in the flagged runs.
func writeStories(f func(string, ...any), r *report.Report) {
	told, more := 0, 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if !t.Flagged {
			continue
		}
		if told == mostStories {
			more++
			continue
		}
		told++
		for j := range t.Story {
			f("- **%s**: %s\n", words.Cell(t.ID), words.Cell(strings.Join(t.Story[j].Text, " ")))
		}
	}
	if more > 0 {
		f("- and %s; the table below has all findings\n", words.Count(more, "more run", "more runs"))
	}
	if told > 0 {
		f("\n")
	}
}

// writeDoubts lists the runs that are not known to be good, and of which no finding says why.
func writeDoubts(f func(string, ...any), r *report.Report) {
	first := true
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		kind, verdict := words.Doubt(t)
		if kind == "" {
			continue
		}
		if first {
			f("\nNot known to be good, without a violation that says why:\n\n| run | verdict | the trace tells |\n|---|---|---|\n")
			first = false
		}
		f("| %s | %s | %s |\n", words.Cell(t.ID), words.Cell(verdict), words.Cell(strings.Join(t.Recorded, "; ")))
	}
}
