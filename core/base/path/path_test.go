package path

import (
	"errors"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/tidwall/gjson"
)

func mustParse(t testing.TB, text string) jsonval.Value {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const order = `{"id":"W-7","items":[{"id":1,"tags":["a","b"]},{"id":2,"tags":[]}],"a.b":{"0":"zero"},"":{"x":[5]},"créé":true,"#":3}`

func TestGet(t *testing.T) {
	v := mustParse(t, order)
	check := func(text, want string) {
		t.Helper()
		p, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		if got := p.Get(v).Raw(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if p.String() != text {
			t.Errorf("String: %q, want %q", p, text)
		}
	}
	check("id", `"W-7"`)
	check("items.0.id", `1`)
	check("items[1].id", `2`)
	check("items[1].tags", `[]`)
	check("items[2].id", ``)
	check("items[99999999999999999999].id", ``)
	check("items.#.id", `[1,2]`)
	check("items.#", `2`)
	check("items[0].tags.#", `2`)
	check(`items.#(id==2).tags`, `[]`)
	check(`items.#(id>0)#.id`, `[1,2]`)
	check(`a\.b.0`, `"zero"`)
	check(`["a.b"]["0"]`, `"zero"`)
	check(`["a.b"][0]`, ``)
	check(`[""].x[0]`, `5`)
	check(`cr*`, `true`)
	check(`cr??`, `true`)
	check(`\#`, `3`)
	check("items|0|id", `1`)
	check("@this", order)
	check("items.@reverse.0.id", `2`)
	check(`{id,"n":items.#}`, `{"id":"W-7","n":2}`)
	check(`[id,items.0.id]`, `["W-7",1]`)
	check(`items[0].@keys`, `["id","tags"]`)
	check("nowhere.id", ``)
	check("id.length", ``)
	if p, _ := Compile("id"); p.Get(jsonval.Value{}).Exists() {
		t.Error("a missing value has a member")
	}
}

// TestErrors checks that Compile returns an error for invalid paths, although gjson
// accepts these paths without an error.
func TestErrors(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		_, err := Compile(text)
		var e *Error
		if err == nil || !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		gjson.Get(order, text)
	}
	check("", "the path is empty")
	check("a..b", `invalid path "a..b" at character 3: a name is missing before the dot`)
	check(".a", "character 1: a name is missing")
	check("é.", "character 3: a name is missing at the end")
	check("a|", "character 3: a name is missing at the end")
	check(`a\`, `character 2: a character is missing after \`)
	check("a.#x", `character 4: write a dot after #`)
	check("a.#(", "character 4: the bracket is not closed")
	check("a.#()", `character 3: the query is empty`)
	check(`a.#(b=="x).c`, `character 8: the string has no closing "`)
	check("a[", "character 2: the bracket is not closed")
	check("a[x]", `write [0] for an element, ["name"] for a member`)
	check("a[01]", `write [0] for an element`)
	check("a[]", `# for every element`)
	check("a[0]b", "character 5: want a dot before the next name")
	check("{a", "character 1: the bracket is not closed")
	check("a.@nothing", "character 3: unknown modifier @nothing")
	check("@", "unknown modifier @")
}

func TestPlaces(t *testing.T) {
	check := func(text, place, want string) {
		t.Helper()
		p, err := CompilePlaces(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return
		}
		covered, ok := p.Covers(place)
		if covered != want || ok != (want != "") {
			t.Errorf("%s covers %q of %s, want %q", text, covered, place, want)
		}
		if p.One() != (p.Place() != "") {
			t.Errorf("%s: One is %t, Place %q", text, p.One(), p.Place())
		}
	}
	check("a", "a", "a")
	check("a", "a.b[0]", "a")
	check("a", "ab", "")
	check("a.b", "a", "")
	check("items.#.id", "items[12].id", "items[12].id")
	check("items.#.id", "items[12].id.x", "items[12].id")
	check("items.#.id", "items.x.id", "")
	check("items.#", "items[1].id", "items[1]")
	check("items[1].id", "items[1].id", "items[1].id")
	check("items[1].id", "items[10].id", "")
	check("items.1.id", "items[1].id", "items[1].id")
	check("items.1.id", "items.1.id", "items.1.id")
	check(`items["1"].id`, "items[1].id", "")
	check("*_at", "created_at", "created_at")
	check("*_at", "created_at.x", "created_at")
	check("*", "items[0].id", "items")
	check("*.b", `["a.x"].b`, `["a.x"].b`)
	check(`a\.x.b`, `["a.x"].b`, `["a.x"].b`)
	check(`\*`, "*", "*")
	check(`a\*?`, "a*b", "a*b")
	check(`a\*?`, "axb", "")
	check("?", "é", "é")
	check("#", "a", "")
	check("a", "", "")
	for _, text := range []string{`a.#(b==1).c`, "a|b", "@this", "{a,b}", "[a,b]"} {
		if _, err := CompilePlaces(text); err == nil || !strings.Contains(err.Error(), "are allowed here") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if MustPlaces("a", "*")[1].Wild() != true || MustPlaces("a.#")[0].Wild() {
		t.Error("Wild is for * and ? alone")
	}
}

// FuzzPath checks that Compile returns an error with a valid position or a path that can
// be used. It also checks that the path that Literal returns for a place covers this
// place.
func FuzzPath(f *testing.F) {
	for _, p := range []string{"a.b", "items.#.id", `a[0]["b.c"]`, `#(a=="b")#.c`, "@this|a", `{a,b}.c`, `\.`, "*?", "!1", `[""]`, "a.#.#"} {
		f.Add(p, order)
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		v, err := jsonval.Parse(value)
		if err != nil || len(value) > 1<<12 || len(text) > 1<<8 {
			t.Skip()
		}
		if p, err := Compile(text); err == nil {
			if got := p.Get(v); got.Exists() && !jsonval.Valid(got.Raw()) {
				t.Fatalf("%q of %s: %q", text, value, got.Raw())
			}
			p.Covers(text)
		} else if e := new(Error); !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || e.Error() == "" {
			t.Fatalf("%q: %v", text, err)
		}
		seen := map[string]bool{}
		for _, l := range v.Leaves() {
			if l.Path == "" || seen[l.Path] {
				continue
			}
			seen[l.Path] = true
			p, err := CompilePlaces(Literal(l.Path))
			if err != nil {
				t.Fatalf("place %q of %s: %v", l.Path, value, err)
			}
			if covered, ok := p.Covers(l.Path); !ok || covered != l.Path {
				t.Fatalf("%q covers %q of %q", p, covered, l.Path)
			}
		}
	})
}

func TestEscape(t *testing.T) {
	for _, name := range []string{"a", "a.b", "*", "?x", "#", "@this", `back\slash`, "{x", "[0]", "é", "!", "a|b"} {
		p, err := CompilePlaces(Escape(name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		v := mustParse(t, "{"+jsonval.Quoted(name)+":[1]}")
		if got := p.Get(v).Raw(); got != "[1]" {
			t.Errorf("Get of %s: %q", name, got)
		}
		if covered, ok := p.Covers(v.Leaves()[0].Path); !ok || covered+"[0]" != v.Leaves()[0].Path {
			t.Errorf("Covers of %s: %q", name, covered)
		}
		if deep, err := Compile(Escape(name) + ".#"); err != nil || deep.Get(v).Raw() != "1" {
			t.Errorf("gjson's reading of %s: %q", name, deep.Get(v).Raw())
		}
	}
}

func TestLiteral(t *testing.T) {
	for place, want := range map[string]string{
		"a": "a", "a.b[0]": "a.b[0]", `["a.b"][1]`: `["a.b"][1]`, "@type": `["@type"]`, "a.*": `a["*"]`, "a.1": `a["1"]`, `["#"].x`: `["#"].x`, "#.x[2]": `["#"].x[2]`, `back\slash`: `["back\\slash"]`,
	} {
		if got := Literal(place); got != want {
			t.Errorf("%s: %s, want %s", place, got, want)
		}
	}
}
