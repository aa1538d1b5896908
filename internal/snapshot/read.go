package snapshot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

// Read takes what a reference file holds, as core.References does, and also YAML and
// suites of one's own: {"tasks": [{"id": …, "steps": […]}]}. Exactly one of the two
// results is there unless err is. A file without a step is an error unless it says so
// itself: "steps: []".
func Read(name string, data []byte) (one *reference.Reference, byTask map[string]*reference.Reference, err error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if IsYAML(name, text) {
		if text, err = ToJSON(text); err != nil {
			return nil, nil, err
		}
	}
	if suite, ok := ownTasks(text); ok {
		byTask, err = readTasks(suite)
		return nil, byTask, err
	}
	one, byTask, err = core.References([]byte(text))
	if err == nil && one != nil && len(one.Steps) == 0 && len(one.Says) == 0 && !strings.ContainsAny(text, "[{") {
		return nil, nil, errors.New("the reference holds no step; \"steps: []\" says that nothing should be done")
	}
	return one, byTask, err
}

// ownTasks finds the tasks of a suite that a person wrote: each has steps. A
// benchmark's tasks have other members.
func ownTasks(text string) ([]jsonval.Value, bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil, false
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return nil, false
	}
	tasks := v.Get("tasks").Elements()
	for _, t := range tasks {
		if t.Get("steps").Kind() != jsonval.Array {
			return nil, false
		}
	}
	return tasks, len(tasks) > 0
}

func readTasks(tasks []jsonval.Value) (map[string]*reference.Reference, error) {
	byTask := map[string]*reference.Reference{}
	for i, t := range tasks {
		id, kept, err := task(t)
		if err == nil && byTask[id] != nil {
			err = fmt.Errorf("id %q stands twice", id)
		}
		if err == nil {
			var v jsonval.Value
			if v, err = jsonval.Parse("{" + strings.Join(kept, ",") + "}"); err == nil {
				byTask[id], _, err = reference.SetFromValue(v)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("task %d: %s", i+1, strings.TrimLeft(strings.TrimPrefix(err.Error(), "invalid reference"), ": "))
		}
	}
	return byTask, nil
}

// task gives a task's id, and the members that are its reference.
func task(t jsonval.Value) (id string, kept []string, err error) {
	t.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "id":
			id = m.Text()
		case "steps", "says", "title":
			kept = append(kept, jsonval.Quoted(key)+":"+m.Raw())
		default:
			err = fmt.Errorf("unknown member %q; known are id, steps, says and title", key)
		}
		return err == nil
	})
	if err == nil && id == "" {
		err = errors.New("missing \"id\"")
	}
	return id, kept, err
}
