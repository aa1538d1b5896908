package score

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

const formatsUsage = `usage: boundcheck formats

Lists the formats of traces that can be read, one in each line. boundcheck score --from
NAME reads a file in one of them; without it, the format is detected. For JSON of another
form, boundcheck map proposes a mapping.
`

// Formats implements "boundcheck formats".
func Formats(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 1 && (args[0] == "-h" || args[0] == "--help") {
		fmt.Fprint(stdout, formatsUsage)
		return cmd.ExitOK
	}
	if len(args) > 0 {
		fmt.Fprint(stderr, formatsUsage)
		return cmd.ExitUsage
	}
	for _, name := range core.Formats() {
		fmt.Fprintln(stdout, name)
	}
	return cmd.ExitOK
}
