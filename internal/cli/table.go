package cli

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core"
)

type tableOptions struct {
	color bool
	limit int
}

// writeTable prints a report for people: a single run step by step, several as
// a list, then the corpus figures.
func writeTable(w io.Writer, r *core.Report, o tableOptions) {
	p := printer{w: w, color: o.color}
	p.f("%s · %s · profile %s\n", r.Input.Format, count(r.Corpus.N, "trajectory", "trajectories"), r.Profile)
	if len(r.Trajectories) == 1 {
		p.steps(&r.Trajectories[0])
		p.findings(&r.Trajectories[0])
	} else {
		p.list(r, o.limit)
	}
	p.groups(r)
	p.corpus(r)
	if names := helpers(r); names != "" {
		p.f("  %s  %s\n", pad("with", 14), printable(names))
	}
	p.warnings(r)
}

type printer struct {
	w     io.Writer
	color bool
}

func (p *printer) f(format string, a ...any) { fmt.Fprintf(p.w, format, a...) }

// paint colours a word by its meaning; the word itself always says it too.
func (p *printer) paint(style, s string) string {
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
	case "note":
		return yellow
	}
	return dim
}

func (p *printer) steps(t *core.Trajectory) {
	if len(t.Alignment) == 0 {
		p.observed(t)
		return
	}
	const width = 38
	p.f("\n  %s  %s  %s\n", pad("agent", width), pad("reference", width), "verdict")
	for _, row := range t.Alignment {
		word := row.Verdict
		if row.Op != "match" {
			word = row.Op + ", " + word
		}
		p.f("  %s  %s  %s\n", pad(side(t.Observed, row.Obs), width), pad(side(t.Reference, row.Ref), width), aligned(p.paint(verdictStyle(row.Verdict), word), p.paint(dim, printable(excusedBy(&row)))))
	}
}

// aligned joins two words, of which the second may be missing.
func aligned(word, aside string) string {
	if aside == "" {
		return word
	}
	return word + "  " + aside
}

func (p *printer) observed(t *core.Trajectory) {
	p.f("\n")
	for i, a := range t.Observed {
		p.f("  %3d  %s  %s\n", i+1, pad(call(&a), 60), p.paint(dim, "mutating: "+a.Mutating))
	}
}

func side(actions []core.Action, i *int) string {
	if i == nil {
		return "—"
	}
	return call(&actions[*i])
}

func call(a *core.Action) string {
	s := a.Name
	if a.Text != "" {
		s = a.Text
	} else if a.Arguments != "" && a.Arguments != "{}" {
		s += " " + a.Arguments
	}
	if a.Error {
		s = "✗ " + s
	}
	return printable(s)
}

// printable makes control and bidirectional characters of a trace visible: a
// trace must not be able to write to the terminal.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if !unicode.IsPrint(r) {
			fmt.Fprintf(&b, "\\u{%X}", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func pad(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		runes := []rune(s)
		return string(runes[:width-1]) + "…"
	}
	return s + strings.Repeat(" ", width-n)
}

// fill pads without cutting.
func fill(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func (p *printer) findings(t *core.Trajectory) {
	if len(t.Violations) == 0 {
		p.f("\n  %s\n", p.paint(green, "no violation"))
	} else {
		p.f("\n  %s\n", p.paint(bold, count(len(t.Violations), "violation", "violations")))
	}
	p.violations(t.Violations, red)
	if len(t.Excused) > 0 {
		p.f("\n  %s\n", p.paint(bold, count(len(t.Excused), "finding", "findings")+" excused by the judge"))
		p.violations(t.Excused, yellow)
	}
	if a := t.Attribution; a != nil {
		p.f("\n  %s  %s\n", p.paint(bold, pad("why", 14)), printable(a.Primary.Mode+": "+a.Primary.Reason))
		for _, f := range a.Factors {
			p.f("  %s  with %s: %s\n", pad("", 14), f.Mode, printable(f.Reason))
		}
	}
	if t.Replay != nil {
		word := p.paint(bold, pad("replay", 14))
		p.f("\n")
		for _, line := range replayed(t.Replay) {
			p.f("  %s  %s\n", word, printable(line))
			word = pad("", 14)
		}
	}
}

func (p *printer) violations(all []core.Violation, style string) {
	for i := range all {
		v := &all[i]
		p.f("  %s  %s %s\n", p.paint(style, pad(v.Type, 14)), printable(v.Reason), p.paint(dim, aside(v)))
		if said := opinion(v); said != "" {
			p.f("  %s  %s\n", pad("", 14), printable(said))
		}
		for _, e := range v.Evidence {
			p.f("  %s  %s: agent %s, reference %s\n", pad("", 14), printable(e.Path), orNothing(e.Observed), orNothing(e.Reference))
		}
	}
}

func aside(v *core.Violation) string {
	s := fmt.Sprintf("(%s, %s, %.2f)", v.Rule, v.By, v.Confidence)
	if v.Pattern != "" {
		s = fmt.Sprintf("(%s; %s, %s, %.2f)", v.Pattern, v.Rule, v.By, v.Confidence)
	}
	return s
}

func orNothing(s string) string {
	if s == "" {
		return "—"
	}
	return printable(s)
}

func (p *printer) list(r *core.Report, limit int) {
	p.f("\n  %s  %s  %s  %s  %s  %s\n", pad("run", 14), pad("success", 7), pad("flagged", 7), pad("abs", 5), pad("svr", 5), "first finding") // abs is the one that missing steps lower
	shown := 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if limit > 0 && shown == limit {
			p.f("  … and %d more; --limit 0 shows all, --format json has everything\n", len(r.Trajectories)-shown)
			break
		}
		shown++
		flagged, style, first := "no", green, ""
		if t.Flagged {
			flagged, style, first = "yes", red, t.Violations[0].Type+": "+t.Violations[0].Reason
		}
		p.f("  %s  %s  %s  %s  %s  %s\n", pad(printable(t.ID), 14), pad(yesNo(t.Success), 7), p.paint(style, pad(flagged, 7)),
			pad(short(t.Metrics.ABS.Max), 5), pad(short(t.Metrics.SVR), 5), strings.TrimRight(pad(printable(first), 60), " "))
	}
}

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return "?"
	case *b:
		return "yes"
	}
	return "no"
}

