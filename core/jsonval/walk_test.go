package jsonval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// agree holds Parse and the walk to gjson and to encoding/json: the verdict, the
// values in their order with duplicates, their own text, place and content.
func agree(t *testing.T, text string) {
	t.Helper()
	v, err := Parse(text)
	if tooDeep(text) >= 0 {
		if err == nil {
			t.Fatalf("%.80q: nested too deep, and parsed", text)
		}
		return
	}
	if valid := gjson.Valid(text); valid != (err == nil) || valid != json.Valid([]byte(text)) {
		t.Fatalf("%q: error %v; gjson.Valid %v, json.Valid %v", text, err, valid, json.Valid([]byte(text)))
	}
	if err != nil {
		return
	}
	if n := len(v.d.tape); n > len(text) {
		t.Fatalf("%q: %d entries for %d bytes", text, n, len(text))
	}
	same(t, v, gjson.Parse(text))
	if utf8.ValidString(text) {
		if got, want := tokens(nil, v), standard(t, text); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q: walked as %q, encoding/json says %q", text, got, want)
		}
	}
}

// surrogates that are alone eat what follows them in gjson.
var surrogates = regexp.MustCompile(`(?i)\\ud[89a-f]`)

// same compares a value with gjson's, and what it holds. gjson leaves the white
// space after an outermost array or object on it.
func same(t *testing.T, v Value, g gjson.Result) {
	t.Helper()
	if v.Raw() != strings.TrimRight(g.Raw, " \t\r\n") || v.Offset() != g.Index || v.Kind() != kindOf(g) {
		t.Fatalf("%s %q at %d, gjson has %s %q at %d", v.Kind(), v.Raw(), v.Offset(), kindOf(g), g.Raw, g.Index)
	}
	if s, ok := v.Str(); ok != (g.Type == gjson.String) || s != g.Str && !surrogates.MatchString(v.Raw()) {
		t.Fatalf("%q holds %q, gjson says %q", v.Raw(), s, g.Str)
	}
	if f, ok := v.Float(); ok != (g.Type == gjson.Number) || f != g.Num {
		t.Fatalf("%q is %v, gjson says %v", v.Raw(), f, g.Num)
	}
	if n, ok := v.Int(); ok && n != g.Int() {
		t.Fatalf("%q is %d, gjson says %d", v.Raw(), n, g.Int())
	}
	if !g.IsObject() && !g.IsArray() {
		return
	}
	var keys, wantKeys []string
	var values []Value
	v.Each(func(key string, m Value) bool { keys, values = append(keys, key), append(values, m); return true })
	i := 0
	g.ForEach(func(key, m gjson.Result) bool {
		wantKeys = append(wantKeys, key.Str)
		if i < len(values) {
			same(t, values[i], m)
		}
		i++
		return true
	})
	if strings.Join(keys, "\x00") != strings.Join(wantKeys, "\x00") || i != len(values) || v.Len() != i {
		t.Fatalf("%q: members %q, gjson says %q", v.Raw(), keys, wantKeys)
	}
	found(t, v, keys, values)
}

// found: Get gives the first member of a name, Elements what Each gives.
func found(t *testing.T, v Value, keys []string, values []Value) {
	t.Helper()
	firsts := map[string]Value{}
	for i, key := range keys {
		if _, ok := firsts[key]; !ok {
			firsts[key] = values[i]
		}
	}
	for key, want := range firsts {
		if got := v.Get(key); v.Kind() == Object && got != want {
			t.Fatalf("%q: Get(%q) = %q, want %q", v.Raw(), key, got.Raw(), want.Raw())
		}
	}
	if v.Kind() == Array && fmt.Sprint(v.Elements()) != fmt.Sprint(values) {
		t.Fatalf("%q: Elements and Each differ", v.Raw())
	}
}

