package relation

import "testing"

// TestMayOrder checks that mayOrder passes each of the orders, wherever it stands.
func TestMayOrder(t *testing.T) {
	for _, o := range orders {
		for _, before := range []string{"", "cancel it", "please"} {
			for _, after := range []string{"", "x", "send the mail"} {
				if !mayOrder(before + o.words + after) {
					t.Errorf("%q is not found", before+o.words+after)
				}
			}
		}
	}
	for _, s := range []string{"", " ", "then", "cancel the order and send a mail", "thenceforth"} {
		if mayOrder(s) {
			t.Errorf("%q has no order", s)
		}
	}
}
