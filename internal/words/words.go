// Package words writes parts of a report as text: calls, figures, warnings and opinions. The
// reports for people and the exported files use the same texts.
package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/secrets"
	"github.com/boundcheck/boundcheck/core/report"
)

// Call returns a call as one line of text, with secrets hidden.
func Call(a *report.Action) string {
	s := a.Name
	if a.Text != "" {
		s = a.Text
	} else if a.Arguments != "" && a.Arguments != "{}" {
		s += " " + oneLine(secrets.HideValue("", a.Arguments))
	}
	switch {
	case a.Error:
		s = "✗ " + s
	case a.Proposed:
		s += " (not executed)"
	}
	return Printable(s)
}

// oneLine puts indented JSON on one line.
func oneLine(arguments string) string {
	var b bytes.Buffer
	if !strings.ContainsAny(arguments, "\n\r\t") || json.Compact(&b, []byte(arguments)) != nil {
		return arguments
	}
	return b.String()
}

// Printable escapes control and bidirectional characters, so that a trace cannot send
// escape sequences to the terminal, and hides words that begin like well-known secrets.
func Printable(s string) string {
	s = secrets.HideKeys(s)
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

// OrNothing returns a text, or a dash if the text is empty.
func OrNothing(s string) string {
	if s == "" {
		return "—"
	}
	return Printable(s)
}

// Short returns a figure with two decimals, or a dash if it is not scored.
func Short(s report.Score) string {
	if !s.Scored {
		return "–"
	}
	return fmt.Sprintf("%.2f", *s.Value)
}

// Named is a figure with its names.
type Named struct {
	ID    string // the page's name
	Name  string // the papers' name
	Plain string // the same in words
	About string // how it is computed, in words
	Lower bool   // smaller values are better
	Score *report.Score
}

// Arrow returns the direction in which a figure is better.
func (n *Named) Arrow() string {
	if n.Lower {
		return "↓"
	}
	return "↑"
}

// Figures returns the figures of a corpus, in the order in which every report shows them.
func Figures(m *report.Metrics) []Named {
	all := []Named{
		{"within", "within bounds", "steps within bounds", "rows of the run that are no violation, divided by all rows. Extra reads and missing steps are rows", false, &m.WithinBounds},
		{"absMax", "ABS (max)", "boundary score, with missing steps", "steps with the right boundary, divided by the larger number of steps (agent or reference). Missing steps lower it, and excused extra actions do not raise it", false, &m.ABS.Max},
		{"absAgent", "ABS (agent)", "boundary score, without missing steps", "steps with the right boundary, divided by the agent's steps. Missing steps do not count", false, &m.ABS.Agent},
		{"gar", "GAR", "match of the numbers of steps", "how close the agent's number of steps is to the reference's number of steps", false, &m.GAR},
		{"svr", "SVR", "too much or too little, per step", "over-actions and under-actions per step of the agent (lower is better)", true, &m.SVR},
		{"granularityRate", "granularity", "split or merged actions, per step", "split or merged actions per step of the agent (lower is better)", true, &m.GranularityRate},
		{"sr", "SR", "success", "runs that the trace records as successful, out of all runs with a reference", false, m.SR},
		{"basr", "BASR (max)", "success within bounds, with missing steps", "runs that succeeded with a boundary score above θ (default 0.8). Missing steps count", false, &m.BASR.Max},
		{"luckySuccess", "lucky success", "success out of bounds", "runs that succeeded with a boundary score of at most θ (default 0.8). Lower is better", true, &m.LuckySuccess.Max},
		{"basrAgent", "BASR (agent)", "success within bounds, without missing steps", "success within bounds by the paper's equation. Missing steps do not count", false, &m.BASR.Agent},
	}
	if m.SRAll != nil {
		all = append(all, Named{"srAll", "SR (all runs)", "success of all runs", "runs that the trace records as successful, out of all runs", false, m.SRAll})
	}
	return all
}

// Title returns a text with its first letter in upper case.
func Title(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// Unscored returns the figures that are not scored as one text with the reasons, or "" if
// all are scored.
func Unscored(all []Named) string {
	var reasons []string
	names := map[string][]string{}
	for _, n := range all {
		if n.Score.Scored {
			continue
		}
		if names[n.Score.Reason] == nil {
			reasons = append(reasons, n.Score.Reason)
		}
		names[n.Score.Reason] = append(names[n.Score.Reason], n.Name)
	}
	for i, reason := range reasons {
		reasons[i] = strings.Join(names[reason], ", ") + ": " + reason
	}
	return strings.Join(reasons, "; ")
}

// Figure returns a figure with its interval, or the reason why there is no score.
func Figure(s *report.Score) string {
	if !s.Scored {
		return "unscored: " + s.Reason
	}
	if s.Interval == nil {
		return fmt.Sprintf("%.3f", *s.Value)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", *s.Value, s.Interval.Low, s.Interval.High)
}

// mostPasses is the largest number of k that Passes returns.
const mostPasses = 8

// Passes returns pass^k and pass@k with their intervals: the first k, and the last one.
func Passes(c *report.Corpus) []report.PassHatK {
	if len(c.PassHatK) <= mostPasses {
		return c.PassHatK
	}
	last := len(c.PassHatK) - 1
	return append(slices.Clone(c.PassHatK[:mostPasses-1]), c.PassHatK[last])
}

// Types returns the counts of violations by type, in alphabetical order.
func Types(byType map[string]int) string {
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

// Warning returns a warning as text, with the id of its run, and with its line and column
// if they are known.
func Warning(w *report.Warning) string {
	s := w.Message
	if w.Trajectory != "" {
		s = "run " + w.Trajectory + ": " + s
	}
	if w.Line > 0 {
		s += fmt.Sprintf(" (line %d column %d)", w.Line, w.Column)
	}
	return s
}

// Count returns a number and a noun as text, for example "1 step" or "2 steps". The
// parameters one and many are the two forms of the noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Beside returns a word followed by two spaces and an aside. It returns only the word if the
// aside is empty.
func Beside(word, aside string) string {
	if aside == "" {
		return word
	}
	return word + "  " + aside
}

// Cell makes text safe inside a Markdown table.
func Cell(s string) string {
	s = Printable(s)
	for _, c := range []string{`\`, "|", "`", "*", "_", "<", "[", "]", "!"} {
		s = strings.ReplaceAll(s, c, `\`+c)
	}
	return s
}

// SheetCell returns a text as a cell of a spreadsheet. If the text begins like a formula,
// it gets an apostrophe at the front, so that the spreadsheet does not execute it.
// Control characters become visible, so that a row stays on one line.
func SheetCell(s string) string {
	s = Printable(s)
	if strings.IndexAny(strings.TrimLeft(s, " "), "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}

// failedUnexplained reports whether the source says that a run failed, and no finding says
// why. Such a run is never shown as good.
func failedUnexplained(t *report.Trajectory) bool {
	return t.Error == nil && !t.Flagged && t.Success != nil && !*t.Success
}

// Unproven reports whether a run is not flagged, but still not known to be good: perhaps it
// was read wrongly, its source says that it failed, or the verdict beside its reference
// begins with "Cannot tell".
func Unproven(t *report.Trajectory) bool {
	passed := t.Passed != nil && *t.Passed
	return t.Error == nil && !t.Flagged && !passed && (t.Reference != nil || t.Doubt != "" || failedUnexplained(t))
}

// The kinds of doubt about a run.
const (
	RecordedFailure = "recorded-failure" // the source says that the run failed, and no finding says why
	NotKnown        = "cannot-tell"      // the run is not known to be good
)

// Doubt returns the kind of doubt about a run that is not known to be good and has no finding
// that says what broke, with the verdict. It returns "" for a run that is good, flagged or not
// scored. The law of the formats: none shows less doubt than the verdict, so each shows this one.
func Doubt(t *report.Trajectory) (kind, verdict string) {
	switch {
	case t.Error != nil || t.Flagged || t.Passed != nil && *t.Passed:
		return "", ""
	case failedUnexplained(t):
		kind = RecordedFailure
	default:
		kind = NotKnown
	}
	if verdict = t.Verdict; verdict == "" {
		verdict = "Cannot tell."
	}
	return kind, verdict
}

// Violations returns the numbers of a report's violations, in all and by type, without the
// hints, and the number of the hints.
func Violations(r *report.Report) (total int, byType map[string]int, hints int) {
	total, byType = r.Corpus.Violations.Total, maps.Clone(r.Corpus.Violations.ByType)
	for i := range r.Trajectories {
		for j := range r.Trajectories[i].Violations {
			if v := &r.Trajectories[i].Violations[j]; v.Hint && total > 0 {
				total, hints = total-1, hints+1
				if byType[string(v.Type)]--; byType[string(v.Type)] == 0 {
					delete(byType, string(v.Type))
				}
			}
		}
	}
	return total, byType, hints
}

// Hints returns the number of hints as the end of a sentence, or "" if there are none.
func Hints(n int) string {
	if n == 0 {
		return ""
	}
	return "; " + Count(n, "hint", "hints")
}

// Kind returns the word for a finding: its type, or "hint".
func Kind(v *report.Violation) string {
	if v.Hint {
		return "hint"
	}
	return string(v.Type)
}
