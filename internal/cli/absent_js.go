package cli

import (
	"fmt"
	"io"
)

// The npm package does not have these commands. It runs as js/wasm in Node, where it can
// neither open sockets nor start processes.

func gateCommand(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return printAbsent("gate", stderr)
}

func mcpCommand(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return printAbsent("mcp", stderr)
}

func hookCommand(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return printAbsent("hook", stderr)
}

func auditCommand(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return printAbsent("audit", stderr)
}

func serveCommand(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return printAbsent("serve", stderr)
}

func benchCommand(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return printAbsent("bench", stderr)
}

func recordCommand(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return printAbsent("record", stderr)
}

// recordFresh is absent, too, because it starts a process.
func (t *suiteTest) recordFresh() (done func(), err error) {
	return nil, fmt.Errorf("running a COMMAND is not in the npm package; install the program from %s", releases)
}

func printAbsent(name string, stderr io.Writer) int {
	fmt.Fprintf(stderr, "boundcheck %s: this command is not in the npm package; install the program from %s\n", name, releases)
	return exitUsage
}

const releases = "https://github.com/boundcheck/boundcheck/releases"