func short(s core.Score) string {
	if !s.Scored {
		return "–"
	}
	return fmt.Sprintf("%.2f", *s.Value)
}

func (p *printer) corpus(r *core.Report) {
	c := &r.Corpus
	p.f("\n  %s  %s, mean length %.2f observed, %.2f reference\n", p.paint(bold, pad("corpus", 14)),
		count(c.Tasks, "task", "tasks"), c.Lengths.Observed, c.Lengths.Reference)
	for _, m := range figures(&c.Metrics) {
		p.f("  %s  %s  %s\n", pad(m.name, 14), fill(figure(m.score), 22), bar(m.score))
	}
	if len(c.PassHatK) > 0 {
		p.f("  %s %s\n", pad("pass^k", 14), passHatK(c.PassHatK))
	}
	p.f("  %s  %s in %s%s\n", pad("violations", 14), fmt.Sprint(c.Violations.Total),
		count(c.Flagged, "flagged run", "flagged runs"), types(c.Violations.ByType))
	if a := c.Agreement; a != nil {
		p.f("  %s  %.3f: flagged %d of %d successes, not flagged %d of %d failures\n", pad("agreement", 14), a.Value,
			a.FlaggedSuccesses, a.Successes, a.UnflaggedFailures, a.Failures)
	}
}

// passHatK is pass^1, pass^2, … in one line.
func passHatK(all []core.PassHatK) string {
	var b strings.Builder
	for _, p := range all {
		fmt.Fprintf(&b, " %s", short(p.Score))
	}
	return b.String()
}

// groups prints a line a file.
func (p *printer) groups(r *core.Report) {
	for i, g := range r.Corpus.Groups {
		if i == 0 {
			p.f("\n  %s  %s  %s  %s  %s  %s\n", pad("file", 40), pad("runs", 6), pad("flagged", 7), pad("abs", 5), pad("svr", 5), "sr")
		}
		p.f("  %s  %s  %s  %s  %s  %s\n", pad(printable(g.Name), 40), pad(fmt.Sprint(g.N), 6), pad(fmt.Sprint(g.Flagged), 7),
			pad(short(g.Metrics.ABS.Max), 5), pad(short(g.Metrics.SVR), 5), short(*g.Metrics.SR))
	}
}

type namedScore struct {
	name  string
	score *core.Score
}

func figures(m *core.Metrics) []namedScore {
	all := []namedScore{{"ABS (max)", &m.ABS.Max}, {"ABS (agent)", &m.ABS.Agent}, {"GAR", &m.GAR}, {"SVR", &m.SVR}, {"granularity", &m.GranularityRate},
		{"SR", m.SR}, {"BASR (max)", &m.BASR.Max}, {"lucky success", &m.LuckySuccess.Max}, {"BASR (agent)", &m.BASR.Agent}}
	if m.SRAll != nil {
		all = append(all, namedScore{"SR (all runs)", m.SRAll})
	}
	return all
}

func figure(s *core.Score) string {
	if !s.Scored {
		return "unscored: " + s.Reason
	}
	if s.Interval == nil {
		return fmt.Sprintf("%.3f", *s.Value)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", *s.Value, s.Interval.Low, s.Interval.High)
}

// bar is the figure as a picture, 20 cells for 0 to 1.
func bar(s *core.Score) string {
	if !s.Scored {
		return ""
	}
	const width = 20
	full := min(max(int(*s.Value*width+0.5), 0), width)
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

func types(byType map[string]int) string {
	names := make([]string, 0, len(byType))
	for name := range byType {
		names = append(names, name)
	}
	sort.Strings(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, byType[name])
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

// warnings prints one line a code: the first in full, the others counted.
func (p *printer) warnings(r *core.Report) {
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
			p.f("\n")
			first = false
		}
		p.f("  %s %s\n", p.paint(yellow, "warning"), printable(warningText(&w)))
		if n > 1 {
			p.f("          and %d more of this kind (%s); --format json has all\n", n-1, w.Code)
		}
	}
}

func warningText(w *core.Warning) string {
	s := w.Message
	if w.Trajectory != "" {
		s = "run " + w.Trajectory + ": " + s
	}
	if w.Line > 0 {
		s += fmt.Sprintf(" (line %d column %d)", w.Line, w.Column)
	}
	return s
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
