package render

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core/study/label"
	"github.com/boundcheck/boundcheck/internal/words"
)

// Agreement prints how often people agree with the rules that found the violations, with
// the judge, and with each other.
func Agreement(w io.Writer, c *label.Comparison) {
	f := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	f("%s, %d of them labelled", words.Count(c.Findings, "finding", "findings"), c.Labelled)
	if c.Elsewhere > 0 {
		f("; %s to findings that are not in this report", words.Count(c.Elsewhere, "label belongs", "labels belong"))
	}
	f("\n")
	if c.Between != nil {
		printPeople(f, c.Between)
	}
	for i := range c.Raters {
		printRater(f, &c.Raters[i], peopleText(c))
	}
}

// peopleText returns a text that names the people with whom a rater is compared.
func peopleText(c *label.Comparison) string {
	switch {
	case len(c.People) == 0 || len(c.People) == 1 && c.People[0] == label.Person:
		return "you"
	case len(c.People) == 1:
		return words.Printable(c.People[0])
	}
	s := fmt.Sprintf("most of %d people", len(c.People))
	if c.Tied > 0 {
		s += fmt.Sprintf(" (no label has a majority on %s)", words.Count(c.Tied, "finding", "findings"))
	}
	return s
}

func printPeople(f func(string, ...any), b *label.Between) {
	f("\n  agreement among people\n")
	f("  %s  %d of %s that two or more people labelled\n", Pad("unanimous", 9), b.Unanimous, words.Count(b.Findings, "finding", "findings"))
	f("  %s  %s\n", Pad("Fleiss' κ", 9), words.Figure(&b.Kappa))
	for _, p := range b.Pairs {
		f("  %s  %s, %s: %d of %d, Cohen's κ %s\n", Pad("pair", 9), words.Printable(p.A), words.Printable(p.B), p.Agreed, p.N, words.Figure(&p.Kappa))
	}
}

func printRater(f func(string, ...any), a *label.Agreement, against string) {
	f("\n  %s against %s\n", a.Rater, against)
	f("  %s  %s\n", Pad("agreement", 9), reviewShare(a))
	if a.N == 0 {
		return
	}
	f("  %s  %s\n", Pad("weighted", 9), words.Figure(&a.Weighted))
	f("  %s  %s\n", Pad("κ", 9), words.Figure(&a.Kappa))
	for _, n := range a.Notes {
		f("  %s  %s\n", Pad("note", 9), n)
	}
	f("\n  %s  %6s  %6s  %10s  %s\n", Pad("confidence", 17), "n", "agreed", "mean", "agreement")
	for i := range a.Bands {
		b := &a.Bands[i]
		f("  %s  %6d  %6d  %10s  %s\n", Pad(bandName(b), 17), b.N, b.Agreed, meanConfidence(b), words.Figure(&b.Share))
	}
	f("\n  %s  %5s  %6s  %4s  %5s  %6s\n", Pad("label", 17), "said", "agreed", "none", "other", "missed")
	for _, row := range a.ByType {
		f("  %s  %5d  %6d  %4d  %5d  %6d\n", Pad(string(row.Label), 17), row.Said, row.Agreed, row.None, row.Other, row.Missed)
	}
}

func bandName(b *label.Band) string {
	switch {
	case b.To == 1:
		return fmt.Sprintf("above %.1f", b.From)
	case b.From == 0:
		return fmt.Sprintf("below %.1f", b.To)
	}
	return fmt.Sprintf("%.1f to %.1f", b.From, b.To)
}

func meanConfidence(b *label.Band) string {
	if b.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", b.Confidence)
}

func reviewShare(a *label.Agreement) string {
	if !a.Share.Scored {
		return words.Figure(&a.Share)
	}
	return fmt.Sprintf("%d of %d: %s", a.Agreed, a.N, words.Figure(&a.Share))
}
