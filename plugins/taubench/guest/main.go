//go:build wasip1

// Command guest is the taubench plugin as a WASI reactor module.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench"
)

// init, not main: a reactor's main never runs.
func init() { sdk.Serve(taubench.Plugin()) }

func main() {}
