package reference

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/match"
)

// ReadSet parses a reference file. The file has one reference for every run, in the form
// of Read, or one reference for each task id. A file with tasks is one of:
//
//   - a benchmark's task with its id, or a list of such tasks;
//   - an object {"tasks": [tasks]};
//   - an ADK eval set, also an old one;
//   - a suite that a person wrote, {"tasks": [{"id": …, "steps": […]}]}.
//
// Without an error, exactly one of the two results is set. A task without an id, and an
// id that appears twice, are errors.
func ReadSet(text string) (one *Reference, byTask map[string]*Reference, err error) {
	trimmed := strings.TrimSpace(text)
	if trimmed != "" && (trimmed[0] == '[' || trimmed[0] == '{') {
		v, err := jsonval.Parse(trimmed)
		if err != nil {
			if list := taskLines(trimmed); list.Exists() {
				return SetFromValue(list)
			}
			return nil, nil, fmt.Errorf("invalid reference: %w", err)
		}
		return SetFromValue(v)
	}
	r, err := Read(text)
	if err != nil {
		return nil, nil, err
	}
	return r, nil, nil
}

// SetFromValue is like ReadSet for JSON that is already parsed.
func SetFromValue(v jsonval.Value) (one *Reference, byTask map[string]*Reference, err error) {
	if text, ok := v.Str(); ok {
		return ReadSet(text)
	}
	if turns := sessionTurns(v); turns != nil {
		r, err := fromOldTurns(turns)
		if err != nil {
			return nil, nil, err
		}
		return r, nil, nil
	}
	list := tasksInFile(v)
	if list == nil {
		r, err := FromValue(v)
		if err != nil {
			return nil, nil, err
		}
		return r, nil, nil
	}
	byTask = make(map[string]*Reference, len(list))
	s := signatures{}
	s.learnNames(list)
	for i, task := range list {
		id, r, err := parseTask(task, s)
		if err == nil && byTask[id] != nil {
			err = fmt.Errorf("the id %q appears twice", id)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("invalid reference: task %d: %w", i+1, err)
		}
		byTask[id] = r
	}
	return nil, byTask, nil
}

// taskLines returns the lines of a text as one JSON list, if each line is JSON and the
// first is a task. Otherwise it returns a missing value.
func taskLines(text string) jsonval.Value {
	list, err := jsonval.Parse("[" + strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' }), ",") + "]")
	if err != nil || tasksInFile(list) == nil {
		return jsonval.Value{}
	}
	return list
}

// tasksInFile returns the tasks of a file with several tasks, or nil if v is not such a
// file. A list counts as such a file if its first element is a task.
func tasksInFile(v jsonval.Value) []jsonval.Value {
	if v.Kind() == jsonval.Object {
		if v.Get("steps").Exists() {
			return nil
		}
		if goldObject(v).Exists() {
			if v.Get("id").Text() == "" && v.Get("task_id").Text() == "" {
				return nil
			}
			return []jsonval.Value{v}
		}
		for _, key := range [...]string{"eval_cases", "evalCases", "tasks"} {
			if list := v.Get(key).Elements(); len(list) > 0 {
				return list
			}
		}
		if isCase(v) || isSession(v) {
			return []jsonval.Value{v}
		}
		return nil
	}
	list := v.Elements()
	if len(list) == 0 || !isTask(list[0]) {
		return nil
	}
	return list
}

// parseTask parses a task and its id.
func parseTask(task jsonval.Value, s signatures) (id string, r *Reference, err error) {
	if task.Get("steps").Kind() == jsonval.Array {
		return parseOwnTask(task)
	}
	if !isTask(task) {
		return "", nil, fmt.Errorf(`the task needs "actions", "valid_action_paths", "conversation" or "ground_truth". The first two may be in "evaluation_criteria". Members seen: %s`, describeMembers(task))
	}
	for _, key := range [...]string{"id", "task_id", "eval_id", "evalId", "name"} {
		if id = task.Get(key).Text(); id != "" && (key != "name" || isSession(task)) {
			break
		}
	}
	if id == "" {
		return "", nil, errors.New(`missing "id". The id tells which runs belong to the reference`)
	}
	if bfclCalls(task).Exists() {
		id = AnswerID(id)
	}
	r, err = fromTask(task, s)
	return id, r, err
}

// ownMembers are the members of a task that a person wrote.
var ownMembers = []string{"id", "steps", "says", "only", "title"}

// parseOwnTask parses a task that a person wrote. It has the members of a reference and
// an id.
func parseOwnTask(task jsonval.Value) (id string, r *Reference, err error) {
	var members []string
	task.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "id":
			id = m.Text()
		case "steps", "says", "only", "title":
			members = append(members, jsonval.Quoted(key)+":"+m.Raw())
		default:
			err = fmt.Errorf("unknown member %q%s; the known members are %s", key, match.Hint(key, ownMembers), strings.Join(ownMembers, ", "))
		}
		return err == nil
	})
	if err == nil && id == "" {
		err = errors.New(`missing "id". The id tells which runs belong to the reference`)
	}
	if err != nil {
		return "", nil, err
	}
	v, err := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	if err == nil {
		r, err = FromValue(v)
	}
	if err != nil {
		return "", nil, errors.New(strings.TrimLeft(strings.TrimPrefix(err.Error(), "invalid reference"), ": "))
	}
	return id, r, nil
}
