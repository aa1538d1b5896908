// Package score has the commands that read traces and judge them: score, lint, compare, test,
// reference, review, tools and what prepares traces for them.
package score

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

const scoreUsage = `usage: boundcheck score [FLAGS] FILE…   (- is standard input)

Scores every trajectory in the files. A file is a trace in any known format
(boundcheck formats lists them), or {"trace": …, "reference": …}.

  --reference FILE       use this reference, not those in the files: a JSON list
                         of steps, {"steps": […]}, or text with one call a line;
                         or a file with the tasks of a benchmark (τ-bench, τ²,
                         an ADK eval set): each run is compared with its own task
  --reference-from FILE  use the first successful run of each task as its
                         reference. Instead of a FILE, the word consensus compares
                         each run with the changes that more than half of the other
                         runs of its task made; consensus=0.8 with those that at
                         least 80 % of them made
  --profile NAME         auto (default), outcome (what changed) or sop (every
                         reference step counts)
  --format NAME          table (default), json, markdown, html (one file that
                         shows itself), csv (a line a run, for spreadsheets),
                         junit, sarif or github (for CI); several with
                         files: --format sarif=a.sarif,junit=b.xml,table
  --fail-under M=X       exit 3 when corpus metric M (within, abs, abs.max, gar, sr, basr,
                         basr.max) is below X, or above X if lower is better (svr, granularityRate, scopeAndGranularityRate,
                         luckySuccess, luckySuccess.max); repeatable
  --fail-on KIND         violation, certain, likely, hint or warning: exit 3 when there is a finding of
                         this kind (without a reference, violation is likely), a part that was not
                         read, or a run without a reference although references were given.
                         not-passed: exit 3 unless each run is known to be good
  --min-confidence P     findings below P (0 to 1) do not cause exit 3
  --seed N               seed of the bootstrap (default 42)
  --color WHEN           auto (default: on a terminal), always, never
  --limit N              trajectories shown in the table (default 20; 0 for all)
  --run ID|N|#N          report only this run: the one with this id or, if no run has it, the
                         one with this number in the files; #N, as in --run=#3, is always the number

For inputs of any size, in constant memory and on all cores:

  --stream               score each line of a FILE, or each element of its list, by
                         itself. Write a line of JSON for each trajectory, in input
                         order, and one with "error" for unusable input. The last
                         line has the corpus figures
  --out FILE             write the lines to FILE; after Ctrl-C it has whole lines and
                         a last line with "partial"
  --resume               continue an unfinished FILE
  --partial FILE         when everything is scored, write a partial result to FILE, for
                         boundcheck merge; with --resume, a complete FILE is kept
  --shard I/N            score only part I (0 to N-1) of the files, divided at line ends
  --as NAME              the only FILE, or standard input, is part I of NAME: you
                         have divided NAME yourself
                         FILE may be an http or https URL, signed or not, or
                         s3://BUCKET/KEY; several ranges are read at once.
                         --out and --partial may be URLs that accept a PUT
` + cmd.MapFlagUsage + cmd.ParamUsage + cmd.ConfigUsage + cmd.CheckerUsage + cmd.RemoteUsage

// Score implements "boundcheck score".
func Score(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseScore(args)
	if err == nil {
		f.Files, err = cmd.InputFiles(f.Files, stdin)
	}
	if err == nil && f.Reference == "-" && slices.Contains(f.Files, "-") {
		err = errors.New(`FILE and --reference cannot both be "-": standard input can be read only once`)
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "score", err, scoreUsage)
	}
	if f.Stream {
		return streamCommand(f, stdin, stdout, stderr)
	}
	if err := f.ApplyConfig(); err != nil {
		fmt.Fprintf(stderr, "boundcheck score: %v\n", err)
		return cmd.ExitInput
	}
	report, err := f.ScoreFiles(stdin, stderr)
	if err != nil {
		return f.PrintRefusal(err, stdout, stderr)
	}
	if len(report.Trajectories) > 1 && f.WritesOne("table") {
		if f.Causes, err = f.Remote.FindCauses(&report, stderr); err != nil {
			return f.PrintRefusal(err, stdout, stderr)
		}
	}
	if err := f.WriteOutputs(&report, stdout); err != nil {
		fmt.Fprintf(stderr, "boundcheck score: %v\n", err)
		return cmd.ExitInput
	}
	if code := f.ReportExitCode(&report, stderr); code != cmd.ExitOK {
		return code
	}
	return f.PluginCode
}

func parseScore(args []string) (*cmd.ScoreFlags, error) {
	var f cmd.ScoreFlags
	set := flag.NewFlagSet("score", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.Reference, "reference", "", "")
	set.StringVar(&f.ReferenceFrom, "reference-from", "", "")
	set.StringVar(&f.Profile, "profile", "auto", "")
	set.StringVar(&f.Format, "format", "table", "")
	set.StringVar(&f.Color, "color", "auto", "")
	set.Uint64Var(&f.Seed, "seed", 0, "")
	set.IntVar(&f.Limit, "limit", 20, "")
	set.StringVar(&f.Run, "run", "", "")
	set.Var(&f.Thresholds, "fail-under", "")
	f.Fail.RegisterFlags(set)
	f.Remote.RegisterFlags(set)
	f.Checkers.RegisterFlags(set)
	f.Params.RegisterFlags(set)
	f.Conf.RegisterFlags(set)
	f.Checkers.Conf = &f.Conf
	f.Mapped.RegisterFlags(set)
	set.BoolVar(&f.Stream, "stream", false, "")
	set.StringVar(&f.Out, "out", "", "")
	set.BoolVar(&f.Resume, "resume", false, "")
	set.StringVar(&f.Partial, "partial", "", "")
	set.StringVar(&f.Shard, "shard", "", "")
	set.StringVar(&f.As, "as", "", "")
	if err := cmd.ParseInterspersed(set, args, &f.Files); err != nil {
		return nil, err
	}
	if _, err := cmd.ReadOutputs(f.Format, cmd.OutputFormats()...); err != nil {
		return nil, err
	}
	if err := cmd.OneOf("profile", f.Profile, "auto", "outcome", "sop"); err != nil {
		return nil, err
	}
	if err := f.Fail.CheckFlags(); err != nil {
		return nil, err
	}
	if f.Reference != "" && f.ReferenceFrom != "" {
		return nil, errors.New("--reference and --reference-from contradict each other")
	}
	f.Fail.Compares = f.Reference != "" || f.ReferenceFrom != ""
	if _, err := f.ParseConsensus(); err != nil {
		return nil, err
	}
	if err := f.CheckStream(); err != nil {
		return nil, err
	}
	if err := f.Mapped.CheckFlags(); err != nil {
		return nil, err
	}
	if f.Stream && f.Run != "" {
		return nil, errors.New("--stream cannot be used with --run; remove one of them")
	}
	if f.Stream && f.Mapped.From != "" {
		return nil, errors.New("--stream cannot be used with --from; remove one of them")
	}
	if f.Stream && f.Mapped.Given != nil {
		return nil, errors.New("--stream cannot be used with --map; remove --stream, or run boundcheck convert first")
	}
	if f.Stream && f.Params.IsGiven() {
		return nil, errors.New(`--stream cannot be used with --tools or the parameters of the papers; put "options" and "tools" in the envelope of each line`)
	}
	if err := f.Checkers.CheckFlags(); err != nil {
		return nil, err
	}
	if err := f.Remote.CheckFlags(f.Stream); err != nil {
		return nil, err
	}
	return &f, cmd.OneOf("color", f.Color, "auto", "always", "never")
}
