//go:build wasip1

// Command guest is the alfworld plugin as a WASI reactor module.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/alfworld"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// init, not main: a reactor's main never runs.
func init() { sdk.Serve(alfworld.Plugin()) }

func main() {}
