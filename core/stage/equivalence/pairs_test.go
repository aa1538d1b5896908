package equivalence

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestAWriteInThePlaceOfALook checks tools whose calls read or write, depending on their
// arguments. A write in the place of a read or of a control action must be wrong. A read
// in the place of another read must be excused.
func TestAWriteInThePlaceOfALook(t *testing.T) {
	query := func(v mutation.Verdict, arguments string) boundary.Action {
		a := parseCalls(t, "q"+arguments)[0]
		a.Mutation = v
		return a
	}
	look, thought, write := mutation.Verdict{Mutating: mutation.No}, mutation.Verdict{Mutating: mutation.No, Control: true}, mutation.Verdict{Mutating: mutation.Yes}
	check := func(name string, obs, ref boundary.Action, want string) {
		t.Helper()
		c := boundary.Case{Obs: []boundary.Action{obs}, Ref: []boundary.Action{ref}, Steps: parseAlignment("~")}
		if got := verdictWords(Judge(&c)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("a look for a look", query(look, `{"id":"b"}`), query(look, `{"id":"a"}`), "excused")
	check("a write for a look", query(write, `{"id":"b"}`), query(look, `{"id":"a"}`), "wrong")
	check("a write for a look, with more", query(write, `{"id":"a","x":1}`), query(look, `{"id":"a"}`), "wrong")
	check("a look for a write", query(look, `{"id":"b"}`), query(write, `{"id":"a"}`), "wrong")
	check("a write for a thought", query(write, `{"id":"b"}`), query(thought, `{"id":"a"}`), "wrong")
	check("a thought for a thought", query(thought, `{"id":"b"}`), query(thought, `{"id":"a"}`), "excused")

	// a read is not a near pair of a write
	anchor := parseCalls(t, `r{"id":"z"}`)[0]
	c := boundary.Case{Obs: []boundary.Action{anchor, query(write, `{"id":"a","x":1}`)}, Ref: []boundary.Action{query(look, `{"id":"a"}`), anchor}, Steps: parseAlignment("-=+")}
	if got := verdictWords(Judge(&c)); got != "note correct extra" {
		t.Errorf("apart: %s", got)
	}
}

// TestTextsThatDoNotMatch checks that free texts count as different actions if the
// alignment does not match them.
func TestTextsThatDoNotMatch(t *testing.T) {
	text := func(s string) []boundary.Action {
		return []boundary.Action{{Call: similarity.NewCall("take", jsonval.Value{}, "", s), Mutation: mutation.Verdict{Mutating: mutation.Yes}}}
	}
	c := boundary.Case{Obs: text("take apple 1"), Ref: text("take knife 2"), Steps: parseAlignment("~"), Seen: func(int) string { return "an apple" }}
	if got := verdictWords(Judge(&c)); got != "wrong" {
		t.Errorf("two texts: %s", got)
	}
	c.Steps = parseAlignment("=")
	if got := verdictWords(Judge(&c)); got != "correct" {
		t.Errorf("two texts that match: %s", got)
	}
}

// TestWritesWithoutAnEntityKeepTheirOrder checks that two writes must keep their order if
// one of them names no entity, because that write may concern any entity.
func TestWritesWithoutAnEntityKeepTheirOrder(t *testing.T) {
	c := boundary.Case{Profile: boundary.SOP, Obs: parseCalls(t, `w{"x":1}`, `w{"id":"a"}`), Ref: parseCalls(t, `w{"id":"a"}`, `w{"x":1}`), Steps: parseAlignment("-=+")}
	if got := verdictWords(Judge(&c)); got != "excused late excused" {
		t.Errorf("got %s", got)
	}
}

// TestOtherDeedsAreNotExcused checks pairs of names that look alike: what can be taken back and
// what cannot, what empties a thing and what removes it, and what puts a thing into a place and
// what makes it. Each is no other name for the other, in both directions.
func TestOtherDeedsAreNotExcused(t *testing.T) {
	for _, pair := range [][3]string{
		{"delete_message", "purge_message", `{"message_id":"M-1"}`}, {"trash_message", "delete_message", `{"message_id":"M-1"}`}, {"purge_message", "trash_message", `{"message_id":"M-1"}`},
		{"wipe_device", "delete_device", `{"device_id":"D-1"}`}, {"empty_trash", "delete_trash", `{"folder":"x1"}`}, {"trash_file", "remove_file", `{"path":"/a"}`},
		{"remove_user_from_group", "delete_user", `{"user_id":"U-1"}`}, {"remove_user_from_group", "delete_user", `{"user_id":"U-1","group_id":"G-1"}`}, {"remove_user_from_group", "remove_user", `{"user_id":"U-1"}`},
		{"add_user_to_group", "create_user", `{"user_id":"U-1"}`}, {"add_user_to_group", "create_user", `{"user_id":"U-1","group":"G-1"}`}, {"add_user_to_group", "add_user", `{"user_id":"U-1"}`},
		{"add_card_to_wallet", "create_card", `{"card_id":"C-1"}`}, {"remove_file_from_index", "delete_file", `{"path":"/a"}`}, {"remove_track_from_playlist", "delete_track", `{"track_id":"T-1"}`},
		{"unlink_account", "delete_account", `{"account_id":"A-1"}`}, {"delete_user_from_group", "delete_user", `{"user_id":"U-1"}`}, {"clear_calendar", "delete_calendar", `{"calendar_id":"A-1"}`},
	} {
		a, b := namedCall(t, pair[0], pair[2]), namedCall(t, pair[1], pair[2])
		if rule, back := Kin(&a, &b), Kin(&b, &a); rule != "" || back != "" {
			t.Errorf("%s and %s are one deed by %q and %q", pair[0], pair[1], rule, back)
		}
	}
	for _, pair := range [][3]string{
		{"remove_item_from_cart", "delete_item", `{"item_id":"I-1"}`}, {"remove_from_cart", "delete_cart_item", `{"item_id":"I-1"}`}, {"remove_track_from_playlist", "delete_playlist_track", `{"track_id":"T-1","playlist_id":"P-1"}`},
		{"add_member_to_team", "add_member", `{"member_id":"U-1","team_id":"T-1"}`}, {"discard_draft", "delete_draft", `{"draft_id":"A-1"}`}, {"remove_label_from_issue", "delete_issue_label", `{"label":"bug"}`},
	} {
		a, b := namedCall(t, pair[0], pair[2]), namedCall(t, pair[1], pair[2])
		if Kin(&a, &b) == "" || Kin(&b, &a) == "" {
			t.Errorf("%s and %s are two deeds", pair[0], pair[1])
		}
	}
}

// namedCall returns a call that changes something.
func namedCall(t *testing.T, name, arguments string) boundary.Action {
	t.Helper()
	v, err := jsonval.Parse(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return boundary.Action{Call: similarity.NewCall(name, v, "", ""), Mutation: mutation.Verdict{Mutating: mutation.Yes}}
}