func kindOf(g gjson.Result) Kind {
	switch {
	case g.IsObject():
		return Object
	case g.IsArray():
		return Array
	}
	return map[gjson.Type]Kind{gjson.Null: Null, gjson.False: Bool, gjson.True: Bool, gjson.Number: Number, gjson.String: String}[g.Type]
}

// tokens writes a value as encoding/json's tokens.
func tokens(out []string, v Value) []string {
	switch v.Kind() {
	case Object, Array:
		out = append(out, v.Raw()[:1])
		v.Each(func(key string, m Value) bool {
			if v.Kind() == Object {
				out = append(out, "s"+key)
			}
			out = tokens(out, m)
			return true
		})
		return append(out, v.Raw()[len(v.Raw())-1:])
	case String:
		return append(out, "s"+v.Text())
	case Null:
		return append(out, "<nil>")
	}
	return append(out, v.Raw())
}

func standard(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	for {
		tok, err := dec.Token()
		if err != nil {
			return out
		}
		if s, ok := tok.(string); ok {
			out = append(out, "s"+s)
		} else {
			out = append(out, fmt.Sprint(tok))
		}
	}
}

var samples = []string{
	`{"a":[1,2.50,"x",{}],"a":null,"b.c":{"":[]},"\u0061":-0e+1}`, " \t\r\n[true , false\n, null ] \n", `[[[]],{},"",[{}]]`,
	`"\ud83d\ude00 \ud800 \udc00\u0041 \ud800\u0041 \u00e9\u20ac"`, `"\"\\\/\b\f\n\r\t and more than eight bytes \\"`, `{"k\"ey":"v","k\\":1}`,
	`9223372036854775807`, `-9223372036854775808`, `9223372036854775808`, `1e18`, `1e400`, `-1E-400`, `9007199254740993`, `1.0`, `0.5`,
	"\"raw \xff\xfe bytes\"", "\"tab\tinside\"", `"\x"`, `"\u12g4"`, `"cut`, `"cut\`, `01`, `-`, `1.`, `.5`, `+1`, `1e`, `tru`, `nulls`,
	`[1,]`, `[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `[1 2]`, `[}`, `{]`, `]`, `[1]]`, `{"a":1}{"b":2}`, "[1]\x00", "\ufeff[]", ``, ` `,
}

func TestAgreesWithOtherReaders(t *testing.T) {
	for _, text := range samples {
		agree(t, text)
	}
	for shift := range 20 { // every place in a word of eight bytes
		for _, tail := range []string{`"`, `\n"`, `\\"`, `\u00e9xyz"`, `\"\"\"plain\"\"\"text"`, "\x1f\"", "\x7f\x80\"", `\`, ``, "é\"", `!#[]^"`} {
			agree(t, `"`+strings.Repeat("a", shift)+tail)
			agree(t, `["`+strings.Repeat("a", shift)+tail+`,{"x`+strings.Repeat("b", shift)+tail+`:0}]`)
		}
	}
	for _, n := range []int{MaxDepth - 1, MaxDepth, MaxDepth + 1} {
		agree(t, strings.Repeat("[", n)+strings.Repeat("]", n))
		agree(t, strings.Repeat(`{"a":`, n)+"0"+strings.Repeat("}", n))
	}
}

// TestAgreesOnAllShortTexts tries every text of up to five of these characters.
func TestAgreesOnAllShortTexts(t *testing.T) {
	const alphabet = "{}[],:\"\\ 01-.en"
	length := 5
	if testing.Short() {
		length = 4
	}
	var try func(text string)
	try = func(text string) {
		_, err := Parse(text)
		if gjson.Valid(text) != (err == nil) {
			t.Fatalf("%q: error %v, gjson.Valid %v", text, err, err != nil)
		}
		if err == nil {
			agree(t, text)
		}
		for i := 0; len(text) < length && i < len(alphabet); i++ {
			try(text + alphabet[i:i+1])
		}
	}
	try("")
}

func FuzzWalk(f *testing.F) {
	for _, text := range samples {
		f.Add(text)
	}
	f.Fuzz(agree)
}

// TestIndexIsSmall: the index of a text takes at most eight times the text.
func TestIndexIsSmall(t *testing.T) {
	check := func(text string, most float64) {
		t.Helper()
		v := parse(t, text)
		if got := 8 * float64(cap(v.d.tape)) / float64(len(text)); got > most {
			t.Errorf("%.20q: an index of %.2f times the text, want at most %v", text, got, most)
		}
	}
	check("["+strings.Repeat("1,", 1<<20)+"1]", 4.5)
	check("["+strings.Repeat("[],", 1<<20)+"1]", 6)
	check("["+strings.Repeat(`{"role":"user","content":"some words of a user here"},`, 1<<16)+"1]", 0.8)
	check(`["`+strings.Repeat("long text ", 1<<17)+`"]`, 0.02)
	check("["+strings.Repeat("1,", 1<<12)+`"`+strings.Repeat("long text ", 1<<17)+`"]`, 0.3)
}

func BenchmarkMembers(b *testing.B) {
	v, err := Parse(`{"id":"call_1","type":"function","function":{"name":"get_user","arguments":"{}"},"extra":[1,2,3]}`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if v.At("function", "name").Raw() == "" {
			b.Fatal("no name")
		}
	}
}

// TestLoneSurrogates: what follows half of a pair is kept.
func TestLoneSurrogates(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		v, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var std string
		if err := json.Unmarshal([]byte(text), &std); err != nil || v.Text() != want || std != want {
			t.Errorf("%s: %q, encoding/json %q, want %q", text, v.Text(), std, want)
		}
	}
	check(`"\ud800\u0041"`, "\uFFFDA")
	check(`"\ud800A"`, "\uFFFDA")
	check(`"\udc00\ud83d\ude00"`, "\uFFFD\U0001F600")
	check(`"\ud83d\ud83d\ude00\n"`, "\uFFFD\U0001F600\n")
	check(`"\ud800"`, "\uFFFD")
	a, _ := Parse(`"\ud800A"`)
	b, _ := Parse(`"\ud800B"`)
	if Equal(a, b) {
		t.Error("two different texts are equal")
	}
}

