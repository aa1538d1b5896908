package swebench

import (
	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Version is the version of the plugin.
const Version = "0.1.0"

// benchmark is the only one that this plugin knows.
const benchmark = "swe-bench"

// Error codes of this plugin: for another benchmark, and for a run with neither a
// reference nor a recorded result nor a submission.
const (
	CodeNothingToTest = "nothing-to-test"
)

// Plugin returns the plugin that the guest serves. It keeps no state between calls.
func Plugin() *sdk.Plugin {
	return &sdk.Plugin{
		Description: abi.Description{
			Name:       "swebench",
			Version:    Version,
			Summary:    "SWE-bench: reads shell and edit commands as changes of files, compares the final diffs, and says whether the issue was resolved",
			Benchmarks: []abi.Benchmark{{ID: benchmark, Formats: []string{"swe-agent-traj"}, Tools: callNames()}},
		},
		Ops: map[string]sdk.Op{
			abi.OpStateReplay:      sdk.Replays(func(r abi.ReplayRequest) (abi.Replay, error) { return Replay(&r) }),
			abi.OpEquivalenceCheck: sdk.Checks(func(r abi.CheckRequest) (abi.Check, error) { return Check(&r) }),
		},
	}
}

// callNames returns the names of calls by which the benchmark's agents are recognised,
// sorted. They are the commands of the agents' terminal, their tools, and the most
// frequent first words of shell commands.
func callNames() []string {
	return []string{"apply_patch", "bash", "cat", "cd", "cp", "create", "echo", "edit", "execute_bash", "exit_context", "exit_cost", "exit_format",
		"find", "find_file", "git", "goto", "grep", "insert", "ls", "make", "mkdir", "mv", "open", "pip", "pytest", "python", "rm",
		"scroll_down", "scroll_up", "search_dir", "search_file", "sed", "str_replace_editor", "submit", "touch"}
}
