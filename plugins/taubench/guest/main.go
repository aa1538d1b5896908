//go:build wasip1

// Command guest is the plugin as a WASI reactor module of its own: it has the most data
// to load, and databases stay in its memory.
package main

import (
	"runtime/debug"

	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench"
)

// init registers the plugin. The function main cannot do this, because it never runs in a
// WebAssembly reactor.
func init() {
	// Databases stay in memory and calls are short. The collector may run rarely, as
	// long as the memory is far below the host's limit (256 MiB).
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(128 << 20)
	sdk.ServeOn(taubench.Plugin())
}

func main() {}
