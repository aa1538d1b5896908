package align

import (
	"slices"
	"testing"
)

// TestCalls checks that Align compares only symbols that occur, and each pair of symbols
// at most once. It also checks that Align does not change its input.
func TestCalls(t *testing.T) {
	check := func(obs, ref []int, comparisons int) {
		t.Helper()
		calls, types := map[[2]int]int{}, map[[2]int]int{}
		p := Problem{Obs: slices.Clone(obs), Ref: slices.Clone(ref)}
		p.Similarity = func(a, b int) float64 {
			calls[[2]int{a, b}]++
			if a == b {
				return 1
			}
			return 0.5
		}
		p.SameType = func(a, b int) bool { types[[2]int{a, b}]++; return true }
		a, err := Align(p, Params{})
		if err != nil {
			t.Fatal(err)
		}
		for pair, n := range calls {
			if n != 1 || types[pair] > 1 || pair[0] == pair[1] && types[pair] > 0 {
				t.Errorf("%v: compared %d times, typed %d times", pair, n, types[pair])
			}
		}
		if len(calls) != comparisons || a.Stats.Comparisons != int64(comparisons) {
			t.Errorf("got %d pairs, %d comparisons, want %d", len(calls), a.Stats.Comparisons, comparisons)
		}
		if !slices.Equal(p.Obs, obs) || !slices.Equal(p.Ref, ref) {
			t.Error("sides changed")
		}
	}
	check([]int{9, 2, 9, 2, 9}, []int{4, 4, 1000, 4}, 4)
	check([]int{5, 6, 7, 8}, []int{5, 6, 7, 8}, 4) // the lead is the whole of both sides
	check([]int{5, 6, 7, 8}, []int{5, 6, 7}, 3)
	check([]int{5, 6, 7, 8}, []int{5, 6, 9, 5}, 6)       // 7 and 8 with 9 and 5, not with 6
	check([]int{5, 5, 6, 6, 5}, []int{5, 5, 6, 7, 7}, 4) // 5 and 6 with 7
}

// TestLead checks that symbols that occur only in the lead (the equal actions with which
// both sides begin) keep their similarity.
func TestLead(t *testing.T) {
	p := problemFromWords("a b c d", "a b d")
	p.Similarity = func(a, b int) float64 { return [][]float64{{1}, {0, 1}, {0, 0, 0.3}, {0, 0, 0.99}}[a][b] }
	a, err := Align(p, Params{})
	if err != nil || formatAlignment(a) != "=00 =11 +2 =32" || a.Steps[0].Similarity != 1 || a.Steps[1].Similarity != 1 {
		t.Errorf("got %+v (%v)", a, err)
	}
	for _, params := range []Params{{}, {Match: 1, Mismatch: -0.5, Gap: -0.5}} {
		a, _ := Align(p, params)
		if score, err := scoreOf(p, params); score != a.Score || err != nil {
			t.Errorf("%+v: score %v (%v), aligned %v", params, score, err, a.Score)
		}
	}
	if n := matchesOf(p, Params{}); n != 3 {
		t.Errorf("got %d matches", n)
	}
}

// TestEqualBeforeSimilar checks that an equal action is paired before one that is only
// similar enough for a match, wherever the two stand.
func TestEqualBeforeSimilar(t *testing.T) {
	for _, c := range []struct{ obs, ref, want string }{
		{"b a", "a", "+0 =10"},
		{"a b", "a", "=00 +1"},
		{"c a b", "a b", "+0 =10 =21"},
		{"a", "b a c", "-0 =01 -2"},
	} {
		p := problemFromWords(c.obs, c.ref)
		near := p.Similarity
		p.Similarity = func(a, b int) float64 { return max(near(a, b), 0.9) }
		a, err := Align(p, Params{})
		if err != nil || formatAlignment(a) != c.want {
			t.Errorf("%s with %s: got %s (%v), want %s", c.obs, c.ref, formatAlignment(a), err, c.want)
		}
	}
}
