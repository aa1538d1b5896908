package story

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestNoSentenceIsMissed checks that a text in which no sentence is looked for has none, and
// that a found sentence has the value, by a simple search in the words of the sentence.
func TestNoSentenceIsMissed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	parts := []string{"gift", "card", "gift_card_2611937", "Gift Card", "PAYPAL", "paypal_77", " ", " ", ". ", "! ", "\n", "20.5", "20", ",", "İstanbul", "ß", "straße", "STRASSE", "\xff", "K", "x7"}
	draw := func(n int) (s string) {
		for range n {
			s += parts[r.IntN(len(parts))]
		}
		return s
	}
	found := 0
	for range drawn.Cases(20000) {
		text, m := draw(r.IntN(14)), newMention(draw(1+r.IntN(2)))
		sentence := sentenceWith(text, &m, func() []string { return nil })
		if sentence == "" {
			continue
		}
		found++
		if !m.mayStandIn(strings.ToLower(text)) {
			t.Fatalf("%q: the sentence %q with %q is missed", text, sentence, m.value)
		}
		lower := strings.ToLower(sentence)
		if !strings.Contains(text, sentence) || !strings.Contains(lower, m.words) && !strings.Contains(lower, m.kind) {
			t.Fatalf("%q: %q does not have %q", text, sentence, m.value)
		}
	}
	if found < 300 {
		t.Errorf("only %d sentences", found)
	}
}

// TestGivenCodesAreNoReason has sentences that only give a code, and such that ask for something.
func TestGivenCodesAreNoReason(t *testing.T) {
	for text, reason := range map[string]bool{
		"My reservation ID is HXDUBJ, but I don't remember my user ID.": false,
		"My reservation ID is **HXDUBJ** (I'm Raj Brown).":              false,
		"- **Reservation:** HXDUBJ":                                     false,
		"Please cancel HXDUBJ.":                                         true,
		"My reservation ID is HXDUBJ and I want to cancel it.":          true,
		"Is my reservation number HXDUBJ, the one to Boston?":           true,
	} {
		m := newMention("HXDUBJ")
		if got := sentenceWith(text, &m, func() []string { return nil }); (got != "") != reason {
			t.Errorf("%q: %q", text, got)
		}
	}
}
