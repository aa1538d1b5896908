package shape

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestSpans compares the answers of Spans with a walk over all ranges.
func TestSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range drawn.Cases(2_000) {
		var s Spans
		var all [][2]int
		for range r.IntN(8) {
			from := r.IntN(40)
			all = append(all, [2]int{from, from + r.IntN(12)})
			s.Add(all[len(all)-1])
			offset := r.IntN(60) - 2
			want := slices.ContainsFunc(all, func(x [2]int) bool { return x[0] <= offset && offset < x[1] })
			if got := s.Hold(offset); got != want {
				t.Fatalf("%d in %v: %v, want %v", offset, all, got, want)
			}
		}
	}
}
