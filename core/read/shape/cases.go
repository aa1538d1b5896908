package shape

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// ExpectedCases returns what is in the only list or map of an object whose objects say what was expected, with
// their names in a map, or nil for other rows. Its name does not matter. O(size of the lists).
func ExpectedCases(rows []jsonval.Value) (cases []*Object, names []string) {
	if len(rows) != 1 {
		return nil, nil
	}
	doc, at := OpenObject(rows[0]), -1
	for i, key := range doc.Keys {
		switch holds := holdsCases(doc.Values[i]); {
		case !holds && !IsExpected(key):
		case at >= 0 || !holds:
			return nil, nil
		default:
			at = i
		}
	}
	if at < 0 {
		return nil, nil
	}
	list, names := ValuesOf(doc.Values[at])
	for _, e := range list {
		cases = append(cases, OpenObject(e))
	}
	return cases, names
}

// holdsCases reports whether a list or a map has only objects, of which one says what was expected.
func holdsCases(v jsonval.Value) bool {
	list, _ := ValuesOf(v)
	found := false
	for _, e := range list {
		if e.Kind() != jsonval.Object {
			return false
		}
		found = found || slices.ContainsFunc(OpenObject(e).Keys, IsExpected)
	}
	return found
}

// ValuesOf returns the elements of a list, or the members of an object with their names.
func ValuesOf(v jsonval.Value) (list []jsonval.Value, names []string) {
	if v.Kind() == jsonval.Object {
		o := OpenObject(v)
		return o.Values, o.Keys
	}
	return v.Elements(), nil
}

// IsExample reports whether a record says that it is an example of a data set, and not a run: its
// outputs are what is expected.
func IsExample(o *Object) bool {
	return o.HasAll("inputs outputs") && !o.HasAny("run_type trace_id start_time events") && (o.HasAny("dataset_id dataset_name") || o.OpenMember("metadata").HasAny("dataset_split"))
}

// AnyOf returns the alternatives of an expected side of which each is as good as the others, or nil.
func AnyOf(key string, v jsonval.Value) []jsonval.Value {
	if o := OpenObject(v); v.Kind() == jsonval.Object {
		return o.FirstList("any_of anyOf one_of alternatives")
	}
	if word := wordlist.FoldName(key); strings.HasSuffix(word, "anyof") || strings.HasSuffix(word, "oneof") || strings.HasSuffix(word, "alternatives") {
		return v.Elements()
	}
	return nil
}
