// Package oracle compares jsonval with gjson and with encoding/json, and measures it
// against gjson. It contains only tests, so that packages that import jsonval do not need
// gjson.
package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/tidwall/gjson"
)

// checkAgreement checks that jsonval reads a text in the same way as gjson and
// encoding/json. It compares whether the text is valid, and the order, text, offset and
// content of all values.
func checkAgreement(t *testing.T, text string) {
	t.Helper()
	v, err := jsonval.Parse(text)
	if err != nil && strings.Contains(err.Error(), "nested more than") {
		return
	}
	if valid := gjson.Valid(text); valid != (err == nil) || valid != json.Valid([]byte(text)) {
		t.Fatalf("%q: error %v; gjson.Valid %v, json.Valid %v", text, err, valid, json.Valid([]byte(text)))
	}
	if err != nil {
		return
	}
	checkEqual(t, v, gjson.Parse(text))
	if utf8.ValidString(text) {
		if got, want := appendTokens(nil, v), standardTokens(t, text); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q: walked as %q, encoding/json says %q", text, got, want)
		}
	}
}

// gjson loses the characters after a single surrogate.
var surrogates = regexp.MustCompile(`(?i)\\ud[89a-f]`)

// checkEqual checks that v and everything inside v equal the value that gjson has read.
// The raw text of a gjson value includes the white space after an outermost array or
// object, so checkEqual ignores this white space.
func checkEqual(t *testing.T, v jsonval.Value, g gjson.Result) {
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
	var values []jsonval.Value
	v.Each(func(key string, m jsonval.Value) bool {
		keys, values = append(keys, key), append(values, m)
		return true
	})
	i := 0
	g.ForEach(func(key, m gjson.Result) bool {
		wantKeys = append(wantKeys, key.Str)
		if i < len(values) {
			checkEqual(t, values[i], m)
		}
		i++
		return true
	})
	if strings.Join(keys, "\x00") != strings.Join(wantKeys, "\x00") || i != len(values) || v.Len() != i {
		t.Fatalf("%q: members %q, gjson says %q", v.Raw(), keys, wantKeys)
	}
	checkLookups(t, v, keys, values)
}

// checkLookups checks that Get returns the first member with a name, and that Elements
// returns the values that Each visits.
func checkLookups(t *testing.T, v jsonval.Value, keys []string, values []jsonval.Value) {
	t.Helper()
	firsts := map[string]jsonval.Value{}
	for i, key := range keys {
		if _, ok := firsts[key]; !ok {
			firsts[key] = values[i]
		}
	}
	for key, want := range firsts {
		if got := v.Get(key); v.Kind() == jsonval.Object && got != want {
			t.Fatalf("%q: Get(%q) = %q, want %q", v.Raw(), key, got.Raw(), want.Raw())
		}
	}
	if v.Kind() == jsonval.Array && fmt.Sprint(v.Elements()) != fmt.Sprint(values) {
		t.Fatalf("%q: Elements and Each differ", v.Raw())
	}
}

func kindOf(g gjson.Result) jsonval.Kind {
	switch {
	case g.IsObject():
		return jsonval.Object
	case g.IsArray():
		return jsonval.Array
	}
	return map[gjson.Type]jsonval.Kind{gjson.Null: jsonval.Null, gjson.False: jsonval.Bool, gjson.True: jsonval.Bool, gjson.Number: jsonval.Number, gjson.String: jsonval.String}[g.Type]
}

// appendTokens appends the tokens of v to out. The form of the tokens is that of the
// function standardTokens, which reads the same text with encoding/json.
func appendTokens(out []string, v jsonval.Value) []string {
	switch v.Kind() {
	case jsonval.Object, jsonval.Array:
		out = append(out, v.Raw()[:1])
		v.Each(func(key string, m jsonval.Value) bool {
			if v.Kind() == jsonval.Object {
				out = append(out, "s"+key)
			}
			out = appendTokens(out, m)
			return true
		})
		return append(out, v.Raw()[len(v.Raw())-1:])
	case jsonval.String:
		return append(out, "s"+v.Text())
	case jsonval.Null:
		return append(out, "<nil>")
	}
	return append(out, v.Raw())
}

func standardTokens(t *testing.T, text string) []string {
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
		checkAgreement(t, text)
	}
	for shift := range 20 { // every position in a word of eight bytes
		for _, tail := range []string{`"`, `\n"`, `\\"`, `\u00e9xyz"`, `\"\"\"plain\"\"\"text"`, "\x1f\"", "\x7f\x80\"", `\`, ``, "é\"", `!#[]^"`} {
			checkAgreement(t, `"`+strings.Repeat("a", shift)+tail)
			checkAgreement(t, `["`+strings.Repeat("a", shift)+tail+`,{"x`+strings.Repeat("b", shift)+tail+`:0}]`)
		}
	}
	for _, n := range []int{jsonval.MaxDepth - 1, jsonval.MaxDepth, jsonval.MaxDepth + 1} {
		checkAgreement(t, strings.Repeat("[", n)+strings.Repeat("]", n))
		checkAgreement(t, strings.Repeat(`{"a":`, n)+"0"+strings.Repeat("}", n))
	}
}

// TestAgreesOnAllShortTexts checks that jsonval agrees with gjson and encoding/json on
// every text of up to five characters from the constant alphabet.
func TestAgreesOnAllShortTexts(t *testing.T) {
	const alphabet = "{}[],:\"\\ 01-.en"
	length := 5
	if testing.Short() {
		length = 4
	}
	var try func(text string)
	try = func(text string) {
		_, err := jsonval.Parse(text)
		if gjson.Valid(text) != (err == nil) {
			t.Fatalf("%q: error %v, gjson.Valid %v", text, err, err != nil)
		}
		if err == nil {
			checkAgreement(t, text)
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
	f.Fuzz(checkAgreement)
}
