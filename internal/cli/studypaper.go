package cli

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/internal/render"
)

// paperFormats are the formats of a study that can go into a paper.
var paperFormats = []string{"table", "json", "markdown", "html"}

// writePaper prints a study as a document or as a page; other formats are not its affair.
func writePaper(format string, p *render.Paper, command string, stdout, stderr io.Writer) bool {
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
