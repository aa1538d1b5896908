package similarity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
)

// flattenLeaves returns leaves as path=value.
func flattenLeaves(leaves []Leaf) string {
	var out []string
	for _, l := range leaves {
		out = append(out, l.Path+"="+l.Value)
	}
	return strings.Join(out, " ")
}

// TestListsOfEntitiesAreSorted checks that lists of entities are sorted, and that
// parallel lists keep their rows.
func TestListsOfEntitiesAreSorted(t *testing.T) {
	check := func(arguments, want string) {
		t.Helper()
		c := newTestCall(t, "f", arguments)
		if got := flattenLeaves(c.Leaves); got != want {
			t.Errorf("%s became %s, want %s", arguments, got, want)
		}
	}
	check(`{"ids":["b","a"]}`, `ids[0]="a" ids[1]="b"`)
	check(`{"steps":["b","a"]}`, `steps[0]="b" steps[1]="a"`)
	check(`{"ids":["b"]}`, `ids[0]="b"`)
	check(`{"ids":["c","a","b"],"limit":3}`, `ids[0]="a" ids[1]="b" ids[2]="c" limit=3e0`)
	check(`{"seats":["B5","B3"]}`, `seats[0]="B3" seats[1]="B5"`)
	check(`{"to":["ben@b.example","ana@a.example"]}`, `to[0]="ana@a.example" to[1]="ben@b.example"`)
	check(`{"route":["B5","B3"]}`, `route[0]="B5" route[1]="B3"`)
	check(`{"words":["b","a 1"]}`, `words[0]="b" words[1]="a 1"`)
	// rows are sorted by the list whose name comes first, ties by the next
	check(`{"a_ids":["y","x"],"b_ids":["1","2"]}`, `a_ids[0]="x" a_ids[1]="y" b_ids[0]=2e0 b_ids[1]=1e0`)
	check(`{"b_ids":["2","1"],"a_ids":["x","x"]}`, `a_ids[0]="x" a_ids[1]="x" b_ids[0]=1e0 b_ids[1]=2e0`)
	// lists of another length form another table
	check(`{"a_ids":["y","x"],"b_ids":["3","2","1"]}`, `a_ids[0]="x" a_ids[1]="y" b_ids[0]=1e0 b_ids[1]=2e0 b_ids[2]=3e0`)
	// a list that holds more than scalars is not sorted
	check(`{"ids":["b",["a"]]}`, `ids[0]="b" ids[1][0]="a"`)
	check(`{"ids":["b",{"x":"a"}]}`, `ids[0]="b" ids[1].x="a"`)
	check(`{"ids":["b",null,"a"]}`, `ids[0]="b" ids[2]="a"`)
	// outer white space does not decide the order
	check(`{"names":[" b","a"]}`, `names[0]="a" names[1]="b"`)
	// a row that replaces a thing by itself is left out
	check(`{"ids":["c","a","b"],"new_ids":["d","a","e"]}`, `ids[0]="b" ids[1]="c" new_ids[0]="e" new_ids[1]="d"`)
	check(`{"oldNames":["x","y"],"newNames":["x","z"]}`, `newNames[0]="z" oldNames[0]="y"`)
	check(`{"ids":["a","b"],"new_ids":["a","b"]}`, `ids[0]="a" ids[1]="b" new_ids[0]="a" new_ids[1]="b"`)
	check(`{"ids":["a","b"],"other_ids":["a","c"]}`, `ids[0]="a" ids[1]="b" other_ids[0]="a" other_ids[1]="c"`)
	check(`{"ids":["a","b"],"new_ids":["a","c"],"member_names":["p","q"]}`, `ids[0]="a" ids[1]="b" member_names[0]="p" member_names[1]="q" new_ids[0]="a" new_ids[1]="c"`)
	// lists inside objects are not sorted
	check(`{"o":{"ids":["b","a"]}}`, `o.ids[0]="b" o.ids[1]="a"`)
}

// TestSortedElementsKeepTheirText checks that sorting a list moves the text of each
// element, which is for display, together with the element's value.
func TestSortedElementsKeepTheirText(t *testing.T) {
	c := newTestCall(t, "f", `{"numbers":[2.50,1.0]}`)
	if len(c.Leaves) != 2 || c.Leaves[0].Raw != "1.0" || c.Leaves[1].Raw != "2.50" {
		t.Errorf("leaves %+v", c.Leaves)
	}
	if c.Raw != `{"numbers":[2.50,1.0]}` {
		t.Errorf("the arguments' own text became %s", c.Raw)
	}
}

func TestNamesEntities(t *testing.T) {
	for _, key := range []string{"ids", "itemIds", "API_KEYS", "emails", "phone_numbers", "usernames", "uuids", "slugs", "names", "users", "members", "labels", "tags"} {
		if !namesEntities(key) {
			t.Errorf("%s names no entities", key)
		}
	}
	for _, key := range []string{"id", "steps", "idsx", ""} {
		if namesEntities(key) {
			t.Errorf("%s names entities", key)
		}
	}
}

