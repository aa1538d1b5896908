package equivalence

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestJoinedActions checks which actions together have the values of one action. Each case
// has the actions of the run before "/", and the reference after it.
func TestJoinedActions(t *testing.T) {
	for name, c := range map[string]struct{ calls, steps, rule string }{
		"list":                   {`w{"a":1,"l":["x","y"]} / w{"a":1,"l":["x"]} w{"a":1,"l":["y"]}`, "~-", "list"},
		"list of objects":        {`w{"l":[{"p":"x","q":1}]} w{"l":[{"p":"y","q":2}]} / w{"l":[{"p":"x","q":1},{"p":"y","q":2}]}`, "~+", "list"},
		"an element is missing":  {`w{"a":1,"l":["x","y","z"]} / w{"a":1,"l":["x"]} w{"a":1,"l":["y"]}`, "~-", ""},
		"an element twice":       {`w{"a":1,"l":["x","y"]} / w{"a":1,"l":["x"]} w{"a":1,"l":["x"]}`, "~-", ""},
		"another argument":       {`w{"a":1,"l":["x","y"]} / w{"a":1,"l":["x"]} w{"a":2,"l":["y"]}`, "~-", ""},
		"text":                   {`w{"t":"One fish;"} w{"t":"two fish."} / w{"t":"One fish; two fish."}`, "~+", "text"},
		"text in another order":  {`w{"t":"two fish."} w{"t":"One fish;"} / w{"t":"One fish; two fish."}`, "~+", ""},
		"text and a range":       {`w{"n":"6-7","t":"a jar, a jug"} / w{"n":6,"t":"a jar"} w{"n":7,"t":"a jug"}`, "~-", "text"},
		"text and a wrong range": {`w{"n":"6-8","t":"a jar, a jug"} / w{"n":6,"t":"a jar"} w{"n":7,"t":"a jug"}`, "~-", ""},
		"digits are no text":     {`w{"n":12} / w{"n":1} w{"n":2}`, "~-", ""},
		"steps up":               {`w{"k":"a","v":1} w{"k":"a","v":2} w{"k":"a","v":3} / w{"k":"a","v":3}`, "++=", "steps"},
		"up and down":            {`w{"k":"a","v":1} w{"k":"a","v":4} w{"k":"a","v":3} / w{"k":"a","v":3}`, "++=", ""},
		"of two things":          {`w{"k":"a","v":1} w{"k":"b","v":2} w{"k":"a","v":3} / w{"k":"a","v":3}`, "++=", ""},
		"a huge exponent":        {`w{"k":"a","v":1} w{"k":"a","v":1e999999999} w{"k":"a","v":3} / w{"k":"a","v":3}`, "++=", ""},
		"one thing moved":        {`remove_from{"id":"b7","at":"r1"} put_in{"id":"b7","at":"r4"} / move{"id":"b7","x":"r1","y":"r4"}`, "~+", "move"},
		"another thing put":      {`remove_from{"id":"b7","at":"r1"} put_in{"id":"b8","at":"r4"} / move{"id":"b7","x":"r1","y":"r4"}`, "~+", ""},
		"shortcut":               {`quick_close{"id":"t9"} / assign{"id":"t9"} close{"id":"t9"}`, "~-", "shortcut"},
		"shortcut of another":    {`quick_close{"id":"t8"} / assign{"id":"t9"} close{"id":"t9"}`, "~-", ""},
		"no shortcut":            {`cancel{"id":"t9"} / assign{"id":"t9"} refund{"id":"t9"}`, "~-", ""},
	} {
		obs, ref, _ := strings.Cut(c.calls, " / ")
		all := boundary.Case{Profile: boundary.SOP, Obs: writes(t, obs), Ref: writes(t, ref), Steps: parseAlignment(c.steps)}
		rule := ""
		for _, r := range Judge(&all) {
			if r.Group != nil {
				rule = r.Group.Rule
			}
		}
		if rule != c.rule {
			t.Errorf("%s: rule %q, want %q", name, rule, c.rule)
		}
	}
}

// writes parses calls, separated by spaces outside the arguments, as actions that write.
func writes(t *testing.T, text string) (all []boundary.Action) {
	for call := range strings.SplitSeq(strings.ReplaceAll(text, "} ", "}\n"), "\n") {
		name, _, _ := strings.Cut(call, "{")
		args, err := jsonval.Parse(strings.TrimPrefix(call, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, boundary.Action{Call: similarity.NewCall(name, args, "", ""), Mutation: mutation.Verdict{Mutating: mutation.Yes}})
	}
	return all
}
