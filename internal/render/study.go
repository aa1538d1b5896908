package render

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/internal/words"
)

var studyHead = []string{"file", "n", "success", "method", "deviation", "mean", "coef", "SE", "95 %", "OR", "p", "test"}

// studyRows returns the two table rows of a file: mutating and non-mutating deviations.
func studyRows(f *deviation.File) [][]string {
	line := func(name string, e *deviation.Effect) []string {
		return []string{"", "", "", "", name, formatDecimals(e.Mean, 2), formatDecimals(e.Coef, 3), formatDecimals(e.SE, 3), intervalText(e), formatOdds(e.OR), formatChance(e.P), e.Test}
	}
	first, second := line("mutating", &f.Mutating), line("non-mutating", &f.NonMutating)
	copy(first, []string{words.Printable(f.File), strconv.Itoa(f.N), fmt.Sprintf("%.3f", float64(f.Successes)/float64(f.N)), f.Method})
	return [][]string{first, second}
}

// intervalText formats the 95 % interval of a coefficient.
func intervalText(e *deviation.Effect) string {
	if e.Low == nil && e.High == nil {
		return "–"
	}
	return formatDecimals(e.Low, 2) + " to " + formatDecimals(e.High, 2)
}

// allFiles returns a report's files. The last element describes all files together, if
// the report has such a row.
func allFiles(s *deviation.Report) []deviation.File {
	if s.Pooled == nil {
		return s.Files
	}
	return append(s.Files[:len(s.Files):len(s.Files)], *s.Pooled)
}

func formatDecimals(d *deviation.Digits, n int) string {
	if d == nil {
		return "–"
	}
	return strconv.FormatFloat(float64(*d), 'f', n, 64)
}

func formatOdds(d *deviation.Digits) string {
	if d == nil || *d >= 0.001 && *d < 1000 {
		return formatDecimals(d, 3)
	}
	return formatChance(d)
}

func formatChance(d *deviation.Digits) string {
	if d == nil {
		return "–"
	}
	return strconv.FormatFloat(float64(*d), 'g', 2, 64)
}

// oddsBar draws an odds ratio on a logarithmic scale, with 1 in the middle. An arrow at an
// end shows that the value is outside the scale.
func oddsBar(or *deviation.Digits) string {
	const side = 10
	cells := []rune(strings.Repeat("·", side) + "│" + strings.Repeat("·", side))
	if or == nil {
		return string(cells)
	}
	n := int(math.Round(2 * math.Log2(float64(*or)))) // one character is a factor of √2
	for i := 1; i <= min(max(n, -n), side); i++ {
		cells[side+i*max(min(n, 1), -1)] = '█'
	}
	switch {
	case n > side:
		cells[2*side] = '▶'
	case n < -side:
		cells[0] = '◀'
	}
	return string(cells)
}

func StudyTable(w io.Writer, s *deviation.Report) {
	rows := [][]string{studyHead}
	pictures := []string{"OR: 1/32 … 1 … 32"}
	files := allFiles(s)
	for i := range files {
		rows = append(rows, studyRows(&files[i])...)
		pictures = append(pictures, oddsBar(files[i].Mutating.OR), oddsBar(files[i].NonMutating.OR))
	}
	fmt.Fprintf(w, "regression of success on deviations from the reference (distance: %s)\n\n", s.Files[0].Distance)
	widths := columnWidths(rows)
	for i, row := range rows {
		for c, text := range row {
			space := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(text))
			if c == 0 || c == 3 || c == 4 { // texts are aligned left, figures right
				fmt.Fprint(w, "  ", text, space)
			} else {
				fmt.Fprint(w, "  ", space, text)
			}
		}
		fmt.Fprintf(w, "  %s\n", pictures[i])
	}
	fmt.Fprintln(w)
	for i := range files {
		for _, line := range studyNotes(&files[i]) {
			fmt.Fprintf(w, "  %s: %s\n", words.Printable(files[i].File), line)
		}
		studyList(w, &files[i])
	}
}

