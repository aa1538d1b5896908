package words

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
)

// Headlines are the sentences of Headline. A name in braces is a number or a count, such as
// "3 steps". The page has the same sentences: go run ./wasm/gen writes them into its module
// terms.js.
var Headlines = Terms{
	{"unscored", "The run was not scored."},
	{"whole", "{findings} on the run as a whole."},
	{"nothing", "The reference has no step, and the agent took none."},
	{"one", "The one step kept its boundary."},
	{"all", "All {steps} kept their boundaries."},
	{"otherwise", "No boundary broke. {excused} of {steps} used another valid way."},
	{"broke", "{bad} of {steps} broke a boundary."},
	{"broke-and-left", "{bad} of {steps} broke a boundary; {left}"},
	{"left", "None of {steps} broke a boundary, but {left}"},
	{"only-left", "The agent took no step; {left}"},
	{"left-one", "1 step of the reference was left out."},
	{"left-many", "{missing} of the reference were left out."},
}

// Headline returns the verdict on a run in one sentence, which all reports begin with. The
// sentence is the core's own if the run has one. It counts the steps that were made apart
// from those that the agent left out.
// O(rows).
func Headline(t *report.Trajectory) string {
	if t.Error != nil {
		return Headlines.Word("unscored")
	}
	if t.Verdict != "" {
		return t.Verdict
	}
	rows, made, bad, missing, excused := 0, 0, 0, 0, 0
	for i := range t.Alignment {
		row := &t.Alignment[i]
		broke := row.Verdict == report.RowViolation && !row.Hint
		rows++
		if row.Obs != nil {
			made++
		}
		switch {
		case broke && row.Obs == nil:
			missing++
		case broke:
			bad++
		case row.Verdict == report.RowExcused && !row.Hint:
			excused++
		}
	}
	if t.Reference == nil {
		rows = len(t.Observed)
	}
	left := ""
	if missing > 0 {
		left = fillHeadline(countedKey("left", missing), "missing", Count(missing, "step", "steps"))
	}
	steps := Count(made, "step", "steps")
	switch {
	case t.Flagged && bad+missing == 0:
		return fillHeadline("whole", "findings", Count(len(t.Violations), "finding", "findings"))
	case t.Flagged && made == 0:
		return fillHeadline("only-left", "left", left)
	case t.Flagged && bad == 0:
		return fillHeadline("left", "steps", steps, "left", left)
	case t.Flagged && missing > 0:
		return fillHeadline("broke-and-left", "bad", strconv.Itoa(bad), "steps", steps, "left", left)
	case t.Flagged:
		return fillHeadline("broke", "bad", strconv.Itoa(bad), "steps", steps)
	case rows == 0:
		return fillHeadline("nothing")
	case excused > 0:
		return fillHeadline("otherwise", "excused", strconv.Itoa(excused), "steps", Count(rows, "step", "steps"))
	case rows == 1:
		return fillHeadline("one")
	}
	return fillHeadline("all", "steps", Count(rows, "step", "steps"))
}

// countedKey returns the key of a sentence for a number: KEY-one or KEY-many.
func countedKey(key string, n int) string {
	if n == 1 {
		return key + "-one"
	}
	return key + "-many"
}

// fillHeadline returns a sentence with its parts, which are given as names and texts.
func fillHeadline(key string, parts ...string) string {
	text := Headlines.Word(key)
	for i := 0; i < len(parts); i += 2 {
		text = strings.ReplaceAll(text, "{"+parts[i]+"}", parts[i+1])
	}
	return text
}
