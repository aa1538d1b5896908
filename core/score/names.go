package score

import "strings"

// apiName returns a name with only the characters that the APIs of models allow, which
// are letters, digits, _ and -. For example, frameworks send math.gcd as math_gcd,
// because the APIs refuse the full stop.
func apiName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return c
		}
		return '_'
	}, name)
}

// observedName returns the name that a run uses for the reference action name. If the run
// has an action apiName(name) and no action with the given name, the result is
// apiName(name). Otherwise the result is the given name. O(actions) if apiName changes
// the name.
func (r *run) observedName(name string) string {
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
