package core_test

import (
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core"
)

// TestListsAsText checks that a list given as text equals the list in the reference, if
// the tool returned a result that is not an error. In any other case, the two are not
// equal.
func TestListsAsText(t *testing.T) {
	const reference = `[{"name":"return_items","arguments":{"order":"W1","items":["a","b"]}}]`
	trace := func(arguments, result string) string {
		call := `{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"return_items","arguments":` + arguments + `}}]}`
		if result != "" {
			call += `,{"role":"tool","tool_call_id":"1","content":` + result + `}`
		}
		return `[` + call + `]`
	}
	const ok = `"{\"status\":\"return requested\"}"`
	for _, c := range []struct {
		what, arguments, result, reference string
		equal, warned                      bool
	}{
		{"Python's list", `"{\"order\":\"W1\",\"items\":\"['a', 'b']\"}"`, ok, reference, true, true},
		{"JSON's list", `"{\"order\":\"W1\",\"items\":\"[\\\"a\\\",\\\"b\\\"]\"}"`, ok, reference, true, true},
		{"all in Python's notation", `"{'order': 'W1', 'items': \"['a', 'b']\"}"`, ok, reference, true, true},
		{"one element less", `"{\"order\":\"W1\",\"items\":\"['a']\"}"`, ok, reference, false, true},
		{"no result", `"{\"order\":\"W1\",\"items\":\"['a', 'b']\"}"`, "", reference, false, false},
		{"an error", `"{\"order\":\"W1\",\"items\":\"['a', 'b']\"}"`, `"Error: item not found"`, reference, false, false},
		{"not a list", `"{\"order\":\"W1\",\"items\":\"[a, b\"}"`, ok, reference, false, false},
		{"the reference has the text", `"{\"order\":\"W1\",\"items\":\"['a', 'b']\"}"`, ok,
			`[{"name":"return_items","arguments":{"order":"W1","items":"['a', 'b']"}}]`, true, false},
	} {
		r := mustEvaluate(t, `{"trace":`+trace(c.arguments, c.result)+`,"reference":`+c.reference+`}`)
		if got := !r.Trajectories[0].Flagged; got != c.equal {
			t.Errorf("%s: equal %v, want %v: %+v", c.what, got, c.equal, r.Trajectories[0].Violations)
		}
		if got := slices.ContainsFunc(r.Warnings, func(w core.Warning) bool { return w.Code == "list-as-text" }); got != c.warned {
			t.Errorf("%s: warned %v, want %v", c.what, got, c.warned)
		}
	}
}
