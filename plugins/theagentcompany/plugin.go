package theagentcompany

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Version is the version of the plugin.
const Version = "0.1.0"

// benchmark is the only one that this plugin knows.
const benchmark = "theagentcompany"

// Error codes of this plugin: for another benchmark, and for a run with neither a
// reference nor a recorded outcome.
const (
	CodeNothingToTest = "nothing-to-test"
)

// Plugin returns the plugin that the guest serves. It keeps no state between calls.
func Plugin() *sdk.Plugin {
	return &sdk.Plugin{
		Description: abi.Description{
			Name:       "theagentcompany",
			Version:    Version,
			Summary:    "TheAgentCompany: reads shell, browser and chat actions as effects, and checkpoints as assertions",
			Benchmarks: []abi.Benchmark{{ID: benchmark, Formats: []string{"theagentcompany"}, Tools: callNames()}},
		},
		Ops: map[string]sdk.Op{
			abi.OpStateReplay:      sdk.Replays(func(r abi.ReplayRequest) (abi.Replay, error) { return Replay(&r) }),
			abi.OpEquivalenceCheck: sdk.Checks(func(r abi.CheckRequest) (abi.Check, error) { return Check(&r) }),
		},
	}
}

// callNames returns the names of calls by which the benchmark's agents are recognised,
// sorted.
func callNames() []string {
	return []string{"browse", "browse_interactive", "browser", "edit", "execute_bash", "execute_ipython_cell", "finish", "goto_url", "read",
		"run", "run_ipython", "send_message", "think", "write", "write_file"}
}
