package alfworld

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Version is the version of the plugin.
const Version = "0.1.0"

// benchmark is the only one that this plugin knows.
const benchmark = "alfworld"

// Plugin returns the plugin that the guest serves. It keeps no state between calls.
func Plugin() *sdk.Plugin {
	return &sdk.Plugin{
		Description: abi.Description{
			Name:       "alfworld",
			Version:    Version,
			Summary:    "ALFWorld: follows the facts through commands and observations, and tests the goal of the task type",
			Benchmarks: []abi.Benchmark{{ID: benchmark, Formats: []string{"alfworld-react"}, Tools: commandWords()}},
		},
		Ops: map[string]sdk.Op{
			abi.OpStateReplay:      sdk.Replays(func(r abi.ReplayRequest) (abi.Replay, error) { return Replay(&r) }),
			abi.OpEquivalenceCheck: sdk.Checks(func(r abi.CheckRequest) (abi.Check, error) { return Check(&r) }),
		},
	}
}
