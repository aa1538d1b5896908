package score

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// Record is not in the npm package, which can start no processes.
func Record(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return cmd.PrintAbsent("record", stderr)
}

// recordFresh is absent, too, because it starts a process.
func (t *suiteTest) recordFresh() (done func(), err error) {
	return nil, fmt.Errorf("running a COMMAND is not in the npm package; install the program from %s", cmd.Releases)
}
