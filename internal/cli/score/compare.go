package score

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
)

const compareUsage = `usage: boundcheck compare [FLAGS] BASELINE… -- TREATMENT…   (two files need no --)
       boundcheck compare [FLAGS] FILE#RUN FILE#RUN

Scores two groups of runs and compares them: before and after a change of the prompt,
gate or model. Runs are paired by task and trial. Each figure's change has
a seeded bootstrap interval over tasks, a paired t test and Wilcoxon's signed-rank
test with Holm's adjustment, Cohen's d, and the smallest change that this number of
tasks can show. Success has McNemar's exact test. Runs whose outcome changed are listed
with the first action that differs. The tasks that broke, were fixed or fail on both sides
come first.

FILE#RUN names one run of a file, by its id or by its number from 1. Two such runs are laid
beside each other, from the first call in which they differ.

  --fail-if WHAT         exit 3 if a figure became worse. worse: its adjusted p is below
                         .05, as in the sentence of the report. worse-interval: the
                         interval of its change is completely on the bad side of zero;
                         this is not adjusted for the number of figures
  --power                also print how many tasks would show a change of each size in
                         four of five experiments
  --format NAME          table (default), json, markdown, html (with plots), svg (two runs)
  --limit N              changed runs that are shown (default 20; 0 for all)
  --reference FILE, --reference-from FILE, --profile NAME, --seed N
                         as in boundcheck score, for both groups
` + cmd.MapFlagUsage + cmd.ParamUsage + cmd.CheckerUsage

type compareFlags struct {
	cmd.ScoreFlags
	failIf    string
	power     bool
	treatment []string
	pair      [][2]string // file and run of two single runs
}

// Compare implements "boundcheck compare", which compares two groups of runs.
func Compare(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseCompare(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "compare", err, compareUsage)
	}
	if f.pair != nil {
		return f.comparePair(stdin, stdout, stderr)
	}
	c, code, err := f.compareGroups(stdin, stderr)
	if err != nil {
		return cmd.PrintFailure(stdout, stderr, "compare", f.Format, err)
	}
	switch f.Format {
	case "json":
		stdout.Write(wire.Marshal(&c))
	case "markdown":
		render.ComparisonMarkdown(stdout, &c, f.Limit)
	case "html":
		render.ComparisonHTML(stdout, &c)
	default:
		render.ComparisonTable(stdout, &c, f.Limit)
		if f.power {
			render.ComparisonPower(stdout, &c)
		}
	}
	if worse := f.worseFigures(&c.Verdict); len(worse) > 0 {
		fmt.Fprintf(stderr, "boundcheck compare: the treatment is worse (--fail-if %s): %s\n", f.failIf, strings.Join(worse, ", "))
		return cmd.ExitFailed
	}
	return code
}

// worseFigures returns the figures for which --fail-if fails.
func (f *compareFlags) worseFigures(v *compare.Verdict) []string {
	switch f.failIf {
	case "worse":
		return v.Worse
	case "worse-interval":
		return v.IntervalWorse
	}
	return nil
}

func parseCompare(args []string) (*compareFlags, error) {
	f := &compareFlags{}
	set := flag.NewFlagSet("compare", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f.RegisterGroup(set)
	set.IntVar(&f.Limit, "limit", 20, "")
	set.StringVar(&f.failIf, "fail-if", "", "")
	set.BoolVar(&f.power, "power", false, "")
	between := slices.Index(args, "--")
	first, second := args, []string(nil)
	if between >= 0 {
		first, second = args[:between], args[between+1:]
	}
	if err := cmd.ParseInterspersed(set, first, &f.Files); err != nil {
		return nil, err
	}
	if err := cmd.ParseInterspersed(set, second, &f.treatment); err != nil {
		return nil, err
	}
	if between < 0 && f.readPair() {
		return f, errors.Join(cmd.OneOf("format", f.Format, "table", "json", "markdown", "svg"), f.CheckGroup())
	}
	if between < 0 && len(f.Files) == 2 {
		between, f.Files, f.treatment = 1, f.Files[:1], f.Files[1:]
	}
	switch {
	case between < 0:
		return nil, errors.New("missing -- between the baseline's files and the treatment's files")
	case len(f.Files) == 0:
		return nil, errors.New("missing BASELINE before --")
	case len(f.treatment) == 0:
		return nil, errors.New("missing TREATMENT after --")
	case slices.Contains(f.Files, "-") || slices.Contains(f.treatment, "-"):
		return nil, errors.New("standard input (-) can be read only once: compare needs files")
	}
	err := errors.Join(cmd.OneOf("format", f.Format, "table", "json", "markdown", "html"), f.CheckGroup())
	if f.failIf != "" {
		err = errors.Join(err, cmd.OneOf("fail-if", f.failIf, "worse", "worse-interval"))
	}
	return f, err
}

// compareGroups scores both groups with the same settings, and compares the groups. The
// result code is the exit code, which is not 0 if a plugin that the user named failed.
func (f *compareFlags) compareGroups(stdin io.Reader, stderr io.Writer) (c compare.Comparison, code int, err error) {
	var reports [2]core.Report
	for i, names := range [][]string{f.Files, f.treatment} {
		one := f.ScoreFlags
		if one.Files, err = cmd.InputFiles(names, stdin); err == nil {
			reports[i], err = one.ScoreFiles(stdin, stderr)
		}
		if err != nil {
			return c, cmd.ExitInput, fmt.Errorf("%s: %w", []string{"the baseline", "the treatment"}[i], err)
		}
		if len(reports[i].Input.Files) == 0 { // a report has no name if there is only one file
			reports[i].Input.Files = []core.File{{Name: one.Files[0], Trajectories: len(reports[i].Trajectories)}}
		}
		for _, file := range reports[i].Input.Files {
			if file.Error != "" {
				return c, cmd.ExitInput, fmt.Errorf("not read: %s", file.Error)
			}
		}
		code = max(code, one.PluginCode)
	}
	seed, theta := f.SeedAndTheta()
	c, err = compare.Reports(&reports[0], &reports[1], seed, theta)
	return c, code, err
}
