package mutation

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEqualNamesHaveEqualKeys checks over drawn names that names and lists of words which
// are the same have the same key.
func TestEqualNamesHaveEqualKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	words := []string{"cancel", "order", "orders", "colour", "color", "turn", "off", "on", "to", "from", "item", "items", "mail", "email", "mcp", "7", "dir", "directory"}
	draw := func() (name string, used []string) {
		for range 1 + random.IntN(4) {
			w := words[random.IntN(len(words))]
			used = append(used, w)
			switch random.IntN(3) {
			case 0:
				name += "_" + w
			case 1:
				name += strings.ToUpper(w[:1]) + w[1:]
			default:
				name += []string{"_", ".", "-", "__", "/"}[random.IntN(5)] + w
			}
		}
		return strings.TrimLeft(name, "_"), used
	}
	same := 0
	for range 40_000 {
		a, v := draw()
		b, w := draw()
		if SameName(a, b) && a != b {
			if same++; NameKey(a) != NameKey(b) {
				t.Fatalf("%q and %q: keys %q and %q", a, b, NameKey(a), NameKey(b))
			}
		}
		if got := WordsKey(v) == WordsKey(w); got != SameWords(v, w) {
			t.Fatalf("%q and %q: equal keys %v", v, w, got)
		}
	}
	if same < 100 {
		t.Errorf("%d pairs of names are the same: too few to show anything", same)
	}
}
