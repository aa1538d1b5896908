package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/words"
)

// mostStory is the largest number of lines that tell what went wrong in a run.
const mostStory = 15

// printStory prints what went wrong in a run: its stories, and the arguments that differ
// in the first one. Of a run without a story it prints the verdict, and also of a run that
// has a reference and only hints.
func (p *printer) printStory(t *report.Trajectory) {
	left := mostStory
	if len(t.Story) > 0 && t.Reference != nil && t.Verdict != "" && !t.Flagged {
		p.printf("  %s\n", p.paintText(yellow, words.Printable(t.Verdict)))
		left--
	}
	if t.Flagged {
		left-- // for the headline below
	}
	for i := range t.Story {
		for j, line := range t.Story[i].Text {
			if left == 0 {
				break
			}
			left--
			indent, style := 4, ""
			if j == 0 {
				indent, style = 2, bold
			}
			p.printf("%s%s\n", strings.Repeat(" ", indent), p.paintText(style, p.wrapText(words.Printable(line), indent)))
		}
	}
	if len(t.Story) > 0 {
		p.printDifferences(&t.Story[0], left)
		if t.Flagged {
			p.printf("  %s\n", p.paintText(dim, words.Printable(words.Headline(t))))
		}
	} else {
		p.printVerdict(t)
	}
	p.printf("\n")
}

// printDifferences prints the arguments that differ, one in each line, with the agent's
// value and the reference's value; of long values the place where they differ. A story about a single short argument already
// says both.
func (p *printer) printDifferences(s *report.Story, left int) {
	all := slices.DeleteFunc(slices.Clone(s.Differs), func(e report.Evidence) bool { return e.Path == "" })
	if s.Kind != "differs" || len(all) == 0 || len(all) == 1 && len(all[0].Observed)+len(all[0].Reference) < 200 {
		return
	}
	width, value := 0, 0
	for i := range all {
		e := &all[i]
		e.Observed, e.Reference = words.Sides(e.Path, e.Observed, e.Reference)
		width = max(width, utf8.RuneCountInString(words.Printable(e.Path)))
		if n := utf8.RuneCountInString(e.Observed); n <= 40 {
			value = max(value, n)
		}
	}
	for i, e := range all {
		if i == left-1 && len(all) > left {
			p.printf("    and %s\n", words.Count(len(all)-i, "more argument", "more arguments"))
			return
		}
		p.printf("    %s  %s %s %s\n", Fill(words.Printable(e.Path), width), p.paintText(red, Fill(e.Observed, value)), p.paintText(dim, "should be"), p.paintText(green, e.Reference))
	}
}

// printVerdict prints the verdict on a run without a story, and what the trace tells about
// a failure without a known cause.
func (p *printer) printVerdict(t *report.Trajectory) {
	switch {
	case t.Error != nil:
		p.printf("  %s\n", p.paintText(red, "not scored: "+words.Printable(t.Error.Message)))
	case t.Reference == nil:
		p.printLintFindings(t)
	case t.Verdict != "":
		p.printf("  %s\n", p.paintText(yellow, words.Printable(t.Verdict)))
		p.printRecorded(t)
	default:
		p.printf("  %s\n", p.paintText(green, words.Headline(t)))
	}
}

// printFigures prints the figures: the value, an arrow for the direction in which it is
// better, what it means, and the papers' name. The figures without a value are one line.
func (p *printer) printFigures(all []words.Named) {
	width, plain := 0, 0
	for _, n := range all {
		if n.Score.Scored {
			width, plain = max(width, utf8.RuneCountInString(words.Figure(n.Score))), max(plain, utf8.RuneCountInString(n.Plain))
		}
	}
	for i := range all {
		if n := &all[i]; n.Score.Scored {
			p.printf("  %s %s  %s  %s\n", n.Arrow(), Fill(words.Figure(n.Score), width), Fill(n.Plain, plain), p.paintText(dim, n.Name))
		}
	}
	if width > 0 {
		p.printf("  %s\n", p.paintText(dim, "↑ more is better, ↓ less is better; boundcheck explain abs explains a name"))
	}
	if none := words.Unscored(all); none != "" {
		p.printf("  %s  %s\n", p.paintText(dim, "not scored"), p.paintText(dim, words.Printable(none)))
	}
}

// wrapText breaks a text at blanks for the terminal's width. The parameter indent is the
// number of columns before the text. Without a terminal, the text stays in one line.
func (p *printer) wrapText(text string, indent int) string {
	if p.width == 0 {
		return text
	}
	return Wrap(text, indent, max(p.width, indent+30))
}
