package osworld

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// task is the part of a task's file that describes its evaluation.
type task struct {
	ID        string `json:"id"`
	Evaluator *struct {
		Func metrics `json:"func"`
	} `json:"evaluator"`
}

// metrics holds the names of a task's evaluators. In the file it is one name or a list.
type metrics []string

// UnmarshalJSON accepts one name or a list of names.
func (m *metrics) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*m = metrics{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(m))
}

// isInfeasible reports whether a task cannot be done. In such a task, the agent must say
// that the task cannot be done.
func (t *task) isInfeasible() bool { return slices.Contains(t.Evaluator.Func, "infeasible") }

// fileNames returns the names of files with lists of tasks. Such a file is a JSON list,
// or has one task on each line.
func fileNames() []string { return []string{"tasks.json", "tasks.jsonl"} }

// CodeInvalidTasks is the error code for files without a list of tasks.
const CodeInvalidTasks = "invalid-tasks"

// store holds the tasks that an instance was given.
type store struct{ sdk.Store[map[string]*task] }

// loadTasks reads tasks from files and stores them under the environment id. The new
// tasks replace all tasks that were loaded before. The result has a line of text about
// each file.
func (s *store) loadTasks(id string, files []abi.File) ([]string, error) {
	tasks := map[string]*task{}
	var found []string
	for _, f := range files {
		list, err := parseTasks(f.Data)
		if err != nil {
			return nil, sdk.Errorf(CodeInvalidTasks, "invalid file %s: want a list of tasks, each with an evaluator", f.Name)
		}
		n := 0
		for i := range list {
			if list[i].ID != "" && list[i].Evaluator != nil && len(list[i].Evaluator.Func) > 0 {
				tasks[list[i].ID] = &list[i]
				n++
			}
		}
		if n == 0 {
			return nil, sdk.Errorf(CodeInvalidTasks, "invalid %s: none of its %d entries has an id and an evaluator", f.Name, len(list))
		}
		found = append(found, fmt.Sprintf("%s: %d tasks", f.Name, n))
	}
	s.Put(id, tasks)
	return found, nil
}

// parseTasks reads a JSON list, or one task on each line.
func parseTasks(data []byte) (list []task, err error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] == '[' {
		return list, json.Unmarshal(data, &list)
	}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var t task
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// findTask returns the task with this name in an environment. It returns nil if name is
// empty or the environment has no such task.
func (s *store) findTask(environment, name string) (*task, error) {
	tasks, err := s.Get(environment)
	return tasks[name], err
}
