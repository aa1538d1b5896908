package similarity

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

func newTestCall(t *testing.T, name, arguments string) Call {
	t.Helper()
	v, err := jsonval.Parse(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return NewCall(name, v, "", "")
}

func TestCalls(t *testing.T) {
	check := func(a, b, c, d string, want float64) {
		t.Helper()
		x, y := newTestCall(t, a, b), newTestCall(t, c, d)
		if got := callSimilarity(&x, &y, nil); got != want {
			t.Errorf("Calls(%s %s, %s %s) = %v, want %v", a, b, c, d, got, want)
		}
		if got := callSimilarity(&y, &x, nil); got != want {
			t.Errorf("not symmetric: %s %s, %s %s", a, b, c, d)
		}
	}
	check("f", `{}`, "f", `{}`, 1)
	check("f", `{"a":1,"b":2}`, "f", `{"b":2.0,"a":1}`, 1)
	check("f", `{"a":1}`, "f", `{"a":2}`, 0.5)
	check("f", `{"a":1,"b":2}`, "f", `{"a":1}`, 0.75)
	check("f", `{"a":1,"b":null}`, "f", `{"a":1}`, 1)
	check("f", `{"a":" x "}`, "f", `{"a":"x"}`, 1)
	check("f", `{"a":{"b":[1,2]}}`, "f", `{"a":{"b":[1,3]}}`, 0.5+1.0/3/2)
	check("f", `{"a":1}`, "g", `{"a":1}`, 0.5) // calls with different names never pass 0.85
	check("f", `{"a":[]}`, "f", `{"a":{}}`, 0.5)
}

func TestTerms(t *testing.T) {
	check := func(obs, ref string, terms Terms, want bool) {
		t.Helper()
		terms.Key = "some"
		a, b := newTestCall(t, "f", obs), newTestCall(t, "f", ref)
		if d := Compare(&a, &b, &terms); d.Equal() != want {
			t.Errorf("%s against %s under %+v: %+v", obs, ref, terms, d)
		}
	}
	check(`{"id":1,"note":{"text":"a"},"notes":2}`, `{"id":1,"notes":2}`, Terms{Ignore: path.MustPlaces("note")}, true)
	check(`{"id":1,"note":{"text":"a"},"notes":2}`, `{"id":1,"notes":2}`, Terms{Ignore: path.MustPlaces("not")}, false)
	check(`{"id":1,"x":2}`, `{"id":1,"x":3,"y":4}`, Terms{Only: path.MustPlaces("id"), Few: true}, true)
	check(`{"id":2,"x":2}`, `{"id":1,"x":2}`, Terms{Only: path.MustPlaces("id"), Few: true}, false)
	check(`{"id":2}`, `{"id":1}`, Terms{Few: true}, true)

	value := func(text string) []Leaf {
		c := newTestCall(t, "f", `{"why":`+text+`}`)
		for i := range c.Leaves {
			c.Leaves[i].Path = strings.TrimPrefix(c.Leaves[i].Path, "why")
		}
		return c.Leaves
	}
	either := Terms{Accept: []Accepted{{path.MustPlaces("why")[0], [][]Leaf{value(`"late"`), value(`5`), nil}}}}
	check(`{"id":1,"why":"late"}`, `{"id":1,"why":"broken"}`, either, true)
	check(`{"id":1,"why":5.0}`, `{"id":1,"why":"broken"}`, either, true)
	check(`{"id":1}`, `{"id":1,"why":"broken"}`, either, true)
	check(`{"id":1,"why":"broken"}`, `{"id":1,"why":"broken"}`, either, true)
	check(`{"id":1,"why":"lost"}`, `{"id":1,"why":"broken"}`, either, false)
	check(`{"id":2,"why":"late"}`, `{"id":1,"why":"broken"}`, either, false)
}

func TestCompareSaysWhere(t *testing.T) {
	obs, ref := newTestCall(t, "f", `{"a":1,"c":5.0,"d":"x"}`), newTestCall(t, "f", `{"a":2,"b":3,"d":"x"}`)
	d := Compare(&obs, &ref, nil)
	if d.Same != 1 || len(d.Changed) != 1 || d.Changed[0] != (Pair{Path: "a", Key: "a", Observed: "1", Reference: "2"}) ||
		len(d.Missing) != 1 || d.Missing[0].Path != "b" || len(d.Extra) != 1 || d.Extra[0].Raw != "5.0" {
		t.Errorf("Compare = %+v", d)
	}
}

func TestKeysTellCallsApart(t *testing.T) {
	a, b := newTestCall(t, "f", `{"x":1}`), newTestCall(t, "f", `{"x":1.0}`)
	if a.Key != b.Key {
		t.Error("equal calls have two keys")
	}
	for _, other := range []Call{newTestCall(t, "f", `{"x":"01"}`), newTestCall(t, "g", `{"x":1}`), newTestCall(t, "f", `{"y":1}`), NewCall("f", jsonval.Value{}, "{x", "")} {
		if other.Key == a.Key {
			t.Errorf("%+v has the key of another call", other)
		}
	}
}

func TestText(t *testing.T) {
	if got := textSimilarity("open the drawer 1", "Open the drawer, 1"); got < 0.999999 || got > 1 {
		t.Errorf("same words: %v", got)
	}
	if got := textSimilarity("open drawer", "close cabinet"); got != 0 {
		t.Errorf("no common word: %v", got)
	}
	if got := textSimilarity("", ""); got != 1 {
		t.Errorf("two empty texts: %v", got)
	}
	if got := textSimilarity("take apple", ""); got != 0 {
		t.Errorf("one empty text: %v", got)
	}
}

// TestMail checks which texts isMailAddress accepts: only a single email address. It also
// checks that letter case is ignored in email addresses and in no other text.
func TestMail(t *testing.T) {
	for text, want := range map[string]bool{"Ada@X.example": true, "git@Host.example:A/b.git": false, "@Ada.x": false, "a@b": false, "Ada: a@x.example": false, "a@b@c.d": false, "": false} {
		if isMailAddress(text) != want {
			t.Errorf("%q: %t, want %t", text, !want, want)
		}
	}
}
