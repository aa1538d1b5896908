package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
)

// Markdown prints a report to paste into an issue or a pull request.
func Markdown(w io.Writer, r *core.Report) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("## Boundcheck: %s, %s, profile %s\n\n", r.Input.Format, Count(r.Corpus.N, "trajectory", "trajectories"), r.Profile)
	f("| figure | value | 95 %% interval |\n|---|---|---|\n")
	for _, m := range figures(&r.Corpus.Metrics) {
		value, interval := "–", m.score.Reason
		if m.score.Scored {
			value, interval = fmt.Sprintf("%.3f", *m.score.Value), ""
		}
		if i := m.score.Interval; i != nil {
			interval = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
		}
		f("| %s | %s | %s |\n", m.name, value, cell(interval))
	}
	f("\n%d violations in %s%s.\n", r.Corpus.Violations.Total, Count(r.Corpus.Flagged, "flagged run", "flagged runs"), types(r.Corpus.Violations.ByType))
	if names := helpers(r); names != "" {
		f("\nWith %s.\n", cell(names))
	}
	if r.Corpus.Violations.Total > 0 {
		f("\n| run | type | pattern | reason | confidence |\n|---|---|---|---|---|\n")
	}
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		for _, v := range t.Violations {
			f("| %s | %s | %s | %s | %.2f |\n", cell(t.ID), v.Type, v.Pattern, cell(aligned(v.Reason, opinion(&v))), v.Confidence)
		}
	}
	excused := 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		for _, v := range t.Excused {
			if excused++; excused == 1 {
				f("\nExcused by the judge, and not counted:\n\n| run | type | reason | judge |\n|---|---|---|---|\n")
			}
			f("| %s | %s | %s | %s |\n", cell(t.ID), v.Type, cell(v.Reason), cell(strings.TrimPrefix(opinion(&v), "judge: ")))
		}
	}
	for i, warning := range r.Warnings {
		if i == 0 {
			f("\n")
		}
		f("- warning: %s\n", cell(warningText(&warning)))
	}
}

// cell makes text safe inside a Markdown table.
func cell(s string) string {
	s = Printable(s)
	for _, c := range []string{`\`, "|", "`", "*", "_", "<", "[", "]", "!"} {
		s = strings.ReplaceAll(s, c, `\`+c)
	}
	return s
}
