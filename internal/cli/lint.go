package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

const lintUsage = `usage: boundcheck lint [--format table|json|csv|junit|sarif|github] [--fail-on KIND]
                       [--min-confidence P] [--config FILE|--no-config] [--color WHEN] [--limit N]
                       [--run ID|N] FILE…

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
` + mapFlagUsage + readerUsage + remoteUsage

// lintCommand implements "boundcheck lint", which checks traces without references.
func lintCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := scoreFlags{profile: "auto"}
	set := flag.NewFlagSet("lint", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.format, "format", "table", "")
	set.StringVar(&f.color, "color", "auto", "")
	set.IntVar(&f.limit, "limit", 20, "")
	set.StringVar(&f.run, "run", "", "")
	f.fail.registerFlags(set)
	f.conf.registerFlags(set)
	f.mapped.registerFlags(set)
	f.remote.registerFlags(set)
	set.StringVar(&f.params.tools, "tools", "", "")
	f.checkers.conf = &f.conf
	f.checkers.registerReader(set)
	err := parseInterspersed(set, args, &f.files)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, lintUsage)
		return exitOK
	}
	if err == nil {
		f.files, err = inputFiles(f.files, stdin)
	}
	if err == nil {
		_, err = readOutputs(f.format, "table", "json", "csv", "junit", "sarif", "github")
	}
	if err == nil {
		err = f.fail.checkFlags()
	}
	if err == nil {
		err = errors.Join(f.mapped.checkFlags(), f.checkers.checkFlags(), f.remote.checkFlags(false))
	}
	if err == nil {
		err = oneOf("color", f.color, "auto", "always", "never")
	}
	if err != nil {
		return printMisuse(stderr, "lint", err, lintUsage)
	}
	f.lint = true
	if err := f.applyConfig(); err != nil {
		fmt.Fprintf(stderr, "boundcheck lint: %v\n", err)
		return exitInput
	}
	report, err := f.scoreFiles(stdin, stderr)
	if err != nil {
		return f.printRefusal(err, stdout, stderr)
	}
	if err := f.writeOutputs(&report, stdout); err != nil {
		fmt.Fprintf(stderr, "boundcheck lint: %v\n", err)
		return exitInput
	}
	if code := f.reportExitCode(&report, stderr); code != exitOK {
		return code
	}
	return f.pluginCode
}

// parseInterspersed parses flags that may come before and after the files.
func parseInterspersed(set *flag.FlagSet, args []string, files *[]string) error {
	for len(args) > 0 {
		if err := set.Parse(args); err != nil {
			return err
		}
		if args = set.Args(); len(args) > 0 {
			*files, args = append(*files, args[0]), args[1:]
		}
	}
	var err error
	set.Visit(func(f *flag.Flag) {
		if v, ok := f.Value.(flag.Getter); ok && v.Get() == "" {
			err = fmt.Errorf("the value of --%s is empty; give one, or leave the flag out", f.Name)
		}
	})
	return err
}