// TestLongListsAreComparedElementByElement checks lists of ten elements and more. As
// text, their paths are not in the order of the elements: [10] comes before [2].
func TestLongListsAreComparedElementByElement(t *testing.T) {
	long := func(last int) string {
		var out []string
		for i := range 12 {
			out = append(out, fmt.Sprint(i))
		}
		return `{"steps":[` + strings.Join(append(out, fmt.Sprint(last)), ",") + `]}`
	}
	a, b := newTestCall(t, "f", long(5)), newTestCall(t, "f", long(6))
	if d := Compare(&a, &b, nil); d.Same != 12 || len(d.Changed) != 1 || d.Changed[0].Path != "steps[12]" || len(d.Extra)+len(d.Missing) != 0 {
		t.Errorf("%+v", d)
	}
	for i := 1; i < len(a.Leaves); i++ {
		if a.Leaves[i-1].Path >= a.Leaves[i].Path {
			t.Errorf("%s stands before %s", a.Leaves[i-1].Path, a.Leaves[i].Path)
		}
	}
}

// TestBrokenArgumentsAreOneLeaf checks that arguments that are not a JSON object are one
// leaf.
func TestBrokenArgumentsAreOneLeaf(t *testing.T) {
	a, b := NewCall("f", jsonval.Value{}, " {x ", ""), NewCall("f", jsonval.Value{}, "{x", "")
	if a.Raw != " {x " || len(a.Leaves) != 1 || a.Leaves[0] != (Leaf{Value: `"{x"`, Raw: " {x "}) {
		t.Errorf("%+v", a)
	}
	if a.Key != b.Key || callSimilarity(&a, &b, nil) != 1 {
		t.Error("outer white space tells broken arguments apart")
	}
	if c := NewCall("f", jsonval.Value{}, "{y", ""); callSimilarity(&a, &c, nil) != 0.5 {
		t.Error("broken arguments are all alike")
	}
}

func TestKeysHoldNamesTextsAndPaths(t *testing.T) {
	parsed, _ := jsonval.Parse(`{"a":1}`)
	keys := map[string]string{}
	for name, c := range map[string]Call{
		"a call":            NewCall("f", parsed, "", ""),
		"without arguments": NewCall("f", jsonval.Value{}, "", ""),
		"another name":      NewCall("g", jsonval.Value{}, "", ""),
		"a text":            NewCall("f", jsonval.Value{}, "", "f a"),
		"another text":      NewCall("f", jsonval.Value{}, "", "f b"),
	} {
		if other, ok := keys[c.Key]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[c.Key] = name
	}
}

// TestCallsOfTexts checks that free texts are compared as texts only if both sides are
// texts.
func TestCallsOfTexts(t *testing.T) {
	text := func(name, text string) *Call {
		c := NewCall(name, jsonval.Value{}, "", text)
		return &c
	}
	check := func(a, b *Call, want float64) {
		t.Helper()
		if got := callSimilarity(a, b, nil); got != want {
			t.Errorf("Calls(%s %q, %s %q) = %v, want %v", a.Name, a.Text, b.Name, b.Text, got, want)
		}
	}
	check(text("open", "open door"), text("shut", "shut door"), 0.5)
	check(text("open", "open door"), text("open", "the window"), 0)
	check(text("open", "open door"), text("open", ""), 1)
	check(text("open", ""), text("shut", "shut door"), 0.5)
}

func TestTextCountsWords(t *testing.T) {
	check := func(a, b string, want float64) {
		t.Helper()
		if got := textSimilarity(a, b); got != want {
			t.Errorf("Text(%q, %q) = %v, want %v", a, b, got, want)
		}
		if got := textSimilarity(b, a); got != want {
			t.Errorf("not symmetric: %q, %q", a, b)
		}
	}
	check("a b", "b c", 0.5)
	check("a a a a b b b", "a", 0.8)
	check("go(1)", "GO 1", 1)
	check("drawer 1", "drawer 2", 0.5)
	check("öffne Tür", "ÖFFNE tür!", 1)
	check("...", "!", 1)
	check("...", "a", 0)
}

// TestOverlapIsTheJaccardIndexOfLeaves checks that the overlap counts a changed value on
// both sides, and an extra or missing value once.
func TestOverlapIsTheJaccardIndexOfLeaves(t *testing.T) {
	check := func(obs, ref string, want float64) {
		t.Helper()
		a, b := newTestCall(t, "f", obs), newTestCall(t, "f", ref)
		if got := callSimilarity(&a, &b, nil); got != want {
			t.Errorf("%s against %s: %v, want %v", obs, ref, got, want)
		}
	}
	check(`{"a":1,"b":2,"c":3}`, `{"a":1,"b":2,"c":4}`, 0.75)
	check(`{"a":1,"b":2,"c":3,"d":4}`, `{"a":1}`, 0.625)
	check(`{"a":1}`, `{}`, 0.5)
	check(`{}`, `{"a":1}`, 0.5)
	check(`{"a":1,"z":1}`, `{"m":1,"z":1}`, 0.5+1.0/3/2)
}

