package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/internal/words"
)

// failFlags select the findings that make the command fail.
type failFlags struct {
	on         string
	confidence float64
}

func (f *failFlags) registerFlags(set *flag.FlagSet) {
	set.StringVar(&f.on, "fail-on", "", "")
	set.Float64Var(&f.confidence, "min-confidence", 0, "")
}

func (f *failFlags) checkFlags() error {
	if !(f.confidence >= 0 && f.confidence <= 1) {
		return errors.New("invalid --min-confidence: want a number from 0 to 1")
	}
	if f.on == "" && f.confidence > 0 {
		return errors.New("--min-confidence has no effect without --fail-on")
	}
	if f.on == "" {
		return nil
	}
	return oneOf("fail-on", f.on, "violation", "certain", "likely", "hint", "warning", "not-passed")
}

// checkReport counts the findings that --fail-on selects, prints them, and returns the
// exit code.
func (f *failFlags) checkReport(r *core.Report, command string, stderr io.Writer) int {
	var n failing
	for i := range r.Trajectories {
		n.countFindings(f, &r.Trajectories[i])
	}
	n.countInput(f, len(r.Trajectories), len(r.Warnings))
	return f.printFailures(&n, command, stderr)
}

// countInput counts what is about the whole input: the warnings, and that there is no run.
func (n *failing) countInput(f *failFlags, runs, warnings int) {
	n.warnings = warnings
	if f.on == "not-passed" && runs == 0 {
		n.unproven++
	}
}

// failing holds the numbers of findings that --fail-on selects, of runs that are perhaps
// read wrongly, of runs that are not known to be good, and of warnings.
type failing struct{ violations, hints, doubts, unproven, warnings int }

// countFindings counts the findings of a run that --fail-on selects. A run with a doubt
// about its reading counts for each value of --fail-on, because nobody knows what a right
// reading would show. It skips a finding
// whose confidence is below --min-confidence. In a run with a reference, each finding
// counts as a violation.
//
// In a run without a reference, whether a finding counts depends on the value of --fail-on:
//
//   - violation: no finding counts
//   - certain: a finding counts if its confidence is at least violation.Certain
//   - likely, warning: a finding counts if it is no hint
//   - hint: each finding counts
//   - not-passed: no finding counts, but each run counts that is not known to be good
func (n *failing) countFindings(f *failFlags, t *core.Trajectory) {
	if f.on == "not-passed" {
		if t.Passed == nil || !*t.Passed {
			n.unproven++
		}
		return
	}
	if t.Doubt != "" {
		n.doubts++
	}
	for j := range t.Violations {
		switch {
		case t.Violations[j].Confidence < f.confidence:
		case t.Reference != nil:
			n.violations++
		case f.on == "violation" || t.Violations[j].Hint && f.on != "hint":
		case f.on != "certain" || t.Violations[j].Confidence >= violation.Certain:
			n.hints++
		}
	}
}

// printFailures prints the numbers of findings and warnings that fail, and returns the
// exit code.
func (f *failFlags) printFailures(n *failing, command string, stderr io.Writer) int {
	if f.on == "" {
		return exitOK
	}
	if f.on != "warning" && f.on != "not-passed" {
		n.warnings = 0
	}
	code, finding := exitOK, "likely finding"
	switch f.on {
	case "hint":
		finding = "finding"
	case "certain":
		finding = "certain finding"
	}
	for _, c := range []struct {
		n         int
		one, more string
	}{{n.violations, "violation", "violations"}, {n.hints, finding, finding + "s"},
		{n.doubts, "run that was perhaps read wrongly", "runs that were perhaps read wrongly"},
		{n.unproven, "run that is not known to be good", "runs that are not known to be good"}, {n.warnings, "warning", "warnings"}} {
		if c.n > 0 {
			fmt.Fprintf(stderr, "boundcheck %s: --fail-on %s: %s\n", command, f.on, words.Count(c.n, c.one, c.more))
			code = exitFailed
		}
	}
	return code
}
