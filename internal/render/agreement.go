package render

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core/label"
)

// Agreement prints how far rule and judge agree with a person.
func Agreement(w io.Writer, c *label.Comparison) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("%s, %d of them labelled", Count(c.Findings, "finding", "findings"), c.Labelled)
	if c.Elsewhere > 0 {
		f("; %s to findings that this report does not have", Count(c.Elsewhere, "label belongs", "labels belong"))
	}
	f("\n")
	for i := range c.Raters {
		a := &c.Raters[i]
		f("\n  %s against you\n", a.Rater)
		f("  %s  %s\n", Pad("agreement", 9), reviewShare(a))
		if a.N == 0 {
			continue
		}
		f("  %s  %s\n", Pad("κ", 9), figure(&a.Kappa))
		for _, n := range a.Notes {
			f("  %s  %s\n", Pad("note", 9), n)
		}
		f("\n  %s  %5s  %6s  %4s  %5s  %6s\n", Pad("label", 17), "said", "agreed", "none", "other", "missed")
		for _, row := range a.ByType {
			f("  %s  %5d  %6d  %4d  %5d  %6d\n", Pad(string(row.Label), 17), row.Said, row.Agreed, row.None, row.Other, row.Missed)
		}
	}
}

func reviewShare(a *label.Agreement) string {
	if !a.Share.Scored {
		return figure(&a.Share)
	}
	return fmt.Sprintf("%d of %d: %s", a.Agreed, a.N, figure(&a.Share))
}
