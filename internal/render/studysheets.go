package render

import (
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	_ "embed"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study"
	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/internal/words"
)

// Sheet is one table of a study with the values of its picture.
type Sheet struct {
	Title, Hint string
	Head        []string
	Rows        [][]string
	Bars        []Whisker
	Shows       string // what the picture shows
	Odds        bool   // the values are coefficients of log odds, not shares
	Signed      bool   // the values are changes of shares, from -1 to 1
}

// Whisker is a value with its interval, as a picture shows it.
type Whisker struct {
	Name             string
	Value, Low, High float64
}

// studySheets returns the tables of a study, in the order in which the papers print them.
// It leaves out tables without rows.
func studySheets(s *study.Study) []Sheet {
	groups := append(s.Groups[:len(s.Groups):len(s.Groups)], s.All)
	out := []Sheet{mainSheet(groups), datasetSheet(groups), mixSheet("Violations by type", groups, func(g *study.Group) []study.Share { return g.Violations }),
		mixSheet("Violations by pattern", groups, func(g *study.Group) []study.Share { return g.ByPattern }),
		levelSheet(groups), attributionSheet(groups), subtypeSheet(&s.All)}
	for _, extra := range []*Sheet{adjustedSheet(groups), patternSheet(s.Patterns), correlationSheet(s.Correlations), regressionSheet(s.Regressions), ceilingSheet(s.Ceiling)} {
		if extra != nil {
			out = append(out, *extra)
		}
	}
	return slices.DeleteFunc(out, func(t Sheet) bool { return len(t.Rows) == 0 })
}

func mainSheet(groups []study.Group) Sheet {
	t := Sheet{Title: "Main results", Shows: "ABS (max)", Head: []string{"group", "runs", "tasks", "ABS (max)", "GAR", "SVR", "BASR (max)", "SR", "lucky"},
		Hint: "Figures are weighted by task. The 95 % intervals come from a seeded bootstrap over tasks. The denominator of ABS and BASR includes missing steps."}
	for i := range groups {
		g := &groups[i]
		m := &g.Figures
		row := []string{g.Name(), strconv.Itoa(g.Runs), strconv.Itoa(g.Tasks), scoreText(&m.ABS.Max), scoreText(&m.GAR), scoreText(&m.SVR)}
		if m.BASR != nil && m.LuckySuccess != nil {
			row = append(row, scoreText(&m.BASR.Max), scoreText(m.SR), scoreText(&m.LuckySuccess.Max))
		} else {
			row = append(row, "–", scoreText(m.SR), "–")
		}
		t.Rows = append(t.Rows, row)
		if m.ABS.Max.Scored {
			b := Whisker{Name: g.Name(), Value: *m.ABS.Max.Value}
			if b.Low, b.High = b.Value, b.Value; m.ABS.Max.Interval != nil {
				b.Low, b.High = m.ABS.Max.Interval.Low, m.ABS.Max.Interval.High
			}
			t.Bars = append(t.Bars, b)
		}
	}
	return t
}

