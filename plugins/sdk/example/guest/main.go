//go:build wasip1

// Command guest is the example as a WASI reactor module.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/sdk/example"
)

// It is init, not main, because a reactor's main never runs.
func init() { sdk.Serve(example.Plugin()) }

func main() {}
