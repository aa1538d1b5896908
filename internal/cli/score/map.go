package score

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/read/mapping"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
)

const mapUsage = `usage: boundcheck map FILE

Finds the calls in JSON of any form and proposes a mapping, for boundcheck.yaml or for --map of
score, lint, compare, consensus, convert, study ablation and reference new. A mapping
contains gjson paths:

  runs, task, success            the list of runs, if there are several; a run's task id and success
  calls                          the list of a run's calls
  name, arguments, result, error, id
                                 the parts of a call

The calls may be spans with a type, in a table, in a map of records, or in JSON inside a
string. The first runs are shown as they are read. If the mapping leaves out what looks
like a call, or would read several records as one run, the output says so, and no run that
is read with it is called fine.

Exit codes: 0 done, 1 nothing looks like calls, 2 usage, 3 the mapping does not read everything.
`

// Map implements "boundcheck map", which proposes a mapping for a JSON file.
func Map(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	file, err := oneFile(args, stdin)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "map", err, mapUsage)
	}
	data, err := cmd.ReadFile(file, stdin)
	code := cmd.ExitInput
	if err == nil {
		code, err = proposeMap(file, data, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck map: %v\n", err)
		return cmd.ExitInput
	}
	return code
}

// proposeMap prints a mapping for data, what it reads, and what it leaves out. It returns
// ExitFailed if it leaves something out.
func proposeMap(name string, data []byte, stdout io.Writer) (code int, err error) {
	m, calls, err := mapping.Propose(data)
	if err != nil {
		return cmd.ExitInput, fmt.Errorf("%s: %w", name, err)
	}
	measured, err := m.Measure(data)
	if err != nil {
		return cmd.ExitInput, fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(stdout, "# With this mapping, %s has %s in %s. In boundcheck.yaml:\n%s\n# or as a flag:\n#   --map '%s'\n", words.Printable(name), words.Count(calls, "call", "calls"), words.Count(measured.Runs, "run", "runs"), m.YAML(), m)
	if err := printMapped(m, data, stdout); err != nil {
		return cmd.ExitInput, err
	}
	if cmd.IsKnownFormat(data) {
		fmt.Fprintln(stdout, "# Boundcheck also knows the format of this file. The flag --map overrides that format.")
	}
	if fault := measured.Fault(); fault != "" {
		fmt.Fprintf(stdout, "# This mapping does not read everything: %s. No run that is read with it is called fine.\n", words.Printable(fault))
		return cmd.ExitFailed, nil
	}
	return cmd.ExitOK, nil
}

// shownRuns is the number of runs that a proposal shows filled in.
const shownRuns = 3

// printMapped prints the first runs as they are read with a mapping.
func printMapped(m *mapping.Map, data []byte, stdout io.Writer) error {
	generic, _, err := m.Apply(data)
	if err != nil {
		return err
	}
	doc, err := read.DecodeAs("generic", generic)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "# It reads:")
	for i := range doc.Trajectories[:min(len(doc.Trajectories), shownRuns)] {
		t := &doc.Trajectories[i]
		var calls []string
		for j := range t.Actions {
			calls = append(calls, t.Actions[j].Name+"("+strings.Join(t.Actions[j].Arguments.Keys(), ", ")+")")
		}
		fmt.Fprintf(stdout, "#   run %s: %s\n", words.Printable(t.ID), words.Printable(words.OrNothing(strings.Join(calls, ", "))))
	}
	if more := len(doc.Trajectories) - shownRuns; more > 0 {
		fmt.Fprintf(stdout, "#   and %s\n", words.Count(more, "more run", "more runs"))
	}
	return nil
}
