package reference

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isTask reports whether an object is a benchmark's task, or the part of a task that
// contains the expected actions. Such an object has no member "steps". It has one of:
//
//   - "actions" or "valid_action_paths", directly or in "evaluation_criteria";
//   - "conversation", as in a case of an ADK eval set, or "data", as in an old one;
//   - "ground_truth", as in an answer of BFCL.
func isTask(v jsonval.Value) bool {
	return v.Kind() == jsonval.Object && !v.Get("steps").Exists() && (goldObject(v).Exists() || isCase(v) || isSession(v) || bfclCalls(v).Exists())
}

// goldObject returns the object that contains the expected actions, or a missing value if
// there is none. The object is the task itself or, in τ², its member
// "evaluation_criteria". The "actions" of τ² may be null, which means an empty list.
func goldObject(task jsonval.Value) jsonval.Value {
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

// isCase reports whether an object is a case of an ADK eval set: it has a list with the
// name "conversation".
func isCase(v jsonval.Value) bool {
	return v.Get("conversation").Kind() == jsonval.Array
}

// fromTask converts a benchmark's task to a reference. It accepts:
//
//   - a task of τ-bench, with "actions" and "outputs";
//   - a task of τ-Bench Verified, which may also have "valid_action_paths";
//   - a task of τ², with "evaluation_criteria" of "actions" and "communicate_info";
//   - a case of an ADK eval set, from which it takes the tool uses in order;
//   - an answer of BFCL, with "ground_truth".
//
// The lists in "valid_action_paths" are alternatives. "actions" is one more alternative,
// unless it equals one of them. Other members of a task are ignored. s has the names of the
// arguments of functions; nil for none.
func fromTask(v jsonval.Value, s signatures) (*Reference, error) {
	switch {
	case isCase(v):
		return fromCase(v)
	case isSession(v):
		return fromOldTurns(v.Get("data").Elements())
	}
	if list := bfclCalls(v); list.Exists() && !goldObject(v).Exists() {
		return fromAnswers(list, s)
	}
	v = goldObject(v)
	paths, err := parseAlternatives(v)
	if err != nil {
		return nil, err
	}
	r := newReference(Node{Kind: Sequence, Children: paths})
	r.Origin = Benchmark
	for _, key := range [...]string{"outputs", "communicate_info"} {
		for _, e := range v.Get(key).Elements() {
			r.Says = append(r.Says, e.Text())
		}
	}
	return r, nil
}

// fromCase converts an ADK case to a reference. It accepts both forms of intermediate
// data: lists of tool uses and responses, and events with parts.
func fromCase(v jsonval.Value) (*Reference, error) {
	return FromTurns(v.Get("conversation").Elements())
}

// FromTurns is like fromTask for the turns of an ADK conversation.
func FromTurns(turns []jsonval.Value) (*Reference, error) {
	r := &Reference{Origin: Benchmark, Turns: len(turns)}
	for i, turn := range turns {
		data := eitherSpelling(turn, "intermediate_data", "intermediateData")
		for j, use := range Uses(data) {
			arguments, err := readObject(use.Get("args"))
			name, ok := use.Get("name").Str()
			if err == nil && (!ok || name == "") {
				err = fmt.Errorf("missing \"name\"; members seen: %s", describeMembers(use))
			}
			if err != nil {
				return nil, errorAt(fmt.Sprintf("conversation %d > tool use %d", i+1, j+1), err)
			}
			r.Steps = append(r.Steps, Step{Name: name, Arguments: arguments, Turn: i + 1})
		}
	}
	return r, nil
}

// Uses returns the calls in the intermediate data of an ADK turn, in order.
func Uses(data jsonval.Value) []jsonval.Value {
	uses := eitherSpelling(data, "tool_uses", "toolUses").Elements()
	for _, event := range eitherSpelling(data, "invocation_events", "invocationEvents").Elements() {
		for _, part := range event.Get("content").Get("parts").Elements() {
			if call := eitherSpelling(part, "function_call", "functionCall"); call.Kind() == jsonval.Object {
				uses = append(uses, call)
			}
		}
	}
	return uses
}

// eitherSpelling returns the member with the first spelling, or else the member with the
// second.
func eitherSpelling(v jsonval.Value, snake, camel string) jsonval.Value {
	if m := v.Get(snake); m.Exists() {
		return m
	}
	return v.Get(camel)
}

// parseAlternatives returns a list with one node, whose children are the alternative
// paths of the task v. The list is empty if there is no path.
func parseAlternatives(v jsonval.Value) ([]Node, error) {
	r := reader{foreign: true}
	one := Node{Kind: OneOf, Place: "valid_action_paths"}
	list := v.Get("valid_action_paths")
	if k := list.Kind(); k != jsonval.Array && k != jsonval.Null && k != jsonval.Missing {
		return nil, errorAt("valid_action_paths", fmt.Errorf("want a list of paths, got %s", k))
	}
	for i, e := range list.Elements() {
		path, err := r.parseList(e, fmt.Sprintf("path %d", i+1), "step", Sequence, 1)
		if err != nil {
			return nil, err
		}
		one.Children = append(one.Children, path)
	}
	if actions := v.Get("actions"); actions.Kind() == jsonval.Array {
		path, err := r.parseList(actions, "actions", "step", Sequence, 1)
		if err != nil {
			return nil, err
		}
		if !containsPath(one.Children, path) {
			one.Children = append(one.Children, path)
		}
	}
	if len(one.Children) == 0 {
		return nil, nil
	}
	return []Node{one}, nil
}

// containsPath reports whether the list paths has a path with the same steps as the given
// path.
func containsPath(paths []Node, path Node) bool {
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
