package gold

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Task is one task of a file: the instructions of its user, and its gold.
type Task struct {
	ID      string
	Actions []Call
	Paths   [][]Call // lists accepted besides Actions, from "valid_action_paths"
	Outputs []string // texts that the agent must tell the user

	text     string // the JSON text of the whole task
	words    string // the instructions of its user
	criteria jsonval.Value
}

// File is a file of tasks. A file of τ² is a list of tasks, or an object with "tasks",
// and has the gold in "evaluation_criteria". A results file of τ-bench has the gold in
// "info" of each run; several trials of a task count once. In the form for other
// benchmarks, the file names the benchmark:
// {"benchmark": "…", "tasks": [{"id", "instruction", "actions": [{"name", "arguments"}],
// "outputs"}]}.
type File struct {
	Benchmark string
	Tasks     []Task

	text string
}

// Read reads a file of tasks. If the form of the file is unknown, the error describes the
// known forms.
func Read(data []byte) (*File, error) {
	f := &File{Benchmark: Tau2, text: string(data)}
	v, err := jsonval.Parse(f.text)
	if err != nil {
		return nil, err
	}
	list, named := v, ""
	if v.Kind() == jsonval.Object {
		list, named = v.Get("tasks"), v.Get("benchmark").Text()
	}
	if list.Kind() != jsonval.Array || len(list.Elements()) == 0 {
		return nil, errors.New(`want a list of tasks with "evaluation_criteria", an object with "tasks", or a results file of τ-bench`)
	}
	seen := map[string]bool{}
	for i, e := range list.Elements() {
		t, benchmark, err := readTask(e, named)
		if err != nil {
			return nil, fmt.Errorf("task %d: %w", i+1, err)
		}
		f.Benchmark = benchmark
		if !seen[t.ID] {
			f.Tasks = append(f.Tasks, t)
		} else if benchmark != Tau {
			return nil, fmt.Errorf("task %d: the id %q appears twice", i+1, t.ID)
		}
		seen[t.ID] = true
	}
	return f, nil
}

// readTask reads a task. The parameter named is the name of the benchmark in the file, or
// "" if the file does not name a benchmark.
func readTask(v jsonval.Value, named string) (t Task, benchmark string, err error) {
	benchmark, arguments := Tau2, "arguments"
	criteria, outputs := v.Get("evaluation_criteria"), "communicate_info"
	scenario := v.Get("user_scenario")
	t.ID = v.Get("id").Text()
	if run := v.Get("info").Get("task"); run.Kind() == jsonval.Object {
		benchmark, arguments, criteria, outputs = Tau, "kwargs", run, "outputs"
		t.ID = v.Get("task_id").Text()
		scenario = run.Get("instruction")
		v = run
	}
	if named != "" {
		benchmark = named
		if criteria.Kind() != jsonval.Object {
			criteria, outputs, scenario = v, "outputs", v.Get("instruction")
		}
	}
	if criteria.Kind() != jsonval.Object {
		return t, "", errors.New(`missing "evaluation_criteria"`)
	}
	if t.ID == "" {
		return t, "", errors.New(`missing "id"`)
	}
	t.text, t.criteria, t.words = v.Raw(), criteria, allTexts(scenario)
	if t.Actions, err = readCalls(criteria.Get("actions"), arguments); err != nil {
		return t, "", err
	}
	for _, path := range criteria.Get("valid_action_paths").Elements() {
		calls, err := readCalls(path, arguments)
		if err != nil {
			return t, "", err
		}
		t.Paths = append(t.Paths, calls)
	}
	for _, o := range criteria.Get(outputs).Elements() {
		t.Outputs = append(t.Outputs, o.Text())
	}
	return t, benchmark, nil
}

// allTexts returns all texts of a value, one per line.
func allTexts(v jsonval.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	var out []string
	v.Each(func(_ string, m jsonval.Value) bool {
		if s := allTexts(m); s != "" {
			out = append(out, s)
		}
		return true
	})
	return strings.Join(out, "\n")
}

func readCalls(list jsonval.Value, arguments string) ([]Call, error) {
	var out []Call
	for i, a := range list.Elements() {
		c := Call{Name: a.Get("name").Text(), Arguments: json.RawMessage("{}"), raw: a.Raw()}
		if c.Name == "" {
			return nil, fmt.Errorf(`action %d: missing "name"`, i+1)
		}
		switch args := a.Get(arguments); args.Kind() {
		case jsonval.Object:
			c.Arguments = json.RawMessage(args.Raw())
		case jsonval.Missing, jsonval.Null:
		default:
			return nil, fmt.Errorf("action %d: %q must be an object, but is %s", i+1, arguments, args.Kind())
		}
		out = append(out, c)
	}
	return out, nil
}

// Words returns the instructions of the task's user.
func (t *Task) Words() string { return t.words }

// hasIdentifiers reports whether the text of the task contains all the given identifiers.
func (t *Task) hasIdentifiers(identifiers []string) bool {
	return !slices.ContainsFunc(identifiers, func(id string) bool { return !strings.Contains(t.text, id) })
}

// findTasks returns the indices of a correction's tasks. It first looks for tasks from
// the correction's domain that have one of the correction's ids. If there are none, it
// looks for tasks that contain all identifiers of the correction and an action that the
// correction edits.
func (f *File) findTasks(c *Correction) (at []int) {
	for i := range f.Tasks {
		if t := &f.Tasks[i]; slices.Contains(c.Tasks[f.Benchmark], t.ID) && f.fitsTask(c, t) {
			at = append(at, i)
		}
	}
	if at != nil {
		return at
	}
	for i := range f.Tasks {
		if t := &f.Tasks[i]; t.hasIdentifiers(c.Identifiers) && touchesTask(c, t) {
			at = append(at, i)
		}
	}
	return at
}

// fitsTask reports whether a task is from the correction's domain. Such a task contains a
// call that the correction edits, or one of the correction's Identifiers. The id of the
// task does not help, because both domains use the same numbers.
func (f *File) fitsTask(c *Correction, t *Task) bool {
	if touchesTask(c, t) {
		return true
	}
	return slices.ContainsFunc(c.Identifiers, func(id string) bool { return strings.Contains(t.text, id) })
}

// touchesTask reports whether the gold of the task contains a call that one of the
// correction's edits changes.
func touchesTask(c *Correction, t *Task) bool {
	for _, e := range c.Edits {
		if e.Add == nil && e.ReplaceAll == nil {
			if _, found := e.applyToForm(t.Actions); found {
				return true
			}
		}
	}
	return false
}
