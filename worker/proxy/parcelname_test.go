//go:build !js

package proxy

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestCallsAreNamed draws the calls of a turn and writes them again as clients do: members
// in another order, other spaces, escapes and notations of numbers. Each call keeps its
// name, and two calls of one turn never share one.
func TestCallsAreNamed(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 49))
	parse := func(text string) jsonval.Value {
		v, err := jsonval.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	seen := map[string]string{} // id → the call
	for range 3000 {
		var first, again []whole
		for range 1 + random.IntN(4) {
			name := []string{"get", "get2", "set"}[random.IntN(3)]
			n, text := random.IntN(3), []string{"a", "ü", "2a"}[random.IntN(3)]
			first = append(first, whole{name: name, args: parse(fmt.Sprintf(`{"n":%d.0,"text":%q,"list":[{"a":1,"b":null}]}`, n, text))})
			escaped := map[string]string{"a": `\u0061`, "ü": `\u00fc`, "2a": "2\\u0061"}[text]
			again = append(again, whole{name: name, args: parse(fmt.Sprintf("{ \"list\" : [ {\"b\":null, \"a\":1e0} ],\"text\":\"%s\", \"n\":%d }", escaped, n))})
		}
		nameCalls(first, map[string]int{})
		nameCalls(again, map[string]int{})
		in := map[string]bool{}
		for i := range first {
			if first[i].id != again[i].id {
				t.Fatalf("%s %s is %s, and written again %s", first[i].name, first[i].args.Raw(), first[i].id, again[i].id)
			}
			if in[first[i].id] {
				t.Fatalf("two calls of one turn have the id %s", first[i].id)
			}
			in[first[i].id] = true
			call := first[i].name + first[i].args.Canonical()
			if was, known := seen[first[i].id]; known && was != call {
				t.Fatalf("%s and %s have the same id", was, call)
			}
			seen[first[i].id] = call
			chat := parse(`{"id":` + jsonval.Quoted(first[i].id) + `,"function":{"name":"` + first[i].name + `","arguments":` + jsonval.Quoted(again[i].args.Raw()) + `}}`)
			if id := givenID(chat); id != "" {
				t.Fatalf("the client would get the id %q, although it finds the call again without it", id)
			}
		}
	}
	changed := parse(`{"id":"` + madeID + `0123","function":{"name":"set","arguments":"{\"n\":2}"}}`)
	if givenID(changed) != madeID+"0123" {
		t.Error("an edited call loses its id")
	}
}
