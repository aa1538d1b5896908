package abi

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// slowCanonical does the same as Canonical, with encoding/json.
func slowCanonical(arguments []byte) (string, bool) {
	raw := arguments
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		raw = []byte(text)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil || object == nil || d.More() {
		return "", false
	}
	if _, err := d.Token(); err == nil || !json.Valid(raw) {
		return "", false
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(object) != nil {
		return "", false
	}
	return strings.TrimSuffix(out.String(), "\n"), true
}

func canonicalAgrees(t *testing.T, arguments []byte) (string, bool) {
	t.Helper()
	got, ok := (&Action{Arguments: arguments}).Canonical()
	want, wantOK := slowCanonical(arguments)
	if again, _ := slowCanonical([]byte(got)); ok != wantOK || ok && again != want {
		t.Errorf("%s: %q, %t, want %q, %t", arguments, got, ok, want, wantOK)
	}
	return got, ok
}

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "{}",
		"null":                           "{}",
		`{}`:                             "{}",
		` { "b" : 1.50 , "a":[ ] } `:     `{"a":[],"b":1.50}`,
		`{"a":1,"a":{"d":1,"c":-0}}`:     `{"a":{"c":-0,"d":1}}`,
		`"{\"n\":12345678901234567890}"`: `{"n":12345678901234567890}`,
		`{"t":"\u00e9\ud83d\ude00<&>\n\u0001","l":[true,false,null,"",{}]}`: "{\"l\":[true,false,null,\"\",{}],\"t\":\"é😀<&>\\u000a\\u0001\"}",
		`{"\u0061":1e3}`: `{"a":1e3}`,
	} {
		if got, ok := canonicalAgrees(t, []byte(text)); !ok || got != want {
			t.Errorf("%s: %s, %t, want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{`""`, `"x"`, `[1]`, `7`, `"null"`, `"[1]"`, `{`, `{"a":01}`, `{"a":1}x`, `{"a" 1}`, `"{}`, `{"a":tru}`, `{"a":"` + "\x01" + `"}`} {
		if got, ok := canonicalAgrees(t, []byte(text)); ok {
			t.Errorf("%s: %s", text, got)
		}
	}
	deep := `{"a":` + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1) + "}"
	if _, ok := (&Action{Arguments: []byte(deep)}).Canonical(); !ok {
		t.Error("an object as deep as a message may be is refused")
	}
	if _, ok := (&Action{Arguments: []byte(strings.Replace(deep, "[", "[[", 1) + "]")}).Canonical(); ok {
		t.Error("a deeper one is not")
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\u00e9",{"b":null}]}`, `"{\"a\":1}"`, `{"a":1,"a":2}`, `{"":-1.5e-3}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var text string
		json.Unmarshal(b, &text)
		if utf8.Valid(b) && !TooDeep(b) && !TooDeep([]byte(text)) {
			canonicalAgrees(t, b)
		}
	})
}
