//go:build wasip1

// Command guest is the module of plugins for agents that work in a repository: a
// shell's grammar, a reader of diffs. See bundled.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/swebench"
	"github.com/boundcheck/boundcheck/plugins/theagentcompany"
)

// init registers the plugins. main cannot do this, because the main of a reactor never
// runs.
func init() { sdk.ServeOn(swebench.Plugin(), theagentcompany.Plugin()) }

func main() {}
