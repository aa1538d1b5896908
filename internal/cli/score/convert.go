package score

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/boundcheck/boundcheck/core/read"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

const convertUsage = `usage: boundcheck convert --to FORMAT FILE   (- is standard input)

Reads a trace in any known format and writes it in another one:

  generic      {"format", "trajectories": [{"id", "actions": [{"name",
               "arguments", "result", "error"}]}]}
  openai-chat  {"messages": […]}, one run a line
  atif         Agent Trajectory Interchange Format, one run a line

Warnings about input that could not be read completely go to standard error.
` + cmd.MapFlagUsage + cmd.ReaderUsage

type convertFlags struct {
	to, file string
	mapped   cmd.MapFlag
	checkers cmd.CheckerFlags
}

// Convert implements "boundcheck convert", which writes one trace in another
// format. It exits with 0 if the trace was written, 1 if the input is unusable, 2 for
// wrong usage.
func Convert(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseConvert(args)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "convert", err, convertUsage)
	}
	out, err := f.convertTrace(stdin, stderr)
	if err == nil {
		_, err = stdout.Write(out)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck convert: %v\n", err)
		return cmd.ExitInput
	}
	return cmd.ExitOK
}

func parseConvert(args []string) (*convertFlags, error) {
	var f convertFlags
	var files []string
	set := flag.NewFlagSet("convert", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.to, "to", "", "")
	f.mapped.RegisterFlags(set)
	f.checkers.Uses = []string{abi.OpTraceDecode}
	f.checkers.RegisterNames(set)
	for rest := args; len(rest) > 0; { // flags may also come after the file
		if err := set.Parse(rest); err != nil {
			return nil, err
		}
		if rest = set.Args(); len(rest) > 0 {
			files, rest = append(files, rest[0]), rest[1:]
		}
	}
	switch {
	case f.to == "":
		return nil, errors.New("missing --to FORMAT")
	case len(files) != 1:
		return nil, fmt.Errorf("want one FILE, got %d", len(files))
	}
	f.file = files[0]
	if err := errors.Join(f.mapped.CheckFlags(), f.checkers.CheckFlags()); err != nil {
		return nil, err
	}
	return &f, cmd.OneOf("to", f.to, trajectory.Targets()...)
}

func (f *convertFlags) convertTrace(stdin io.Reader, stderr io.Writer) ([]byte, error) {
	ctx := context.Background()
	loaded, err := f.checkers.LoadPlugins(ctx, stderr)
	if err != nil {
		return nil, fmt.Errorf("plugins: %w", err)
	}
	defer loaded.Stop()
	data, err := cmd.ReadFile(f.file, stdin)
	if err == nil {
		data, err = loaded.DecodeTrace(ctx, f.file, data)
	}
	if err != nil {
		return nil, err
	}
	if data, err = f.mapped.ApplyMapping(f.file, data); err != nil {
		return nil, err
	}
	doc, err := read.Options{Format: f.mapped.From, Cores: runtime.GOMAXPROCS(0)}.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.file, err)
	}
	for _, w := range doc.Warnings {
		fmt.Fprintf(stderr, "%s: warning: %s\n", warningPlace(f.file, w), w.Message)
	}
	return trajectory.Encode(&doc, f.to)
}

// warningPlace returns the place of a warning as FILE:LINE:COLUMN, which editors
// understand. If the warning is about a run, ": " and the run's id follow. The line and
// the column are omitted if they are unknown.
func warningPlace(file string, w trajectory.Warning) string {
	if w.Line > 0 {
		file = fmt.Sprintf("%s:%d:%d", file, w.Line, w.Column)
	}
	if w.Trajectory != "" {
		file += ": " + w.Trajectory
	}
	return file
}
