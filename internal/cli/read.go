package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/reading"
	"github.com/boundcheck/boundcheck/core/trajectory"
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
` + mapFlagUsage + readerUsage

type readFlags struct {
	format, failOn string
	limit          int
	files          []string
	mapped         mapFlag
	checkers       checkerFlags
}

// readCommand implements "boundcheck read", which prints what was understood of traces.
func readCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f, err := parseRead(args, stdin)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, readUsage)
		return exitOK
	}
	if err != nil {
		return printMisuse(stderr, "read", err, readUsage)
	}
	files, err := f.readAll(stdin, stderr)
	if err == nil {
		err = f.writeFiles(files, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck read: %v\n", err)
		return exitInput
	}
	code := exitOK
	for i := range files {
		switch {
		case files[i].Error != "":
			return exitInput
		case f.failOn != "" && !files[i].Whole():
			code = exitFailed
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
	f.mapped.registerFlags(set)
	f.checkers.uses = []string{abi.OpTraceDecode}
	f.checkers.registerNames(set)
	err := parseInterspersed(set, args, &f.files)
	if err == nil {
		f.files, err = inputFiles(f.files, stdin)
	}
	if err == nil {
		err = errors.Join(f.mapped.checkFlags(), f.checkers.checkFlags(), oneOf("format", f.format, "table", "json"))
	}
	if err == nil && f.failOn != "" {
		err = oneOf("fail-on", f.failOn, "warning")
	}
	return &f, err
}

// readAll reads the files. A file that cannot be read has an error, and the others are read.
func (f *readFlags) readAll(stdin io.Reader, stderr io.Writer) ([]reading.File, error) {
	ctx := context.Background()
	loaded, err := f.checkers.loadPlugins(ctx, stderr)
	if err != nil {
		return nil, fmt.Errorf("plugins: %w", err)
	}
	defer loaded.stop()
	var all []reading.File
	for _, name := range f.files {
		data, err := readFile(name, stdin)
		if err == nil {
			data, err = loaded.decodeTrace(ctx, name, data)
		}
		if err == nil {
			data, err = f.mapped.applyMapping(name, data)
		}
		if err != nil {
			all = append(all, reading.Refused(name, err))
			continue
		}
		all = append(all, f.readOne(name, data)...)
	}
	return all, nil
}

// readOne reads the trace of one file, or each trace of a request.
func (f *readFlags) readOne(name string, data []byte) (files []reading.File) {
	r, err := core.ReadRequest(data)
	if err != nil {
		return []reading.File{reading.Refused(name, err)}
	}
	r.Options.Cores = runtime.GOMAXPROCS(0)
	for i := range r.Inputs {
		in := &r.Inputs[i]
		in.Format = f.mapped.from
		if in.Name = name; len(r.Inputs) > 1 {
			in.Name = fmt.Sprintf("%s#%d", name, i+1)
		}
		files = append(files, reading.Of(&r, in))
	}
	return files
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
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(out, "  %-11s %s\n", what, words.Printable(text))
		}
	}
	fmt.Fprintf(out, "%s, %s\n", words.Printable(file.Name), words.Count(file.Bytes, "byte", "bytes"))
	if file.Error != "" {
		line("error", file.Error)
		return
	}
	line("envelope", envelopeText(file))
	line("sides", sidesText(file))
	line("format", file.Format+map[bool]string{true: ", guessed: the calls were found by their shape. Confirm them with boundcheck map"}[file.Guessed])
	c := &file.Counts
	line("runs", fmt.Sprint(c.Runs)+map[bool]string{true: fmt.Sprintf(", of which %d were perhaps read wrongly", c.Doubtful)}[c.Doubtful > 0])
	line("calls", fmt.Sprintf("%d, %s, %d failed or were not executed", c.Calls, words.Count(c.Results, "result", "results"), c.Failed))
	line("references", fmt.Sprintf("%d, %s%s", c.References, words.Count(c.Steps, "step", "steps")+map[bool]string{true: fmt.Sprintf(", %d forbidden", c.Forbidden)}[c.Forbidden > 0], map[bool]string{true: fmt.Sprintf("; %d more for runs in other files", file.Shared)}[file.Shared > 0]))
	line("outcomes", fmt.Sprint(c.Outcomes))
	for i := range file.Runs {
		if f.limit > 0 && i == f.limit {
			line("", fmt.Sprintf("and %d more; --limit 0 prints all", len(file.Runs)-i))
			break
		}
		line("run", runText(&file.Runs[i]))
	}
	if len(file.Warnings) == 0 {
		line("not read", "nothing that Boundcheck knows of")
	}
	for i := range file.Warnings {
		line("not read", file.Warnings[i].Code+": "+words.Warning(&file.Warnings[i]))
	}
}

// envelopeText says in words how a file holds its records.
func envelopeText(f *reading.File) string {
	text := map[string]string{
		"lines": "JSON values after each other", "list": "one list", "inside": "one object with records inside", "object": "one object",
		"columns": "a table by columns", "csv": "a table in CSV", "text": "text", "archive": "a zip archive",
	}[f.Envelope]
	if f.Records > 0 && f.Envelope != "object" {
		text += ", " + words.Count(f.Records, "record", "records")
	}
	if f.Parts {
		text += ", each a part of a run"
	}
	if f.Packing == "gzip" {
		text += ", under gzip"
	}
	if f.Request {
		text += ", in a request {\"trace\", …}"
	}
	return text
}

// sidesText says which members of the records are the run, the reference and so on.
func sidesText(f *reading.File) string {
	var parts []string
	for _, as := range []string{"run", "reference", "outcome", "id", "task", "trial", "profile"} {
		var names []string
		for _, s := range f.Sides {
			if s.As == as {
				names = append(names, memberText(&s, f.Records))
			}
		}
		if names != nil {
			parts = append(parts, as+" in "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

func memberText(s *trajectory.Side, records int) string {
	if s.Records == records {
		return s.Member
	}
	return fmt.Sprintf("%s (%d of %d)", s.Member, s.Records, records)
}

func runText(r *reading.Run) string {
	text := fmt.Sprintf("%s: %s, %s", r.ID, words.Count(r.Calls, "call", "calls"), words.Count(r.Results, "result", "results"))
	if r.Reference != nil {
		text += ", a reference of " + words.Count(*r.Reference, "step", "steps")
	}
	if r.Success != nil {
		text += map[bool]string{true: ", succeeded", false: ", did not succeed"}[*r.Success]
	}
	if r.Doubt != "" {
		text += ". Perhaps read wrongly: " + r.Doubt
	}
	return text
}
