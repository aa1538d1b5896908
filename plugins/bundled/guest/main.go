//go:build wasip1

// Command guest holds three plugins that come with boundcheck, in one WASI reactor
// module. In a module of its own each would carry another copy of the language's
// runtime.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/alfworld"
	"github.com/boundcheck/boundcheck/plugins/prompts"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/yaml"
)

// init registers the plugins. main cannot do this, because the main of a reactor never
// runs.
func init() { sdk.ServeOn(alfworld.Plugin(), prompts.Plugin(), yaml.Plugin()) }

func main() {}
