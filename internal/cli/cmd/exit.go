// Package cmd has what several commands use: exit codes, arguments, settings, files and
// where they come from, the flags of scoring with its plugins, and outputs.
package cmd

// Exit codes of every command.
const (
	ExitOK     = 0
	ExitInput  = 1 // the input cannot be used, or a run could not be scored
	ExitUsage  = 2
	ExitFailed = 3 // the input was scored, but fails --fail-under, --fail-on, --fail-if or a test
)
