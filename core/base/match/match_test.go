package match

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	boundpath "github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

func parse(t testing.TB, text string) jsonval.Value {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func read(t testing.TB, text string) *Matcher {
	t.Helper()
	m, err := Read(parse(t, text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

// TestIs has each test of the language with values that fit, do not fit, and may be read
// either way.
func TestIs(t *testing.T) {
	for _, c := range []struct{ matcher, yes, unknown, no string }{
		{`{"equals":5}`, `[5,5.0,50e-1]`, `[[5]]`, `[6,"5",null,{"a":6}]`},
		{`{"oneOf":["a",true]}`, `["a",true]`, `[["a"],["a","b"]]`, `["b","A",[]]`},
		{`{"any":true}`, `[1,"",false]`, `[]`, `[null,[],{}]`},
		{`{"equals":50,"within":0.01}`, `[50,50.01,49.99]`, `["50"]`, `[50.0100001,49]`},
		{`{"equals":200,"within":"1%"}`, `[200,202,198]`, `[null]`, `[202.001]`},
		{`{"equals":-200,"within":"1%"}`, `[-200,-202]`, `[]`, `[200]`},
		{`{"min":1,"max":50}`, `[1,50,9.5]`, `["9",null,true,[1,51],[0,51]]`, `[0,50.000000001,-3,[-1]]`},
		{`{"max":9007199254740992}`, `[9007199254740992]`, `[1e999]`, `[9007199254740993]`},
		{`{"matches":"^W-\\d+$"}`, `["W-1"]`, `[["W-1","x"]]`, `["xW-1",1,null,true]`},
		{`{"contains":"late"}`, `["too late",["late"],["a","late"],[["late"]]]`, `[["a",{"b":"late"}]]`, `["Late",["x"],3]`},
		{`{"contains":3}`, `[[1,3.0]]`, `[]`, `["3",3]`},
		{`{"prefix":"W-"}`, `["W-1"]`, `[]`, `["w-1",null]`},
		{`{"under":"/srv/data"}`, `["/srv/data","/srv/data/","/srv/./x/../data/a"]`, `[["/srv/data/a","/etc"],"srv/data/a","/srv/data/~root","/srv/data/$HOME","/../srv/data","/SRV/data","/etc /srv/data","/proc/self/root/srv/data"]`, `["/srv/database","/srv/data/../../etc","/backup/srv/data","/my files/a",["/etc"],null]`},
		{`{"host":["example.com","*.example.org"]}`, `["https://example.com/a","HTTP://EXAMPLE.com:80","https://a.example.org?x=1"]`,
			`["https://example.com@evil.net/","ftp://example.com","example.com","https://example.com\\@evil.net"," https://example.com","https://a.example.org.","https://ex%61mple.com","http://127.0.0.1","/page","https://evil.net https://example.com"]`,
			`["https://evil.net/example.com","https://example.org","https://evil.net#example.com","https://example.com.evil.net","evil.net","//evil.net/a","https://evil.net/?q=a b"]`},
		{`{"type":"whole"}`, `[1,1.0,-7,1e3]`, `[]`, `[1.5,"1"]`},
		{`{"type":"list"}`, `[[]]`, `[]`, `[{},"[]"]`},
		{`{"length":{"min":1,"max":2}}`, `["é","ab",[1],{"a":1}]`, `[]`, `["","abc",7,null]`},
		{`{"length":0}`, `["",[],{}]`, `[]`, `["a"]`},
		{`{"setOf":[1,2]}`, `[[1,2],[2,1.0]]`, `[]`, `[[1],[1,2,2],1]`},
		{`{"not":{"max":50}}`, `[51]`, `["51",null]`, `[50]`},
		{`{"not":{"oneOf":["dev"]}}`, `["prod",null]`, `[["dev"]]`, `["dev"]`},
		{`{"not":{"not":{"equals":1}},"type":"number"}`, `[1]`, `[]`, `[2]`},
	} {
		m := read(t, c.matcher)
		for answer, list := range map[Answer]string{Yes: c.yes, Unknown: c.unknown, No: c.no} {
			for _, v := range parse(t, list).Elements() {
				if got := m.Is(v, Context{}); got != answer {
					t.Errorf("%s is %s: %d, want %d", v.Raw(), c.matcher, got, answer)
				}
			}
		}
	}
}

// TestIsOracle compares generated matchers and values with a simple program that uses
// big.Rat, regexp and the standard paths.
func TestIsOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	number := func() string {
		text := fmt.Sprint(r.IntN(30) - 10)
		if r.IntN(2) == 0 {
			text += fmt.Sprintf(".%02d", r.IntN(100))
		}
		if r.IntN(4) == 0 {
			text += fmt.Sprintf("e%d", r.IntN(5)-2)
		}
		return text
	}
	names := []string{"a", "b", "..", ".", "", "c"}
	place := func() string {
		parts := []string{""}
		for range r.IntN(6) {
			parts = append(parts, names[r.IntN(len(names))])
		}
		return strings.Join(parts, "/")
	}
	rat := func(s string) *big.Rat { n, _ := new(big.Rat).SetString(s); return n }
	for range drawn.Cases(20_000) {
		x, a, b := number(), number(), number()
		got := read(t, `{"min":`+a+`,"max":`+b+`}`).Is(parse(t, x), Context{})
		if want := rat(x).Cmp(rat(a)) >= 0 && rat(x).Cmp(rat(b)) <= 0; got != answerOf(want) {
			t.Fatalf("%s in %s to %s: %d", x, a, b, got)
		}
		reach := strings.TrimPrefix(b, "-")
		gap := new(big.Rat).Sub(rat(x), rat(a))
		limit := rat(reach)
		got = read(t, `{"within":"`+reach+`%"}`).Is(parse(t, x), Context{Base: parse(t, a)})
		if want := gap.Abs(gap).Cmp(limit.Mul(limit, rat(a)).Quo(limit.Abs(limit), rat("100"))) <= 0; got != answerOf(want) {
			t.Fatalf("%s within %s%% of %s: %d", x, reach, a, got)
		}
		at, in := place(), place()
		if in == "" || strings.HasPrefix(path.Clean("/x"+in), "/x") == false || at == "" {
			continue
		}
		clean := strings.TrimSuffix(path.Clean("/x"+in), "/")
		here := path.Clean("/x" + at)
		want := (here == clean || strings.HasPrefix(here, clean+"/"))
		if !leaves(in) && !leaves(at) && (want || !strings.HasPrefix(at, "//")) {
			if got := read(t, `{"under":`+jsonval.Quoted(in)+`}`).Is(parse(t, jsonval.Quoted(at)), Context{}); got != answerOf(want) {
				t.Fatalf("%s under %s: %d", at, in, got)
			}
		}
	}
}

// leaves reports whether a path goes above the folder in which it begins.
func leaves(place string) bool {
	depth := 0
	for _, n := range strings.Split(place, "/") {
		switch n {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return true
			}
		default:
			depth++
		}
	}
	return false
}

// TestHostOracle checks that no address fits a host that net/url reads as another one.
func TestHostOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	parts := []string{"http", "https", "://", "//", "example.com", "evil.net", "@", ":", "/", "?", "#", "\\", "%2e", ".", "a.", "80", " ", "\t"}
	m, fits := read(t, `{"host":["example.com","*.example.com"]}`), 0
	for range 60_000 {
		text := []string{"https://", "http://", "", "https:"}[r.IntN(4)]
		for range 1 + r.IntN(5) {
			text += parts[r.IntN(len(parts))]
		}
		if m.Is(parse(t, jsonval.Quoted(text)), Context{}) != Yes {
			continue
		}
		fits++
		u, err := url.Parse(text)
		if err != nil || u.User != nil || u.Hostname() != "example.com" && !strings.HasSuffix(u.Hostname(), ".example.com") {
			t.Fatalf("%q has the host %v, %v", text, u, err)
		}
	}
	if fits < 500 {
		t.Errorf("only %d addresses fit", fits)
	}
}

// TestReadErrors checks that an invalid matcher is refused, and that a misspelt word is
// answered with the nearest one.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"match":"a"}`: `did you mean "matches"`, `{"witin":1}`: `did you mean "within"`, `{"setof":[]}`: `did you mean "setOf"`, `{"lenght":1}`: `did you mean "length"`,
		`{"type":"string"}`: "the types are text", `{"min":"1"}`: "want a number", `{"matches":"(?<=a)"}`: "can follow (?", `{}`: "no test", `{"optional":true}`: "no test", `[]`: "want a matcher",
		`{"any":false}`: "want true", `{"not":{"any":true,"optional":true}}`: "inside not", `{"equals":1,"oneOf":[1]}`: "only one of", `{"length":{"mni":1}}`: `did you mean "min"`,
		`{"min":1,"min":2}`: "twice", `{"host":"a.com/x"}`: "want a name", `{"host":"*"}`: "want a name", `{"sameAs":"get_order"}`: "want a step and a path", `{"within":"-1%"}`: "want a number", `{"oneOf":[]}`: "want a list",
		`{"contains":""}`: "want a text", `{"length":{"min":2,"max":1}}`: "want a whole number", `{"within":1,"oneOf":[1]}`: "only one of", `{"zzzzzz":1}`: "the known members are equals",
	} {
		if _, err := Read(parse(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestWords checks that each word of the language is known to Read, is told in words, and
// is the nearest name to itself with one letter less.
func TestWords(t *testing.T) {
	values := map[string]string{"equals": "1", "oneOf": "[1]", "any": "true", "within": "1", "min": "1", "max": "1", "matches": `"a"`, "contains": `"a"`, "prefix": `"a"`, "under": `"/a"`,
		"host": `"a.com"`, "type": `"list"`, "length": "1", "setOf": "[1]", "sameAs": `"a.b"`, "not": `{"any":true}`, "optional": `true,"any":true`}
	letters := regexp.MustCompile(`[a-zA-Z]`)
	for _, w := range Words {
		if m := read(t, `{"`+w+`":`+values[w]+`}`); !letters.MatchString(m.String()) && w != "equals" {
			t.Errorf("%s says %q", w, m)
		}
		if hint := Hint(w[1:]+"x", []string{w}); len(w) > 5 && !strings.Contains(hint, w) {
			t.Errorf("%s: %q", w, hint)
		}
	}
	if len(values) != len(Words) {
		t.Errorf("%d words, %d in the test", len(Words), len(values))
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"a", `{"a":1,"b":2,"a":3}`, "a=1 a=3"}, {"items.#.id", `{"items":[{"id":1},{"x":0},{"id":[2]}]}`, "items[0].id=1 items[2].id=[2]"},
		{"*", `{"a":{"b":1},"c":2}`, `a={"b":1} c=2`}, {"items[1]", `{"items":[1,2]}`, "items[1]=2"}, {"a.b", `[1]`, ""},
	} {
		p, err := boundpath.CompilePlaces(c.path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range Places(parse(t, c.value), p) {
			got = append(got, at.At+"="+at.Value.Raw())
		}
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s in %s: %q", c.path, c.value, got)
		}
	}
}
