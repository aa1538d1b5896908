package render

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/core/study/label"
	"github.com/boundcheck/boundcheck/internal/words"
)

// Paper is a study in a form for publication: tables with pictures, a paragraph on
// methods, and notes on the limits of the figures.
type Paper struct {
	Title   string
	Sheets  []Sheet
	Methods string
	Notes   []string
}

// HTML prints a paper as one self-contained page. The page has no script, and its content
// security policy allows none.
func (p *Paper) HTML(w io.Writer) error { return studyTemplate().Execute(w, p) }

// Markdown prints a paper as Markdown.
func (p *Paper) Markdown(w io.Writer) {
	for _, t := range p.Sheets {
		fmt.Fprintf(w, "### %s\n\n", words.Cell(t.Title))
		for i, row := range append([][]string{t.Head}, t.Rows...) {
			for c, text := range row {
				fmt.Fprintf(w, "| %s ", words.Cell(text))
				if c == len(row)-1 {
					fmt.Fprintln(w, "|")
				}
			}
			if i == 0 {
				fmt.Fprintln(w, strings.Repeat("|---", len(t.Head))+"|")
			}
		}
		if t.Hint != "" {
			fmt.Fprintf(w, "\n%s\n", words.Cell(t.Hint))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "### Methods\n\n%s\n", p.Methods)
	for i, n := range p.Notes {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "- %s\n", words.Cell(n))
	}
}

// Add appends a row to the table. If the figure s has a value, Add also adds the figure
// under this name to the picture.
func (t *Sheet) Add(name string, s *report.Score, row ...string) {
	t.Rows = append(t.Rows, row)
	if b, ok := barOf(name, s); ok {
		t.Bars = append(t.Bars, b)
	}
}

// Interval returns a figure and its interval as text. It returns "–" if the figure has no
// value.
func Interval(s *report.Score) string { return scoreText(s) }

// few is the sample size below which a note warns that a share says no more than a count.
const few = 20

// barOf returns a figure as a row of a picture. ok is false if the figure has no value.
func barOf(name string, s *report.Score) (b Whisker, ok bool) {
	if s == nil || !s.Scored {
		return b, false
	}
	b = Whisker{Name: name, Value: *s.Value, Low: *s.Value, High: *s.Value}
	if s.Interval != nil {
		b.Low, b.High = s.Interval.Low, s.Interval.High
	}
	return b, true
}

