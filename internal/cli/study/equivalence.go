package study

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/math/stats"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

const equivalenceUsage = `usage: boundcheck study equivalence [FLAGS] FILE…   (- is standard input)

Measures the effect of each stage of equivalence. For each file: how many successful
runs have a finding before any stage (every row of the alignment that is not a match),
and how many have one after the stages state, effect and outcome, as runs (share of
successes, findings). The checkers that come with boundcheck load automatically
where they apply. The outcome stage uses a checker's verdict on the run; a recorded
reward excuses nothing. "Contradicted" counts successes that a replay refutes.

  --env-data DIR         benchmark databases and task files: runs are replayed on them
  --plugin NAME          use only this checker, for every file; a plugin that decodes
                         traces or classifies tools is also used for that
  --plugins DIR          take NAME.wasm from DIR
  --plugins-lock FILE    the hashes that plugins must have
  --no-plugins           load no plugins: use only what the core knows
  --format NAME          table (default), json, markdown (with a paragraph on methods),
                         html (one file with plots)
`

// equivalenceStudy is the output of "study equivalence --format json".
type equivalenceStudy struct {
	Files []equivalenceFile `json:"files"`
}

// equivalenceFile holds one file's figures, or the reason why there are none.
type equivalenceFile struct {
	File      string            `json:"file"`
	Format    string            `json:"format,omitempty"`
	Plugins   []core.Plugin     `json:"plugins,omitempty"`
	Counts    *core.StageCounts `json:"counts,omitempty"`
	Unusable  string            `json:"unusable,omitempty"`
	Unchecked int               `json:"unchecked,omitempty"` // runs on which a checker failed
}

func equivalenceCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, files, format, err := parseEquivalence(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "study equivalence", err, equivalenceUsage)
	}
	loaded, labels, ok := loadFor(f, files, stderr)
	if !ok {
		return cmd.ExitInput
	}
	defer loaded.Stop()
	var s equivalenceStudy
	usable := 0
	for _, name := range files {
		row := countStages(loaded, name, stdin, stderr)
		if row.File = labels[name]; row.Unusable == "" {
			usable++
		} else {
			fmt.Fprintf(stderr, "boundcheck study: %s: %s\n", words.Printable(row.File), words.Printable(row.Unusable))
		}
		s.Files = append(s.Files, row)
	}
	switch format {
	case "json":
		stdout.Write(wire.Marshal(&s))
	case "table":
		s.writeTable(stdout)
	}
	if usable == 0 || !cmd.WritePaper(format, s.buildPaper(), "study", stdout, stderr) || loaded.Broken {
		return cmd.ExitInput
	}
	return cmd.ExitOK
}

