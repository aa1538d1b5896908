package jsonval

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestIndexIsSmall checks that the index of a text is not too large, compared with the
// size of the text.
func TestIndexIsSmall(t *testing.T) {
	check := func(text string, most float64) {
		t.Helper()
		v := mustParse(t, text)
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

// TestLoneSurrogates checks that Text keeps the characters after half of a surrogate
// pair.
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

// FuzzMembers checks that Members and Each visit the same members of a valid JSON object.
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
