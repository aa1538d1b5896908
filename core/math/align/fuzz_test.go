package align

import (
	"slices"
	"testing"
)

// source holds fuzzed bytes from which it reads a sample. After their end it reads zeros.
type source []byte

func (s *source) nextInt(n int) int {
	if len(*s) == 0 {
		return 0
	}
	b := int((*s)[0]) % n
	*s = (*s)[1:]
	return b
}

func (s *source) nextSample() sample {
	out := sample{params: rules[s.nextInt(len(rules))]}
	kObs, kRef := 1+s.nextInt(4), 1+s.nextInt(4)
	for range kObs {
		sim, same := make([]float64, kRef), make([]bool, kRef)
		for b := range kRef {
			sim[b], same[b] = similarities[s.nextInt(len(similarities))], s.nextInt(2) == 0
		}
		out.sim, out.same = append(out.sim, sim), append(out.same, same)
	}
	for range s.nextInt(40) {
		out.obs = append(out.obs, s.nextInt(kObs))
	}
	for range s.nextInt(40) {
		out.ref = append(out.ref, s.nextInt(kRef))
	}
	return out
}

// FuzzAlign compares Align with every other method and, if the sample is short enough,
// with brute force. It also checks that the score stays the same if the two sides are
// swapped.
func FuzzAlign(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		src := source(data)
		s := src.nextSample()
		a, err := Align(s.toProblem(), s.params)
		if err != nil {
			t.Fatal(err)
		}
		verifyAlignment(t, s, a)
		assertMethodsAgree(t, s)
		if b, _ := Align(s.swapSides().toProblem(), s.params); b.Score != a.Score {
			t.Fatalf("%+v: score %v, sides swapped %v", s, a.Score, b.Score)
		}
		if len(s.obs)*len(s.ref) > 36 {
			return
		}
		if b := bruteForce(s); !slices.Equal(alignedCouples(a), b.best) || a.Score != float64(b.score)/1e9 {
			t.Fatalf("%+v: got %s (%v), want %v (%d)", s, formatAlignment(a), a.Score, b.best, b.score)
		}
	})
}
