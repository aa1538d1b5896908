//go:build wasip1

// Command guest is the example as a WASI reactor module.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/sdk/example"
)

// init registers the plugin. The function main cannot do this, because it never runs in a
// WebAssembly reactor.
func init() { sdk.Serve(example.Plugin()) }

func main() {}
