//go:build wasip1

// Command guest is the module of plugins for agents that use a screen: pages, pictures,
// clicks. See bundled.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/osworld"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/webarena"
)

// It is init, not main, because a reactor's main never runs.
func init() { sdk.ServeOn(osworld.Plugin(), webarena.Plugin()) }

func main() {}
