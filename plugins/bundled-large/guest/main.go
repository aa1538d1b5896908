//go:build wasip1

// Command guest is the plugins that need large libraries: a shell's grammar, a reader
// of diffs, pictures. See bundled.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/osworld"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/swebench"
	"github.com/boundcheck/boundcheck/plugins/theagentcompany"
)

// init, not main: a reactor's main never runs.
func init() { sdk.Serve(osworld.Plugin(), swebench.Plugin(), theagentcompany.Plugin()) }

func main() {}
