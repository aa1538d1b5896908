//go:build wasip1

// Command guest is the module of plugins for agents that work in a repository: a
// shell's grammar, a reader of diffs. See bundled.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/swebench"
	"github.com/boundcheck/boundcheck/plugins/theagentcompany"
)

// It is init, not main, because a reactor's main never runs.
func init() { sdk.ServeOn(swebench.Plugin(), theagentcompany.Plugin()) }

func main() {}
