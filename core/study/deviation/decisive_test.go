package deviation

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/similarity"
	arguments "github.com/boundcheck/boundcheck/core/base/path"
)

func TestDecisive(t *testing.T) {
	check := func(name, failed string, kind Kind, obs int, instead, witness string, agreed int, witnesses ...string) {
		t.Helper()
		var list []Witness
		for i, w := range witnesses {
			list = append(list, Witness{string(rune('A' + i)), parseRun(t, w)})
		}
		actions := parseRun(t, failed)
		f := findDecisive(actions, list)
		got := ""
		if f.Instead != nil {
			got = f.Instead.Name
		}
		if f.Kind != kind || f.Obs != obs || got != instead || f.Witness != witness || f.Agreed != agreed || f.Reason == "" {
			t.Errorf("%s: %+v (instead %q)", name, f, got)
		}
	}
	check("nothing to compare with", "cancel_a=1", Unknown, -1, "", "", 0)
	check("the same writes", "get_a=1 cancel_a=1", Same, -1, "", "A", 1, "get_a=2 cancel_a=1")
	check("the other order", "cancel_a=1 cancel_b=1", Same, -1, "", "A", 1, "cancel_b=1 cancel_a=1")
	check("wrong arguments", "get_a=1 cancel_a=2", Wrong, 1, "cancel_a", "A", 1, "get_a=1 cancel_a=1")
	check("a write on nothing to write", "get_a=1 cancel_a=1", Extra, 1, "", "A", 1, "get_a=1")
	check("another kind of write", "cancel_a=1 book_b=1", Extra, 1, "update_c", "A", 1, "cancel_a=1 update_c=1")
	check("twice instead of once", "cancel_a=1 cancel_a=1", Extra, 1, "", "A", 1, "cancel_a=1")
	check("it stopped", "get_a=1", Missing, -1, "cancel_a", "A", 1, "get_a=1 cancel_a=1 update_c=1")
	check("a failed write did nothing", "cancel_a=2! cancel_a=1", Same, -1, "", "A", 1, "cancel_a=1")
	check("a success's failed write is none", "", Same, -1, "", "A", 1, "cancel_a=2!")
	check("one witness is enough", "cancel_a=1 book_b=1", Same, -1, "", "B", 1, "cancel_a=1", "cancel_a=1 book_b=1")
	check("the last witness leaves", "cancel_a=1 book_b=1 send_c=1", Extra, 2, "update_d", "B", 1, "cancel_a=1", "cancel_a=1 book_b=1 update_d=1")
	check("both leave at once, the first with that name speaks", "cancel_a=1 book_b=2", Wrong, 1, "book_b", "B", 2, "cancel_a=1 update_d=1", "cancel_a=1 book_b=1")
	check("the nearest tells what is missing", "cancel_a=1", Missing, -1, "book_b", "B", 2, "cancel_a=1 update_d=1 update_e=1", "cancel_a=1 book_b=1")
}

// TestDecisiveIgnores checks that, if a reference step ignores an argument, an action
// with any value of that argument agrees with the step.
func TestDecisiveIgnores(t *testing.T) {
	ref := parseRun(t, "cancel_a=1")
	ref[0].Terms = &similarity.Terms{Key: "ignore", Ignore: arguments.MustPlaces("id")}
	if f := findDecisive(parseRun(t, "cancel_a=7"), []Witness{{"reference", ref}}); f.Kind != Same {
		t.Errorf("%+v", f)
	}
	if f := findDecisive(parseRun(t, "cancel_b=7"), []Witness{{"reference", ref}}); f.Kind != Extra {
		t.Errorf("%+v", f)
	}
}

// TestDecisiveLeavesWitnesses checks that findDecisive does not change the witnesses.
func TestDecisiveLeavesWitnesses(t *testing.T) {
	w := []Witness{{"A", parseRun(t, "cancel_a=1 cancel_b=1")}}
	first := findDecisive(parseRun(t, "cancel_a=1"), w)
	if again := findDecisive(parseRun(t, "cancel_a=1"), w); again.Kind != first.Kind || again.Instead != first.Instead {
		t.Errorf("%+v, then %+v", first, again)
	}
}
