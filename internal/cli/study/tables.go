package study

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/study"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

const studyTablesUsage = `usage: boundcheck study tables [FLAGS] [COLUMN=VALUE,…:]FILE…

Makes the tables of an experiment from its runs: main results, data sets, violations by
type and pattern, causes of failure, correlates of failure, and the success expected
if ABS were 1. Every share has an interval, and a note marks rows with too few
runs. With --env-data a replay's outcome replaces a recorded one that it contradicts.

A run has the columns file (the end of the path that no other file has), task and
benchmark (named by a checker, else the trace's format), and those given before its
file's name: model=gpt-4o,framework=react:runs.json. Files share a row of --by only if
the values before both are equal. bench's results use the references.json beside them.

FILEs may be the partial results of score --stream --partial, if all shards are given;
then the columns are file and benchmark.

  --by COLUMN,…          a row for each group (default file; none for all runs together)
  --extra COLUMN,…       your own numeric columns, added to the regressions
  --fpr NAME=SHARE,…     assume that this share of findings is false alarms; NAME is
                         a violation type or a benchmark
  --format NAME          table (default), json, markdown (with a paragraph on methods),
                         csv (long), html (one file with plots)
  --reference FILE, --reference-from FILE, --profile NAME, --seed N
                         as in boundcheck score
` + cmd.MapFlagUsage + cmd.ParamUsage + cmd.CheckerUsage

type studyTablesFlags struct {
	cmd.ScoreFlags
	by, extra []string
	fpr       map[string]float64
	inputs    []cmd.Labelled
	given     []string // names of the flags that were given
}

func studyTablesCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseTables(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "study tables", err, studyTablesUsage)
	}
	s, code, err := f.studyFiles(stdin, stderr)
	if err != nil {
		return cmd.PrintFailure(stdout, stderr, "study", f.Format, err)
	}
	switch f.Format {
	case "json":
		stdout.Write(wire.Marshal(s))
	case "markdown":
		render.StudySheetsMarkdown(stdout, s)
	case "csv":
		err = render.StudyCSV(stdout, s)
	case "html":
		err = render.StudyHTML(stdout, s)
	default:
		render.StudySheets(stdout, s)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck study: %v\n", err)
		return cmd.ExitInput
	}
	return code
}

func parseTables(args []string) (*studyTablesFlags, error) {
	f := &studyTablesFlags{}
	set := flag.NewFlagSet("tables", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f.RegisterGroup(set)
	var by, extra, fpr string
	set.StringVar(&by, "by", "file", "")
	set.StringVar(&extra, "extra", "", "")
	set.StringVar(&fpr, "fpr", "", "")
	var words []string
	if err := cmd.ParseInterspersed(set, args, &words); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("missing FILE")
	}
	if by != "none" {
		f.by = splitList(by)
	}
	f.extra = splitList(extra)
	var err error
	if f.fpr, err = parseRates(fpr); err != nil {
		return nil, err
	}
	set.Visit(func(one *flag.Flag) { f.given = append(f.given, one.Name) })
	for _, w := range words {
		f.inputs = append(f.inputs, splitLabels(w))
	}
	return f, errors.Join(cmd.OneOf("format", f.Format, "table", "json", "markdown", "csv", "html"), f.CheckGroup())
}

func splitList(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ","), func(s string) bool { return s == "" })
}

// parseRates parses the value of --fpr, which is one or more pairs NAME=SHARE, separated
// by commas.
func parseRates(text string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, part := range splitList(text) {
		name, value, ok := strings.Cut(part, "=")
		rate, err := strconv.ParseFloat(value, 64)
		if !ok || name == "" || err != nil || !(rate >= 0 && rate <= 1) {
			return nil, fmt.Errorf("invalid --fpr %q; want NAME=SHARE with a share from 0 to 1", part)
		}
		out[name] = rate
	}
	return out, nil
}

// splitLabels splits an argument such as model=a:FILE into the columns and the name of
// the file. If the whole argument is the name of an existing file, there are no columns.
func splitLabels(word string) cmd.Labelled {
	before, name, ok := strings.Cut(word, ":")
	if _, err := os.Stat(word); err == nil || !ok || !strings.Contains(before, "=") {
		return cmd.Labelled{Name: word}
	}
	columns := map[string]string{}
	for _, part := range splitList(before) {
		k, v, ok := strings.Cut(part, "=")
		if !ok || k == "" {
			return cmd.Labelled{Name: word}
		}
		columns[k] = v
	}
	return cmd.Labelled{Name: name, Columns: columns}
}

