package align

import (
	"strings"
	"testing"
)

// problemFromWords returns a problem from two short strings such as "get:X get:Y". The
// type of a word is the part before the colon. Equal words have the similarity 1,
// different words of the same type have 0.5, and words of different types have 0.
func problemFromWords(obs, ref string) Problem {
	os, on := internWords(obs)
	rs, rn := internWords(ref)
	typ := func(s string) string { t, _, _ := strings.Cut(s, ":"); return t }
	same := func(a, b int) bool { return typ(on[a]) == typ(rn[b]) }
	return Problem{Obs: os, Ref: rs, SameType: same, Similarity: func(a, b int) float64 {
		switch {
		case on[a] == rn[b]:
			return 1
		case same(a, b):
			return 0.5
		}
		return 0
	}}
}

func internWords(s string) (syms []int, names []string) {
	seen := map[string]int{}
	for _, f := range strings.Fields(s) {
		if _, ok := seen[f]; !ok {
			seen[f] = len(names)
			names = append(names, f)
		}
		syms = append(syms, seen[f])
	}
	return syms, names
}

// formatAlignment returns an alignment as a short string such as "=00 ~11 +2 -3". Each
// step is a sign for the operation (= match, ~ substitution, + insertion, - deletion) and
// the indices of its actions.
func formatAlignment(a Alignment) string {
	var b strings.Builder
	for _, s := range a.Steps {
		b.WriteByte("=~+-"[s.Op])
		if s.Obs >= 0 {
			b.WriteByte(byte('0' + s.Obs))
		}
		if s.Ref >= 0 {
			b.WriteByte(byte('0' + s.Ref))
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func TestAlign(t *testing.T) {
	check := func(obs, ref, want string, score float64) {
		t.Helper()
		a, err := Align(problemFromWords(obs, ref), Params{})
		if err != nil {
			t.Fatal(err)
		}
		if got := formatAlignment(a); got != want || a.Score != score {
			t.Errorf("%q / %q: got %s (%v), want %s (%v)", obs, ref, got, a.Score, want, score)
		}
	}
	check("", "", "", 0)
	check("a", "", "+0", -0.5)
	check("", "a b", "-0 -1", -1)
	check("a b c", "a b c", "=00 =11 =22", 3)
	check("a b", "c d", "-0 -1 +0 +1", -2)
	// The example of the design: the two cancels are paired.
	check("get:X cancel:X get:X", "get:X cancel:Y", "=00 ~11 +2", -0.5)
	check("get:X cancel:X get:X", "cancel:Y get:X", "+0 ~10 =21", -0.5)
	// Rule 3: the earliest of equal pairs wins, on either side.
	check("a a a", "a", "=00 +1 +2", 0)
	check("a", "a a a", "=00 -1 -2", 0)
	check("a b", "b a", "-0 =01 +1", 0)
	// A match is worth more than any number of substitutions.
	check("p:1 p:2 q", "q p:3 p:4", "+0 +1 =20 -1 -2", -1)
	check("p:1 x p:2", "p:2 y p:1", "-0 -1 =02 +1 +2", -1)
}
