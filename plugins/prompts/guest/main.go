//go:build wasip1

// Command guest is the prompts plugin as a WASI reactor module.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/prompts"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// init registers the plugin. The function main cannot do this, because it never runs in a
// WebAssembly reactor.
func init() { sdk.Serve(prompts.Plugin()) }

func main() {}
