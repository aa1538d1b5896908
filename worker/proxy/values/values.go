// Package values reads and writes parts of JSON texts, byte for byte, for the proxies of
// model APIs.
package values

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Has reports whether a member exists and is neither null nor an empty list.
func Has(v jsonval.Value) bool {
	switch v.Kind() {
	case jsonval.Missing, jsonval.Null:
		return false
	case jsonval.Array:
		return v.Len() > 0
	}
	return true
}

// Repeated returns the name of a member that appears twice in one object, at any
// depth. It returns "" if there is no such member.
func Repeated(v jsonval.Value) (found string) {
	seen := map[string]bool{}
	object := v.Kind() == jsonval.Object
	v.Each(func(key string, m jsonval.Value) bool {
		if object && seen[key] {
			found = key
		}
		if seen[key] = true; found == "" {
			found = Repeated(m)
		}
		return found == ""
	})
	return found
}

// Without returns the object v as JSON, without the member that has the given name.
func Without(v jsonval.Value, name string) string {
	return "{" + strings.Join(MembersWithout(v, name), ",") + "}"
}

// MembersWithout returns the members of the object v as JSON, each with its name, without
// those that have one of the given names.
func MembersWithout(v jsonval.Value, names ...string) (members []string) {
	v.Each(func(key string, m jsonval.Value) bool {
		if !slices.Contains(names, key) {
			members = append(members, jsonval.Quoted(key)+":"+m.Raw())
		}
		return true
	})
	return members
}

// OrEmpty returns a string as it is written, and "" for any other value.
func OrEmpty(v jsonval.Value) string {
	if v.Kind() == jsonval.String {
		return v.Raw()
	}
	return `""`
}

// FailedResults returns the ids of the calls of which a client says that their tool failed, in
// a request of the Messages API (is_error) or of the Responses API (a status other than
// completed or in_progress). The body must be JSON. A chat completion has no member that says
// so. O(n).
func FailedResults(body string) map[string]bool {
	v, err := jsonval.Parse(body)
	if err != nil {
		return nil
	}
	failed := map[string]bool{}
	for _, m := range v.Get("messages").Elements() {
		for _, b := range m.Get("content").Elements() {
			if wrong := b.Get("is_error"); b.Get("type").Text() == "tool_result" && Has(wrong) && wrong.Raw() != "false" {
				failed[b.Get("tool_use_id").Text()] = true
			}
		}
	}
	for _, e := range v.Get("input").Elements() {
		if state := e.Get("status"); strings.HasSuffix(e.Get("type").Text(), "_call_output") && Has(state) && state.Text() != "completed" && state.Text() != "in_progress" {
			failed[e.Get("call_id").Text()] = true
		}
	}
	return failed
}
