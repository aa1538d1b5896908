package reference

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// IsTask tells whether an object is a benchmark's task, or its gold part: it has
// "actions", "valid_action_paths" or "evaluation_criteria", and no "steps".
func IsTask(v jsonval.Value) bool {
	if v.Kind() != jsonval.Object || v.Get("steps").Exists() {
		return false
	}
	for _, key := range [...]string{"actions", "valid_action_paths", "evaluation_criteria"} {
		if k := v.Get(key).Kind(); k != jsonval.Missing && k != jsonval.Null {
			return true
		}
	}
	return false
}

// FromTask reads a task of τ-bench ("actions", "outputs"), of τ-Bench Verified
// ("valid_action_paths" as well: one-of sequences), or of τ²
// ("evaluation_criteria" with "actions" and "communicate_info"). The actions are
// one more alternative beside the valid paths unless they are one of them. What
// else a task holds is passed over: it is another producer's.
func FromTask(v jsonval.Value) (Reference, error) {
	if criteria := v.Get("evaluation_criteria"); criteria.Kind() == jsonval.Object {
		v = criteria
	}
	paths, err := alternatives(v)
	if err != nil {
		return Reference{}, err
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

// alternatives gives nothing, or the one node that stands for all paths.
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

// contains tells whether a path is among paths, step by step.
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