// DecisivePaper returns a study of first divergences as a paper.
func DecisivePaper(s *deviation.DecisiveReport) *Paper {
	t := Sheet{Title: "First divergences", Shows: "share of the runs that failed", Head: []string{"file", "runs", "witness", "first divergence", "n", "failed", "share"},
		Hint: "Wilson's 95 % intervals assume that runs are independent, but trials of one task are similar."}
	p := &Paper{Title: "Decisive deviations", Methods: "Each run was compared with a witness (SABER, equations 2 and 3). The witness is the reference of the run, or another successful run of its task. Runs were divided into two groups by the first action that differs from the witness: this action may change something, or cannot change anything. " +
		"For both groups, the table gives the share of runs that failed, with Wilson's interval (Wilson, 1927). An action with an unknown effect counts as an action that may change something."}
	for i := range s.Files {
		f := &s.Files[i]
		for _, d := range f.Against {
			for _, k := range []struct {
				name string
				*deviation.Flips
			}{{"mutating", &d.Mutating}, {"not mutating", &d.NonMutating}} {
				row := []string{f.File, strconv.Itoa(f.N), fmt.Sprint(d.Witness), k.name, strconv.Itoa(k.N), strconv.Itoa(k.Failed), "–"}
				if k.N > 0 {
					row[6] = fmt.Sprintf("%.3f [%.3f, %.3f]", float64(k.Share), float64(k.Low), float64(k.High))
					t.Bars = append(t.Bars, Whisker{fmt.Sprintf("%s, %v: %s", k.name, d.Witness, f.File), float64(k.Share), float64(k.Low), float64(k.High)})
				}
				if k.N > 0 && k.N < few {
					p.Notes = append(p.Notes, fmt.Sprintf("%s, %v: the first divergence is %s in few runs (%d), so the share is not a reliable estimate", f.File, d.Witness, k.name, k.N))
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	for _, u := range s.Unusable {
		p.Notes = append(p.Notes, "not studied: "+u.File+": "+u.Reason)
	}
	p.Sheets = []Sheet{t}
	return p
}

// AblationPaper returns an ablation as a paper.
func AblationPaper(a *compare.Ablation) *Paper {
	p := &Paper{Title: "An ablation of " + words.Count(len(a.Components), "component", "components"), Notes: a.Notes[:len(a.Notes):len(a.Notes)],
		Methods: fmt.Sprintf("Each figure was computed with each set of components, over the %s that all files have. Shapley values (Shapley, 1953) divide the change of a figure among the components. "+
			"Intervals are 95 %% percentile intervals of a seeded bootstrap over tasks (Efron and Tibshirani, 1993). If some sets were not run, the values are bounds. The bounds assume that a component never makes a figure worse. "+
			"The table has the form of Table 18 in the SABER paper.", words.Count(a.Tasks, "task", "tasks"))}
	for i := range a.Figures {
		g := &a.Figures[i]
		if len(g.Shapley) == 0 {
			p.Notes = append(p.Notes, g.Name+": this figure is missing for at least one task in at least one configuration")
			continue
		}
		sets := Sheet{Title: g.Name + " by configuration", Shows: g.Name, Head: []string{"components", "value", "change"}, Hint: "Better: " + g.Better + "."}
		for j := range g.Configurations {
			c := &g.Configurations[j]
			name := cmp.Or(strings.Join(c.Components, "+"), "none")
			sets.Rows = append(sets.Rows, []string{name, scoreText(&c.Value), changeText(&c.Delta)})
			if b, ok := barOf(name, &c.Value); ok {
				sets.Bars = append(sets.Bars, b)
			}
		}
		shares := Sheet{Title: g.Name + " by component", Shows: "Shapley value", Signed: true, Head: []string{"component", "Shapley value", "share of the total change"}}
		for j := range g.Shapley {
			c := &g.Shapley[j]
			row := []string{c.Component, "", "–"}
			switch {
			case !c.Value.Scored:
				row[1] = fmt.Sprintf("between %+.3f and %+.3f", *c.Low, *c.High)
				shares.Bars = append(shares.Bars, Whisker{c.Component, (*c.Low + *c.High) / 2, *c.Low, *c.High})
			default:
				row[1] = changeText(&c.Value)
				if b, ok := barOf(c.Component, &c.Value); ok {
					shares.Bars = append(shares.Bars, b)
				}
			}
			if c.Share != nil {
				row[2] = fmt.Sprintf("%.1f %%", 100**c.Share)
			}
			shares.Rows = append(shares.Rows, row)
		}
		p.Sheets = append(p.Sheets, sets, shares)
	}
	if len(a.Missing) > 0 {
		p.Notes = append(p.Notes, "not run: "+strings.Join(a.Missing, ", "))
	}
	if a.Tasks < few {
		p.Notes = append(p.Notes, fmt.Sprintf("the number of tasks is small (%d), so the bootstrap makes the intervals too narrow", a.Tasks))
	}
	return p
}

// AgreementPaper returns a study of the agreement between the rule, the judge and people
// as a paper.
func AgreementPaper(c *label.Comparison) *Paper {
	p := &Paper{Title: fmt.Sprintf("Agreement on %s", words.Count(c.Labelled, "finding", "findings")), Methods: "Findings were labelled by people. The agreement of two raters is given as the share of findings with the same label, " +
		"with Wilson's interval (Wilson, 1927), and as Cohen's κ (Cohen, 1960). The agreement among all people is Fleiss' κ (Fleiss, 1971). In the weighted share, each combination of label and confidence band has the weight that it has in the report. " +
		"Calibration compares two numbers for each confidence band: the mean confidence, and the share of findings to which people gave the same label."}
	if b := c.Between; b != nil {
		t := Sheet{Title: "Agreement among people", Head: []string{"who", "findings", "the same", "κ"},
			Rows: [][]string{{"all", strconv.Itoa(b.Findings), strconv.Itoa(b.Unanimous), "Fleiss " + scoreText(&b.Kappa)}}}
		for _, q := range b.Pairs {
			t.Rows = append(t.Rows, []string{q.A + ", " + q.B, strconv.Itoa(q.N), strconv.Itoa(q.Agreed), "Cohen " + scoreText(&q.Kappa)})
		}
		p.Sheets = append(p.Sheets, t)
	}
	with := Sheet{Title: "Against people", Shows: "share of the findings with the same label", Head: []string{"rater", "n", "the same", "share", "weighted", "Cohen's κ"}}
	bands := Sheet{Title: "Calibration", Shows: "share of the findings with the same label, by confidence", Head: []string{"rater", "confidence", "n", "mean confidence", "the same", "share"}}
	types := Sheet{Title: "By label", Head: []string{"rater", "label", "said", "the same", "none", "other", "missed"}}
	for i := range c.Raters {
		a := &c.Raters[i]
		with.Rows = append(with.Rows, []string{a.Rater, strconv.Itoa(a.N), strconv.Itoa(a.Agreed), scoreText(&a.Share), scoreText(&a.Weighted), scoreText(&a.Kappa)})
		if b, ok := barOf(a.Rater, &a.Share); ok {
			with.Bars = append(with.Bars, b)
		}
		for j := range a.Bands {
			b := &a.Bands[j]
			bands.Rows = append(bands.Rows, []string{a.Rater, bandName(b), strconv.Itoa(b.N), meanConfidence(b), strconv.Itoa(b.Agreed), scoreText(&b.Share)})
			if bar, ok := barOf(a.Rater+", "+bandName(b), &b.Share); ok {
				bands.Bars = append(bands.Bars, bar)
			}
		}
		for _, row := range a.ByType {
			types.Rows = append(types.Rows, []string{a.Rater, string(row.Label), strconv.Itoa(row.Said), strconv.Itoa(row.Agreed), strconv.Itoa(row.None), strconv.Itoa(row.Other), strconv.Itoa(row.Missed)})
		}
		for _, n := range a.Notes {
			p.Notes = append(p.Notes, a.Rater+": "+n)
		}
		if a.N > 0 && a.N < few {
			p.Notes = append(p.Notes, fmt.Sprintf("%s: the number of labelled findings is small (%d), so the shares are not reliable estimates", a.Rater, a.N))
		}
	}
	for _, t := range []Sheet{with, bands, types} {
		if len(t.Rows) > 0 {
			p.Sheets = append(p.Sheets, t)
		}
	}
	if c.Tied > 0 {
		p.Notes = append(p.Notes, "no label has a majority on "+words.Count(c.Tied, "finding", "findings")+", omitted from the comparison with people")
	}
	if c.Elsewhere > 0 {
		p.Notes = append(p.Notes, words.Count(c.Elsewhere, "label belongs", "labels belong")+" to findings that are not in the report")
	}
	return p
}
