package align

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestWeigh(t *testing.T) {
	check := func(p Params, n int, match, sub value, coarse int32) {
		t.Helper()
		r, err := p.toRule()
		if err != nil {
			t.Fatal(err)
		}
		want := weights{match, sub, coarse}
		if got := r.chooseWeights(n); got != want {
			t.Errorf("%+v for %d: got %+v, want %+v", p, n, got, want)
		}
	}
	check(Params{}, 5, 5e9+1, 0, 1)
	check(Params{}, 40_000, 4e13+1, 0, 1)
	check(Params{}, 100_000, 1e13+1, 0, 10)
	check(Params{}, maxLen, maxLen*1e6+1, 0, 1000)
	check(Params{Match: 1, Mismatch: -0.7, Gap: -0.4}, 10, 18*(1e10+1), 1e10+1, 1)
	check(Params{Match: -3, Mismatch: -1, Gap: -0.5}, 5, 0, 0, 1)
	check(Params{Match: 1000, Mismatch: -999.999999999, Gap: -1000}, 500, 3e12*501, 1000000000001*501, 1e9)
	check(Params{Match: 1000, Mismatch: -999.999999999, Gap: -1000}, maxLen, 3e12, 1000000000001, 1e9+1)
}

// TestWeighFits checks, for random parameters, that no sum of n values exceeds 2⁶², the
// absolute value of the constant never.
func TestWeighFits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 20_000 {
		p := Params{Match: 2000*r.Float64() - 1000, Mismatch: 2000*r.Float64() - 1000, Gap: 2000*r.Float64() - 1000}
		n := 1 << r.IntN(21)
		rule, err := p.toRule()
		if err != nil {
			t.Fatal(err)
		}
		w := rule.chooseWeights(n)
		sims := float64(1e9 / w.coarse)
		top := (max(float64(w.match), float64(w.sub)) + sims) * float64(n)
		if w.match < 0 || w.sub < 0 || top > -float64(never) {
			t.Fatalf("%+v for %d: %+v", p, n, w)
		}
		if w.match%(value(sims)*value(n)+1) != 0 || math.IsNaN(top) {
			t.Fatalf("%+v for %d: %+v: similarities reach into scores", p, n, w)
		}
	}
}

// TestCoarse checks parameters for which similarities are cut to fewer decimals. All
// methods must still agree, and the score must still be the greatest one (rule 1).
func TestCoarse(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	fine := Params{Match: 123.456789123, Mismatch: -0.000000007, Gap: -3.333333333}
	for range 300 {
		s := randomSample(r, 60)
		s.params = fine
		assertMethodsAgree(t, s)
	}
}
