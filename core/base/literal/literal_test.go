package literal

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPythonLiterals checks that objects and lists in the notation of Python become JSON.
func TestPythonLiterals(t *testing.T) {
	check := func(text, want string) {
		t.Helper()
		if got := Python(text).Raw(); got != want {
			t.Errorf("python(%s) = %s, want %s", text, got, want)
		}
	}
	check(`{'id': 'A', 'n': 1, 'ok': True, 'none': None}`, `{"id": "A", "n": 1, "ok": true, "none": null}`)
	check(`{'a': "it's", 'b': 'x\n\'y\''}`, `{"a": "it's", "b": "x\n'y'"}`)
	check(`{'t': (1, 2,), 'u': [False]}`, `{"t": [1, 2], "u": [false]}`)
	check(`{'o': Order(id=1)}`, "")
	check(`hello`, "")
	check(`{'open`, "")
}

// TestCharacterReference draws references and compares them with the reader of the standard library.
func TestCharacterReference(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 2))
	for range 4000 {
		n := r.IntN(0x11FFFF)
		if n < 0xA0 && n >= 0x80 || n == 0 || n == '\r' {
			continue // HTML has other characters there
		}
		text := []string{fmt.Sprintf("#%d;", n), fmt.Sprintf("#x%x;", n), fmt.Sprintf("#x%X;", n), "lt;", "gt;", "quot;", "apos;", "amp;"}[r.IntN(8)]
		_, char, rest, ok := CharacterReference(text + "tail;")
		want := html.UnescapeString("&" + text)
		if want == "\uFFFD" && n != 0xFFFD {
			want = ""
		}
		if got := strings.TrimRight(string(char), "\x00"); !ok || rest != "tail;" || got != want {
			t.Errorf("%s: %q and %q, want %q", text, got, rest, want)
		}
	}
	for _, text := range []string{"", "lt", "#65", strings.Repeat("#", 40) + ";", " and more of a sentence without an end of it;"} {
		if _, _, rest, ok := CharacterReference(text); ok || rest != text {
			t.Errorf("%q is read as a reference", text)
		}
	}
}
