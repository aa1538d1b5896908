//go:build wasip1

// Command guest is the plugin as a WASI reactor module of its own: it is the one with the
// most to load, and databases stay in it.
package main

import (
	"runtime/debug"

	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench"
)

// init, not main: a reactor's main never runs.
func init() {
	// Databases stay and calls are short: the collector may run seldom, as long as the
	// memory that a host gives (256 MiB) is far off.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(128 << 20)
	sdk.ServeOn(taubench.Plugin())
}

func main() {}
