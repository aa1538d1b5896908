package core

import "strings"

// apiName returns a name in the form that the APIs of models allow: letters, digits, _
// and -. They refuse other characters, so frameworks send math.gcd as math_gcd.
func apiName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return c
		}
		return '_'
	}, name)
}

// called returns the name that a run uses for the action with the given name in a
// reference: the same name, unless the run has no such action and has one with the API's
// spelling of it. O(actions) for a name that needs a different spelling.
func (r *run) called(name string) string {
	api := apiName(name)
	if api == name {
		return name
	}
	found := name
	for i := range r.Actions {
		switch r.Actions[i].Name {
		case name:
			return name
		case api:
			found = api
		}
	}
	return found
}
