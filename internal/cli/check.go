package cli

import (
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core/wire"
)

const checkUsage = `usage: boundcheck check FILE | -

Reads a proposal, {"tool": …, "arguments": {…}, "tools"?: […], "policy"?: …}, and
prints the gate's decision as JSON: allow or confirm, the reason, and the text that a
person would approve. The output is identical to the answer of POST /v1/check.
`

func checkCommand(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 1 && (args[0] == "-h" || args[0] == "--help") {
		fmt.Fprint(stdout, checkUsage)
		return exitOK
	}
	if len(args) != 1 {
		fmt.Fprint(stderr, checkUsage)
		return exitUsage
	}
	body, err := readFile(args[0], stdin)
	if err != nil {
		fmt.Fprintf(stderr, "boundcheck check: %v\n", err)
		return exitInput
	}
	answer, ok := wire.Handle("check", body)
	stdout.Write(answer)
	if !ok {
		return exitInput
	}
	return exitOK
}