func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, text := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(text))
		}
	}
	return widths
}

// studyNotes returns the warnings about a file's figures.
func studyNotes(f *deviation.File) []string {
	var out []string
	if f.Separated {
		out = append(out, "maximum likelihood does not converge, because deviations separate success from failure; the estimate and p come from Firth's penalised likelihood")
	}
	if c := f.Mutating.Low; c != nil && *c > 0 {
		out = append(out, "the sign is unexpected: runs with more mutating deviations succeed more often here. The number of calls does not measure errors if the user also acts (dual control), or if the reference is one of many solutions")
	}
	if least := min(f.Successes, f.N-f.Successes); least < 20 {
		out = append(out, fmt.Sprintf("the data has only %s for two coefficients, so trust the interval more than the estimate", words.Count(least, map[bool]string{true: "failure", false: "success"}[least == f.N-f.Successes], map[bool]string{true: "failures", false: "successes"}[least == f.N-f.Successes])))
	}
	if f.Replayed > 0 {
		out = append(out, fmt.Sprintf("%s replayed; the replay contradicted and replaced %d recorded outcomes", words.Count(f.Replayed, "run", "runs"), f.Contrary))
	}
	if f.LeftOut > 0 {
		out = append(out, words.Count(f.LeftOut, "run", "runs")+" omitted: no reference or no known outcome")
	}
	if e := f.Mutating; e.Reason != "" {
		out = append(out, "the effect of mutating deviations cannot be estimated: "+e.Reason)
	}
	if e := f.NonMutating; e.Reason != "" {
		out = append(out, "the effect of non-mutating deviations cannot be estimated: "+e.Reason)
	}
	if f.Warnings > 0 {
		out = append(out, words.Count(f.Warnings, "warning", "warnings")+" while reading; boundcheck score shows all warnings")
	}
	d := f.Decisive
	if d.Failures > 0 {
		out = append(out, fmt.Sprintf("decisive deviations of %s: wrong write %d, extra write %d, missing write %d, none %d (the writes are the same as in a successful run)",
			words.Count(d.Failures, "failure", "failures"), d.Wrong, d.Extra, d.Missing, d.Same))
	}
	return out
}

// studyList prints the failed runs of a file. For each run, it prints the step after
// which the run could no longer succeed.
func studyList(w io.Writer, f *deviation.File) {
	for i := range f.Runs {
		r := &f.Runs[i]
		if r.Step == nil {
			continue
		}
		where := ""
		if r.Step.Obs != nil {
			where = fmt.Sprintf("step %d, ", *r.Step.Obs+1)
		}
		fmt.Fprintf(w, "    %s  d_mut %-2d d_non %-2d  %s  %s%s\n", Pad(words.Printable("run "+r.ID), 14), r.Mutating, r.NonMutating,
			Pad(r.Step.Kind, 7), where, words.Printable(r.Step.Reason))
	}
}

func StudyMarkdown(w io.Writer, s *deviation.Report) {
	fmt.Fprintf(w, "## Boundcheck: what deviations cost (distance: %s)\n\n| %s |\n|%s\n", s.Files[0].Distance,
		strings.Join(studyHead, " | "), strings.Repeat("---|", len(studyHead)))
	files := allFiles(s)
	for i := range files {
		for _, row := range studyRows(&files[i]) {
			row[0] = words.Cell(row[0])
			fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		}
	}
	fmt.Fprintln(w)
	for i := range files {
		for _, line := range studyNotes(&files[i]) {
			fmt.Fprintf(w, "- %s: %s\n", words.Cell(files[i].File), words.Cell(line))
		}
	}
	for _, u := range s.Unusable {
		fmt.Fprintf(w, "- %s: not studied: %s\n", words.Cell(u.File), words.Cell(u.Reason))
	}
	fmt.Fprintf(w, "\n### Methods\n\n%s\n", deviationMethods)
}
