package align

import (
	"encoding/json"
	"testing"
)

func TestOp(t *testing.T) {
	want := `[{"op":"match","obs":0,"ref":0,"similarity":1},` +
		`{"op":"substitution","obs":1,"ref":1,"similarity":0.5},` +
		`{"op":"deletion","obs":-1,"ref":2,"similarity":0},` +
		`{"op":"insertion","obs":2,"ref":-1,"similarity":0}]`
	a, err := Align(problemFromWords("a p:1 b", "a p:2 c"), Params{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(a.Steps)
	if err != nil || string(got) != want {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
	if got := Op(9).String(); got != "op(9)" {
		t.Errorf("got %q", got)
	}
	if _, err := Op(9).MarshalText(); err == nil {
		t.Error("no error for an unknown op")
	}
}
