package export

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/words"
)

// writeHTML writes a report as one self-contained HTML page, which works without a
// server. The parameter page is the text that render.SavedPage returns. In page,
// writeHTML replaces {{source}} by the names of the scored files, and {{report}} by the
// report.
func writeHTML(w io.Writer, page string, r *report.Report, files []string) {
	strings.NewReplacer(
		"{{source}}", escapeAttribute(words.Printable(pageTitle(r, files))),
		"{{report}}", escapeReport(wire.Marshal(r)),
	).WriteString(w, page)
}

// pageTitle returns the page's title: the name of the scored file, or the number of
// files, and the format.
func pageTitle(r *report.Report, files []string) string {
	all := reportSources(r, files)
	if len(all) > 1 {
		return fmt.Sprintf("%d files, %s", len(all), r.Input.Format)
	}
	return fmt.Sprintf("%s, %s", all[0].name, r.Input.Format)
}

// escapeReport replaces "<" by its JSON escape, so that no text from a trace can close
// the HTML element that contains the report. In JSON, "<" occurs only inside strings.
func escapeReport(report []byte) string {
	return string(bytes.ReplaceAll(report, []byte("<"), []byte(`\u003c`)))
}
