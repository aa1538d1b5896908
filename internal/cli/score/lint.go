package score

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

const lintUsage = `usage: boundcheck lint [--format table|json|csv|junit|sarif|github] [--fail-on KIND]
                       [--min-confidence P] [--config FILE|--no-config] [--color WHEN] [--limit N]
                       [--run ID|N|#N] FILE…

Reads traces and reports problems without any reference: which calls changed
something, which of them a gate would ask a person about, and which look like a broken
boundary. References inside the files are ignored. The confidence of a finding is how often its
rule was right on recorded runs (boundcheck explain RULE). A finding below 0.7 is a hint,
and so is each finding of a rule that was seen on fewer than 30 recorded runs of two
benchmarks. With --fail-on certain, the command exits with 3 if there is a certain finding
(0.9 or more). likely also counts likely findings, hint also counts hints, and warning
counts likely findings and warnings; violation is likely. not-passed exits with 3 unless each run is
known to be good ("Probably fine").

  --tools FILE           facts about the tools, as in boundcheck score

--judge asks a model about uncertain findings. The model gets the facts that the program
found: where values come from, and the promises, answers and claims in messages.
` + cmd.MapFlagUsage + cmd.ReaderUsage + cmd.RemoteUsage

// Lint implements "boundcheck lint", which checks traces without references.
func Lint(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := cmd.ScoreFlags{Profile: "auto"}
	set := flag.NewFlagSet("lint", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.Format, "format", "table", "")
	set.StringVar(&f.Color, "color", "auto", "")
	set.IntVar(&f.Limit, "limit", 20, "")
	set.StringVar(&f.Run, "run", "", "")
	f.Fail.RegisterFlags(set)
	f.Conf.RegisterFlags(set)
	f.Mapped.RegisterFlags(set)
	f.Remote.RegisterFlags(set)
	set.StringVar(&f.Params.Tools, "tools", "", "")
	f.Checkers.Conf = &f.Conf
	f.Checkers.RegisterReader(set)
	err := cmd.ParseInterspersed(set, args, &f.Files)
	if err == nil {
		f.Files, err = cmd.InputFiles(f.Files, stdin)
	}
	if err == nil {
		_, err = cmd.ReadOutputs(f.Format, "table", "json", "csv", "junit", "sarif", "github")
	}
	if err == nil {
		err = f.Fail.CheckFlags()
	}
	if err == nil {
		err = errors.Join(f.Mapped.CheckFlags(), f.Checkers.CheckFlags(), f.Remote.CheckFlags(false))
	}
	if err == nil {
		err = cmd.OneOf("color", f.Color, "auto", "always", "never")
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "lint", err, lintUsage)
	}
	f.Lint = true
	if err := f.ApplyConfig(); err != nil {
		fmt.Fprintf(stderr, "boundcheck lint: %v\n", err)
		return cmd.ExitInput
	}
	report, err := f.ScoreFiles(stdin, stderr)
	if err != nil {
		return f.PrintRefusal(err, stdout, stderr)
	}
	if err := f.WriteOutputs(&report, stdout); err != nil {
		fmt.Fprintf(stderr, "boundcheck lint: %v\n", err)
		return cmd.ExitInput
	}
	if code := f.ReportExitCode(&report, stderr); code != cmd.ExitOK {
		return code
	}
	return f.PluginCode
}
