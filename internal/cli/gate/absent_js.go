package gate

// The npm package does not have these commands. It runs as js/wasm in Node, where it can
// neither open sockets nor start processes.

import (
	"io"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// Gate says that the command is not here.
func Gate(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return cmd.PrintAbsent("gate", stderr)
}

// MCP says that the command is not here.
func MCP(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return cmd.PrintAbsent("mcp", stderr)
}

// Hook says that the command is not here.
func Hook(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return cmd.PrintAbsent("hook", stderr)
}

// Audit says that the command is not here.
func Audit(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return cmd.PrintAbsent("audit", stderr)
}

// Serve says that the command is not here.
func Serve(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return cmd.PrintAbsent("serve", stderr)
}