// studyFiles scores each file and makes the tables. The second result is the exit code,
// which is not 0 if a plugin that the user named failed.
func (f *studyTablesFlags) studyFiles(stdin io.Reader, stderr io.Writer) (*study.Study, int, error) {
	var names []string
	for _, in := range f.inputs {
		names = append(names, in.Name)
	}
	if partial, err := cmd.ArePartials(names); err != nil {
		return nil, 0, err
	} else if partial {
		s, err := f.studyPartials(names, stderr)
		return s, cmd.ExitOK, err
	}
	files, err := f.listFiles(stdin)
	if err != nil {
		return nil, 0, err
	}
	var runs []study.Run
	var notes []string
	code, count := cmd.ExitOK, 0
	for i := range files {
		in := &files[i]
		one := f.ScoreFlags
		one.Files = []string{in.Name}
		report, err := one.ScoreFiles(stdin, stderr)
		if err != nil {
			fmt.Fprintf(stderr, "boundcheck study: %s: %s\n", words.Printable(in.Name), words.Printable(studyReason(in.Name, err)))
			notes = append(notes, fmt.Sprintf("%s was not studied: %s", in.Label, studyReason(in.Name, err)))
			continue
		}
		code = max(code, one.PluginCode)
		count++
		replayed, contrary := byReplay(&report)
		if contrary > 0 {
			notes = append(notes, fmt.Sprintf("%s: for %d of %d replayed runs, the replay contradicts the recorded outcome; the outcome of the replay is used", in.Label, contrary, replayed))
		}
		runs = append(runs, runsOf(in, &report, count)...)
	}
	if count == 0 {
		return nil, code, errors.New("no file could be used")
	}
	seed, _ := f.SeedAndTheta()
	s, err := study.Of(runs, study.Options{By: f.by, Seed: seed, FPR: f.fpr, Extra: f.extra})
	if err == nil {
		s.Notes = append(s.Notes, notes...)
	}
	return s, code, err
}

// studyPartials makes the tables from partial results.
func (f *studyTablesFlags) studyPartials(names []string, stderr io.Writer) (*study.Study, error) {
	if err := cmd.OnlyGiven(f.given, "by", "fpr", "format", "seed"); err != nil {
		return nil, err
	}
	for _, in := range f.inputs {
		if in.Columns != nil {
			return nil, fmt.Errorf("%s: partial results have only two columns, \"file\" and \"benchmark\"", in.Name)
		}
	}
	parts, whole, err := cmd.StudyParts(names, stderr)
	if err != nil {
		return nil, err
	}
	seed, _ := f.SeedAndTheta()
	return study.OfParts(parts, whole.Figures, study.Options{By: f.by, Seed: seed, FPR: f.fpr})
}

// listFiles returns the files of all arguments with their labels. The files of a folder
// have the columns of the folder.
func (f *studyTablesFlags) listFiles(stdin io.Reader) (files []cmd.Labelled, err error) {
	for _, in := range f.inputs {
		names, err := cmd.InputFiles([]string{in.Name}, stdin)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			files = append(files, cmd.Labelled{Name: name, Columns: in.Columns})
		}
	}
	return files, cmd.LabelAll(files, f.by)
}

// runsOf returns the runs of a file's report with their columns. The columns are file,
// benchmark, and the user's columns. A column of the user replaces a column with the same
// name.
func runsOf(f *cmd.Labelled, r *core.Report, file int) []study.Run {
	out := make([]study.Run, len(r.Trajectories))
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		columns := map[string]string{"file": f.Label, "benchmark": r.Input.Format}
		if t.Replay != nil && t.Replay.Benchmark != "" {
			columns["benchmark"] = t.Replay.Benchmark
		}
		for k, v := range f.Columns {
			columns[k] = v
		}
		out[i] = study.Run{Trajectory: t, Columns: columns, File: file}
	}
	return out
}
