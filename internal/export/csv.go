package export

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/words"
)

// kinds lists the types of violations. The CSV file has one column for each type, with the
// number of its violations.
var kinds = []report.ViolationType{report.OverAction, report.UnderAction, report.OverGranular, report.UnderGranular, report.StartBoundary, report.EndBoundary}

// csvHeader returns the names of the columns. docs/results.md describes each column.
func csvHeader() []string {
	names := []string{"file", "run", "task", "trial", "profile", "success", "reward", "flagged", "verdict",
		"steps", "reference_steps", "within", "abs_agent", "abs_max", "gar", "svr", "granularity", "figures_note", "violations"}
	for _, k := range kinds {
		names = append(names, strings.ReplaceAll(string(k), "-", "_"))
	}
	return append(names, "excused", "first_type", "first_pattern", "first_rule", "first_step", "first_reference_step",
		"first_confidence", "first_reason", "cause", "cause_reason", "warnings", "error")
}

// writeCSV writes a report as CSV in the format of RFC 4180. After the header, it writes
// one line for each run, and one line for each file that could not be read.
func writeCSV(w io.Writer, r *report.Report, files []string) {
	names := csvHeader()
	writeLine(w, names)
	warned := map[string]int{}
	for i := range r.Warnings {
		warned[r.Warnings[i].Trajectory]++
	}
	for _, s := range reportSources(r, files) {
		if s.broken != "" {
			line := make([]string, len(names))
			line[0], line[len(line)-1] = words.SheetCell(s.name), words.SheetCell(s.broken)
			writeLine(w, line)
		}
		for i := range s.runs {
			writeLine(w, slices.Concat([]string{words.SheetCell(s.name)}, runCells(&s.runs[i]), []string{strconv.Itoa(warned[s.runs[i].ID]), errorCell(&s.runs[i])}))
		}
	}
}

// runCells returns the cells about a run, in the order of the columns. The first cell is
// the run's id, and the last cells are about the cause of its failure.
func runCells(t *report.Trajectory) []string {
	m := &t.Metrics
	total, byType := countViolations(t)
	row := []string{words.SheetCell(t.ID), words.SheetCell(t.Task), intCell(t.Trial), words.SheetCell(t.Profile), boolCell(t.Success), floatCell(t.Reward), boolCell(&t.Flagged), words.SheetCell(t.Verdict),
		strconv.Itoa(len(t.Observed)), "", scoreCell(&m.WithinBounds), scoreCell(&m.ABS.Agent), scoreCell(&m.ABS.Max), scoreCell(&m.GAR), scoreCell(&m.SVR), scoreCell(&m.GranularityRate),
		words.SheetCell(m.ABS.Max.Reason), strconv.Itoa(total)}
	if t.Reference != nil {
		row[9] = strconv.Itoa(len(t.Reference))
	}
	for _, k := range kinds {
		row = append(row, strconv.Itoa(byType[k]))
	}
	row = append(row, strconv.Itoa(len(t.Excused)))
	row = append(row, failureCells(t)...)
	if a := t.Attribution; a != nil {
		return append(row, words.SheetCell(a.Primary.Mode), words.SheetCell(a.Primary.Reason))
	}
	return append(row, "", "")
}

// countViolations returns the numbers of a run's violations, in all and by type, without
// the hints.
func countViolations(t *report.Trajectory) (total int, byType map[report.ViolationType]int) {
	byType = map[report.ViolationType]int{}
	for i := range t.Violations {
		if v := &t.Violations[i]; !v.Hint {
			byType[v.Type]++
			total++
		}
	}
	return total, byType
}

// errorCell returns why a run was not scored, or "".
func errorCell(t *report.Trajectory) string {
	if t.Error == nil {
		return ""
	}
	return words.SheetCell(t.Error.Message)
}

// failureCells returns the cells about a run's first failure point. If no cause is known,
// they are about the run's first violation. Steps are counted from 1.
func failureCells(t *report.Trajectory) []string {
	at := 0
	if a := t.Attribution; a != nil {
		at = a.First
	}
	if at >= len(t.Violations) {
		return make([]string, 7)
	}
	v := &t.Violations[at]
	return []string{words.SheetCell(string(v.Type)), words.SheetCell(string(v.Pattern)), words.SheetCell(v.Rule), stepCell(v.Obs), stepCell(v.Ref), floatCell(&v.Confidence), words.SheetCell(v.Reason)}
}

func stepCell(i *int) string {
	if i == nil {
		return ""
	}
	return strconv.Itoa(*i + 1)
}

func intCell(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func boolCell(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}

func scoreCell(s *report.Score) string { return floatCell(s.Value) }

// floatCell returns the shortest text from which a parser gets exactly the number *v. It
// returns "" if v is nil.
func floatCell(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

// writeLine writes the cells as one line of CSV, with quotes where they are required.
func writeLine(w io.Writer, cells []string) {
	for i, c := range cells {
		if strings.ContainsAny(c, "\",\r\n") || strings.HasPrefix(c, "'") || c != strings.TrimSpace(c) {
			cells[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
	}
	io.WriteString(w, strings.Join(cells, ",")+"\r\n")
}
