package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/render"
)

// failFlags say which findings make the command fail.
type failFlags struct {
	on         string
	confidence float64
}

func (f *failFlags) register(set *flag.FlagSet) {
	set.StringVar(&f.on, "fail-on", "", "")
	set.Float64Var(&f.confidence, "min-confidence", 0, "")
}

func (f *failFlags) valid() error {
	if !(f.confidence >= 0 && f.confidence <= 1) {
		return errors.New("--min-confidence wants a number from 0 to 1")
	}
	if f.on == "" && f.confidence > 0 {
		return errors.New("--min-confidence needs --fail-on: alone it decides nothing")
	}
	if f.on == "" {
		return nil
	}
	return oneOf("fail-on", f.on, "violation", "hint", "warning")
}

// check counts what fails. A violation is a finding in a run that has a
// reference, a hint one in a run that has none; each kind includes those before
// it.
func (f *failFlags) check(r *core.Report, command string, stderr io.Writer) int {
	if f.on == "" {
		return exitOK
	}
	violations, hints := 0, 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		for j := range t.Violations {
			switch {
			case t.Violations[j].Confidence < f.confidence:
			case t.Reference != nil:
				violations++
			case f.on != "violation":
				hints++
			}
		}
	}
	warnings := 0
	if f.on == "warning" {
		warnings = len(r.Warnings)
	}
	code := exitOK
	for _, c := range []struct {
		n         int
		one, more string
	}{{violations, "violation", "violations"}, {hints, "hint", "hints"}, {warnings, "warning", "warnings"}} {
		if c.n > 0 {
			fmt.Fprintf(stderr, "boundcheck %s: --fail-on %s: %s\n", command, f.on, render.Count(c.n, c.one, c.more))
			code = exitGate
		}
	}
	return code
}
