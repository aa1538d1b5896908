// Package clitest has what the tests of several commands use: files with runs, servers, and
// a way to call a command as main does.
package clitest

import (
	"bytes"
	"io"
	"strings"
)

// Commands are the functions of commands by their names.
type Commands map[string]func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Run runs the command that the first argument names, and returns its exit code and output.
// It panics if there is no such command.
func (c Commands) Run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = c[args[0]](args[1:], strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}
