package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/words"
)

// writeGitHub prints findings as workflow commands, which GitHub Actions shows next to the
// files. A finding is an error if its run has a reference, and otherwise a warning. A hint is a
// notice. A file that could not be read is an error, too, and so is a run that was not scored. A
// run that is not known to be good is a warning if it has a reference or is recorded as failed,
// and otherwise a notice.
func writeGitHub(w io.Writer, r *report.Report, files []string) {
	for _, s := range reportSources(r, files) {
		if s.broken != "" {
			writeCommand(w, "error", s.name, 0, "file-not-read", s.broken)
			continue
		}
		for i := range s.runs {
			t := &s.runs[i]
			if t.Error != nil {
				writeCommand(w, "error", s.name, 0, t.Error.Code, "run "+t.ID+" was not scored: "+t.Error.Message)
			}
			writeDoubt(w, &s, t)
			level := "warning"
			if t.Reference != nil {
				level = "error"
			}
			for j := range t.Violations {
				v := &t.Violations[j]
				text := words.Finding(t, j)
				if len(s.runs) > 1 {
					text = "run " + t.ID + ": " + text
				}
				line, level := 0, level
				if v.Hint {
					level = "notice"
				}
				if at := callRegion(t, v); at != nil {
					line = at.StartLine
				}
				writeCommand(w, level, s.name, line, words.Kind(v)+" ("+v.Rule+")", text)
			}
		}
	}
}

// writeDoubt prints the doubt about a run, if there is one.
func writeDoubt(w io.Writer, s *source, t *report.Trajectory) {
	kind, text := words.Doubt(t)
	if kind == "" {
		return
	}
	if len(s.runs) > 1 {
		text = "run " + t.ID + ": " + text
	}
	level := "notice"
	if words.Unproven(t) {
		level = "warning"
	}
	writeCommand(w, level, s.name, 0, kind, text)
}

// writeCommand writes one workflow command. The line number is 0 if the line is unknown.
// Text from a trace is escaped, so that it can neither end the command nor begin another
// one.
func writeCommand(w io.Writer, level, file string, line int, title, text string) {
	value := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	at := ""
	if file != "stdin" {
		at = "file=" + property.Replace(words.Printable(file)) + ","
	}
	if at != "" && line > 0 {
		at += fmt.Sprintf("line=%d,", line)
	}
	fmt.Fprintf(w, "::%s %stitle=%s::%s\n", level, at, property.Replace(words.Printable(title)), value.Replace(words.Printable(text)))
}
