// Package study has the commands over many runs: study, bench and gold.
package study

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/cli/score"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

const studyUsage = `usage: boundcheck study deviations [FLAGS] FILE…   (- is standard input)
       boundcheck study tables | causes | decisive | sensitivity | equivalence [FLAGS] FILE…
       boundcheck study ablation [FLAGS] COMPONENTS=FILE…
       boundcheck study agreement REPORT.json --labels FILE…   (is review --agreement)
                                                   (each has a --help of its own)

Measures how deviations affect success: a logistic regression for each file of
success on d_mut and d_non, a run's distances from its reference in mutating and in
non-mutating actions. OR is the factor by which one more deviation multiplies
the odds of success. p assumes independent runs; "p by task" allows for similar
trials of one task. If deviations separate success from failure completely, plain
maximum likelihood does not converge, and Firth's penalised estimate is shown.

With --env-data runs are replayed on the benchmark's database. If a replay contradicts
the recorded outcome, the replay's outcome counts. For several files there is also a row
for all of them together, with an intercept for each file.

FILEs may be the partial results of score --stream --partial, if all shards are given;
decisive steps are then missing.

  --distance NAME        counts (default): the difference of the numbers of calls;
                         effects: the actions with an effect that one side lacks,
                         wrong arguments included
  --by COLUMN,…          a row for each group of runs instead of each file. A COLUMN is task, benchmark,
                         file, or a name given before a file, as in model=gpt-4o:runs.json
  --runs                 list every run with its deviations; for a failed run also
                         the step after which it could no longer succeed
  --table FILE           the operator's verdicts on tools:
                         {"tools":{"name":"yes|no|control"}}
  --format NAME          table (default), json, markdown, html (one file with plots)
` + cmd.CheckerUsage

type studyFlags struct {
	distance, format, table string
	runs                    bool
	by                      []string
	files                   []string
	checkers                cmd.CheckerFlags
	overrides               mutation.Table
	given                   []string // names of the flags that were given
}

