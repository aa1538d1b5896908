//go:build wasip1

// Command guest is plugins that come with boundcheck as one WASI reactor module: each
// alone would carry the language's runtime once more. Those that need large libraries
// are in bundled-large, so that loading one of these takes no longer for them.
package main

import (
	"runtime/debug"

	"github.com/boundcheck/boundcheck/plugins/alfworld"
	"github.com/boundcheck/boundcheck/plugins/prompts"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench"
	"github.com/boundcheck/boundcheck/plugins/webarena"
)

// init, not main: a reactor's main never runs.
func init() {
	// Databases stay and calls are short: the collector may run seldom, as long as the
	// memory that a host gives (256 MiB) is far off.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(128 << 20)
	sdk.Serve(taubench.Plugin(), alfworld.Plugin(), prompts.Plugin(), webarena.Plugin())
}

func main() {}
