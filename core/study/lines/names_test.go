package lines

import (
	"reflect"
	"testing"
)

func TestNames(t *testing.T) {
	var names Names
	var got []string
	add := func(n int, id string, task bool) { got = append(got, names.Next(Own{id, n, task})) }
	for _, id := range []string{"a", "a", "b", "a", "1", "b", "a#3", "a"} {
		add(0, id, false)
	}
	add(0, "1", false)
	add(1, "2", false)
	add(0, "7", true)
	add(0, "7", true)
	want := []string{"a", "a#2", "b", "a#3", "5", "b#2", "a#3#2", "a#4", "9", "10", "7", "7#2"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(names.ids) > 4 {
		t.Errorf("%d ids are kept of 4", len(names.ids))
	}
}
