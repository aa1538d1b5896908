package reference

import (
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// The ADK's old eval sets are still in many repositories. A test file is a list of turns of
// one session: [{"query", "expected_tool_use": [{"tool_name", "tool_input"}]}]. An eval set
// is a list of sessions: [{"name", "data": [turns]}].

// isTurn reports whether an object is a turn of an old eval set.
func isTurn(v jsonval.Value) bool {
	return v.Get("query").Kind() == jsonval.String && v.Get("expected_tool_use").Kind() == jsonval.Array
}

// hasTurn reports whether one of the first turns of a list expects something. A turn may
// have only a question.
func hasTurn(list jsonval.Value) bool {
	if list.Kind() != jsonval.Array {
		return false
	}
	for i, v := range list.Elements() {
		if isTurn(v) {
			return true
		}
		if v.Get("query").Kind() != jsonval.String || i == 8 {
			break
		}
	}
	return false
}

// isSession reports whether an object is a session of an old eval set.
func isSession(v jsonval.Value) bool { return hasTurn(v.Get("data")) }

// sessionTurns returns the turns of a file with one session without a name, or nil.
func sessionTurns(v jsonval.Value) []jsonval.Value {
	switch {
	case isTurn(v):
		return []jsonval.Value{v}
	case hasTurn(v):
		return v.Elements()
	case isSession(v) && v.Get("name").Text() == "":
		return v.Get("data").Elements()
	}
	return nil
}

// fromOldTurns converts the turns of one session to a reference, with the tool uses in
// their order.
func fromOldTurns(turns []jsonval.Value) (*Reference, error) {
	r := &Reference{Origin: Benchmark, Steps: []Step{}, Turns: len(turns)}
	for i, turn := range turns {
		for j, use := range turn.Get("expected_tool_use").Elements() {
			name := eitherSpelling(use, "tool_name", "toolName").Text()
			arguments, err := readObject(eitherSpelling(use, "tool_input", "toolInput"))
			if err == nil && name == "" {
				err = fmt.Errorf("missing \"tool_name\"; members seen: %s", describeMembers(use))
			}
			if err != nil {
				return nil, errorAt(fmt.Sprintf("turn %d > tool use %d", i+1, j+1), err)
			}
			r.Steps = append(r.Steps, Step{Name: name, Arguments: arguments, Turn: i + 1})
		}
	}
	return r, nil
}

// IsOldSet reports whether v is an old eval set of the ADK, or a session of one.
func IsOldSet(v jsonval.Value) bool {
	if sessionTurns(v) != nil || isSession(v) {
		return true
	}
	list := v.Elements()
	return len(list) > 0 && isSession(list[0])
}
