package words

import (
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
)

// headlines has the sentences of Headline in their order: a run has the first one whose conditions,
// before the colon, all hold. A condition is a count of countRun that is not zero, or zero behind an
// exclamation mark. A count in braces is a number, with a word for one and a word for many if it has them.
const headlines = `error: The run was not scored.
flagged !broken: {findings finding|findings} on the run as a whole.
flagged !made: The agent took no step; {missing step of the reference was|steps of the reference were} left out.
flagged !bad: None of {made step|steps} broke a boundary, but {missing step of the reference was|steps of the reference were} left out.
flagged missing: {bad} of {made step|steps} broke a boundary; {missing step of the reference was|steps of the reference were} left out.
flagged: {bad} of {made step|steps} broke a boundary.
!rows: The reference has no step, and the agent took none.
excused: No boundary broke. {excused} of {rows step|steps} used another valid way.
single: The one step kept its boundary.
: All {rows step|steps} kept their boundaries.`

// Headlines returns the sentences of Headline with their conditions, in their order. The page chooses by the
// same list: go run ./wasm/gen writes it into its module terms.js.
func Headlines() (all Terms) {
	for line := range strings.SplitSeq(headlines, "\n") {
		when, text, _ := strings.Cut(line, ": ")
		all = append(all, [2]string{when, text})
	}
	return all
}

// Headline returns the verdict on a run in one sentence, which all reports begin with. The
// sentence is the core's own if the run has one. It counts the steps that were made apart
// from those that the agent left out.
// O(rows).
func Headline(t *report.Trajectory) string {
	if t.Verdict != "" && t.Error == nil {
		return t.Verdict
	}
	counts := countRun(t)
	for _, h := range Headlines() {
		if holds(h[0], counts) {
			return fillHeadline(h[1], counts)
		}
	}
	return ""
}

// countRun returns what the headlines count of a run, and 1 for what it is.
func countRun(t *report.Trajectory) map[string]int {
	n := map[string]int{"findings": len(t.Violations), "rows": len(t.Alignment)}
	for i := range t.Alignment {
		row := &t.Alignment[i]
		if row.Obs != nil {
			n["made"]++
		}
		switch {
		case row.Hint:
		case row.Verdict == report.RowExcused:
			n["excused"]++
		case row.Verdict == report.RowViolation && row.Obs == nil:
			n["missing"]++
		case row.Verdict == report.RowViolation:
			n["bad"]++
		}
	}
	if t.Reference == nil {
		n["rows"] = len(t.Observed)
	}
	n["broken"] = n["bad"] + n["missing"]
	for name, is := range map[string]bool{"error": t.Error != nil, "flagged": t.Flagged, "single": n["rows"] == 1} {
		if is {
			n[name] = 1
		}
	}
	return n
}

// holds reports whether all conditions of a headline hold.
func holds(when string, counts map[string]int) bool {
	for name := range strings.FieldsSeq(when) {
		name, no := strings.CutPrefix(name, "!")
		if (counts[name] == 0) != no {
			return false
		}
	}
	return true
}

// fillHeadline returns a sentence with its counts.
func fillHeadline(text string, counts map[string]int) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(text, "{")
		b.WriteString(before)
		if !open {
			return b.String()
		}
		part, after, _ := strings.Cut(rest, "}")
		name, word, _ := strings.Cut(part, " ")
		if one, many, named := strings.Cut(word, "|"); named {
			b.WriteString(Count(counts[name], one, many))
		} else {
			b.WriteString(strconv.Itoa(counts[name]))
		}
		text = after
	}
}
