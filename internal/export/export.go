// Package export writes a report in the forms that other programs read: JSON, Markdown,
// HTML, CSV, JUnit, SARIF, and the commands of GitHub Actions' log. The command and the page
// use it, so that they write the same bytes. It needs no template, no expression and no
// XML encoder, because the page downloads it.
package export

import (
	"io"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Formats returns the names of the forms.
func Formats() []string {
	return []string{"json", "markdown", "html", "csv", "junit", "sarif", "github"}
}

// Write writes a report in one of the Formats, and reports whether there is such a form.
// files are the names of what was scored, where the report has none. page returns the
// page that HTML fills; the other forms do not call it.
func Write(w io.Writer, format string, r *core.Report, files []string, page func() string) bool {
	switch format {
	case "json":
		w.Write(wire.Marshal(r))
	case "markdown":
		writeMarkdown(w, r)
	case "html":
		writeHTML(w, page(), r, files)
	case "csv":
		writeCSV(w, r, files)
	case "junit":
		writeJUnit(w, r, files)
	case "sarif":
		writeSARIF(w, r, files)
	case "github":
		writeGitHub(w, r, files)
	default:
		return false
	}
	return true
}
