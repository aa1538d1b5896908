package study

import (
	"io"

	"github.com/boundcheck/boundcheck/internal/cli/cmd"
)

// Bench is not in the npm package, which can open no sockets.
func Bench(_ []string, _ io.Reader, _, stderr io.Writer) int {
	return cmd.PrintAbsent("bench", stderr)
}
