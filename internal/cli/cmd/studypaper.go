package cmd

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/internal/render"
)

// PaperFormats holds the output formats of a study, including those for papers.
var PaperFormats = []string{"table", "json", "markdown", "html"}

// WritePaper prints a study as a Markdown document or an HTML page. For other formats it
// prints nothing. It returns false after an error.
func WritePaper(format string, p *render.Paper, command string, stdout, stderr io.Writer) bool {
	switch format {
	case "markdown":
		p.Markdown(stdout)
	case "html":
		if err := p.HTML(stdout); err != nil {
			fmt.Fprintf(stderr, "boundcheck %s: %v\n", command, err)
			return false
		}
	}
	return true
}