// Study implements "boundcheck study".
func Study(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "equivalence" {
		return equivalenceCommand(args[1:], stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "causes" {
		return studyCausesCommand(args[1:], stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "decisive" {
		return decisiveCommand(args[1:], stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "ablation" {
		return ablationCommand(args[1:], stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "tables" {
		return studyTablesCommand(args[1:], stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "agreement" {
		return score.Review(append([]string{"--agreement"}, args[1:]...), stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "sensitivity" {
		return sensitivityCommand(args[1:], stdin, stdout, stderr)
	}
	f, err := parseStudy(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "study", err, studyUsage)
	}
	var s deviation.Report
	if err := f.readTable(stdin); err != nil {
		return f.PrintRefusal(&s, err.Error(), stdout, stderr)
	}
	loaded, err := f.checkers.LoadPlugins(context.Background(), stderr)
	if err != nil {
		return f.PrintRefusal(&s, fmt.Sprintf("plugins: %v", err), stdout, stderr)
	}
	defer loaded.Stop()
	var sets [][]deviation.Run
	partial, err := cmd.ArePartials(f.files)
	switch {
	case err != nil:
	case partial:
		err = f.perPartial(&s, stderr)
	case f.by != nil:
		sets, err = f.groupRuns(&s, loaded, stdin, stderr)
	default:
		sets, err = f.perFile(&s, loaded, stdin, stderr)
	}
	if err != nil {
		return f.PrintRefusal(&s, err.Error(), stdout, stderr)
	}
	if !partial {
		s.Pooled = f.poolFiles(&s, sets)
	}
	if len(s.Files) == 0 {
		return f.PrintRefusal(&s, "no file could be used", stdout, stderr)
	}
	printUnusable(&s, stderr)
	code := loaded.PrintContributions("study", "", stderr)
	switch f.format {
	case "json":
		stdout.Write(wire.Marshal(&s))
	case "markdown":
		render.StudyMarkdown(stdout, &s)
	case "html":
		if err := render.DeviationsHTML(stdout, &s); err != nil {
			fmt.Fprintf(stderr, "boundcheck study: %v\n", err)
			return cmd.ExitInput
		}
	default:
		render.StudyTable(stdout, &s)
	}
	return code
}

// loadFor loads the plugins of a study, and labels its files. It prints why it cannot, and ok is
// then false.
func loadFor(f *cmd.CheckerFlags, files []string, stderr io.Writer) (loaded *cmd.Plugins, labels map[string]string, ok bool) {
	loaded, err := f.LoadPlugins(context.Background(), stderr)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck study: plugins: %v\n", err)
		return nil, nil, false
	}
	if labels, err = cmd.LabelFiles(files); err != nil {
		loaded.Stop()
		fmt.Fprintf(stderr, "boundcheck study: %s\n", words.Printable(err.Error()))
		return nil, nil, false
	}
	return loaded, labels, true
}

func parseStudy(args []string) (*studyFlags, error) {
	if err := cmd.CheckSubcommand(args, "study", "deviations", "causes", "decisive", "sensitivity", "equivalence", "ablation", "agreement", "tables"); err != nil {
		return nil, err
	}
	var f studyFlags
	set := flag.NewFlagSet("study", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.distance, "distance", "counts", "")
	set.StringVar(&f.format, "format", "table", "")
	set.StringVar(&f.table, "table", "", "")
	set.BoolVar(&f.runs, "runs", false, "")
	by := set.String("by", "", "")
	f.checkers.RegisterReplay(set)
	files, err := cmd.ParseMixed(set, args[1:])
	if err != nil {
		return nil, err
	}
	set.Visit(func(one *flag.Flag) { f.given = append(f.given, one.Name) })
	if f.files = files; len(files) == 0 {
		return nil, errors.New("missing FILE")
	}
	if *by != "" {
		f.by = splitList(*by)
	}
	if err := f.checkers.CheckFlags(); err != nil {
		return nil, err
	}
	if err := cmd.OneOf("distance", f.distance, "counts", "effects"); err != nil {
		return nil, err
	}
	return &f, cmd.OneOf("format", f.format, "table", "json", "markdown", "html")
}

func (f *studyFlags) readTable(stdin io.Reader) (err error) {
	if f.table != "" {
		f.overrides, err = cmd.ReadOverrides(f.table, stdin)
	}
	return err
}

// studyReason returns the text of an error without the name of the file. The caller
// prints the name before this text.
func studyReason(name string, err error) string {
	text := strings.TrimPrefix(err.Error(), name+": ")
	if cut, ok := strings.CutPrefix(text, "open "+name+": "); ok {
		return "cannot open: " + cut
	}
	return text
}

// PrintRefusal prints the reason why nothing was studied on stderr, and returns the exit
// code. With --format json, it also prints the error as JSON on stdout.
func (f *studyFlags) PrintRefusal(s *deviation.Report, why string, stdout, stderr io.Writer) int {
	printUnusable(s, stderr)
	fmt.Fprintf(stderr, "boundcheck study: %s\n", why)
	if f.format == "json" {
		for _, u := range s.Unusable {
			why += "; " + u.File + ": " + u.Reason
		}
		stdout.Write(wire.Fail(wire.CodeInput, why))
	}
	return cmd.ExitInput
}

func printUnusable(s *deviation.Report, stderr io.Writer) {
	for _, u := range s.Unusable {
		fmt.Fprintf(stderr, "boundcheck study: %s: %s\n", words.Printable(u.File), words.Printable(u.Reason))
	}
}

// distanceFunc returns the function for the distance that --distance selects.
func (f *studyFlags) distanceFunc() func(obs, ref []boundary.Action) deviation.Distance {
	if f.distance == "effects" {
		return deviation.Effects
	}
	return deviation.Measure
}

// poolFiles studies all files together. It returns nil for one file, or if no regression
// is possible.
func (f *studyFlags) poolFiles(s *deviation.Report, sets [][]deviation.Run) *deviation.File {
	if len(sets) < 2 {
		return nil
	}
	result, err := deviation.Pool(sets, f.distanceFunc())
	if err != nil {
		return nil
	}
	return f.describePool(s, &result)
}

// describePool returns the row of the table that describes all files together.
func (f *studyFlags) describePool(s *deviation.Report, result *deviation.Result) *deviation.File {
	out := result.Describe(nil)
	out.File, out.Distance = "all files", f.distance
	if f.by != nil {
		out.File = "all groups"
	}
	for i := range s.Files {
		out.LeftOut += s.Files[i].LeftOut
		out.Warnings += s.Files[i].Warnings
		out.Replayed += s.Files[i].Replayed
		out.Contrary += s.Files[i].Contrary
	}
	return &out
}

// perPartial studies each file of partial results, and all files together, and adds the
// figures to the report.
func (f *studyFlags) perPartial(s *deviation.Report, stderr io.Writer) error {
	if err := cmd.OnlyGiven(f.given, "format"); err != nil {
		return err
	}
	parts, _, err := cmd.StudyParts(f.files, stderr)
	if err != nil {
		return err
	}
	pooled := cmd.PerPart(s, parts)
	if len(s.Files) < 2 {
		return nil
	}
	if result, err := deviation.Regress(pooled); err == nil {
		s.Pooled = f.describePool(s, &result)
	}
	return nil
}

// perFile studies each file and adds its figures to the report. If a file cannot be
// studied, perFile adds the reason instead. It returns the runs of each file that has
// figures.
func (f *studyFlags) perFile(s *deviation.Report, loaded *cmd.Plugins, stdin io.Reader, stderr io.Writer) (sets [][]deviation.Run, err error) {
	labels, err := cmd.LabelFiles(f.files)
	if err != nil {
		return nil, err
	}
	for _, name := range f.files {
		file, runs, err := f.studyFile(name, loaded, stdin, stderr)
		if file.File = labels[name]; err != nil {
			s.Unusable = append(s.Unusable, deviation.Unusable{File: file.File, Reason: studyReason(name, err)})
			continue
		}
		s.Files = append(s.Files, file)
		sets = append(sets, runs)
	}
	return sets, nil
}

// devGroup holds the runs with equal values in the columns.
type devGroup struct {
	name                    string
	runs                    []deviation.Run
	all, replayed, contrary int
}

// groupRuns puts the runs of all files into groups by the columns of --by, and studies
// each group. It returns an error if no run has a value for one of the columns.
func (f *studyFlags) groupRuns(s *deviation.Report, loaded *cmd.Plugins, stdin io.Reader, stderr io.Writer) (sets [][]deviation.Run, err error) {
	groups := map[string]*devGroup{}
	var order []*devGroup
	known := map[string]bool{}
	files := make([]cmd.Labelled, len(f.files))
	for i, word := range f.files {
		files[i] = splitLabels(word)
	}
	if err := cmd.LabelAll(files, f.by); err != nil {
		return nil, err
	}
	for i := range files {
		in := &files[i]
		report, _, _, err := f.scoreFile(in.Name, loaded, stdin, stderr)
		if err == nil {
			_, err = studyRuns(report)
		}
		if err != nil {
			s.Unusable = append(s.Unusable, deviation.Unusable{File: in.Label, Reason: studyReason(in.Name, err)})
			continue
		}
		rows := runsOf(in, report, i)
		for j := range rows {
			for k, v := range rows[j].Columns {
				known[k] = known[k] || v != ""
			}
			key := rows[j].Values(f.by)
			g := groups[key]
			if g == nil {
				g = &devGroup{name: rows[j].Key(f.by)}
				groups[key], order = g, append(order, g)
			}
			g.all++
			one := *report
			one.Trajectories = report.Trajectories[j : j+1]
			if runs, err := studyRuns(&one); err == nil {
				runs[0].Task = fmt.Sprintf("%d/%s", i, runs[0].Task) // a task's id is unique only within its file
				g.runs = append(g.runs, runs[0])
			}
			if t := rows[j].Trajectory; t.Replay != nil && t.Replay.Basis == abi.BasisDatabase {
				g.replayed++
				if t.Replay.Contradicted {
					g.contrary++
				}
			}
		}
	}
	for _, by := range f.by {
		if by != "task" && len(order) > 0 && !known[by] {
			return nil, fmt.Errorf("no run has a column %q; the columns are %s", by, strings.Join(append(slices.Sorted(maps.Keys(known)), "task"), ", "))
		}
	}
	for _, g := range order {
		result, err := deviation.Study(g.runs, f.distanceFunc())
		if len(g.runs) == 0 {
			err = errors.New("no run has both a reference and a known outcome")
		}
		if err != nil {
			s.Unusable = append(s.Unusable, deviation.Unusable{File: g.name, Reason: err.Error()})
			continue
		}
		described := result.Describe(g.runs)
		described.File, described.Distance, described.LeftOut = g.name, f.distance, g.all-len(g.runs)
		described.Replayed, described.Contrary = g.replayed, g.contrary
		if !f.runs {
			described.Runs = nil
		}
		s.Files = append(s.Files, described)
		sets = append(sets, g.runs)
	}
	return sets, nil
}

func (f *studyFlags) studyFile(name string, loaded *cmd.Plugins, stdin io.Reader, stderr io.Writer) (deviation.File, []deviation.Run, error) {
	out := deviation.File{Distance: f.distance}
	report, replayed, contrary, err := f.scoreFile(name, loaded, stdin, stderr)
	if err != nil {
		return out, nil, err
	}
	runs, err := studyRuns(report)
	if err != nil {
		return out, nil, err
	}
	result, err := deviation.Study(runs, f.distanceFunc())
	if err != nil {
		return out, nil, err
	}
	described := result.Describe(runs)
	described.Distance, described.LeftOut = f.distance, len(report.Trajectories)-len(runs)
	described.Warnings, described.Replayed, described.Contrary = len(report.Warnings), replayed, contrary
	if !f.runs {
		described.Runs = nil
	}
	return described, runs, nil
}

// scoreFile scores a file. If a replay contradicts a recorded outcome, the report gets
// the outcome of the replay. The result replayed is the number of replayed runs, and
// contrary is the number of contradicted runs.
func (f *studyFlags) scoreFile(name string, loaded *cmd.Plugins, stdin io.Reader, stderr io.Writer) (report *core.Report, replayed, contrary int, err error) {
	request, err := loaded.ReadRequest(name, stdin, stderr)
	if err != nil {
		return nil, 0, 0, err
	}
	request.Options.Table = f.overrides
	bar := render.NewProgress(stderr)
	request.Progress = bar.Step
	r, err := loaded.Evaluate(request)
	bar.Done()
	if err != nil {
		return nil, 0, 0, err
	}
	replayed, contrary = byReplay(&r)
	return &r, replayed, contrary, nil
}

// byReplay replaces the recorded outcome of a run by the outcome of its replay on a
// database. It does this if the replay contradicts the recorded outcome, or if there is
// no recorded outcome. It returns the numbers of replayed and of contradicted runs.
func byReplay(r *core.Report) (replayed, contrary int) {
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if t.Replay == nil || t.Replay.Basis != abi.BasisDatabase {
			continue
		}
		replayed++
		if t.Replay.Contradicted {
			contrary++
		}
		if t.Replay.Contradicted || t.Success == nil {
			t.Success = &t.Replay.Success
		}
	}
	return replayed, contrary
}

// studyRuns returns the runs that have both a reference and an outcome. If there is no
// such run, the error says whether the references or the outcomes are missing.
func studyRuns(r *core.Report) ([]deviation.Run, error) {
	var out []deviation.Run
	referenced, judged := 0, 0
	for i := range r.Trajectories {
		t := &r.Trajectories[i]
		if t.Reference != nil {
			referenced++
		}
		if t.Success != nil {
			judged++
		}
		if t.Reference != nil && t.Success != nil {
			out = append(out, deviation.Run{ID: t.ID, Task: t.Task, Success: *t.Success, Obs: boundaryActions(t.Observed), Ref: boundaryActions(t.Reference)})
		}
	}
	return out, cmd.CheckUsable(len(r.Trajectories), r.Input.Format, referenced, judged, len(out))
}

// boundaryActions converts the actions of a report to the type that is used to compare
// actions.
func boundaryActions(actions []core.Action) []boundary.Action {
	out := make([]boundary.Action, len(actions))
	for i := range actions {
		a := &actions[i]
		arguments, err := jsonval.Parse(a.Arguments)
		broken := ""
		if a.Arguments != "" && (err != nil || arguments.Kind() != jsonval.Object) {
			arguments, broken = jsonval.Value{}, a.Arguments
		}
		verdict := mutation.Verdict{Control: a.Control, Layer: mutation.Layer(a.Layer)}
		switch a.Mutating {
		case "yes":
			verdict.Mutating = mutation.Yes
		case "no":
			verdict.Mutating = mutation.No
		}
		out[i] = boundary.Action{Call: similarity.NewCall(a.Name, arguments, broken, a.Text), Mutation: verdict, Failed: a.Error}
	}
	return out
}
