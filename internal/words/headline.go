package words

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
)

// Headlines returns the sentences of Headline with their keys. A name in braces is a number or a
// count, such as "3 steps". The page has the same sentences: go run ./wasm/gen writes them into its
// module terms.js.
func Headlines() (all Terms) {
	for key := range strings.FieldsSeq("unscored whole nothing one all otherwise broke broke-and-left left only-left left-one left-many") {
		all = append(all, [2]string{key, headlineOf(key)})
	}
	return all
}

// headlineOf returns a sentence with its open parts, by its key. A table would be data that the first
// visit of the page loads.
func headlineOf(key string) string {
	switch key {
	case "unscored":
		return "The run was not scored."
	case "whole":
		return "{findings} on the run as a whole."
	case "nothing":
		return "The reference has no step, and the agent took none."
	case "one":
		return "The one step kept its boundary."
	case "all":
		return "All {steps} kept their boundaries."
	case "otherwise":
		return "No boundary broke. {excused} of {steps} used another valid way."
	case "broke":
		return "{bad} of {steps} broke a boundary."
	case "broke-and-left":
		return "{bad} of {steps} broke a boundary; {left}"
	case "left":
		return "None of {steps} broke a boundary, but {left}"
	case "only-left":
		return "The agent took no step; {left}"
	case "left-one":
		return "1 step of the reference was left out."
	case "left-many":
		return "{missing} of the reference were left out."
	}
	return ""
}

// Headline returns the verdict on a run in one sentence, which all reports begin with. The
// sentence is the core's own if the run has one. It counts the steps that were made apart
// from those that the agent left out.
// O(rows).
func Headline(t *report.Trajectory) string {
	if t.Error != nil {
		return headlineOf("unscored")
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
	text := headlineOf(key)
	for i := 0; i < len(parts); i += 2 {
		text = strings.ReplaceAll(text, "{"+parts[i]+"}", parts[i+1])
	}
	return text
}
