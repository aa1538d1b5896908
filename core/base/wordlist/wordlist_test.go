package wordlist

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func TestContains(t *testing.T) {
	const list = "on off aab ab turn_off"
	for word, want := range map[string]bool{"on": true, "off": true, "ab": true, "turn_off": true, "aab": true,
		"": false, " ": false, "o": false, "aa": false, "b": false, "turn": false, "on off": false, "offf": false, "off ": false} {
		if got := Contains(list, word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
	if Contains("", "on") || Contains("", "") {
		t.Error("an empty list contains a word")
	}
}

func TestFoldName(t *testing.T) {
	for name, want := range map[string]string{"": "", "success": "success", "Tool Calls": "toolcalls", "tool_call-id": "toolcallid", "Ärger_1": "ärger1"} {
		if got := FoldName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestLower compares Lower with strings.ToLower for drawn texts of each length.
func TestLower(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for range drawn.Cases(20_000) {
		b := make([]byte, r.IntN(40))
		foreign := r.IntN(4) == 0
		for i := range b {
			b[i] = byte(r.IntN(128))
			if foreign && r.IntN(12) == 0 {
				b[i] = byte(r.IntN(256))
			} else if r.IntN(2) == 0 {
				b[i] = "@AZ[`az{mM"[r.IntN(10)]
			}
		}
		text := string(b)
		if got := Lower(text); got != strings.ToLower(text) || text != string(b) {
			t.Fatalf("%q: %q, want %q", b, got, strings.ToLower(string(b)))
		}
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"xyz": "", "a": "", "sc": "", "serv": "serve", "tst": "test", strings.Repeat("score", 20): ""} {
		if got := Nearest(word, []string{"score", "serve", "test"}); got != want {
			t.Errorf("nearest to %s is %q, want %q", word, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		n    int
	}{{"", "abc", 3}, {"abc", "abc", 0}, {"acb", "abc", 1}, {"kitten", "sitting", 3}} {
		if got := editDistance(c.a, c.b); got != c.n {
			t.Errorf("%s to %s: %d, want %d", c.a, c.b, got, c.n)
		}
	}
}
