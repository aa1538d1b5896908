package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/internal/words"
)

// Lint prints a report of runs without references: each run's actions and findings.
func Lint(w io.Writer, r *report.Report, o TableOptions) {
	p := printer{w: w, color: o.Color, width: o.Width}
	p.printf("%s · %s\n", r.Input.Format, words.Count(r.Corpus.N, "trajectory", "trajectories"))
	for i := range r.Trajectories {
		if o.Limit > 0 && i == o.Limit {
			p.printf("\n… and %d more; --limit 0 shows all\n", len(r.Trajectories)-i)
			break
		}
		p.printLint(&r.Trajectories[i], len(r.Trajectories) > 1)
	}
	p.printWarnings(r)
}

func (p *printer) printLint(t *report.Trajectory, many bool) {
	p.printf("\n")
	if many {
		p.printf("  %s\n", p.paintText(bold, "run "+words.Printable(t.ID)))
	}
	if t.Error != nil {
		p.printf("  %s\n", p.paintText(red, "not scored: "+words.Printable(t.Error.Message)))
		return
	}
	p.printf("  %s\n", censusText(t.Observed))
	if held := heldTools(t.Observed); held != "" {
		p.printf("  a gate would ask a person about: %s\n", words.Printable(held))
	}
	if len(t.Observed) == 0 && len(t.Violations) == 0 {
		p.printf("  %s\n", p.paintText(yellow, "no call was read, so nothing was checked"))
	}
	p.printLintFindings(t)
	p.printRequests(t)
}

// The requests of a run that are printed, and the characters of each.
const (
	mostRequests = 5
	longestWords = 90
)

// printRequests prints who asked for the changes of a run, with the words.
func (p *printer) printRequests(t *report.Trajectory) {
	label, shown, seen := "asked for", 0, map[string]bool{}
	for i := range t.Observed {
		a := &t.Observed[i]
		q := a.Request
		if q == nil || q.Words == "" || q.Message == nil || q.By != "user" && q.By != "developer" || seen[a.Name+q.Words] {
			continue
		}
		seen[a.Name+q.Words] = true
		if shown++; shown > mostRequests {
			continue
		}
		p.printf("  %s  %s by %s message %d: “%s”\n", p.paintText(dim, Pad(label, 14)), words.Printable(a.Name), words.Asker(q), *q.Message+1, words.Printable(shorten(q.Words, longestWords)))
		label = ""
	}
	if shown > mostRequests {
		p.printf("  %s  … and %d more\n", Pad("", 14), shown-mostRequests)
	}
}

// shorten returns the beginning of a text.
func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// printLintFindings prints the verdict on a run without a reference, and its findings. A
// finding that is a hint is never called a violation.
func (p *printer) printLintFindings(t *report.Trajectory) {
	p.printf("  %s\n", p.coloredVerdict(t))
	p.printRecorded(t)
	label := "look first at"
	for _, s := range t.Suspects {
		p.printf("  %s  message %d, %s: %s\n", p.paintText(dim, Pad(label, 14)), s.Message+1, words.Printable(s.Agent), words.Printable(strings.Join(s.Reasons, "; ")))
		label = "then"
	}
	for _, f := range foldFindings(t.Violations) {
		v, times := &f.first, ""
		color := red
		if v.Hint {
			color = yellow
		}
		if f.n > 1 {
			times = fmt.Sprintf(" ×%d", f.n)
		}
		p.printf("  %s  %s%s %s\n", p.paintText(color, Pad(words.Kind(v), 14)), words.Printable(v.Reason), times, p.paintText(dim, asideText(v)))
		for _, e := range v.Evidence {
			if e.Path == violation.WordsOfData {
				p.printf("  %s  the data says: “%s”\n", Pad("", 14), words.Printable(e.Observed))
			}
		}
	}
}

// printRecorded prints what a trace tells about a failure without a known cause.
func (p *printer) printRecorded(t *report.Trajectory) {
	word := "recorded"
	for _, fact := range t.Recorded {
		p.printf("  %s  %s\n", p.paintText(dim, Pad(word, 14)), words.Printable(fact))
		word = ""
	}
}

// fold is a finding, with the number of findings that have the same text.
type fold struct {
	first report.Violation
	n     int
}

// foldFindings joins findings with the same text. Its result is in the order in which the
// texts first occur.
func foldFindings(all []report.Violation) (out []fold) {
	at := map[string]int{}
	for _, v := range all {
		key := fmt.Sprint(v.Type, v.Hint, v.Reason, asideText(&v))
		if i, seen := at[key]; seen {
			out[i].n++
			continue
		}
		at[key] = len(out)
		out = append(out, fold{v, 1})
	}
	return out
}

// coloredVerdict returns the sentence about a run in a colour. The sentence is red if the
// run is flagged. It is green if the run probably has no fault and has no finding, and
// otherwise yellow.
func (p *printer) coloredVerdict(t *report.Trajectory) string {
	verdict := words.Printable(t.Verdict) // it may name a tool
	switch {
	case t.Flagged:
		return p.paintText(red, verdict)
	case t.Passed != nil && *t.Passed:
		return p.paintText(green, verdict+" No sign of a broken boundary was found. With a reference, boundcheck score can find more.")
	}
	return p.paintText(yellow, verdict)
}

// censusText returns a text with the numbers of a run's actions by effect, such as reads
// and changes.
func censusText(actions []report.Action) string {
	var reads, writes, unknown, control, failed, proposed int
	for _, a := range actions {
		switch {
		case a.Control:
			control++
		case a.Mutating == "yes":
			writes++
		case a.Mutating == "no":
			reads++
		default:
			unknown++
		}
		if a.Error {
			failed++
		}
		if a.Proposed {
			proposed++
		}
	}
	parts := []string{words.Count(len(actions), "action", "actions") + ":"}
	for _, c := range []struct {
		n         int
		one, many string
	}{{reads, "read", "reads"}, {writes, "change", "changes"}, {unknown, "possible change", "possible changes"}, {control, "control action", "control actions"}, {failed, "failed", "failed"}, {proposed, "not executed", "not executed"}} {
		if c.n > 0 {
			parts = append(parts, words.Count(c.n, c.one, c.many)+",")
		}
	}
	return strings.TrimRight(strings.Join(parts, " "), ",:")
}

// heldTools returns the names of the tools about which a gate would ask, separated by
// commas. Each name occurs once. The names are in the order of their first use.
func heldTools(actions []report.Action) string {
	var names []string
	seen := map[string]bool{}
	for _, a := range actions {
		if !a.Control && a.Mutating != "no" && !seen[a.Name] {
			seen[a.Name] = true
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ", ")
}
