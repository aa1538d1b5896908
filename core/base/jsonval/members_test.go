package jsonval

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	if got, want := strings.Join(seen, "|"), `a|b"c\||||a:`; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
}

// TestOneName is the law that a member has one name, whoever asks for it and however the text writes it.
func TestOneName(t *testing.T) {
	random := rand.New(rand.NewPCG(59, 1))
	spell := func(name string) string {
		var b strings.Builder
		for _, c := range []byte(name) {
			switch {
			case random.IntN(3) == 0:
				fmt.Fprintf(&b, []string{`\u%04x`, `\u%04X`}[random.IntN(2)], c)
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(c))
			default:
				b.WriteByte(c)
			}
		}
		return b.String()
	}
	wanted := []string{"tool_calls", "type", "$kind", "toolCallId"}
	names := NewNames(wanted...)
	others := []string{`a"type`, `type"`, `x\`, `\type`, "", `"`, `\"`, "ls", "p", "tYpe"}
	for range 2000 {
		name := wanted[random.IntN(len(wanted))]
		if random.IntN(3) == 0 {
			name = others[random.IntN(len(others))]
		}
		text := `[{"a":"type" ,"` + spell(name) + `"` + []string{"", " ", "\n\t"}[random.IntN(3)] + `: 1}]`
		v, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		object := v.Elements()[0]
		if got := object.Get(name).Raw(); got != "1" {
			t.Errorf("%s: Get(%q) gives %q", text, name, got)
		}
		object.Each(func(key string, m Value) bool {
			if m.Raw() == "1" && key != name || m.MemberName() != key {
				t.Errorf("%s: Each says %q, MemberName says %q, want %q", text, key, m.MemberName(), name)
			}
			return true
		})
		if err := Members(object.Raw(), func(key, raw string) bool {
			if raw == "1" && key != name {
				t.Errorf("%s: Members says %q, want %q", text, key, name)
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		found := false
		v.Find(names, func(_ Value, got string, m Value) {
			if m.Raw() == "1" && got != name {
				t.Errorf("%s: Find says %q, want %q", text, got, name)
			}
			found = found || m.Raw() == "1"
		})
		if !found && slices.Contains(wanted, name) {
			t.Errorf("%s: Find does not find %q", text, name)
		}
	}
}
