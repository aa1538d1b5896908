//go:build wasip1

// Command guest is the plugins that come with boundcheck as one WASI reactor module:
// each alone would carry the language's runtime once more.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/alfworld"
	"github.com/boundcheck/boundcheck/plugins/osworld"
	"github.com/boundcheck/boundcheck/plugins/prompts"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/swebench"
	"github.com/boundcheck/boundcheck/plugins/taubench"
	"github.com/boundcheck/boundcheck/plugins/theagentcompany"
	"github.com/boundcheck/boundcheck/plugins/webarena"
)

// init, not main: a reactor's main never runs.
func init() {
	sdk.Serve(taubench.Plugin(), alfworld.Plugin(), osworld.Plugin(), prompts.Plugin(), swebench.Plugin(),
		theagentcompany.Plugin(), webarena.Plugin())
}

func main() {}
