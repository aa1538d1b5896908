package wordlist

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
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

// TestSievesChangeNothing checks drawn words in drawn lists against the fields of the list: lists that are
// searched for the first time, lists that have a sieve, and, with several searches at once, more lists
// than the memory holds.
func TestSievesChangeNothing(t *testing.T) {
	draw := func(r *rand.Rand) string {
		b := make([]byte, r.IntN(5))
		for i := range b {
			b[i] = "abAé_ -z\n"[r.IntN(9)]
		}
		return string(b)
	}
	var group sync.WaitGroup
	for seed := range uint64(4) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(seed, 4))
			for range drawn.Cases(2_000) {
				words := make([]string, r.IntN(12))
				for i := range words {
					words[i] = draw(r)
				}
				list := strings.Join(words, " ")
				known := strings.Split(list, " ")
				for range 20 {
					sought := []string{draw(r), draw(r)}
					if !MayHaveAny(list, sought) && (slices.Contains(known, sought[0]) || slices.Contains(known, sought[1])) {
						t.Errorf("%q has none of %q for sure", list, sought)
					}
					in := func(w string) bool { return w != "" && slices.Contains(known, w) }
					if got := HasAny(list, sought); got != (in(sought[0]) || in(sought[1])) {
						t.Errorf("any of %q in %q: %v", sought, list, got)
					}
					if got := HasLast(list, sought); got != in(sought[1]) || got != Contains(list, sought[1]) {
						t.Errorf("%q in %q: %v", sought[1], list, got)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestSieveIsFoundAgain checks that a list is sieved once, that lists at other addresses do not get its
// sieve, and that a text too long to be a list gets none.
func TestSieveIsFoundAgain(t *testing.T) {
	var m memory
	a := strings.Clone("one two three and many more words of a list")
	b := strings.Clone(a)
	x, y := m.of(a), m.of(b)
	switch {
	case x == nil || y == nil || x == y:
		t.Errorf("two lists have the sieves %p and %p", x, y)
	case m.of(a) != x || m.of(b) != y:
		t.Error("a list is sieved again")
	case m.of(a[:3]) == x:
		t.Error("the beginning of a list has the sieve of the list")
	case m.of(strings.Repeat("word ", longestList)) != nil:
		t.Error("a long text is kept")
	}
	for i := range 2 * places {
		m.of(strings.Repeat("a ", 1+i))
	}
	if m.of(a) != x {
		t.Error("a list lost its sieve to others")
	}
}
