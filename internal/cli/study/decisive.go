package study

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/study/deviation"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

const decisiveUsage = `usage: boundcheck study decisive [FLAGS] FILE…   (- is standard input)

Compares how often runs fail after their first divergence from a witness: runs where
that first different action changes something, and runs where it changes nothing. Each
share of failures has Wilson's 95 % interval (SABER, equations 2 and 3). The witness is
the run's reference, or each other successful run of its task. An action with an unknown
effect counts as mutating. With --env-data a replay's outcome replaces a contradicted one.

  --table FILE           the operator's verdicts on tools:
                         {"tools":{"name":"yes|no|control"}}
  --format NAME          table (default), json, markdown (with a paragraph on methods),
                         html (one file with plots)
` + cmd.CheckerUsage

func decisiveCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	set := flag.NewFlagSet("decisive", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	format, table := set.String("format", "table", ""), set.String("table", "", "")
	var plugins cmd.CheckerFlags
	plugins.RegisterReplay(set)
	files, err := cmd.ParseMixed(set, args)
	if err == nil && len(files) == 0 {
		err = errors.New("missing FILE")
	}
	if err == nil {
		err = errors.Join(cmd.OneOf("format", *format, cmd.PaperFormats...), plugins.CheckFlags())
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "study decisive", err, decisiveUsage)
	}
	var overrides mutation.Table
	if *table != "" {
		if overrides, err = cmd.ReadOverrides(*table, stdin); err != nil {
			fmt.Fprintf(stderr, "boundcheck study: %v\n", err)
			return cmd.ExitInput
		}
	}
	loaded, labels, ok := loadFor(&plugins, files, stderr)
	if !ok {
		return cmd.ExitInput
	}
	defer loaded.Stop()
	var s deviation.DecisiveReport
	for _, name := range files {
		file, err := decisiveFile(name, overrides, loaded, stdin, stderr)
		if file.File = labels[name]; err != nil {
			s.Unusable = append(s.Unusable, deviation.Unusable{File: file.File, Reason: studyReason(name, err)})
			fmt.Fprintf(stderr, "boundcheck study: %s: %s\n", words.Printable(file.File), words.Printable(studyReason(name, err)))
			continue
		}
		s.Files = append(s.Files, file)
	}
	if *format == "json" {
		stdout.Write(wire.Marshal(&s))
	}
	if len(s.Files) == 0 {
		return cmd.ExitInput
	}
	if !cmd.WritePaper(*format, render.DecisivePaper(&s), "study", stdout, stderr) {
		return cmd.ExitInput
	}
	if *format == "table" {
		decisiveTable(stdout, &s)
	}
	return loaded.PrintContributions("study", "", stderr)
}

func decisiveFile(name string, overrides mutation.Table, loaded *cmd.Plugins, stdin io.Reader, stderr io.Writer) (out deviation.DecisiveFile, err error) {
	request, err := loaded.ReadRequest(name, stdin, stderr)
	if err != nil {
		return out, err
	}
	request.Options.Table = overrides
	report, err := loaded.Evaluate(request)
	if err != nil {
		return out, err
	}
	byReplay(&report)
	runs, err := studyRuns(&report)
	if err != nil {
		return out, err
	}
	out.N = len(runs)
	for i := range runs {
		if runs[i].Success {
			out.Successes++
		}
	}
	out.Against, err = deviation.StudyDecisive(runs)
	return out, err
}

func decisiveTable(w io.Writer, s *deviation.DecisiveReport) {
	if len(s.Files) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprint(t, "  file\truns\twitness\tmutating: n\tfailed\t95 %\tnot mutating: n\tfailed\t95 %\twithout\n")
	for i := range s.Files {
		f := &s.Files[i]
		for _, d := range f.Against {
			fmt.Fprintf(t, "  %s\t%d\t%s\t%s\t%s\t%d\n", words.Printable(f.File), f.N, d.Witness, flipCells(&d.Mutating), flipCells(&d.NonMutating), d.Without)
		}
	}
	t.Flush()
}

func flipCells(f *deviation.Flips) string {
	if f.N == 0 {
		return "0\t–\t–"
	}
	return fmt.Sprintf("%d\t%.3f\t%.2f to %.2f", f.N, float64(f.Share), float64(f.Low), float64(f.High))
}
