package webarena

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// task holds one task's own checks, from the benchmark's files.
type task struct {
	ID     json.RawMessage `json:"task_id"`
	Sites  []string        `json:"sites"`
	Intent string          `json:"intent"`
	Eval   *evaluation     `json:"eval"`
}

// evaluation names the checks, all of which must pass.
type evaluation struct {
	Types       []string                   `json:"eval_types"`
	Answers     map[string]json.RawMessage `json:"reference_answers"`
	URL         string                     `json:"reference_url"`
	URLNote     string                     `json:"url_note"`
	ProgramHTML []pageCheck                `json:"program_html"`
	StringNote  string                     `json:"string_note"`
}

// pageCheck checks the contents of a page.
type pageCheck struct {
	URL      string                     `json:"url"`
	Locator  string                     `json:"locator"`
	Contents map[string]json.RawMessage `json:"required_contents"`
}

// fileNames returns the names of the benchmark's lists of tasks.
func fileNames() []string { return []string{"tasks.json", "test.json", "test.raw.json"} }

// CodeInvalidTasks is the error code for files without a list of tasks.
const CodeInvalidTasks = "invalid-tasks"

// store holds the tasks that an instance was given.
type store struct{ sdk.Store[map[string]*task] }

// loadTasks reads tasks from files. They replace the tasks that were loaded before. It
// returns a line of text about each file.
func (s *store) loadTasks(id string, files []abi.File) ([]string, error) {
	tasks := map[string]*task{}
	var found []string
	for _, f := range files {
		var list []task
		if err := json.Unmarshal(f.Data, &list); err != nil {
			return nil, sdk.Errorf(CodeInvalidTasks, "invalid file %s: want a list of tasks, each with an eval", f.Name)
		}
		n := 0
		for i := range list {
			if list[i].Eval != nil && len(list[i].ID) > 0 {
				tasks[taskID(list[i].ID)] = &list[i]
				n++
			}
		}
		if n == 0 {
			return nil, sdk.Errorf(CodeInvalidTasks, "invalid %s: none of its %d entries has a task_id and an eval", f.Name, len(list))
		}
		found = append(found, fmt.Sprintf("%s: %d tasks", f.Name, n))
	}
	s.Put(id, tasks)
	return found, nil
}

// taskID returns a task's number or name without quotes.
func taskID(raw json.RawMessage) string { return string(bytes.Trim(raw, `"`)) }

// findTask returns a task of an environment. It returns nil if no environment is named,
// or if the environment does not have the task.
func (s *store) findTask(environment, name string) (*task, error) {
	tasks, err := s.Get(environment)
	return tasks[name], err
}
