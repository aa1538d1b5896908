package cmd

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/words"
)

// Difference prints a run and its reference as a diff. A missing action has -, an extra
// action has +, and a substitution has a line of each. Reasons follow.
type Difference struct {
	W     io.Writer
	Color bool
}

// PrintRun prints the differences of one run.
func (d Difference) PrintRun(t *core.Trajectory) {
	why := map[int][]string{}
	var whole []string
	for _, v := range t.Violations {
		text := fmt.Sprintf("%s: %s", v.Rule, v.Reason)
		if v.Row == nil {
			whole = append(whole, text)
			continue
		}
		why[*v.Row] = append(why[*v.Row], text)
	}
	for i := range t.Alignment {
		d.printRow(t, &t.Alignment[i], why[i])
	}
	for _, text := range whole {
		d.printLine("31", "!", text)
	}
}

func (d Difference) printRow(t *core.Trajectory, r *core.Row, why []string) {
	bad := len(why) > 0
	switch {
	case !bad && r.Obs != nil:
		d.printLine("2", " ", reportedCall(&t.Observed[*r.Obs]))
	case !bad: // the run omits the action without a violation
	default:
		if r.Ref != nil && (r.Op != "match" || r.Obs == nil) {
			d.printLine("31", "-", reportedCall(&t.Reference[*r.Ref]))
		}
		if r.Obs != nil {
			sign := "+"
			if r.Op == "match" {
				sign = "!"
			}
			d.printLine("32", sign, reportedCall(&t.Observed[*r.Obs]))
		}
	}
	for _, text := range why {
		d.printLine("33", " ", "    "+text)
	}
}

func (d Difference) printLine(style, sign, text string) {
	text = sign + " " + words.Printable(text)
	if d.Color {
		text = "\x1b[" + style + "m" + text + "\x1b[0m"
	}
	fmt.Fprintf(d.W, "      %s\n", text)
}

func reportedCall(a *core.Action) string {
	text := a.Text
	if text == "" {
		text = CallText(a.Name, a.Arguments)
	}
	if a.Error {
		text += "  (failed)"
	}
	return text
}
