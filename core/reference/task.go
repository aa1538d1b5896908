package reference

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// IsTask reports whether an object is a benchmark's task, or the part of it with the
// expected actions: it has "actions" or "valid_action_paths", itself or in
// "evaluation_criteria", or it is a case of an ADK eval set ("conversation") or an answer of
// BFCL ("ground_truth"); and it has no "steps".
func IsTask(v jsonval.Value) bool {
	return v.Kind() == jsonval.Object && !v.Get("steps").Exists() && (gold(v).Exists() || isCase(v) || answers(v).Exists())
}

// gold returns the object in a task that holds its actions. In τ² a null list of actions
// is an empty one.
func gold(task jsonval.Value) jsonval.Value {
	if criteria := task.Get("evaluation_criteria"); criteria.Kind() == jsonval.Object {
		if criteria.Get("actions").Exists() || criteria.Get("valid_action_paths").Exists() {
			return criteria
		}
		return jsonval.Value{}
	}
	for _, key := range [...]string{"actions", "valid_action_paths"} {
		if k := task.Get(key).Kind(); k != jsonval.Missing && k != jsonval.Null {
			return task
		}
	}
	return jsonval.Value{}
}

// isCase reports whether an object is a case of an ADK eval set, and not the run of a
// chat.
func isCase(v jsonval.Value) bool {
	return v.Get("conversation").Kind() == jsonval.Array
}

// FromTask reads a task of τ-bench ("actions", "outputs"), of τ-Bench Verified
// ("valid_action_paths" as well: one-of sequences), of τ² ("evaluation_criteria" with
// "actions" and "communicate_info"), a case of an ADK eval set (the tool uses of its
// conversation, in order), or an answer of BFCL ("ground_truth"). The actions are another
// alternative, unless they are among the valid paths. Other members of a task are ignored.
func FromTask(v jsonval.Value) (*Reference, error) { return fromTask(v, nil) }

func fromTask(v jsonval.Value, s signatures) (*Reference, error) {
	if isCase(v) {
		return fromCase(v)
	}
	if list := answers(v); list.Exists() && !gold(v).Exists() {
		return fromAnswers(list, s)
	}
	v = gold(v)
	paths, err := alternatives(v)
	if err != nil {
		return nil, err
	}
	r := of(Node{Kind: Sequence, Children: paths})
	r.Origin = Benchmark
	for _, key := range [...]string{"outputs", "communicate_info"} {
		for _, e := range v.Get(key).Elements() {
			r.Says = append(r.Says, e.Text())
		}
	}
	return r, nil
}

// fromCase reads an ADK case, in both forms of its intermediate data: lists of
// tool uses and responses, or events with parts.
func fromCase(v jsonval.Value) (*Reference, error) {
	r := &Reference{Origin: Benchmark}
	for i, turn := range v.Get("conversation").Elements() {
		data := either(turn, "intermediate_data", "intermediateData")
		for j, use := range Uses(data) {
			arguments, err := readObject(use.Get("args"))
			name, ok := use.Get("name").Str()
			if err == nil && (!ok || name == "") {
				err = fmt.Errorf("missing \"name\"; members seen: %s", seen(use))
			}
			if err != nil {
				return nil, wrong(fmt.Sprintf("conversation %d > tool use %d", i+1, j+1), err)
			}
			r.Steps = append(r.Steps, Step{Name: name, Arguments: arguments})
		}
	}
	return r, nil
}

// Uses returns the calls in the intermediate data of an ADK turn, in order.
func Uses(data jsonval.Value) []jsonval.Value {
	uses := either(data, "tool_uses", "toolUses").Elements()
	for _, event := range either(data, "invocation_events", "invocationEvents").Elements() {
		for _, part := range event.Get("content").Get("parts").Elements() {
			if call := either(part, "function_call", "functionCall"); call.Kind() == jsonval.Object {
				uses = append(uses, call)
			}
		}
	}
	return uses
}

// either returns the member with the first of two spellings that exists.
func either(v jsonval.Value, snake, camel string) jsonval.Value {
	if m := v.Get(snake); m.Exists() {
		return m
	}
	return v.Get(camel)
}

// alternatives returns one node with all paths as alternatives, or nothing.
func alternatives(v jsonval.Value) ([]Node, error) {
	r := reader{foreign: true}
	one := Node{Kind: OneOf, Place: "valid_action_paths"}
	list := v.Get("valid_action_paths")
	if k := list.Kind(); k != jsonval.Array && k != jsonval.Null && k != jsonval.Missing {
		return nil, wrong("valid_action_paths", fmt.Errorf("want a list of paths, got %s", k))
	}
	for i, e := range list.Elements() {
		path, err := r.list(e, fmt.Sprintf("path %d", i+1), "step", Sequence, 1)
		if err != nil {
			return nil, err
		}
		one.Children = append(one.Children, path)
	}
	if actions := v.Get("actions"); actions.Kind() == jsonval.Array {
		path, err := r.list(actions, "actions", "step", Sequence, 1)
		if err != nil {
			return nil, err
		}
		if !contains(one.Children, path) {
			one.Children = append(one.Children, path)
		}
	}
	if len(one.Children) == 0 {
		return nil, nil
	}
	return []Node{one}, nil
}

// contains reports whether a path equals one of paths, step by step.
func contains(paths []Node, path Node) bool {
	for _, p := range paths {
		if sameSteps(p.Children, path.Children) {
			return true
		}
	}
	return false
}

func sameSteps(a, b []Node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Kind != Action || b[i].Kind != Action || a[i].Step.Key() != b[i].Step.Key() {
			return false
		}
	}
	return true
}
