package cmd

import (
	"fmt"
	"io"
)

// Releases is the page with the program for each system.
const Releases = "https://github.com/boundcheck/boundcheck/releases"

// PrintAbsent says that a command is not in the npm package, and returns the exit code.
func PrintAbsent(name string, stderr io.Writer) int {
	fmt.Fprintf(stderr, "boundcheck %s: this command is not in the npm package; install the program from %s\n", name, Releases)
	return ExitUsage
}
