package export

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
	"github.com/boundcheck/boundcheck/internal/words"
)

// writeHTML prints a report as one self-contained page that also works without a server.
// page is render.SavedPage: the view, with places for the source's name and for the report.
func writeHTML(w io.Writer, page string, r *core.Report, files []string) {
	strings.NewReplacer(
		"{{source}}", escaped(words.Printable(title(r, files))),
		"{{report}}", inert(wire.Marshal(r)),
	).WriteString(w, page)
}

// title names the files that were scored.
func title(r *core.Report, files []string) string {
	all := sources(r, files)
	if len(all) > 1 {
		return fmt.Sprintf("%d files, %s", len(all), r.Input.Format)
	}
	return fmt.Sprintf("%s, %s", all[0].name, r.Input.Format)
}

// inert escapes "<" as JSON allows, so that no text of a trace can close the element that
// holds the report. In JSON, "<" occurs only in strings.
func inert(report []byte) string {
	return string(bytes.ReplaceAll(report, []byte("<"), []byte(`\u003c`)))
}
