package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

const lintUsage = `usage: boundcheck lint [--format table|json|csv|junit|sarif|github] [--fail-on certain|likely|warning]
                       [--min-confidence P] [--config FILE|--no-config] [--color WHEN] [--limit N] FILE…

Reads traces and says what they show about themselves, without any reference:
which calls changed something, which of them a gate would hold, and what looks
like a broken boundary. References inside the files are left aside. The confidence of
a finding is how often its rule was right on recorded runs (boundcheck explain RULE);
one below 0.7 is a hint. With --fail-on it exits 3 when there is a certain finding
(0.9 and more), or also a likely one, or also a warning. A hint never counts.

  --tools FILE           what you know of the tools, as in boundcheck score

With --judge a model is asked about the findings that the rules are not sure of. It gets
what the program knows: where values come from, what was promised, answered and claimed.
` + mapFlagUsage + readerUsage + remoteUsage

// lintCommand scores without references.
func lintCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := scoreFlags{profile: "auto"}
	set := flag.NewFlagSet("lint", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.format, "format", "table", "")
	set.StringVar(&f.color, "color", "auto", "")
	set.IntVar(&f.limit, "limit", 20, "")
	f.fail.register(set)
	f.conf.register(set)
	f.mapped.register(set)
	f.remote.register(set)
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
		err = f.fail.valid()
	}
	if err == nil {
		err = errors.Join(f.mapped.valid(), f.checkers.check(), f.remote.check(false))
	}
	if err == nil {
		err = oneOf("color", f.color, "auto", "always", "never")
	}
	if err != nil {
		return misuse(stderr, "lint", err, lintUsage)
	}
	f.lint = true
	if err := f.configure(); err != nil {
		fmt.Fprintf(stderr, "boundcheck lint: %v\n", err)
		return exitInput
	}
	report, err := f.evaluate(stdin, stderr)
	if err != nil {
		return f.refuse(err, stdout, stderr)
	}
	if err := f.write(&report, stdout); err != nil {
		fmt.Fprintf(stderr, "boundcheck lint: %v\n", err)
		return exitInput
	}
	if code := f.verdict(&report, stderr); code != exitOK {
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
	return nil
}
