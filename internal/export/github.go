package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/words"
)

// writeGitHub prints findings as the commands of GitHub Actions' log, which shows them beside
// the files: an error for a violation of a reference, a warning for what a run without
// one shows, and an error for a file that could not be read.
func writeGitHub(w io.Writer, r *core.Report, files []string) {
	for _, s := range sources(r, files) {
		if s.broken != "" {
			command(w, "error", s.name, 0, "file-not-read", s.broken)
			continue
		}
		for i := range s.runs {
			t := &s.runs[i]
			level := "warning"
			if t.Reference != nil {
				level = "error"
			}
			for j := range t.Violations {
				v := &t.Violations[j]
				text := v.Reason
				if len(s.runs) > 1 {
					text = "run " + t.ID + ": " + text
				}
				line := 0
				if at := region(t, v); at != nil {
					line = at.StartLine
				}
				command(w, level, s.name, line, string(v.Type)+" ("+v.Rule+")", text)
			}
		}
	}
}

// command writes one command; a line of 0 is not known. What a trace says cannot end its line, or begin another.
func command(w io.Writer, level, file string, line int, title, text string) {
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
