package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

const lintUsage = `usage: boundcheck lint [--format table|json|junit|sarif] [--fail-on hint|warning]
                       [--min-confidence P] [--color WHEN] [--limit N] FILE…

Reads traces and says what they show about themselves, without any reference:
which calls changed something, which of them a gate would hold, and what looks
like a broken boundary. References inside the files are left aside. With --fail-on it exits 3
when there is a finding (of confidence P or more), or also a warning.
`

// lintCommand scores without references.
func lintCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := scoreFlags{profile: "auto"}
	set := flag.NewFlagSet("lint", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.format, "format", "table", "")
	set.StringVar(&f.color, "color", "auto", "")
	set.IntVar(&f.limit, "limit", 20, "")
	f.fail.register(set)
	err := parseInterspersed(set, args, &f.files)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, lintUsage)
		return exitOK
	}
	if err == nil && len(f.files) == 0 {
		err = errors.New("missing FILE")
	}
	if err == nil {
		err = oneOf("format", f.format, "table", "json", "junit", "sarif")
	}
	if err == nil {
		err = f.fail.valid()
	}
	if err == nil {
		err = oneOf("color", f.color, "auto", "always", "never")
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck lint: %v\n\n%s", err, lintUsage)
		return exitUsage
	}
	f.lint = true
	report, err := f.evaluate(stdin, stderr)
	if err != nil {
		return f.refuse(err, stdout, stderr)
	}
	switch f.format {
	case "json":
		stdout.Write(wire.Marshal(report))
	case "junit":
		writeJUnit(stdout, &report, f.files)
	case "sarif":
		writeSARIF(stdout, &report, f.files)
	default:
		writeLint(stdout, &report, tableOptions{color: f.colored(stdout), limit: f.limit})
	}
	return f.verdict(&report, stderr)
}

// parseInterspersed parses flags that may stand before and after the files.
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

func writeLint(w io.Writer, r *core.Report, o tableOptions) {
	p := printer{w: w, color: o.color}
	p.f("%s · %s\n", r.Input.Format, count(r.Corpus.N, "trajectory", "trajectories"))
	for i := range r.Trajectories {
		if o.limit > 0 && i == o.limit {
			p.f("\n… and %d more; --limit 0 shows all\n", len(r.Trajectories)-i)
			break
		}
		p.lint(&r.Trajectories[i], len(r.Trajectories) > 1)
	}
	p.warnings(r)
}

func (p *printer) lint(t *core.Trajectory, many bool) {
	p.f("\n")
	if many {
		p.f("  %s\n", p.paint(bold, "run "+printable(t.ID)))
	}
	p.f("  %s\n", census(t.Observed))
	if held := held(t.Observed); held != "" {
		p.f("  a gate would hold: %s\n", printable(held))
	}
	if len(t.Observed) == 0 && len(t.Violations) == 0 {
		p.f("  %s\n", p.paint(yellow, "no call was read, so that nothing was judged"))
		return
	}
	if len(t.Violations) == 0 {
		p.f("  %s\n", p.paint(green, "nothing looks like a broken boundary; with a reference, boundcheck score sees more"))
		return
	}
	for _, v := range t.Violations {
		p.f("  %s  %s %s\n", p.paint(red, pad(v.Type, 14)), printable(v.Reason), p.paint(dim, aside(&v)))
	}
}

// census counts a run's actions by what they do.
func census(actions []core.Action) string {
	var reads, writes, unknown, control, failed int
	for _, a := range actions {
		switch {
		case a.Control:
			control++
		case a.Mutating == "yes":
			writes++
		case a.Mutating == "no":
			reads++
		default:
			unknown++
		}
		if a.Error {
			failed++
		}
	}
	parts := []string{count(len(actions), "action", "actions") + ":"}
	for _, c := range []struct {
		n    int
		what string
	}{{reads, "only look"}, {writes, "change something"}, {unknown, "may change something"}, {control, "talk, think or hand over"}, {failed, "failed"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s,", c.n, c.what))
		}
	}
	return strings.TrimRight(strings.Join(parts, " "), ",:")
}

// held lists the distinct calls that a gate would ask about, in order.
func held(actions []core.Action) string {
	var names []string
	seen := map[string]bool{}
	for _, a := range actions {
		if !a.Control && a.Mutating != "no" && !seen[a.Name] {
			seen[a.Name] = true
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ", ")
}