func scoreText(s *report.Score) string {
	switch {
	case s == nil || !s.Scored:
		return "–"
	case s.Interval == nil:
		return fmt.Sprintf("%.3f", *s.Value)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", *s.Value, s.Interval.Low, s.Interval.High)
}

func datasetSheet(groups []study.Group) Sheet {
	t := Sheet{Title: "Data sets", Head: []string{"group", "tasks", "reference steps: mean", "min", "median", "max", "actions a run", "action space", "may change something"},
		Hint: "Action space: the number of distinct action names in the runs and references."}
	for i := range groups {
		g := &groups[i]
		d := &g.Dataset
		row := []string{g.Name(), strconv.Itoa(g.Tasks), "–", "–", "–", "–", fmt.Sprintf("%.1f", d.Observed.Mean), strconv.Itoa(d.Actions), shareText(&d.Mutating)}
		if r := d.Reference; r.N > 0 {
			row[2], row[3], row[4], row[5] = fmt.Sprintf("%.1f", r.Mean), fmt.Sprintf("%g", r.Min), fmt.Sprintf("%g", r.Median), fmt.Sprintf("%g", r.Max)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func shareText(s *study.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*s.Value, 100*s.Low, 100*s.High)
}

func mixSheet(title string, groups []study.Group, of func(*study.Group) []study.Share) Sheet {
	t := Sheet{Title: title, Shows: "share of the findings, all runs", Head: []string{"group", "kind", "n", "share of the findings"}, Hint: "Wilson's 95 % intervals assume that findings are independent, but findings of one run are not."}
	for i := range groups {
		for _, v := range of(&groups[i]) {
			t.Rows = append(t.Rows, []string{groups[i].Name(), v.Name, strconv.Itoa(v.N), shareText(&v)})
			if i == len(groups)-1 {
				t.Bars = append(t.Bars, Whisker{v.Name, v.Value, v.Low, v.High})
			}
		}
	}
	return t
}

// levelSheet returns the table of violations by level, in the form of Table 10 in the ABB
// paper.
func levelSheet(groups []study.Group) Sheet {
	t := mixSheet("Violations by level", groups, func(g *study.Group) []study.Share { return g.ByLevel })
	t.Hint = "A subgoal is the set of all changes of one entity. A violation is at the level of a subgoal if only the run or only its reference has that subgoal. All other violations are at the level of an action. " + t.Hint
	return t
}

func attributionSheet(groups []study.Group) Sheet {
	t := Sheet{Title: "Why runs failed", Shows: "share of the failures, all runs", Head: []string{"group", "primary mode", "n", "share of the failures", "as only cause", "with a boundary as factor"}}
	for i := range groups {
		a := &groups[i].Attribution
		for _, m := range a.Modes {
			t.Rows = append(t.Rows, []string{groups[i].Name(), m.Name, strconv.Itoa(m.N), shareText(&m.Share), shareText(&m.Sole), shareText(&m.Factor)})
			if i == len(groups)-1 {
				t.Bars = append(t.Bars, Whisker{m.Name, m.Value, m.Low, m.High})
			}
		}
		if a.Failures > 0 {
			t.Rows = append(t.Rows, []string{groups[i].Name(), "a boundary is primary or a factor", strconv.Itoa(a.Boundary.N), shareText(&a.Boundary), "", ""},
				[]string{groups[i].Name(), "a boundary is the only cause", strconv.Itoa(a.Sole.N), shareText(&a.Sole), "", ""})
		}
	}
	return t
}

func subtypeSheet(g *study.Group) Sheet {
	t := Sheet{Title: "Failures caused by a boundary", Head: []string{"first violation", "n", "share", "as only cause"}}
	for _, m := range g.Attribution.Subtypes {
		t.Rows = append(t.Rows, []string{m.Name, strconv.Itoa(m.N), shareText(&m.Share), shareText(&m.Sole)})
	}
	return t
}

func adjustedSheet(groups []study.Group) *Sheet {
	t := &Sheet{Title: "Findings without false alarms", Head: []string{"group", "type", "found", "expected to be true"}, Hint: "Computed from the shares of false alarms given with --fpr."}
	for i := range groups {
		a := groups[i].Adjusted
		if a == nil {
			return nil
		}
		for _, l := range a.ByType {
			t.Rows = append(t.Rows, []string{groups[i].Name(), l.Name, strconv.Itoa(l.Found), fmt.Sprintf("%.1f", l.Expected)})
		}
		t.Rows = append(t.Rows, []string{groups[i].Name(), "all", strconv.Itoa(a.Found), fmt.Sprintf("%.1f (%.1f %% false)", a.Expected, 100*a.FPR)})
	}
	return t
}

func patternSheet(a *study.Association) *Sheet {
	if a == nil {
		return nil
	}
	t := &Sheet{Title: "Patterns by benchmark", Head: append([]string{"pattern"}, a.Benchmarks...)}
	for i, p := range a.Patterns {
		row := []string{p}
		for _, n := range a.Counts[i] {
			row = append(row, strconv.Itoa(n))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Hint = fmt.Sprintf("χ²(%d, N = %d) = %.1f, p = %s, Cramér's V = %.2f. Findings of one run are not independent, so p is too small.", a.DF, a.N, a.Chi2, pText(a.P), a.V)
	if a.Sparse {
		t.Hint += fmt.Sprintf(" Too many expected counts are below 5 (the smallest is %.1f), so the test is not valid, and V only describes these data.", a.Expected)
	}
	return t
}

func pText(p float64) string {
	if p < .001 {
		return strconv.FormatFloat(p, 'g', 2, 64)
	}
	return fmt.Sprintf("%.3f", p)
}

func correlationSheet(all []study.Correlation) *Sheet {
	t := &Sheet{Title: "Correlations", Head: []string{"figure", "with", "over", "n", "Pearson r", "p", "Spearman ρ", "p"},
		Hint: "Intervals by Fisher's transformation. Trials of a task are similar, so p over runs is too small. A correlation does not show a cause."}
	for _, c := range all {
		t.Rows = append(t.Rows, []string{c.Figure, c.Against, c.Over, strconv.Itoa(c.N), fmt.Sprintf("%.3f [%.3f, %.3f]", c.Pearson, c.Low, c.High), pText(c.P), fmt.Sprintf("%.3f", c.Spearman), pText(c.RankP)})
	}
	return t
}

func regressionSheet(all []study.Regression) *Sheet {
	t := &Sheet{Title: "Regressions", Head: []string{"outcome", "n", "events", "term", "coefficient", "odds ratio", "p"},
		Hint: "Logistic regressions over runs. Standard errors are clustered by task if tasks have trials. “few”: fewer than ten events or non-events for each term."}
	for _, r := range all {
		if r.Unusable != "" {
			t.Rows = append(t.Rows, []string{r.Outcome, strconv.Itoa(r.N), strconv.Itoa(r.Events), "–", "–", "–", r.Unusable})
		}
		for _, e := range r.Terms {
			row := []string{r.Outcome, strconv.Itoa(r.N), strconv.Itoa(r.Events), e.Name, "–", "does not vary", "–"}
			if !e.Same {
				row[4], row[5], row[6] = fmt.Sprintf("%+.4f", e.Coef), fmt.Sprintf("%.3f [%.3f, %.3f]", e.OR, e.Low, e.High), pText(e.P)
			}
			if r.Few {
				row[6] += " (few)"
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func ceilingSheet(c *study.Ceiling) *Sheet {
	if c == nil {
		return nil
	}
	return &Sheet{Title: "If ABS were 1", Head: []string{"", "runs", "success"}, Rows: [][]string{
		{"all runs", strconv.Itoa(c.SR.Of), shareText(&c.SR)},
		{"runs whose ABS is 1", strconv.Itoa(c.Perfect.Of), shareText(&c.Perfect)},
		{"predicted by a regression on ABS", strconv.Itoa(c.SR.Of), fmt.Sprintf("%.1f %% (%+.1f points)", 100*c.Predicted, 100*c.Gain)},
	}, Hint: "The last two rows assume that a high ABS causes success. But easy tasks have both a high ABS and more successes."}
}

// StudySheets prints a study's tables for a terminal.
func StudySheets(w io.Writer, s *study.Study) {
	for _, t := range studySheets(s) {
		fmt.Fprintf(w, "%s\n\n", t.Title)
		rows := append([][]string{t.Head}, t.Rows...)
		for _, row := range rows {
			for c := range row {
				row[c] = words.Printable(row[c])
			}
		}
		widths := columnWidths(rows)
		for _, row := range rows {
			line := ""
			for c, text := range row {
				line += "  " + text + strings.Repeat(" ", widths[c]-utf8.RuneCountInString(text))
			}
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
		if t.Hint != "" {
			fmt.Fprintf(w, "\n  %s\n", t.Hint)
		}
		fmt.Fprintln(w)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(w, "note: %s\n", words.Printable(n))
	}
}

// StudySheetsMarkdown prints a study's tables for a document, with a paragraph on methods.
func StudySheetsMarkdown(w io.Writer, s *study.Study) {
	p := Paper{Sheets: studySheets(s), Methods: methodsText(s), Notes: s.Notes}
	p.Markdown(w)
}

// methodsText returns a paragraph for a paper about how a study's figures were computed.
func methodsText(s *study.Study) string {
	text := fmt.Sprintf("We scored %s of %s with Boundcheck (study form %s). Runs were aligned to their references (Needleman and Wunsch, 1970), and divergences with the same effect were excused "+
		"before violations were counted. ABS and BASR count missing steps in the denominator. Figures are means over tasks, and the value of a task is the mean of its trials. Figures have 95 %% percentile intervals of a seeded bootstrap "+
		"over tasks (Efron and Tibshirani, 1993). Shares have Wilson's interval (Wilson, 1927).", words.Count(s.Runs, "run", "runs"), words.Count(s.All.Tasks, "task", "tasks"), s.Schema)
	if len(s.All.ByLevel) > 0 {
		text += " A violation is at the level of a subgoal if only the run or only its reference changes the entities of the violation. All other violations are at the level of an action (after ABB, Table 10)."
	}
	if s.Patterns != nil {
		text += " The association of patterns with benchmarks was tested by Pearson's χ² test of independence, with Cramér's V (Cramér, 1946)."
	}
	if len(s.Correlations) > 0 {
		text += " Correlations are given as Pearson's r with Fisher's interval, and as Spearman's ρ."
	}
	if len(s.Regressions) > 0 {
		text += " The regressions of outcomes are logistic, with maximum likelihood. If the outcomes were separated, the regressions use Firth's penalised likelihood (Firth, 1993). Standard errors are clustered by task if tasks had trials."
	}
	return text
}

// StudyCSV prints the figures of a study as CSV. Each line has the columns of a group and
// one figure.
func StudyCSV(w io.Writer, s *study.Study) error {
	c := csv.NewWriter(w)
	c.Write(append(slices.Clone(s.By), "table", "name", "figure", "n", "value", "low", "high"))
	line := func(g *study.Group, table, name, figure string, n int, values ...float64) {
		var row []string
		for _, by := range s.By {
			row = append(row, words.SheetCell(cmpOr(g.Key[by], g.Key)))
		}
		row = append(row, table, words.SheetCell(name), figure, strconv.Itoa(n))
		for i := range 3 {
			text := ""
			if i < len(values) {
				text = strconv.FormatFloat(values[i], 'g', 6, 64)
			}
			row = append(row, text)
		}
		c.Write(row)
	}
	for _, g := range append(s.Groups[:len(s.Groups):len(s.Groups)], s.All) {
		m := &g.Figures
		figures := map[string]*report.Score{"ABS agent": &m.ABS.Agent, "ABS max": &m.ABS.Max, "GAR": &m.GAR, "SVR": &m.SVR, "SR": m.SR}
		if m.BASR != nil && m.LuckySuccess != nil {
			figures["BASR agent"], figures["BASR max"], figures["lucky max"] = &m.BASR.Agent, &m.BASR.Max, &m.LuckySuccess.Max
		}
		for _, name := range slices.Sorted(maps.Keys(figures)) {
			switch f := figures[name]; {
			case f == nil || !f.Scored:
			case f.Interval == nil:
				line(&g, "main", name, "mean", g.Tasks, *f.Value)
			default:
				line(&g, "main", name, "mean", g.Tasks, *f.Value, f.Interval.Low, f.Interval.High)
			}
		}
		shares := func(table string, all []study.Share) {
			for _, v := range all {
				line(&g, table, v.Name, "share", v.N, v.Value, v.Low, v.High)
			}
		}
		shares("violations", g.Violations)
		shares("patterns", g.ByPattern)
		shares("levels", g.ByLevel)
		for _, v := range g.Attribution.Modes {
			line(&g, "attribution", v.Name, "share", v.N, v.Value, v.Low, v.High)
			line(&g, "attribution", v.Name, "alone", v.Sole.N, v.Sole.Value, v.Sole.Low, v.Sole.High)
			line(&g, "attribution", v.Name, "with boundary", v.Factor.N, v.Factor.Value, v.Factor.Low, v.Factor.High)
		}
		for _, d := range []struct {
			name string
			s    study.Spread
		}{{"reference steps", g.Dataset.Reference}, {"actions", g.Dataset.Observed}} {
			if d.s.N > 0 {
				line(&g, "dataset", d.name, "mean", d.s.N, d.s.Mean, d.s.Min, d.s.Max)
				line(&g, "dataset", d.name, "median", d.s.N, d.s.Median)
			}
		}
		line(&g, "dataset", "action space", "names", g.Dataset.Actions, float64(g.Dataset.Actions))
		shares("dataset", []study.Share{g.Dataset.Mutating})
	}
	c.Flush()
	return c.Error()
}

// cmpOr returns the given value, which belongs to a group. If key is empty, the group
// consists of all runs, and cmpOr returns "(all)".
func cmpOr(value string, key map[string]string) string {
	if len(key) == 0 {
		return "(all)"
	}
	return value
}

//go:embed study.html
var studyPage string

var studyTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("study").Funcs(template.FuncMap{"picture": drawSheet, "inside": lowerTitle}).Parse(studyPage))
})

// lowerTitle returns a title with a lower-case first letter, for use in the middle of a
// sentence.
func lowerTitle(title string) string { return strings.ToLower(title[:1]) + title[1:] }

// StudyHTML prints a study as one self-contained page with tables, pictures, and the
// paragraph on methods. The page has no script, and its content security policy allows
// none.
func StudyHTML(w io.Writer, s *study.Study) error {
	p := Paper{Title: "A study of " + words.Count(s.Runs, "run", "runs"), Sheets: studySheets(s), Methods: methodsText(s), Notes: s.Notes}
	return p.HTML(w)
}

const deviationMethods = "Mutating and non-mutating deviations from the reference were counted in each run. Success was regressed on both counts by logistic regression with maximum likelihood. If " +
	"deviations separate the outcomes, Firth's penalised likelihood (1993) was used. Standard errors are clustered by task if tasks have trials. The regression of all files or groups together has one intercept for each file or group. The table has the form of Table 1 in the SABER paper."

// DeviationsHTML prints a study of deviations as one self-contained page, as StudyHTML
// does.
func DeviationsHTML(w io.Writer, s *deviation.Report) error {
	files := allFiles(s)
	t := Sheet{Title: "What deviations cost", Shows: "odds ratio for one more deviation", Head: studyHead, Odds: true, Hint: "Regression of success on the deviations of a run from its reference (distance: " + s.Files[0].Distance +
		"). OR is the factor by which one more deviation multiplies the odds of success. Wald intervals, clustered by task if tasks have trials."}
	runs := 0
	var notes []string
	for i := range files {
		f := &files[i]
		t.Rows = append(t.Rows, studyRows(f)...)
		for _, e := range []struct {
			name string
			*deviation.Effect
		}{{"mutating", &f.Mutating}, {"non-mutating", &f.NonMutating}} {
			if e.Low != nil {
				t.Bars = append(t.Bars, Whisker{e.name + ": " + f.File, float64(*e.Coef), float64(*e.Low), float64(*e.High)})
			}
		}
		for _, line := range studyNotes(f) {
			notes = append(notes, f.File+": "+line)
		}
		if s.Pooled == nil || i < len(files)-1 {
			runs += f.N
		}
	}
	p := Paper{Title: "A study of " + words.Count(runs, "run", "runs"), Sheets: []Sheet{t}, Notes: notes,
		Methods: deviationMethods}
	return p.HTML(w)
}

// drawSheet draws the values of a sheet and their intervals as SVG, with one row for each
// value. It returns "" if there are no values. The sheet decides which of these scales is
// used:
//
//   - shares from 0 to 1;
//   - changes of shares from -1 to 1;
//   - odds ratios on a logarithmic scale.
func drawSheet(t Sheet) template.HTML {
	bars := t.Bars
	const width, left, row = 720.0, 260.0, 26.0
	if len(bars) == 0 {
		return ""
	}
	var b strings.Builder
	height := row*float64(len(bars)) + 24
	x := func(v float64) float64 { return left + min(1, max(0, v))*(width-left-20) }
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="values with 95 %% intervals; the table has the numbers">`, width, height)
	ticks, labels := []float64{0, .25, .5, .75, 1}, []string{"0", "0.25", "0.5", "0.75", "1"}
	if t.Odds {
		const doublings = 8 // on each side of the middle
		share := x
		x = func(v float64) float64 { return share((v/math.Ln2 + doublings) / (2 * doublings)) }
		ticks, labels = nil, []string{"OR 1/256", "1/16", "1", "16", "256"}
		for _, n := range []float64{-8, -4, 0, 4, 8} {
			ticks = append(ticks, n*math.Ln2)
		}
	}
	if t.Signed {
		share := x
		x = func(v float64) float64 { return share((v + 1) / 2) }
		ticks, labels = []float64{-1, -.5, 0, .5, 1}, []string{"-1", "-0.5", "0", "+0.5", "+1"}
	}
	for i, tick := range ticks {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" y1="0" x2="%.1f" y2="%g"/><text class="tick" x="%.1f" y="%g" text-anchor="middle">%s</text>`, x(tick), x(tick), height-18, x(tick), height-4, labels[i])
	}
	for i, v := range bars {
		y := row*float64(i) + 14
		fmt.Fprintf(&b, `<text x="0" y="%.1f">%s</text><line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><circle cx="%.1f" cy="%.1f" r="5"/>`,
			y+5, template.HTMLEscapeString(Pad(words.Printable(v.Name), 36)), x(v.Low), y, x(v.High), y, x(v.Value), y)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
