// Package export writes a report in the formats that other programs read: JSON, Markdown,
// HTML, CSV, JUnit, SARIF, and the workflow commands of GitHub Actions. The command line
// and the playground both use it, so that they write the same bytes. Browsers download
// this code as a part of the playground. To keep it small, it imports no package for
// templates, regular expressions or XML.
package export

import (
	"io"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/wire"
)

// Formats returns the names of the formats that Write accepts.
func Formats() []string {
	return []string{"json", "markdown", "html", "csv", "junit", "sarif", "github"}
}

// Write writes a report to w in one of the Formats. It returns false if the format is
// unknown. files has the names of the scored files, for a report that does not contain
// them.
//
// Only for HTML, Write calls the function page, and inserts the report into the text that
// this function returns.
func Write(w io.Writer, format string, r *report.Report, files []string, page func() string) bool {
	switch format {
	case "json":
		wire.WriteReport(w, r)
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
