package utterance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestJoinThousands tries to break the law that JoinThousands removes spaces inside of amounts of money, and
// nothing else: no digit or word is lost, and numbers without a currency stay as they are.
func TestJoinThousands(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 22))
	pieces := []string{"12", "3", "450", "1 250", "12 000 000", "€", "eur", "$", "rooms", "order", "7 7", "20 300", "w-1 234", "a", ",", "usd"}
	for range drawn.Cases(2000) {
		var words []string
		for range 1 + random.IntN(6) {
			words = append(words, pieces[random.IntN(len(pieces))])
		}
		text := strings.Join(words, " ")
		got := JoinThousands(text)
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Fatalf("%q became %q", text, got)
		}
		if !strings.ContainsAny(text, "€$") && !strings.Contains(text, "eur") && !strings.Contains(text, "usd") && got != text {
			t.Fatalf("without money, %q became %q", text, got)
		}
	}
	for range drawn.Cases(300) {
		n := 1000 + random.IntN(9_000_000)
		digits := fmt.Sprint(n)
		for at := len(digits) - 3; at > 0; at -= 3 {
			digits = digits[:at] + " " + digits[at:]
		}
		if got, want := JoinThousands("pay "+digits+" eur to him"), fmt.Sprintf("pay %d eur to him", n); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
