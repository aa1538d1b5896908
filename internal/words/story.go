package words

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/secrets"
	"github.com/boundcheck/boundcheck/core/report"
)

// WentWrong returns what went wrong in a run, in one line: the first two sentences of its
// first story, why it was not scored, or the verdict on it. It returns "" if nothing went
// wrong.
func WentWrong(t *report.Trajectory) string {
	switch {
	case t.Error != nil:
		return "not scored: " + t.Error.Message
	case len(t.Story) > 0 && t.Story[0].Kind == "suspected":
		return t.Story[0].Text[0]
	case len(t.Story) > 0 && t.Flagged:
		return strings.Join(t.Story[0].Text[:min(2, len(t.Story[0].Text))], " ")
	case t.Doubt != "" || Unproven(t):
		return Printable(t.Verdict)
	}
	return ""
}

// Finding returns what a finding of a run says: the story that begins with it, or else its
// reason.
func Finding(t *report.Trajectory, i int) string {
	if at := slices.IndexFunc(t.Story, func(s report.Story) bool { return len(s.Findings) > 0 && s.Findings[0] == i }); at >= 0 {
		return strings.Join(t.Story[at].Text, " ")
	}
	return secrets.HideKeys(t.Violations[i].Reason)
}
