package argname

import "testing"

// TestOppositeNames checks which names of arguments say the opposite.
func TestOppositeNames(t *testing.T) {
	for _, p := range []struct {
		a, b string
		is   bool
	}{{"hidden", "visible", true}, {"is_hidden", "is_visible", true}, {"chat_enabled", "chat_disabled", true}, {"muted", "unmuted", true}, {"hidden", "hidden", false},
		{"hidden", "enabled", false}, {"chat_enabled", "mail_disabled", false}, {"visible", "visible_hidden", false}} {
		if AreOppositeNames(p.a, p.b) != p.is || AreOppositeNames(p.b, p.a) != p.is {
			t.Errorf("%s and %s: want %v", p.a, p.b, p.is)
		}
	}
}
