package secrets

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHideValue draws words behind the marks of secrets, under their names and as plain codes, and checks that no
// secret stays, that no plain code is hidden, and that the text around them keeps its place.
func TestHideValue(t *testing.T) {
	for seed := range drawn.Cases(500) {
		d := rand.New(rand.NewPCG(uint64(seed), 48777))
		mark, name := secretMarks[d.IntN(len(secretMarks))], secretNames[d.IntN(len(secretNames))]
		secret := fmt.Sprintf("%sx%09d%c", mark, d.IntN(1e9), 'a'+rune(d.IntN(26)))
		code := []string{"HAT172", "gift_card_8190333", "#W2466703", "reservation_update_2024_05_25_final", "a@b.example"}[d.IntN(5)]
		text := code + " and “" + secret + "”, then " + code
		if got := HideKeys(text); strings.Contains(got, secret) || len(got) != len(text) || strings.Count(got, code) != 2 {
			t.Fatalf("%q: %q", text, got)
		}
		if got := HideValue("login."+name, `"`+code+`"`); got != Hidden {
			t.Fatalf("%s: %q", name, got)
		}
		inside := fmt.Sprintf(`[{"id" : %q, "a":{%q : %q,"n":5}}, %q]`, code, "x_"+name, "hunter\\\"2", code)
		if got := HideValue("more[0]", inside); got != strings.Replace(inside, strconv.Quote("hunter\\\"2"), Hidden, 1) {
			t.Fatalf("%s: %q", inside, got)
		}
		if got := HideValue("order_id", `"`+code+`"`); got != `"`+code+`"` {
			t.Fatalf("%q: %q", code, got)
		}
		if got := HideValue("max_"+name, "5"); got != "5" {
			t.Fatalf("%s: %q", name, got)
		}
	}
}
