package deviation

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// parseRun parses actions from words. For example, "get_x=1" is a read with the argument
// 1, and "cancel_x=2!" is a failed cancellation with the argument 2.
func parseRun(t *testing.T, words string) []boundary.Action {
	t.Helper()
	c := mutation.New(nil, nil)
	var out []boundary.Action
	for _, w := range strings.Fields(words) {
		w, failed := strings.CutSuffix(w, "!")
		name, value, _ := strings.Cut(w, "=")
		member := "id"
		if strings.HasPrefix(name, "transfer_to_") {
			member = "summary"
		}
		arguments, err := jsonval.Parse(`{"` + member + `":"` + value + `"}`)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, boundary.Action{
			Call:     similarity.NewCall(name, arguments, "", ""),
			Mutation: c.Classify(name, arguments),
			Failed:   failed,
		})
	}
	return out
}

func TestMeasure(t *testing.T) {
	check := func(obs, ref string, mutating, non int) {
		t.Helper()
		if d := Measure(parseRun(t, obs), parseRun(t, ref)); d != (Distance{mutating, non}) {
			t.Errorf("%q against %q: %+v, want %d and %d", obs, ref, d, mutating, non)
		}
	}
	check("", "", 0, 0)
	check("get_order=1 cancel_order=1", "get_order=1 cancel_order=1", 0, 0)
	check("get_order=1 get_order=2 get_order=3", "get_order=1 cancel_order=1", 1, 2)
	check("cancel_order=1! cancel_order=1", "cancel_order=1", 1, 0)   // attempts count
	check("cancel_order=2", "cancel_order=1", 0, 0)                   // arguments do not matter
	check("think=a calculate=b transfer_to_human_agents=c", "", 0, 3) // control actions change nothing
	check("frobnicate=1", "get_order=1", 1, 1)                        // unknown counts as mutating
	check("book_flight=1 cancel_order=1", "update_address=1", 1, 0)   // kinds of writes are not distinguished
	check("get_order=1", "get_order=1 update_address=1 delete_x=2", 2, 0)
}

func TestEffects(t *testing.T) {
	check := func(obs, ref string, mutating, non int) {
		t.Helper()
		if d := Effects(parseRun(t, obs), parseRun(t, ref)); d != (Distance{mutating, non}) {
			t.Errorf("%q against %q: %+v, want %d and %d", obs, ref, d, mutating, non)
		}
	}
	check("", "", 0, 0)
	check("cancel_order=1 get_order=1", "get_order=1 cancel_order=1", 0, 0) // a multiset has no order
	check("cancel_order=2", "cancel_order=1", 2, 0)
	check("cancel_order=1! cancel_order=1", "cancel_order=1", 0, 0)
	check("cancel_order=1 cancel_order=1", "cancel_order=1", 1, 0)
	check("get_order=1 think=2", "get_order=3 send_x=1", 1, 3)
}

// TestMeasureIsADistance checks that Measure is a distance: it is symmetric, zero between
// equal runs, and satisfies the triangle inequality.
func TestMeasureIsADistance(t *testing.T) {
	runs := []string{"", "get_a=1", "cancel_a=1 get_a=2", "cancel_a=1! cancel_a=1 think=1", "send_x=1 send_x=2 send_x=3 get_a=1"}
	for _, a := range runs {
		for _, b := range runs {
			ab, ba := Measure(parseRun(t, a), parseRun(t, b)), Measure(parseRun(t, b), parseRun(t, a))
			if ab != ba {
				t.Errorf("%q %q: %+v and %+v", a, b, ab, ba)
			}
			for _, c := range runs {
				ac, cb := Measure(parseRun(t, a), parseRun(t, c)), Measure(parseRun(t, c), parseRun(t, b))
				if ab.Mutating > ac.Mutating+cb.Mutating || ab.NonMutating > ac.NonMutating+cb.NonMutating {
					t.Errorf("%q %q %q: no triangle", a, b, c)
				}
			}
		}
	}
}
