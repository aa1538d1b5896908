package jsonval

import (
	"strings"
	"testing"
)

// TestFind checks that Find visits each member whose name is in the set, at every depth,
// and passes the object that contains the member.
func TestFind(t *testing.T) {
	text := `{"tool_calls" : [ {"id":"a","x":{"tool_calls":[]}}, [[{"tool_calls":7}]] ], "calls":1, "s":"\"tool_calls\":3", "q\"ls":2, "tool_calls":null}`
	v, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	v.Find(NewNames("tool_calls"), func(object Value, name string, member Value) {
		if name == "tool_calls" {
			seen = append(seen, member.Raw()+" in "+object.Raw()[:6])
		}
	})
	want := `[ {"id":"a","x":{"tool_calls":[]}}, [[{"tool_calls":7}]] ] in {"tool|[] in {"tool|7 in {"tool|null in {"tool`
	if got := strings.Join(seen, "|"); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	for _, scalar := range []string{`1`, `"tool_calls"`, `[]`, `{}`, `[1,2]`} {
		v, _ := Parse(scalar)
		v.Find(NewNames("tool_calls"), func(Value, string, Value) { t.Errorf("%s has a member", scalar) })
	}
}

// TestMemberName checks the name of each member, element and text.
func TestMemberName(t *testing.T) {
	v, err := Parse("{\"a\" : {\"b\\\"c\\\\\":\n[1, {\"\":2}]}, \"a:\":\"x\"}")
	if err != nil {
		t.Fatal(err)
	}
	if !v.IsRoot() || (Value{}).IsRoot() {
		t.Error("the text is its root, and Missing is not")
	}
	if got := v.MemberName() + (Value{}).MemberName(); got != "" {
		t.Errorf("the text and Missing have the name %q", got)
	}
	var seen []string
	var visit func(v Value)
	visit = func(v Value) {
		v.Each(func(_ string, m Value) bool {
			if seen = append(seen, m.MemberName()); m.IsRoot() {
				t.Errorf("%s is not the whole text", m.Raw())
			}
			visit(m)
			return true
		})
	}
	visit(v)
	if got, want := strings.Join(seen, "|"), `a|b\"c\\||||a:`; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
}
