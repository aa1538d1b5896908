package cli

import (
	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/judge"
	"github.com/boundcheck/boundcheck/core/label"
	"github.com/boundcheck/boundcheck/core/violation"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

// show prints the finding with index i, and the keys with which a person can answer.
func (r *reviewer) show(i int) {
	f := r.findings[i]
	r.f("\n%d of %d · run %s · rule %s · %s (%s, %.2f)\n\n", i+1, len(r.findings), words.Printable(f.Run), words.Printable(f.Violation.Rule),
		judge.LabelOf(violation.Type(f.Type)), words.Printable(f.By), f.Confidence)
	r.action("before", f.Before, "")
	r.action("agent", f.Observed, "did no such action")
	r.action("reference", f.Reference, "has no such action")
	r.action("after", f.After, "")
	r.f("  %s  %s\n", render.Pad("reason", 9), words.Printable(f.Reason))
	for _, e := range f.Evidence {
		r.f("  %s  %s: agent %s, reference %s\n", render.Pad("", 9), words.Printable(e.Path), words.OrNothing(e.Observed), words.OrNothing(e.Reference))
	}
	r.opinion(f)
	if l := r.labels[f.ID]; l != "" {
		r.f("  %s  %s\n", render.Pad("labelled", 9), l)
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
		r.f("  %s  %s\n", render.Pad(who, 9), words.Call(a))
	case none != "":
		r.f("  %s  — (%s)\n", render.Pad(who, 9), none)
	}
}

func (r *reviewer) opinion(f *label.Finding) {
	o := f.Judge
	switch {
	case o == nil:
	case o.Label == "":
		r.f("  %s  no opinion: %s\n", render.Pad("judge", 9), words.Printable(o.Reason))
	default:
		r.f("  %s  %s (%.2f, %s): %s\n", render.Pad("judge", 9), words.Printable(string(o.Label)), o.Confidence, words.Printable(string(o.Route)), words.Printable(o.Reason))
	}
	if f.Excused {
		r.f("  %s  the judge excused it; answer c if it is a violation anyway\n", render.Pad("", 9))
	}
}
