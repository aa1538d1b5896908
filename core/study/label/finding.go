// Package label handles people's labels on findings. It matches labels to findings, reads
// and writes labels files, and measures how far the rule and the judge agree with people.
// It does no input or output itself.
package label

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// Finding is a violation of a report, or a violation that the judge excused. It contains
// everything that a person must see to label it.
type Finding struct {
	ID string // equal for the same finding in another report on the same run
	report.Violation
	Run       string // the trajectory's id
	Observed  *report.Action
	Reference *report.Action
	Before    *report.Action // the action before Observed
	After     *report.Action // the action after Observed
	Rule      judge.Label    // the rule's label
	Judge     *Opinion       // the judge's opinion; nil if the judge was not asked
	Excused   bool           // the judge's opinion removed the finding from the violations
}

// Opinion is a judge's opinion as a report contains it.
type Opinion struct {
	Label      judge.Label `json:"label"` // "" if there is none
	Confidence float64     `json:"confidence"`
	Route      judge.Route `json:"route"`
	Reason     string      `json:"reason"`
	Was        string      `json:"was"` // the rule's type, if the judge changed it
}

// Uncertain reports whether a person should look at the finding. The result is true if
// the final confidence is below the limit, or if the judge's opinion was queued for a
// person.
func (f *Finding) Uncertain(below float64) bool {
	return f.Confidence < below || f.Judge != nil && f.Judge.Route == judge.Queued
}

// document contains those members of a report that this package needs. It declares the
// member "judge" of a violation itself, and so does not depend on that member's type in
// core.
type document struct {
	Schema       string
	Error        *struct{ Message string }
	Trajectories []struct {
		ID         string
		Observed   []report.Action
		Reference  []report.Action
		Violations []judged
		Excused    []judged
	}
}

type judged struct {
	report.Violation
	Judge *Opinion `json:"judge"`
}

// Findings reads the findings of a report in JSON, in the report's order. Within a run,
// the findings that the judge excused come last.
func Findings(data []byte) ([]Finding, error) {
	var r document
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("invalid report: %w", err)
	}
	switch {
	case r.Error != nil:
		return nil, fmt.Errorf("want a report, got an error: %s", r.Error.Message)
	case r.Schema == "":
		return nil, errors.New(`this is not a report, because "schema" is missing. Write a report with boundcheck score --format json`)
	case r.Schema != report.Schema:
		return nil, fmt.Errorf("unknown schema %q; want %q", r.Schema, report.Schema)
	}
	var out []Finding
	seen := map[string]int{}
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		for n, v := range append(t.Violations, t.Excused...) {
			f := Finding{Violation: v.Violation, Run: t.ID, Judge: v.Judge, Excused: n >= len(t.Violations),
				Observed: actionAt(t.Observed, v.Obs, 0), Reference: actionAt(t.Reference, v.Ref, 0),
				Before: actionAt(t.Observed, v.Obs, -1), After: actionAt(t.Observed, v.Obs, 1)}
			f.Rule = ruleLabel(&f)
			f.ID = findingID(&f, 0)
			if seen[f.ID]++; seen[f.ID] > 1 {
				f.ID = findingID(&f, seen[f.ID]-1)
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// Marked returns the label that a person's mark on the page means: the finding's own if it is
// marked right, None if it is marked wrong, and "" without such a mark.
func (f *Finding) Marked() judge.Label {
	switch {
	case f.Person == nil || f.Person.Right == nil:
		return ""
	case *f.Person.Right:
		return judge.LabelOf(violation.Type(f.Type))
	}
	return judge.None
}

// AddMarks adds the marks of the page as labels of Person, where nobody gave a label.
func (l Labels) AddMarks(findings []Finding) {
	for i := range findings {
		f := &findings[i]
		if _, voters := l.majorityLabel(f.ID); voters > 0 || f.Marked() == "" {
			continue
		}
		if l[Person] == nil {
			l[Person] = map[string]judge.Label{}
		}
		l[Person][f.ID] = f.Marked()
	}
}

func actionAt(actions []report.Action, i *int, shift int) *report.Action {
	if i == nil || *i+shift < 0 || *i+shift >= len(actions) {
		return nil
	}
	return &actions[*i+shift]
}

func ruleLabel(f *Finding) judge.Label {
	if f.Judge != nil && f.Judge.Was != "" {
		return judge.LabelOf(violation.Type(f.Judge.Was))
	}
	return judge.LabelOf(violation.Type(f.Type))
}

// findingID returns the id of a finding, a hash of the run, the rule, the two actions and
// their positions. If several findings have the same values, the argument nth makes their
// ids different. The type and the confidence are not part of the id, because a judge or a
// better rule may change them.
func findingID(f *Finding, nth int) string {
	parts := []string{f.Run, f.Violation.Rule, indexText(f.Obs), indexText(f.Ref), actionText(f.Observed), actionText(f.Reference), fmt.Sprint(nth)}
	if f.Observed == nil && f.Reference == nil {
		for _, e := range f.Evidence {
			parts = append(parts, e.Path, e.Observed, e.Reference)
		}
	}
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "%d:%s", len(p), p)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

func indexText(i *int) string {
	if i == nil {
		return "-"
	}
	return fmt.Sprint(*i)
}

func actionText(a *report.Action) string {
	if a == nil {
		return ""
	}
	return a.Name + "\x00" + a.Arguments + "\x00" + a.Text
}
