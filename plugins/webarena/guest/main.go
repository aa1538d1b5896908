//go:build wasip1

// Command guest is the webarena plugin as a WASI reactor module.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/webarena"
)

// init, not main: a reactor's main never runs.
func init() { sdk.Serve(webarena.Plugin()) }

func main() {}
