package violation

import (
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/equivalence"
)

// TestFindingsWithoutARow checks findings that have no row in the alignment. The index of
// a missing row, action or step is exactly -1.
func TestFindingsWithoutARow(t *testing.T) {
	c := &boundary.Case{Says: []string{"refunded"}, Never: make([]boundary.Action, 1), Obs: make([]boundary.Action, 2)}
	c.Never[0].Name, c.Obs[0].Name, c.Obs[1].Name = "delete_all", "get_all", "delete_all"
	k := newClassifier(c)
	k.addForbidden(nil)
	k.addUnsaid()
	var got [][3]int
	for _, f := range k.found {
		got = append(got, [3]int{f.Row, f.Obs, f.Ref})
	}
	if want := [][3]int{{-1, 1, -1}, {-1, -1, -1}}; !slices.Equal(got, want) {
		t.Errorf("row, observed and reference %v, want %v", got, want)
	}
	if got := cutOff(&boundary.Case{Stopped: "max_steps"}); len(got) != 1 || got[0].Row != -1 || got[0].Obs != -1 || got[0].Ref != -1 {
		t.Errorf("a run that was cut off: %+v", got)
	}
}

// TestLintNamesActionsAlone checks that findings without a reference have neither a row
// nor a reference step: both are exactly -1.
func TestLintNamesActionsAlone(t *testing.T) {
	c := &boundary.Case{Obs: make([]boundary.Action, 4), Stopped: "max_steps"}
	for i := range c.Obs {
		c.Obs[i].Name, c.Obs[i].Key, c.Obs[i].Mutation.Mutating = "delete_file", "delete_file {}", mutation.Yes
	}
	c.Obs[3].Failed = true
	rules := map[string]bool{}
	for _, f := range Lint(c, nil) {
		rules[f.Rule] = true
		if f.Row != -1 || f.Ref != -1 {
			t.Errorf("%s has row %d and step %d", f.Rule, f.Row, f.Ref)
		}
	}
	for _, want := range []string{"repeated-call", "repeated-write", "stops-after-error", "cut-off"} {
		if !rules[want] {
			t.Errorf("no finding of %s, but %v", want, rules)
		}
	}
}

// TestArgumentsShort checks that a finding about wrong arguments is an under-action only
// if arguments are missing and no argument is extra or changed.
func TestArgumentsShort(t *testing.T) {
	missing := similarity.Difference{Missing: make([]similarity.Leaf, 1)}
	both := missing
	both.Extra, both.Changed = make([]similarity.Leaf, 1), make([]similarity.Pair, 1)
	for _, c := range []struct {
		name string
		diff similarity.Difference
		want Type
	}{{"one is missing", missing, UnderAction}, {"one is missing, one extra, one changed", both, EndBoundary}, {"none differs", similarity.Difference{}, EndBoundary}} {
		var f Finding
		k := &classifier{Case: &boundary.Case{Obs: make([]boundary.Action, 1), Ref: make([]boundary.Action, 1)}}
		k.fillWrong(&f, &equivalence.Ruling{Diff: c.diff})
		if f.Type != c.want {
			t.Errorf("%s: %s, want %s (%s)", c.name, f.Type, c.want, f.Reason)
		}
	}
}

// TestShowNumbers checks that canonical numbers are shown in the usual notation. A number
// that would need more than twenty additional zeros keeps its exponent.
func TestShowNumbers(t *testing.T) {
	for value, want := range map[string]string{
		"2405e-1":                "240.5",
		"-2405e-1":               "-240.5",
		"5e-1":                   "0.5",
		"-5e-3":                  "-0.005",
		"9e0":                    "9",
		"0e0":                    "0",
		"12e3":                   "12000",
		"1e20":                   "1" + strings.Repeat("0", 20),
		"1e21":                   "1e21",
		"1e-21":                  "0." + strings.Repeat("0", 20) + "1",
		"1e-22":                  "1e-22",
		"12e-1":                  "1.2",
		"12e-2":                  "0.12",
		`"1e2"`:                  `"1e2"`,
		"true":                   "true",
		"e5":                     "e5",
		"":                       "",
		"1e99999999999999999999": "1e99999999999999999999",
	} {
		if got := similarity.ShowValue(value); got != want {
			t.Errorf("show(%q) = %q, want %q", value, got, want)
		}
	}
}
