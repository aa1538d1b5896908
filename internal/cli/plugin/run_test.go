package plugin

import "github.com/boundcheck/boundcheck/internal/cli/clitest"
import "github.com/boundcheck/boundcheck/internal/cli/score"

// runCommand runs a command line as main does.
func runCommand(stdin string, args ...string) (code int, stdout, stderr string) {
	return clitest.Commands{"plugin": Plugin, "prompt": Prompt, "score": score.Score}.Run(stdin, args...)
}
