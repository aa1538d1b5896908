package score

import "github.com/boundcheck/boundcheck/internal/cli/clitest"

// runCommand runs a command line as main does.
func runCommand(stdin string, args ...string) (code int, stdout, stderr string) {
	return clitest.Commands{"score": Score, "lint": Lint, "merge": Merge, "compare": Compare, "consensus": Consensus, "test": Test, "reference": Reference, "read": Read, "map": Map, "repair": Repair, "formats": Formats, "explain": Explain, "check": Check, "convert": Convert, "review": Review, "tools": Tools, "record": Record}.Run(stdin, args...)
}
