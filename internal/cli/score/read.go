package score

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reading"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
	"github.com/boundcheck/boundcheck/internal/words"
	"github.com/boundcheck/boundcheck/plugins/abi"
)

const readUsage = `usage: boundcheck read [--format table|json] [--fail-on warning] [--limit N] FILE…   (- is standard input)

Prints what Boundcheck understands of a trace, before any verdict: how the file holds its
records, which members of a record are the run, the reference and the outcome, the format,
the numbers of runs, calls, results, references and outcomes, and what was not read as it
is written, with its place. The numbers are those of score and lint. The output has names,
ids and warnings, but no arguments and no results, so it fits into a bug report.

  --fail-on warning      exit with 3 if something was not read as it is written, or only
                         by the shape of the JSON
  --limit N              print at most N runs of each file; 0 prints all (default 10)

Exit codes: 0 read, 1 a file could not be read, 2 usage, 3 --fail-on.
` + cmd.MapFlagUsage + cmd.ReaderUsage

type readFlags struct {
	format, failOn string
	limit          int
	files          []string
	mapped         cmd.MapFlag
	checkers       cmd.CheckerFlags
}

// Read implements "boundcheck read", which prints what was understood of traces.
func Read(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseRead(args, stdin)
	if err != nil {
		return cmd.PrintUsage(stdout, stderr, "read", err, readUsage)
	}
	files, err := f.readAll(stdin, stderr)
	if err == nil {
		err = f.writeFiles(files, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck read: %v\n", err)
		return cmd.ExitInput
	}
	code := cmd.ExitOK
	for i := range files {
		switch {
		case files[i].Error != "":
			return cmd.ExitInput
		case f.failOn != "" && !files[i].Whole():
			code = cmd.ExitFailed
		}
	}
	return code
}

func parseRead(args []string, stdin io.Reader) (*readFlags, error) {
	var f readFlags
	set := flag.NewFlagSet("read", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.format, "format", "table", "")
	set.StringVar(&f.failOn, "fail-on", "", "")
	set.IntVar(&f.limit, "limit", 10, "")
	f.mapped.RegisterFlags(set)
	f.checkers.Uses = []string{abi.OpTraceDecode}
	f.checkers.RegisterNames(set)
	err := cmd.ParseInterspersed(set, args, &f.files)
	if err == nil {
		f.files, err = cmd.InputFiles(f.files, stdin)
	}
	if err == nil {
		err = errors.Join(f.mapped.CheckFlags(), f.checkers.CheckFlags(), cmd.OneOf("format", f.format, "table", "json"), cmd.OneOf("fail-on", cmp.Or(f.failOn, "warning"), "warning"))
	}
	return &f, err
}

// readAll reads the files. A file that cannot be read has an error, and the others are read.
func (f *readFlags) readAll(stdin io.Reader, stderr io.Writer) ([]reading.File, error) {
	ctx := context.Background()
	loaded, err := f.checkers.LoadPlugins(ctx, stderr)
	if err != nil {
		return nil, fmt.Errorf("plugins: %w", err)
	}
	defer loaded.Stop()
	var all []reading.File
	for _, name := range f.files {
		data, err := cmd.ReadFile(name, stdin)
		if err == nil {
			data, err = loaded.DecodeTrace(ctx, name, data)
		}
		size := len(data)
		if err == nil {
			data, err = f.mapped.ApplyMapping(name, data)
		}
		if err != nil {
			all = append(all, reading.Refused(name, size, err))
			continue
		}
		read := f.readOne(name, data)
		if f.mapped.Given != nil {
			read[0].ReadByMapping(size)
		}
		all = append(all, read...)
	}
	return all, nil
}

// readOne reads the trace of one file, or each trace of a request.
func (f *readFlags) readOne(name string, data []byte) []reading.File {
	r, err := core.ReadRequest(data)
	if err != nil {
		return []reading.File{reading.Refused(name, len(data), err)}
	}
	r.Options.Cores = runtime.GOMAXPROCS(0)
	for i := range r.Inputs {
		r.Inputs[i].Format = f.mapped.From
	}
	return reading.All(name, &r)
}

func (f *readFlags) writeFiles(files []reading.File, out io.Writer) error {
	if f.format == "json" {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		return e.Encode(struct {
			Schema string         `json:"schema"`
			Files  []reading.File `json:"files"`
		}{reading.Schema, files})
	}
	for i := range files {
		if i > 0 {
			fmt.Fprintln(out)
		}
		f.writeFile(&files[i], out)
	}
	return nil
}

func (f *readFlags) writeFile(file *reading.File, out io.Writer) {
	fmt.Fprintf(out, "%s, %s\n", words.Printable(file.Name), words.Count(file.Bytes, "byte", "bytes"))
	for _, l := range words.Reading(file, f.limit, "--limit 0 prints all") {
		fmt.Fprintf(out, "  %-11s %s\n", l.Name, words.Printable(l.Text))
	}
}
