package kind

import (
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// TestParaphrases checks which messages say the same in other words.
func TestParaphrases(t *testing.T) {
	for _, c := range []struct {
		key, a, b string
		want      bool
	}{
		{"text", "We are pleased to inform you that licence L-204 has been granted.", "Your licence L-204 has been granted.", true},
		{"message", "Hello, your parcel arrives on 5 May.", "Your parcel arrives on 5 May", true},
		{"body", "Your licence L-204 has been granted.", "Your licence L-205 has been granted.", false},
		{"body", "Your licence has been granted.", "Your licence has not been granted.", false},
		{"body", "You owe us 12.50 for the book.", "You owe us 125.0 for the book.", false},
		{"body", "Ben pays Ana for the lunch.", "Ana pays Ben for the lunch.", false},
		{"body", "The fee is waived and refunded now.", "The fee is waived now, thanks.", false},
		{"name", "We are the Old Mill Bakery.", "The Old Mill Bakery we are.", false},
		{"content", "if (a) { return b; } else c", "if (a) { return the b; } else c", false},
		{"text", "Done.", "It is done.", false},
	} {
		kind, o := compareValues("send_letter", c.key, jsonval.Quoted(c.a), jsonval.Quoted(c.b))
		if (o == Same) != c.want {
			t.Errorf("%s: %q and %q: %s %d, want %v", c.key, c.a, c.b, kind, o, c.want)
		}
	}
}
