package cmd

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/words"
)

// FailFlags select the findings that make the command fail.
type FailFlags struct {
	On         string
	confidence float64
	Compares   bool // references were given, so a run without one was not compared
}

// RegisterFlags defines the flags.
func (f *FailFlags) RegisterFlags(set *flag.FlagSet) {
	set.Func("fail-on", "", func(kind string) error {
		f.On = kind
		return OneOf("fail-on", kind, "violation", "certain", "likely", "hint", "warning", "not-passed")
	})
	set.Float64Var(&f.confidence, "min-confidence", 0, "")
}

// CheckFlags returns an error if --min-confidence is not a share, or has no effect.
func (f *FailFlags) CheckFlags() error {
	if !(f.confidence >= 0 && f.confidence <= 1) {
		return errors.New("invalid --min-confidence: want a number from 0 to 1")
	}
	if f.On == "" && f.confidence > 0 {
		return errors.New("--min-confidence has no effect without --fail-on")
	}
	return nil
}

// CheckReport counts the findings that --fail-on selects, prints them, and returns the
// exit code and the counts, from which --fail-under takes what was not scored.
func (f *FailFlags) CheckReport(r *core.Report, command string, stderr io.Writer) (code int, n Failing) {
	for i := range r.Trajectories {
		n.CountFindings(f, &r.Trajectories[i])
	}
	left := 0
	for i := range r.Warnings {
		if trajectory.LeavesOut(r.Warnings[i].Code) {
			left++
		}
	}
	n.CountInput(f, len(r.Trajectories), len(r.Warnings), left)
	return f.PrintFailures(&n, command, stderr), n
}

// CountInput counts what is about the whole input: the warnings, and that there is no run or,
// although no run is doubted for it, that a part was not read.
func (n *Failing) CountInput(f *FailFlags, runs, warnings, left int) {
	n.Left = left
	n.Empty = runs == 0
	if f.On == "warning" {
		n.warnings = warnings
	}
	if f.On == "not-passed" && n.unproven == 0 && (runs == 0 || left > 0) {
		n.unproven++
	}
}

// Failing holds the numbers of findings that --fail-on selects, of runs that are perhaps
// read wrongly, of runs that were not compared, of runs that are not known to be good, and of
// warnings. The law of the gates: what was not scored does not pass. So it counts the runs with an
// error or a doubt, those without a reference and those without a known outcome for each gate.
type Failing struct {
	violations, hints, doubts, apart, unproven, warnings int

	Unscored, bare, unknown int  // runs with an error or a doubt, without a reference, without an outcome
	Left                    int  // warnings that say that a part was not read
	Empty                   bool // there is no run
}

// CountFindings counts the findings of a run that --fail-on selects. A run with a doubt
// about its reading counts for each value of --fail-on, because nobody knows what a right
// reading would show, and so does a run without a reference if references were given, because
// its task may be misspelled. It skips a finding whose confidence is below --min-confidence. In
// a run with a reference, each finding counts as a violation.
//
// In a run without a reference, whether a finding counts depends on the value of --fail-on:
//
//   - certain: a finding counts if its confidence is at least violation.Certain
//   - violation, likely, warning: a finding counts if it is no hint
//   - hint: each finding counts
//   - not-passed: no finding counts, but each run counts that is not known to be good
func (n *Failing) CountFindings(f *FailFlags, t *core.Trajectory) {
	if f.Compares && t.Reference == nil && t.Error == nil {
		n.apart++
	}
	switch {
	case t.Error != nil || t.Doubt != "":
		n.Unscored++
	default:
		n.bare += ToInt(t.Reference == nil)
		n.unknown += ToInt(t.Success == nil)
	}
	if f.On == "not-passed" || t.Error != nil {
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
		case t.Violations[j].Hint && f.On != "hint":
		case t.Reference != nil && !t.Violations[j].Hint:
			n.violations++
		case f.On != "certain" || t.Violations[j].Confidence >= violation.Certain:
			n.hints++
		}
	}
}

// PrintFailures prints the numbers of findings and warnings that fail, and returns the
// exit code.
func (f *FailFlags) PrintFailures(n *Failing, command string, stderr io.Writer) int {
	if f.On == "" {
		return ExitOK
	}
	code, finding := ExitOK, "likely finding"
	switch f.On {
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
		{n.apart, "run without a reference, although references were given", "runs without a reference, although references were given"},
		{n.unproven, "run that is not known to be good", "runs that are not known to be good"}, {n.warnings, "warning", "warnings"}} {
		if c.n > 0 {
			fmt.Fprintf(stderr, "boundcheck %s: --fail-on %s: %s\n", command, f.On, words.Count(c.n, c.one, c.more))
			code = ExitFailed
		}
	}
	return code
}

// ToInt returns 1 for true.
func ToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unmetWhy says why no figure of this name counts, whatever it is: a run or a part of the input is
// not in it. It returns "" if all are.
func (n *Failing) unmetWhy(metric string) string {
	byOutcome := metric == "sr" || strings.HasPrefix(metric, "basr") || strings.HasPrefix(metric, "luckySuccess")
	switch {
	case n.Empty:
		return "there is no run"
	case n.Unscored > 0:
		return words.Count(n.Unscored, "run was not scored, or perhaps read wrongly", "runs were not scored, or perhaps read wrongly")
	case n.Left > 0:
		return "a part of the input was not read"
	case n.apart > 0:
		return words.Count(n.apart, "run has no reference, although references were given", "runs have no reference, although references were given")
	case metric != "sr" && n.bare > 0:
		return words.Count(n.bare, "run has no reference", "runs have no reference")
	case byOutcome && n.unknown > 0:
		return words.Count(n.unknown, "run has no known outcome", "runs have no known outcome")
	}
	return ""
}
