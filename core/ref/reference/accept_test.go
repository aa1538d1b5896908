package reference

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestAcceptedLeaves checks the paths of an accepted value's leaves. The path of the
// argument and the path of a leaf together must be the leaf's path in the arguments of a
// call.
func TestAcceptedLeaves(t *testing.T) {
	check := func(path, text string) {
		t.Helper()
		a := Accepted{Path: path, Values: []jsonval.Value{mustParse(t, text).Get("x")}}
		if path != "x" {
			a.Values[0] = mustParse(t, text).At("x", "y.z").Elements()[1]
		}
		show := func(all []jsonval.Leaf, before string) string {
			var parts []string
			for _, l := range all {
				if l.Path = before + l.Path; strings.HasPrefix(l.Path, path) {
					parts = append(parts, l.Path+"="+l.Value.Raw())
				}
			}
			return strings.Join(parts, " ")
		}
		if got, want := show(a.Leaves()[0], path), show(mustParse(t, text).Leaves(), ""); got != want || got == "" {
			t.Errorf("%s of %s: %s, want %s", path, text, got, want)
		}
	}
	check("x", `{"x": 1}`)
	check("x", `{"x": [1, {"a": 2, "b.c": []}]}`)
	check("x", `{"x": {"a": 2, "b": [3]}}`)
	check("x", `{"x": {"a.b": 2}}`)
	check(`x["y.z"][1]`, `{"x": {"y.z": [0, 5]}}`)
	check(`x["y.z"][1]`, `{"x": {"y.z": [0, [5, {"q": 6}]]}}`)
	if got := (&Accepted{Path: "x", Values: []jsonval.Value{mustParse(t, "null"), mustParse(t, "[]")}}).Leaves(); len(got[0]) != 0 || len(got[1]) != 1 {
		t.Errorf("null and an empty list: %v", got)
	}
}
