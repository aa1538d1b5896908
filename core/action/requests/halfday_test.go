package requests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHalfOfTheDay tries to break the law that a time on a clock with twelve hours is the same time on one with 24: only
// another minute, another hour or the other half of the day differs.
func TestHalfOfTheDay(t *testing.T) {
	random := rand.New(rand.NewPCG(44, 74))
	for range drawn.Cases(300) {
		hour, minute := 1+random.IntN(11), 5+random.IntN(50)
		said := fmt.Sprintf("%d:%02d%s", hour, minute, pickOne(random, " pm", " p.m.", " in the evening", " tonight", ""))
		ask := []string{"u Book a taxi for " + said + "."}
		if random.IntN(2) == 0 {
			ask = []string{"u I need a taxi.", "a I can book a taxi for " + said + ". Shall I book it?", "u Yes."}
		}
		call := func(h, m int) string { return fmt.Sprintf(`{"time":"%02d:%02d"}`, h, m) }
		if got := traceLast(t, NoMeans, "book_taxi", call(hour+12, minute), ask...); got.By == ByNobody {
			t.Errorf("%q: %s (%s)", ask, got.By, got.Why)
		}
		if got := traceLast(t, NoMeans, "book_taxi", call(hour+12, minute), fmt.Sprintf("u Book a taxi for %d:%02d am.", hour, minute)); got.By.Traced() {
			t.Errorf("%d:%02d am: %s (%s)", hour, minute, got.By, got.Why)
		}
		if got := traceLast(t, NoMeans, "book_taxi", call((hour+13)%24, minute), ask[0]); len(ask) == 1 && got.By.Traced() {
			t.Errorf("%q, an hour later: %s (%s)", ask, got.By, got.Why)
		}
	}
}
