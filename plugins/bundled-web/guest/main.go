//go:build wasip1

// Command guest is the module of plugins for agents that use a screen: pages, pictures,
// clicks. See bundled.
package main

import (
	"github.com/boundcheck/boundcheck/plugins/osworld"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/webarena"
)

// init registers the plugins. main cannot do this, because the main of a reactor never
// runs.
func init() { sdk.ServeOn(osworld.Plugin(), webarena.Plugin()) }

func main() {}
