package align

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// drawSide returns up to most symbols below k: random ones, runs of equal ones, a short text
// again and again, or few different ones and one that is rare.
func drawSide(r *rand.Rand, most, k int) []int {
	side, kind, period := make([]int, r.IntN(most+1)), r.IntN(4), 1+r.IntN(8)
	for i := range side {
		side[i] = r.IntN(k)
		switch {
		case kind == 1 && i > 0 && r.IntN(10) > 0:
			side[i] = side[i-1]
		case kind == 2 && i >= period:
			side[i] = side[i-period]
		case kind == 3 && r.IntN(40) > 0:
			side[i] = min(k-1, r.IntN(2))
		}
	}
	return side
}

// changeSide returns a copy of a side in which some symbols are left out, others or added.
func changeSide(r *rand.Rand, side []int, k int) []int {
	var out []int
	rate := 2 + r.IntN(30)
	for _, sym := range side {
		switch x := r.IntN(3 * rate); {
		case x == 0:
		case x == 1:
			out = append(out, r.IntN(k))
		case x == 2:
			out = append(out, sym, r.IntN(k))
		default:
			out = append(out, sym)
		}
	}
	return out
}

// drawShape returns a sample of 1 to 50 symbols a side, whose sides are related or not. The
// similarities are those of equal symbols alone, those of the list, or any.
func drawShape(r *rand.Rand, most int) sample {
	k := 1 + r.IntN(1+r.IntN(50))
	s := sample{params: rules[r.IntN(len(rules))], obs: drawSide(r, most, k), ref: drawSide(r, most, k)}
	if r.IntN(2) == 0 {
		s.ref = changeSide(r, s.obs, k)
	}
	kind, types := r.IntN(4), 1+r.IntN(4)
	for a := range k {
		sim, same := make([]float64, k), make([]bool, k)
		for b := range k {
			switch {
			case kind < 3 && a == b:
				sim[b] = 1
			case kind == 1:
				sim[b] = similarities[r.IntN(len(similarities)-3)]
			case kind >= 2:
				sim[b] = float64(r.IntN(900)) / 1000
			}
			same[b] = a%types == b%types && kind > 0
		}
		s.sim, s.same = append(s.sim, sim), append(s.same, same)
	}
	return s
}

// TestShapes checks that the methods find the alignment that the full table has, for many
// alphabets and shapes of runs and for any limits.
func TestShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range drawn.Cases(400) {
		s := drawShape(r, 400)
		a, err := Align(s.toProblem(), s.params)
		if err != nil {
			t.Fatal(err)
		}
		plain := s.solveByMethod(t, "plain")
		if got := plain.buildAlignment(); !slices.Equal(got.Steps, a.Steps) || got.Score != a.Score {
			t.Fatalf("%+v: Align %s, plain %s", s, formatAlignment(a), formatAlignment(got))
		}
		most := limits{1 + r.IntN(1+r.IntN(5000)), r.IntN(1 + r.IntN(20_000))}
		if got := s.solveBy(t, func(k *task, b block) { k.solveLinear(b, most) }); !slices.Equal(got.mate, plain.mate) {
			t.Fatalf("%+v: %+v: %v, plain %v", s, most, got.mate, plain.mate)
		}
	}
}
