package cli

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/judge"
	"github.com/boundcheck/boundcheck/core/label"
	"github.com/boundcheck/boundcheck/core/violation"
)

// show prints a finding and the keys.
func (r *reviewer) show(i int) {
	f := r.findings[i]
	r.f("\n%d of %d · run %s · rule %s · %s (%s, %.2f)\n\n", i+1, len(r.findings), printable(f.Run), printable(f.Violation.Rule),
		judge.LabelOf(violation.Type(f.Type)), printable(f.By), f.Confidence)
	r.action("before", f.Before, "")
	r.action("agent", f.Observed, "did nothing of the kind")
	r.action("reference", f.Reference, "has nothing of the kind")
	r.action("after", f.After, "")
	r.f("  %s  %s\n", pad("reason", 9), printable(f.Reason))
	for _, e := range f.Evidence {
		r.f("  %s  %s: agent %s, reference %s\n", pad("", 9), printable(e.Path), orNothing(e.Observed), orNothing(e.Reference))
	}
	r.opinion(f)
	if l := r.labels[f.ID]; l != "" {
		r.f("  %s  %s\n", pad("labelled", 9), l)
	}
	r.f("\n  c correct   n no violation   s skip   b back   q quit\n ")
	for n, l := range judge.Labels()[:6] {
		r.f(" %d %s ", n+1, l)
		if n == 2 {
			r.f("\n ")
		}
	}
	r.f("\n")
}

func (r *reviewer) action(who string, a *core.Action, none string) {
	switch {
	case a != nil:
		r.f("  %s  %s\n", pad(who, 9), call(a))
	case none != "":
		r.f("  %s  — (%s)\n", pad(who, 9), none)
	}
}

func (r *reviewer) opinion(f *label.Finding) {
	o := f.Judge
	switch {
	case o == nil:
	case o.Label == "":
		r.f("  %s  no opinion: %s\n", pad("judge", 9), printable(o.Reason))
	default:
		r.f("  %s  %s (%.2f, %s): %s\n", pad("judge", 9), printable(string(o.Label)), o.Confidence, printable(string(o.Route)), printable(o.Reason))
	}
	if f.Excused {
		r.f("  %s  the judge excused it; c says that it is a violation all the same\n", pad("", 9))
	}
}

// reviewAgreement prints how far rule and judge agree with a person.
func reviewAgreement(w io.Writer, c *label.Comparison) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("%s, %d of them labelled", count(c.Findings, "finding", "findings"), c.Labelled)
	if c.Elsewhere > 0 {
		f("; %s to findings that this report does not have", count(c.Elsewhere, "label belongs", "labels belong"))
	}
	f("\n")
	for i := range c.Raters {
		a := &c.Raters[i]
		f("\n  %s against you\n", a.Rater)
		f("  %s  %s\n", pad("agreement", 9), reviewShare(a))
		if a.N == 0 {
			continue
		}
		f("  %s  %s\n", pad("κ", 9), figure(&a.Kappa))
		for _, n := range a.Notes {
			f("  %s  %s\n", pad("note", 9), n)
		}
		f("\n  %s  %5s  %6s  %4s  %5s  %6s\n", pad("label", 17), "said", "agreed", "none", "other", "missed")
		for _, row := range a.ByType {
			f("  %s  %5d  %6d  %4d  %5d  %6d\n", pad(string(row.Label), 17), row.Said, row.Agreed, row.None, row.Other, row.Missed)
		}
	}
}

func reviewShare(a *label.Agreement) string {
	if !a.Share.Scored {
		return figure(&a.Share)
	}
	return fmt.Sprintf("%d of %d: %s", a.Agreed, a.N, figure(&a.Share))
}
