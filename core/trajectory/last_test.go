package trajectory

import (
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestLast compares Last with a walk back from each place, for drawn messages and questions in any order,
// and counts what questions in the order of the run look at.
func TestLast(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range drawn.Cases(500) {
		marked := make([]bool, r.IntN(40))
		often := 1 + r.IntN(6)
		for i := range marked {
			marked[i] = r.IntN(often) == 0
		}
		looks := 0
		is := func(i int) bool { looks++; return marked[i] }
		var drawn, inOrder Last
		for range 60 {
			end := r.IntN(len(marked)+2) - 1
			want := end - 1
			for want >= 0 && !marked[want] {
				want--
			}
			if got := drawn.Before(end, is); got != max(want, -1) {
				t.Fatalf("before %d of %v: %d, want %d", end, marked, got, want)
			}
		}
		looks = 0
		for end := range len(marked) + 1 {
			inOrder.Before(end, is)
			inOrder.Before(end, is)
		}
		if looks > len(marked) {
			t.Fatalf("%d looks at %d messages", looks, len(marked))
		}
	}
}