// TestAcceptedLists checks that accepted lists of entities are compared as sets, and
// other lists in order.
func TestAcceptedLists(t *testing.T) {
	check := func(key, obs string, want bool) {
		t.Helper()
		ref := newTestCall(t, "f", `{"`+key+`":["z"]}`)
		// not sorted: in the order of the text
		leaves := []Leaf{{"[0]", key, `"b"`, `"b"`}, {"[1]", key, `"a"`, `"a"`}}
		terms := Terms{Key: "k", Accept: []Accepted{{path.MustPlaces(key)[0], [][]Leaf{leaves}}}}
		a := newTestCall(t, "f", obs)
		if d := Compare(&a, &ref, &terms); d.Equal() != want {
			t.Errorf("%s against accepted %s [b a]: %+v", obs, key, d)
		}
	}
	check("ids", `{"ids":["a","b"]}`, true)
	check("ids", `{"ids":["b","a"]}`, true)
	check("ids", `{"ids":["a","a"]}`, false)
	check("ids", `{"ids":["a"]}`, false)
	check("steps", `{"steps":["b","a"]}`, true)
	check("steps", `{"steps":["a","b"]}`, false)
}

// TestSettledArgumentsCount checks that each leaf of an argument with an accepted value
// counts as equal. It also checks that the accepted values of an argument do not affect
// another argument whose name only begins with the same letters.
func TestSettledArgumentsCount(t *testing.T) {
	check := func(obs, ref string, terms Terms, same, extra, missing, changed int) {
		t.Helper()
		terms.Key = "k"
		a, b := newTestCall(t, "f", obs), newTestCall(t, "f", ref)
		d := Compare(&a, &b, &terms)
		if d.Same != same || len(d.Extra) != extra || len(d.Missing) != missing || len(d.Changed) != changed {
			t.Errorf("%s against %s: %+v", obs, ref, d)
		}
	}
	where := func(arguments string) Accepted {
		c := newTestCall(t, "f", arguments)
		for i := range c.Leaves {
			c.Leaves[i].Path = strings.TrimPrefix(c.Leaves[i].Path, "to")
		}
		return Accepted{path.MustPlaces("to")[0], [][]Leaf{c.Leaves, nil}}
	}
	check(`{"to":{"a":1,"b":2}}`, `{"to":"x"}`, Terms{Accept: []Accepted{where(`{"to":{"a":1,"b":2}}`)}}, 2, 0, 0, 0)
	check(`{}`, `{"to":"x"}`, Terms{Accept: []Accepted{where(`{"to":1}`)}}, 1, 0, 0, 0)
	check(`{"to":1,"total":3}`, `{"to":2,"total":4}`, Terms{Accept: []Accepted{where(`{"to":1}`)}}, 1, 0, 0, 1)
	check(`{"to":1}`, `{"to":2}`, Terms{Accept: []Accepted{where(`{"to":1}`)}, Ignore: path.MustPlaces("to")}, 0, 0, 0, 0)
	check(`{"to":1,"x":2}`, `{"to":2,"y":2}`, Terms{Accept: []Accepted{where(`{"to":5}`)}}, 0, 1, 1, 1)
}

func TestTermsIgnore(t *testing.T) {
	check := func(terms *Terms, path string, want bool) {
		t.Helper()
		if got := terms.Ignores(path); got != want {
			t.Errorf("%+v ignores %s: %v, want %v", terms, path, got, want)
		}
	}
	check(nil, "a", false)
	check(&Terms{}, "a", false)
	check(&Terms{Ignore: path.MustPlaces("a")}, "a", true)
	check(&Terms{Ignore: path.MustPlaces("a")}, "a.b", true)
	check(&Terms{Ignore: path.MustPlaces("a")}, "a[0]", true)
	check(&Terms{Ignore: path.MustPlaces("a")}, "ab", false)
	check(&Terms{Ignore: path.MustPlaces("a.b")}, "a", false)
	check(&Terms{Few: true}, "a", true) // an empty compare list compares nothing
	check(&Terms{Few: true, Only: path.MustPlaces("a")}, "a[1]", false)
	check(&Terms{Few: true, Only: path.MustPlaces("a")}, "b", true)
	check(&Terms{Few: true, Only: path.MustPlaces("a"), Ignore: path.MustPlaces("a.x")}, "a.x", true)
	check(&Terms{Only: path.MustPlaces("a")}, "b", false)
	if plain := (*Terms)(nil); !plain.Plain() || !(&Terms{}).Plain() || (&Terms{Key: "k"}).Plain() {
		t.Error("Plain is true for nil and for no key alone")
	}
}
