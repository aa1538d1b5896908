package violation_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/violation"
)

// TestSaidWholeNumbers checks that a number which a person's reference wants to be said is not
// found in a longer one, and that a benchmark's is, as in the benchmark itself.
func TestSaidWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		want, said  string
		whole, part bool
	}{
		{"42", "You get 42 dollars.", true, true},
		{"42", "You get $42.", true, true},
		{"42", "You get $42.00 back", true, true},
		{"42", "You get 42, as I said", true, true},
		{"42", "You get $42.50", false, true},
		{"42", "You get 142", false, true},
		{"42", "You get 421", false, true},
		{"42", "You get 1.42", false, true},
		{"42", "You get 142, not 42", true, true},
		{"1,200", "It costs 1200 €", true, true},
		{"1200", "It costs 1,200 €", true, true},
		{"1200", "It costs 31,200 €", false, true},
		{"refund", "It was refunded", true, true},
		{"W-7", "Order W-7 is on its way", true, true},
		{"W-7", "Order W-71 is on its way", false, true},
	} {
		for _, whole := range []bool{true, false} {
			found := len(violation.Classify(&boundary.Case{Says: []string{c.want}, SaysWhole: whole, Said: []string{c.said}}, nil)) == 0
			if want := whole && c.whole || !whole && c.part; found != want {
				t.Errorf("%q in %q, whole %v: %v, want %v", c.want, c.said, whole, found, want)
			}
		}
	}
}

// TestSaidDrawnNumbers draws numbers in sentences, and looks for one of them.
func TestSaidDrawnNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 2000 {
		var words []string
		numbers := map[string]bool{}
		for range 1 + r.IntN(4) {
			n := fmt.Sprint(r.IntN(300))
			numbers[n] = true
			words = append(words, []string{"pay", "get", "item", "about"}[r.IntN(4)], n+[]string{"", ".", " €", "!"}[r.IntN(4)])
		}
		want := fmt.Sprint(r.IntN(300))
		found := len(violation.Classify(&boundary.Case{Says: []string{want}, SaysWhole: true, Said: []string{strings.Join(words, " ")}}, nil)) == 0
		if found != numbers[want] {
			t.Fatalf("%q in %q: %v", want, words, found)
		}
	}
}
