package webarena

import (
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Version is the version of the plugin.
const Version = "0.1.0"

// benchmark is the only one that this plugin knows.
const benchmark = "webarena"

// Plugin returns the plugin that the guest serves. Each plugin that it returns has its
// own tasks.
func Plugin() *sdk.Plugin {
	s := &store{}
	return &sdk.Plugin{
		Description: abi.Description{
			Name:       benchmark,
			Version:    Version,
			Summary:    "WebArena: brings browser actions into one form, compares pages, and applies the task's own checks to the run",
			Benchmarks: []abi.Benchmark{{ID: benchmark, Formats: []string{"webarena-browsergym"}, Tools: actionNames()}},
			Environment: &abi.EnvironmentFiles{
				Summary: "the benchmark's list of tasks with their checks",
				Names:   fileNames(),
			},
		},
		Ops:  sdk.Checker(s.taskOf, func(t *task, r *abi.ReplayRequest) (abi.Replay, error) { return Replay(t, r), nil }, Check),
		Load: s.loadTasks,
	}
}

func (s *store) taskOf(r *abi.ReplayRequest) (*task, error) {
	if err := sdk.OnlyBenchmark(r.Benchmark, benchmark); err != nil {
		return nil, err
	}
	return s.findTask(r.Environment, r.Task)
}

// actionNames returns the names of the actions in all grammars, sorted.
func actionNames() []string {
	all := slices.Collect(maps.Keys(functions))
	for name := range bracketed {
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
