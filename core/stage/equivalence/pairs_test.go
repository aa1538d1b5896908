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
	if got := verdictWords(Judge(&c)); got != "excused correct late" {
		t.Errorf("got %s", got)
	}
}
