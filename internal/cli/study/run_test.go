package study

import (
	"github.com/boundcheck/boundcheck/internal/cli/clitest"
	"github.com/boundcheck/boundcheck/internal/cli/score"
)

// runCommand runs a command line as main does.
func runCommand(stdin string, args ...string) (code int, stdout, stderr string) {
	return clitest.Commands{"study": Study, "gold": Gold, "bench": Bench, "score": score.Score, "compare": score.Compare, "review": score.Review, "reference": score.Reference}.Run(stdin, args...)
}
