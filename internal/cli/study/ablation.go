package study

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/study/compare"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
)

const ablationUsage = `usage: boundcheck study ablation [FLAGS] COMPONENTS=FILE…

Measures the effect of each component, such as a part of a prompt. Give one file of
runs for each set of components; the baseline's set is called none:

  none=base.json scope=s.json checklist=c.json scope+checklist=all.json

Each figure is computed for each set, over the tasks that all files have. Shapley values
divide the effect among the components, with bootstrap intervals over tasks. If some sets
were not run, they are named and the values are bounds: they assume that a component
never makes a figure worse.

  --figure NAME          only this figure, as the table names it
  --format NAME          table (default), json, markdown (with a paragraph on methods),
                         html (one file with plots)
  --reference FILE, --reference-from FILE, --profile NAME, --seed N
                         as in boundcheck score
` + cmd.MapFlagUsage + cmd.ParamUsage + cmd.CheckerUsage

func ablationCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := cmd.ScoreFlags{}
	set := flag.NewFlagSet("ablation", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f.RegisterGroup(set)
	figure := set.String("figure", "", "")
	err := cmd.ParseInterspersed(set, args, &f.Files)
	if err == nil && len(f.Files) == 0 {
		err = errors.New("missing COMPONENTS=FILE")
	}
	if err == nil {
		err = errors.Join(cmd.OneOf("format", f.Format, cmd.PaperFormats...), f.CheckGroup())
	}
	var all []compare.Configuration
	if err == nil {
		all, err = parseConfigurations(f.Files)
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "study ablation", err, ablationUsage)
	}
	a, code, err := scoreAblation(&f, all, *figure, stdin, stderr)
	if err != nil {
		return cmd.PrintFailure(stdout, stderr, "study", f.Format, err)
	}
	switch f.Format {
	case "json":
		stdout.Write(wire.Marshal(&a))
	case "table":
		render.AblationTable(stdout, &a)
	}
	if !cmd.WritePaper(f.Format, render.AblationPaper(&a), "study", stdout, stderr) {
		return cmd.ExitInput
	}
	return code
}

// parseConfigurations parses arguments of the form COMPONENTS=FILE.
func parseConfigurations(args []string) ([]compare.Configuration, error) {
	var all []compare.Configuration
	for _, arg := range args {
		names, file, ok := strings.Cut(arg, "=")
		if !ok || names == "" || file == "" || file == "-" {
			return nil, fmt.Errorf("invalid %q: want COMPONENTS=FILE, such as scope+checklist=runs.json or none=base.json", arg)
		}
		c := compare.Configuration{File: file}
		if names != "none" {
			c.Components = strings.Split(names, "+")
		}
		for _, name := range c.Components {
			if name == "" || name == "none" {
				return nil, fmt.Errorf("invalid %q: a component is empty, or \"none\" is combined with other components", arg)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// scoreAblation scores the file of each configuration in all, with the settings in f, and
// compares the results. If figure is not "", a contains only the figure with this name.
// code is the exit code. If err is nil, code is not 0 if a plugin that the user named has
// failed.
func scoreAblation(f *cmd.ScoreFlags, all []compare.Configuration, figure string, stdin io.Reader, stderr io.Writer) (a compare.Ablation, code int, err error) {
	for i := range all {
		one := *f
		one.Files = []string{all[i].File}
		report, err := one.ScoreFiles(stdin, stderr)
		if err != nil {
			return a, cmd.ExitInput, fmt.Errorf("%s: %w", all[i].File, err)
		}
		all[i].Report = &report
		code = max(code, one.PluginCode)
	}
	seed, theta := f.SeedAndTheta()
	if a, err = compare.Ablate(all, seed, theta); err != nil || figure == "" {
		return a, code, err
	}
	var names []string
	for _, g := range a.Figures {
		if names = append(names, g.Name); strings.EqualFold(g.Name, figure) {
			a.Figures = []compare.AblationFigure{g}
			return a, code, nil
		}
	}
	return a, cmd.ExitInput, fmt.Errorf("unknown figure %q; known figures are %s", figure, strings.Join(names, ", "))
}
