package proposal

import "testing"

// TestScore checks the score that a rule of the policy gets for a call of
// cancel_order(reason=…).
func TestScore(t *testing.T) {
	for _, c := range []struct {
		heading, text string
		want          int
	}{
		{"", "The weather is fine.", 0},
		{"", "Somebody may cancel.", 3},                        // the verb
		{"", "An order has a number.", 2},                      // the noun
		{"", "Note the reason.", 1},                            // an argument
		{"", "Cancel the order with a reason.", 6},             // all of them
		{"", "Cancel, cancel and cancel.", 3},                  // once
		{"Cancel", "The weather is fine.", 2},                  // a heading with the verb
		{"Orders", "Somebody may cancel.", 4},                  // a heading with the noun adds to a rule with a shared word
		{"Orders", "The weather is fine.", 0},                  // and to no other rule
		{"", "You must smile.", 0},                             // binding, but not about the call
		{"", "An order must be paid.", 3},                      // binding
		{"", "A confirmation is polite.", 0},                   // a consent that nothing requires
		{"", "You must obtain a confirmation.", 3},             // consent is about every change
		{"", "You must obtain consent to cancel an order.", 8}, // and about this call
		{"", "Permission is required.", 3},
	} {
		if got := scoreRule(rule{heading: c.heading, text: c.text}, "cancel", []string{"order"}, []string{"reason"}); got != c.want {
			t.Errorf("%q under %q: %d, want %d", c.text, c.heading, got, c.want)
		}
	}
}
