package score

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// testTask is a task for which the command runs.
type testTask struct {
	name   string // replaces {task}
	folder string // of its traces, relative to the folder of all traces
	held   *heldTo
}

var unsafeInNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9_-]+`) })

// tasks returns a task for each reference of one task, and for each task of a suite. It
// gives each task of a suite a folder of its own.
func (t *suiteTest) tasks() (tasks []testTask) {
	for _, name := range sortedNames(t.byName) {
		if h := t.byName[name]; h.one != nil {
			tasks = append(tasks, testTask{name, name, h})
		}
	}
	for i, id := range sortedNames(t.byTask) {
		folder := fmt.Sprintf("task-%d-%s", i+1, unsafeInNames().ReplaceAllString(id, "-"))
		h := &heldTo{file: t.suiteOf[id], one: t.byTask[id], task: id}
		t.byName[folder] = h
		tasks = append(tasks, testTask{id, folder, h})
	}
	return tasks
}

// sortedNames returns the keys of a map in order.
func sortedNames[V *heldTo | *reference.Reference](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// shownName returns the name of a trace for people. A trace of a folder that is removed
// has only its path in that folder.
func (t *suiteTest) shownName(file string) string {
	if t.command == nil || t.keep != "" {
		return file
	}
	rel, err := filepath.Rel(t.traces, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}