func TestMembers(t *testing.T) {
	var got []string
	err := Members(" { \"a\" : {\"x\":\"}\\\"{\"} , \"b\":[1,[2]],\"\\u0063\":  -1.5 ,\"a\":\"d\"} ", func(key, raw string) bool {
		got = append(got, key+"="+raw)
		return true
	})
	if want := []string{"a={\"x\":\"}\\\"{\"}", "b=[1,[2]]", "c=-1.5", "a=\"d\""}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, text := range []string{"{}", " { } "} {
		if err := Members(text, func(key, raw string) bool { t.Errorf("%s: %s", text, key); return true }); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	calls := 0
	if err := Members(`{"a":1,"b":2,`, func(string, string) bool { calls++; return calls < 2 }); err != nil || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	for _, text := range []string{"", "7", "[]", "{", `{"a"`, `{"a":`, `{"a":[`, `{"a":"`, `{"a":1`, `{"a":{}`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{"\x":1}`, `{"a":1 "b":2}`} {
		var bad *SyntaxError
		if err := Members(text, func(string, string) bool { return true }); !errors.As(err, &bad) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// FuzzMembers holds Members to Each where the text is JSON.
func FuzzMembers(f *testing.F) {
	f.Add(`{"a":{"b":[1,null,"\u00e9}"]},"a":""}`)
	f.Add(` {} `)
	f.Fuzz(func(t *testing.T, text string) {
		var got, want []string
		err := Members(text, func(key, raw string) bool { got = append(got, key, raw); return true })
		if v, bad := Parse(text); bad == nil && v.Kind() == Object {
			v.Each(func(key string, m Value) bool { want = append(want, key, m.Raw()); return true })
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v, want %q", text, got, err, want)
			}
		}
	})
}
