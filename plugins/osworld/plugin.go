package osworld

import (
	"maps"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Version is the version of the plugin.
const Version = "0.1.0"

// benchmark is the only one that this plugin knows.
const benchmark = "osworld"

// Plugin returns the plugin that the guest serves. Each call returns a plugin with its
// own tasks.
func Plugin() *sdk.Plugin {
	s := &store{}
	return &sdk.Plugin{
		Description: abi.Description{
			Name:       benchmark,
			Version:    Version,
			Summary:    "OSWorld: brings mouse and keyboard actions into one form, and compares screens by perceptual hash",
			Benchmarks: []abi.Benchmark{{ID: benchmark, Formats: []string{"osworld-human", "osworld-traj"}, Tools: actionNames()}},
			Environment: &abi.EnvironmentFiles{
				Summary: "the benchmark's tasks with their evaluators, put into one file",
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

// spellings holds the names of pyautogui's functions that are not all in lower case,
// and the words in capitals of computer_13 and of people.
var spellings = []string{"doubleClick", "dragRel", "dragTo", "keyDown", "keyUp", "leftClick", "middleClick", "mouseDown", "mouseUp", "moveRel", "moveTo",
	"rightClick", "tripleClick", "WAIT", "DONE", "FAIL", "import", "CLICK", "DOUBLE_CLICK", "DOUBLECLICK", "TRIPLE_CLICK", "RIGHT_CLICK", "MOVE_TO", "DRAG_TO",
	"SCROLL", "MOUSE_DOWN", "MOUSE_UP", "TYPING", "PRESS", "HOTKEY", "KEY_DOWN", "KEY_UP"}

// actionNames returns the names of the actions in all grammars, sorted.
func actionNames() []string {
	all := slices.Collect(maps.Keys(functions))
	all = append(all, spellings...)
	slices.Sort(all)
	return slices.Compact(all)
}
