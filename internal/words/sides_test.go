package words

import (
	"strings"
	"testing"
)

// TestSides checks what tables show of two values: short ones whole, of long ones the place where they differ, and
// nothing of a secret.
func TestSides(t *testing.T) {
	long := strings.Repeat("lorem ipsum ", 100)
	for _, x := range []struct{ path, a, b, wantA, wantB string }{
		{"amount", "55", "5", "55", "5"},
		{"amount", "", "5", "—", "5"},
		{"login.password", `"hunter2"`, `"correct"`, "********", "********"},
		{"key", `"sk-proj-abcdefghijkl1234"`, `"x"`, `"` + strings.Repeat("*", 24) + `"`, `"x"`},
		{"text", `"` + long + "55" + long + `"`, `"` + long + "5" + long + `"`, "55lorem", "5lorem"},
	} {
		a, b := Sides(x.path, x.a, x.b)
		if long := len(x.a) > 200; long && (!strings.Contains(a, x.wantA) || !strings.Contains(b, " "+x.wantB) || len(a)+len(b) > 300) || !long && (a != x.wantA || b != x.wantB) {
			t.Errorf("%s: %q, %q", x.path, a, b)
		}
	}
}