func parseEquivalence(args []string) (f *cmd.CheckerFlags, files []string, format string, err error) {
	f = &cmd.CheckerFlags{Every: true}
	set := flag.NewFlagSet("study", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f.RegisterFlags(set)
	set.StringVar(&format, "format", "table", "")
	if files, err = cmd.ParseMixed(set, args); err != nil {
		return nil, nil, "", err
	}
	if len(files) == 0 {
		return nil, nil, "", errors.New("missing FILE")
	}
	if err = f.CheckFlags(); err == nil {
		err = cmd.OneOf("format", format, cmd.PaperFormats...)
	}
	return f, files, format, err
}

// countStages scores one file. It counts the findings that remain after each of the three
// stages of equivalence, which are state, effect and outcome.
func countStages(l *cmd.Plugins, name string, stdin io.Reader, stderr io.Writer) (out equivalenceFile) {
	report, err := scoreStages(l, name, stdin, stderr)
	if err != nil {
		out.Unusable = studyReason(name, err)
		return out
	}
	counts := core.Stages(&report)
	out.Format, out.Plugins, out.Counts = report.Input.Format, report.Plugins, &counts
	for _, w := range report.Warnings {
		if w.Code == "checker-failed" {
			out.Unchecked++
		}
	}
	if counts.Runs == 0 {
		out.Counts, out.Unusable = nil, fmt.Sprintf("%s of %s: no run has a reference, so no run was aligned",
			words.Count(len(report.Trajectories), "run", "runs"), report.Input.Format)
	}
	return out
}

func scoreStages(l *cmd.Plugins, name string, stdin io.Reader, stderr io.Writer) (core.Report, error) {
	request, err := l.ReadRequest(name, stdin, stderr)
	if err != nil {
		return core.Report{}, err
	}
	bar := render.NewProgress(stderr)
	defer bar.Done()
	request.Progress = bar.Step
	return l.Evaluate(request)
}

func (s *equivalenceStudy) writeTable(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FILE\tFORMAT\tRUNS\tSUCCESSES\tFLAGGED BEFORE\tAFTER STATE\tEFFECT\tOUTCOME\tCONTRADICTED\tPLUGINS")
	for i := range s.Files {
		f := &s.Files[i]
		if f.Counts == nil {
			continue
		}
		var names []string
		for _, p := range f.Plugins {
			names = append(names, p.Name+" "+p.Version)
		}
		if len(names) == 0 {
			names = []string{"-"}
		}
		c := f.Counts
		fmt.Fprintf(w, "%s\t%s\t%d\t%d", words.Printable(f.File), f.Format, c.Runs, c.Successes)
		for _, l := range []core.Left{c.Before, c.State, c.Effect, c.Outcome} {
			fmt.Fprintf(w, "\t%s", formatFlagged(l, c.Successes))
		}
		fmt.Fprintf(w, "\t%d\t%s\n", c.Contradicted, strings.Join(names, ", "))
	}
	w.Flush()
}

// buildPaper returns the table, and a picture of the findings that remain after each
// stage.
func (s *equivalenceStudy) buildPaper() *render.Paper {
	t := render.Sheet{Title: "Successes with a finding", Shows: "share of the successes that have a finding", Head: []string{"file", "runs", "successes", "stage", "flagged", "share", "findings", "contradicted"},
		Hint: "Contradicted: successes that a replay contradicts. A finding on such a success is not a false alarm."}
	p := &render.Paper{Title: "Differences that the stages of equivalence excuse", Methods: "Before any stage, every row of the alignment (Needleman and Wunsch, 1970) that is not a match counts as a finding. The stages of equivalence (state, effect, outcome) then excuse differences that lead to the same result " +
		"(ABB, Tables 8 and 12). A success with a finding counts as a false alarm, except if a replay contradicts the success. Shares have Wilson's interval (Wilson, 1927)."}
	for i := range s.Files {
		f := &s.Files[i]
		if f.Counts == nil {
			p.Notes = append(p.Notes, "left out: "+f.File+": "+f.Unusable)
			continue
		}
		c := f.Counts
		for _, stage := range []struct {
			name string
			left core.Left
		}{{"before", c.Before}, {"after state", c.State}, {"after effect", c.Effect}, {"after outcome", c.Outcome}} {
			row := []string{f.File, strconv.Itoa(c.Runs), strconv.Itoa(c.Successes), stage.name, strconv.Itoa(stage.left.Flagged), "–", strconv.Itoa(stage.left.Findings), strconv.Itoa(c.Contradicted)}
			if c.Successes > 0 {
				low, high := stats.Wilson(stage.left.Flagged, c.Successes)
				value := float64(stage.left.Flagged) / float64(c.Successes)
				row[5] = fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*value, 100*low, 100*high)
				t.Bars = append(t.Bars, render.Whisker{Name: stage.name + ": " + f.File, Value: value, Low: low, High: high})
			}
			t.Rows = append(t.Rows, row)
		}
		if c.Successes < 20 {
			p.Notes = append(p.Notes, fmt.Sprintf("%s: the number of successes is small (%d), so the shares are not reliable estimates", f.File, c.Successes))
		}
		if f.Unchecked > 0 {
			p.Notes = append(p.Notes, f.File+": a checker failed on "+words.Count(f.Unchecked, "run", "runs"))
		}
	}
	p.Sheets = []render.Sheet{t}
	return p
}

// formatFlagged returns a text about flagged successes. The text contains their number,
// their share of all successes, and the number of their findings.
func formatFlagged(l core.Left, successes int) string {
	if successes == 0 {
		return "-"
	}
	return fmt.Sprintf("%d (%.1f %%, %d)", l.Flagged, 100*float64(l.Flagged)/float64(successes), l.Findings)
}
