package score

import (
	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/judge"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/study/label"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

// showFinding prints the finding with index i, and the keys with which a person can
// answer.
func (r *reviewer) showFinding(i int) {
	f := r.findings[i]
	r.printf("\n%d of %d · run %s · rule %s · %s (%s, %.2f)\n\n", i+1, len(r.findings), words.Printable(f.Run), words.Printable(f.Violation.Rule),
		judge.LabelOf(violation.Type(f.Type)), words.Printable(f.By), f.Confidence)
	r.printAction("before", f.Before, "")
	r.printAction("agent", f.Observed, "did no such action")
	r.printAction("reference", f.Reference, "has no such action")
	r.printAction("after", f.After, "")
	r.printf("  %s  %s\n", render.Pad("reason", 9), words.Printable(f.Reason))
	for _, e := range f.Evidence {
		r.printf("  %s  %s: agent %s, reference %s\n", render.Pad("", 9), words.Printable(e.Path), words.OrNothing(e.Observed), words.OrNothing(e.Reference))
	}
	r.printOpinion(f)
	if m := f.Person; m != nil && m.Comment != "" && r.rater == label.Person {
		r.printf("  %s  %s\n", render.Pad("comment", 9), words.Printable(m.Comment))
	}
	if l := r.labels[f.ID]; l != "" {
		r.printf("  %s  %s\n", render.Pad("labelled", 9), l)
	}
	r.printf("\n  c correct   n no violation   s skip   b back   q quit\n ")
	for n, l := range judge.Labels()[:6] {
		r.printf(" %d %s ", n+1, l)
		if n == 2 {
			r.printf("\n ")
		}
	}
	r.printf("\n")
}

func (r *reviewer) printAction(who string, a *core.Action, none string) {
	switch {
	case a != nil:
		r.printf("  %s  %s\n", render.Pad(who, 9), words.Call(a))
	case none != "":
		r.printf("  %s  — (%s)\n", render.Pad(who, 9), none)
	}
}

func (r *reviewer) printOpinion(f *label.Finding) {
	o := f.Judge
	switch {
	case o == nil:
	case o.Label == "":
		r.printf("  %s  no opinion: %s\n", render.Pad("judge", 9), words.Printable(o.Reason))
	default:
		r.printf("  %s  %s (%.2f, %s): %s\n", render.Pad("judge", 9), words.Printable(string(o.Label)), o.Confidence, words.Printable(string(o.Route)), words.Printable(o.Reason))
	}
	if f.Excused {
		r.printf("  %s  the judge excused this finding; answer c if the finding is a violation anyway\n", render.Pad("", 9))
	}
}
