//go:build wasip1

// Command guest is three plugins that come with boundcheck as one WASI reactor module: each
// alone would carry the language's runtime once more.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/alfworld"
	"github.com/boundcheck/boundcheck/plugins/prompts"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/yaml"
)

// init, not main: a reactor's main never runs.
func init() { sdk.ServeOn(alfworld.Plugin(), prompts.Plugin(), yaml.Plugin()) }

func main() {}
