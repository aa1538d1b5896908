package score

import (
	"fmt"
	"testing"
)

// TestTakingOutIsNotDestroying checks that a name which takes something out of a place, or
// puts it there, is no other name for destroying or making the thing, unless the other call
// names the place, too.
func TestTakingOutIsNotDestroying(t *testing.T) {
	for _, c := range []struct {
		run, reference string
		same           bool
	}{
		{`remove_patient_from_study(id=1, study="s")`, `delete_patient(id=1)`, false},
		{`delete_patient(id=1)`, `remove_patient_from_study(id=1, study="s")`, false},
		{`delete_user(id="u1")`, `remove_user_from_group(id="u1", group="g")`, false},
		{`remove_card_from_wallet(card="c1")`, `delete_card(card="c1")`, false},
		{`add_user_to_group(user="u1")`, `create_user(user="u1")`, false},
		{`delete_from_playlist(song_id=7)`, `delete_song(song_id=7)`, false},
		{`remove_from_cart(item_id=7)`, `delete_item(item_id=7)`, true}, // the paper's own example
		{`append_file(path="a", text="b")`, `write_file(path="a", text="b")`, false},
		{`remove_from_cart(item_id=7)`, `delete_cart_item(item_id=7)`, true},
		{`delete_item(item_id=7, cart_id="k")`, `remove_item_from_cart(item_id=7, cart_id="k")`, true},
		{`remove_item(item_id=7)`, `remove_item_from_cart(item_id=7)`, true},
	} {
		request, err := ReadRequest(fmt.Appendf(nil, `{"trace":%q,"reference":%q,"profile":"outcome"}`, c.run, c.reference))
		if err != nil {
			t.Fatal(err)
		}
		report, err := Evaluate(request)
		if err != nil {
			t.Fatal(err)
		}
		if run := &report.Trajectories[0]; run.Flagged == c.same {
			t.Errorf("%s for %s: flagged %v: %v", c.run, c.reference, run.Flagged, run.Violations)
		}
	}
}
