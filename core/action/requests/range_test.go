package requests

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestNumbersOfARange draws requests for a range of numbers, in five languages: each number of it is asked for, and one beyond an English one is
// not traced to the user.
func TestNumbersOfARange(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 22))
	forms := []string{"Cancel orders %s to %s.", "Please cancel orders %s through %s.", "Storniere die Bestellungen %s bis %s.", "Cancela los pedidos del %s al %s.", "Annuleer bestellingen %s tot %s."}
	for range drawn.Cases(400) {
		prefix := []string{"", "A-"}[random.IntN(2)]
		from := 100 + random.IntN(300)
		to := from + 1 + random.IntN(9)
		name := func(n int) string { return prefix + strconv.Itoa(n) }
		form := random.IntN(len(forms))
		words := fmt.Sprintf(forms[form], name(from), name(to))
		texts := newChat("u " + words)
		r := NewReader(texts, nil, NoMeans, nil)
		for n := from; n <= to+3; n++ {
			got := r.Trace(&Action{Call: newCall(t, "cancel_order", fmt.Sprintf(`{"order_id":%q}`, name(n))), Before: len(texts), Sure: true})
			if n > to && form < 2 && got.By.Traced() || n <= to && (got.By == ByNobody || got.By == ByData) {
				t.Fatalf("%q, %s: %s (%s)", words, name(n), got.By, got.Why)
			}
		}
	}
}

// TestLargeAmounts draws amounts in thousands and millions: the same amount in digits is asked for, another one is not.
func TestLargeAmounts(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 23))
	for range drawn.Cases(300) {
		tenths := 11 + random.IntN(80)
		unit, size := "million", 1000000
		if random.IntN(2) == 0 {
			unit, size = "thousand", 1000
		}
		words := fmt.Sprintf("Transfer %d.%d %s euros to Tom.", tenths/10, tenths%10, unit)
		for _, amount := range []int{tenths * size / 10, (tenths + 7) * size / 10} {
			texts := newChat("u " + words)
			got := NewReader(texts, nil, NoMeans, nil).Trace(&Action{Call: newCall(t, "transfer_money", fmt.Sprintf(`{"to":"Tom","amount":%d}`, amount)), Before: len(texts), Sure: true})
			if same := amount == tenths*size/10; same != got.By.Traced() {
				t.Fatalf("%q, %d: %s (%s)", words, amount, got.By, got.Why)
			}
		}
	}
}
