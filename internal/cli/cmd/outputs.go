package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/export"
	"github.com/boundcheck/boundcheck/internal/render"
)

// output is a form of the report and its file; file "" is standard output.
type output struct{ format, file string }

// ReadOutputs parses the value of --format. The value is one name of a format, or several
// names with files, such as sarif=a.sarif,junit=b.xml. At most one format may have no
// file, and its output goes to standard output. If every format has a file, the table
// goes to standard output.
func ReadOutputs(text string, known ...string) (all []output, err error) {
	toStdout := 0
	for _, part := range strings.Split(text, ",") {
		format, file, named := strings.Cut(part, "=")
		if err := OneOf("format", format, known...); err != nil {
			return nil, err
		}
		if named && file == "" {
			return nil, fmt.Errorf("--format %s: missing file; want FORMAT=FILE, such as junit=report.xml", part)
		}
		if file == "" {
			toStdout++
		}
		all = append(all, output{format, file})
	}
	switch {
	case toStdout > 1:
		return nil, errors.New("only one --format can use standard output; give the other formats a file, such as sarif=a.sarif,junit=b.xml")
	case toStdout == 0:
		all = append(all, output{format: "table"})
	}
	return all, nil
}

// printsJSON reports whether standard output gets JSON. In this case, the command also
// prints errors as JSON to standard output.
func (f *ScoreFlags) printsJSON() bool {
	outputs, err := ReadOutputs(f.Format, OutputFormats()...)
	for _, o := range outputs {
		if o.file == "" && o.format == "json" {
			return true
		}
	}
	return err == nil && f.Format == "json"
}

// showsLines reports whether one of the outputs shows line numbers of the trace. Only
// SARIF and GitHub's commands show line numbers.
func (f *ScoreFlags) showsLines() bool { return f.WritesOne("sarif", "github") }

// WritesOne reports whether one of the outputs has one of the formats.
func (f *ScoreFlags) WritesOne(formats ...string) bool {
	outputs, _ := ReadOutputs(f.Format, OutputFormats()...)
	return slices.ContainsFunc(outputs, func(o output) bool { return slices.Contains(formats, o.format) })
}

// OutputFormats returns the formats in which a report can be printed.
func OutputFormats() []string {
	return append([]string{"table"}, export.Formats()...)
}

// WriteOutputs writes the report to the outputs of --format.
func (f *ScoreFlags) WriteOutputs(r *core.Report, stdout io.Writer) error {
	outputs, err := ReadOutputs(f.Format, OutputFormats()...)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if o.file == "" {
			f.writeFormat(o.format, stdout, r)
			continue
		}
		var b bytes.Buffer
		f.writeFormat(o.format, &b, r)
		if err := WriteWhole(o.file, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeFormat writes a report in the given format.
func (f *ScoreFlags) writeFormat(format string, w io.Writer, r *core.Report) {
	if export.Write(w, format, r, f.Files, render.SavedPage) {
		return
	}
	o := render.TableOptions{Causes: f.Causes, Color: f.UsesColor(w), Limit: f.Limit, Width: render.TerminalWidth(w)}
	if f.Lint {
		render.Lint(w, r, o)
	} else {
		render.Table(w, r, o)
	}
}
