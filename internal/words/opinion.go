package words

import (
	"fmt"
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
)

// This file writes the opinions of judges and checkers as text. Every text format of a report
// contains them, so that readers know where a verdict comes from.

// Opinion returns a judge's opinion about a finding as text, or "" if no judge was asked.
func Opinion(v *report.Violation) string {
	o := v.Judge
	if o == nil {
		return ""
	}
	s := "judge: "
	if o.Label != "" {
		s += fmt.Sprintf("%s %.2f, ", o.Label, o.Confidence)
	}
	s += o.Route
	if o.Was != "" {
		s += ", was " + o.Was
	}
	for _, more := range []string{o.Reason, o.Note} {
		if more != "" {
			s += "; " + more
		}
	}
	return s
}

// Replayed returns the result of a replay as lines of text. In a replay, the checker of a
// benchmark carries out the run again.
func Replayed(r *report.Replay) []string {
	verdict := "did not succeed"
	if r.Success {
		verdict = "succeeded"
	}
	lines := []string{fmt.Sprintf("%s, by %s: %s", r.Benchmark, r.Basis, verdict)}
	if r.Contradicted {
		lines[0] += ", which contradicts the recorded outcome"
	}
	for _, d := range r.Differences {
		lines = append(lines, fmt.Sprintf("%s %s, %s: agent %s, reference %s", d.Table, d.Key, d.Field, OrNothing(d.Observed), OrNothing(d.Reference)))
	}
	unsaid := make([]string, 0, len(r.Outputs))
	for text, said := range r.Outputs {
		if !said {
			unsaid = append(unsaid, text)
		}
	}
	sort.Strings(unsaid)
	for _, text := range unsaid {
		lines = append(lines, "not said to the user: "+text)
	}
	for _, a := range r.Assertions {
		if a.Result < a.Total {
			lines = append(lines, fmt.Sprintf("%s: %v of %v", a.Name, a.Result, a.Total))
		}
	}
	return append(lines, r.Notes...)
}

// Helpers returns the names of the plugins and models that contributed to a report, or "" if
// there are none.
func Helpers(r *report.Report) string {
	var all []string
	for _, p := range r.Plugins {
		all = append(all, fmt.Sprintf("%s %s (sha256 %.12s…)", p.Name, p.Version, p.SHA256))
	}
	if m := r.Models; m != nil && m.Embeddings != "" {
		all = append(all, "embeddings "+m.Embeddings)
	}
	if m := r.Models; m != nil && m.Judge != "" {
		s := "judge " + m.Judge
		if e := m.Ensemble; e != nil {
			s += fmt.Sprintf(" (unanimous on %d of %d cases, κ %s)", e.Unanimous, e.Cases, Figure(&e.Kappa))
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

// ExcusedBy returns the reason why a row was excused or is only a note. It returns "" for a
// row that is correct or a violation.
func ExcusedBy(row *report.Row) string {
	if row.Reason == "" || row.Verdict != "excused" && row.Verdict != "note" {
		return ""
	}
	if row.Stage == "" {
		return row.Reason
	}
	return row.Stage + ": " + row.Reason
}
