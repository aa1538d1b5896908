package jsonval

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func mustParse(t *testing.T, text string) Value {
	t.Helper()
	v, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return v
}

func TestEqual(t *testing.T) {
	check := func(a, b string, want bool) {
		t.Helper()
		if got := Equal(mustParse(t, a), mustParse(t, b)); got != want {
			t.Errorf("Equal(%s, %s) = %v, want %v", a, b, got, want)
		}
	}
	check(`5`, `5.0`, true)
	check(`50e-1`, `5`, true)
	check(`-0`, `0.00`, true)
	check(`9007199254740993`, `9007199254740992`, false)
	check(`1e400`, `10e399`, true)
	check(`1e99999999999`, `1e99999999999`, true)
	check(`"5"`, `5`, false)
	check(`{"a":1,"b":[2,3]}`, `{"b":[2.0,3],"a":1}`, true)
	check(`[1,2]`, `[2,1]`, false)
	check(`{"a.b":1}`, `{"a":{"b":1}}`, false)
	check(`"\u0041"`, `"A"`, true)
	check(`null`, `false`, false)
	check(`{"a":1,"a":2}`, `{"a":1}`, true)
}

func TestParseErrorsSayWhere(t *testing.T) {
	check := func(text string, line, column int, part string) {
		t.Helper()
		_, err := Parse(text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Fatalf("Parse(%.20q) = %v, want a SyntaxError", text, err)
		}
		if syntax.Line != line || syntax.Column != column || !strings.Contains(syntax.Msg, part) {
			t.Errorf("Parse(%.20q) = %v, want line %d column %d and %q", text, err, line, column, part)
		}
	}
	check("", 1, 1, "ends inside")
	check("{\n \"a\": }", 2, 7, "invalid character")
	check(`{"a":1`, 1, 7, "cut off")
	check(`{"a":1} x`, 1, 9, "invalid character")
	check(strings.Repeat("[", 5_000_000), 1, MaxDepth+1, "nested more than")
	check(strings.Repeat(`{"a":`, 1000), 1, MaxDepth*5+1, "nested more than")
}

func TestDepthIgnoresBracketsInStrings(t *testing.T) {
	mustParse(t, `["`+strings.Repeat(`[`, 2000)+`", "\"`+strings.Repeat(`{`, 2000)+`\\"]`)
}

func TestLeaves(t *testing.T) {
	v := mustParse(t, `{"b":[{"id":1},{"id":2}],"a.c":"x","e":[],"n":null}`)
	var got []string
	for _, l := range v.Leaves() {
		got = append(got, l.Path+"="+l.Value.Canonical()+"@"+l.Key)
	}
	want := `["a.c"]="x"@a.c b[0].id=1e0@id b[1].id=2e0@id e=[]@e n=null@n`
	if s := strings.Join(got, " "); s != want {
		t.Errorf("leaves = %s, want %s", s, want)
	}
}

func TestWalking(t *testing.T) {
	v := mustParse(t, ` {"a":{"b":[1,"x",true,null]},"a.b":7}`)
	if got := v.At("a", "b").Len(); got != 4 {
		t.Errorf("Len = %d, want 4", got)
	}
	if n, ok := v.Get("a.b").Int(); n != 7 || !ok {
		t.Errorf("Get(a.b) = %d %v", n, ok)
	}
	if v.Get("nope").Exists() || v.Get("nope").Kind() != Missing {
		t.Error("a missing member exists")
	}
	kinds := ""
	for _, e := range v.At("a", "b").Elements() {
		kinds += e.Kind().String() + " "
	}
	if kinds != "number string boolean null " {
		t.Errorf("kinds = %q", kinds)
	}
	if _, ok := mustParse(t, `1.5`).Int(); ok {
		t.Error("1.5 is an integer")
	}
	if got := strings.Join(v.Keys(), " "); got != "a a.b" {
		t.Errorf("Keys = %q", got)
	}
}

func TestSanitize(t *testing.T) {
	if s, at := Sanitize("ok \uFFFD"); at != -1 || s != "ok \uFFFD" {
		t.Errorf("valid text changed: %q %d", s, at)
	}
	if s, at := Sanitize("a\xff\xfeb"); at != 1 || s != "a\uFFFDb" {
		t.Errorf("Sanitize = %q %d", s, at)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.50,"x"]}`, `[[[]]]`, `"\ud800"`, `1e5`, "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Parse(text)
		if err != nil {
			return
		}
		c := v.Canonical()
		again, err := Parse(text)
		if err != nil || again.Canonical() != c {
			t.Fatalf("canonical text is not stable for %q", text)
		}
		v.Leaves()
	})
}

// TestLongStrings parses lists of long strings of which some repeat an earlier one, whole, cut
// off or with one byte changed, and compares the answer with encoding/json.
func TestLongStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	parts := []string{"a", "policy ", `\"`, `\\`, `\n`, `\u00e9`, "},{", `":`, "    "}
	for range drawn.Cases(2_000) {
		var list []string
		for range 1 + r.IntN(6) {
			if len(list) > 0 && r.IntN(3) > 0 {
				again := list[r.IntN(len(list))]
				switch at := r.IntN(len(again)); r.IntN(4) {
				case 0:
					again = again[:at] + string(rune(r.IntN(128))) + again[at+1:]
				case 1:
					again = again[:at] + `"`
				}
				list = append(list, again)
				continue
			}
			var b strings.Builder
			for b.WriteByte('"'); b.Len() < 300+r.IntN(900); {
				b.WriteString(parts[r.IntN(len(parts))])
			}
			list = append(list, b.String()+`"`)
		}
		text := "[" + strings.Join(list, ", ") + "]"
		var want []string
		wrong := json.Unmarshal([]byte(text), &want)
		v, err := Parse(text)
		if (err != nil) != (wrong != nil) {
			t.Fatalf("%s: %v, want %v", text, err, wrong)
		}
		for i, e := range v.Elements() {
			if e.Text() != want[i] {
				t.Fatalf("%s: element %d is %q, want %q", text, i, e.Text(), want[i])
			}
		}
	}
}

// TestNames reads members whose names have quotes and backslashes, and compares the names with
// those of encoding/json.
func TestNames(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	parts := []string{"a", "name", `\"`, `\\`, `\u0022`, ":", " ", "{", ","}
	for range drawn.Cases(5_000) {
		var b strings.Builder
		b.WriteString(`{"`)
		for range r.IntN(5) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		b.WriteString([]string{`":`, `" : `, "\"\n:\t"}[r.IntN(3)] + []string{`1`, `"x"`, `{"\"":[]}`}[r.IntN(3)] + "}")
		var want map[string]any
		if err := json.Unmarshal([]byte(b.String()), &want); err != nil {
			t.Fatal(err)
		}
		mustParse(t, b.String()).Each(func(name string, _ Value) bool {
			if _, ok := want[name]; !ok {
				t.Errorf("%s: the name is %q, want that of %v", b.String(), name, want)
			}
			return true
		})
	}
}

// TestParseOfNoJSONIsCheap checks that Parse searches the place of an error only when it is
// asked for.
func TestParseOfNoJSONIsCheap(t *testing.T) {
	text := "order W-1 is cancelled"
	if n := testing.AllocsPerRun(100, func() { _, _ = Parse(text) }); n > 3 {
		t.Errorf("%v allocations for a text that is not JSON, want at most 3", n)
	}
}
