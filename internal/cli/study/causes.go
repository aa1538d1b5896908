package study

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/render"
	"github.com/boundcheck/boundcheck/internal/words"
)

const studyCausesUsage = `usage: boundcheck study causes [FLAGS] FILE…   (- is standard input)

Groups the runs that broke a boundary or failed by what went wrong in them: the kind of the
story, the tool, and the argument, or what may be the reason of a recorded failure. The
largest group is first. Each has its share of these runs, the steps at which they went wrong,
and the story of one of them. No model is asked, but with --embeddings similar groups join.

  --limit N              print at most N groups (default 0: all)
  --format NAME          table (default), json, markdown
  --reference FILE, --reference-from FILE, --profile NAME, parameters, plugins: as in
                         boundcheck score
` + cmd.CheckerUsage + cmd.RemoteUsage

func studyCausesCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := &cmd.ScoreFlags{}
	set := flag.NewFlagSet("causes", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f.RegisterGroup(set)
	f.Remote.RegisterFlags(set)
	limit := set.Int("limit", 0, "")
	files, err := cmd.ParseMixed(set, args)
	if err == nil && len(files) == 0 {
		err = errors.New("missing FILE")
	}
	if err == nil {
		err = errors.Join(cmd.OneOf("format", f.Format, "table", "json", "markdown"), f.CheckGroup(), f.Remote.CheckFlags(false))
	}
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "study causes", err, studyCausesUsage)
	}
	if f.Files, err = cmd.InputFiles(files, stdin); err != nil {
		fmt.Fprintf(stderr, "boundcheck study causes: %s\n", words.Printable(err.Error()))
		return cmd.ExitInput
	}
	r, err := f.ScoreFiles(stdin, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck study causes: %s\n", words.Printable(err.Error()))
		return cmd.ExitInput
	}
	groups, err := f.Remote.FindCauses(&r, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck study causes: %s\n", words.Printable(err.Error()))
		return cmd.ExitInput
	}
	if *limit > 0 {
		groups = groups[:min(*limit, len(groups))]
	}
	switch f.Format {
	case "json":
		stdout.Write(wire.Marshal(groups))
		fmt.Fprintln(stdout)
	case "markdown":
		render.CausesMarkdown(stdout, &r, groups)
	default:
		render.CausesTable(stdout, &r, groups, render.TerminalWidth(stdout))
	}
	return f.PluginCode
}
