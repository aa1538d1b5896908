package align

import (
	"math/rand/v2"
	"testing"
)

// plainLCS returns the length of the longest common subsequence. It uses the textbook
// recurrence.
func plainLCS(s sample) int {
	row := make([]int, len(s.ref)+1)
	for _, a := range s.obs {
		diag := 0
		for j, b := range s.ref {
			up := row[j+1]
			row[j+1] = max(up, row[j])
			if s.sim[a][b] > 0.85 {
				row[j+1] = max(row[j+1], diag+1)
			}
			diag = up
		}
	}
	return row[len(s.ref)]
}

func TestMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	for i := range 10_000 {
		most := 10
		if i%20 == 0 {
			most = 300 // the vector needs several machine words
		}
		s := randomSample(r, most)
		s.params = Params{}
		a, err := Align(s.toProblem(), s.params)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := matchesOf(s.toProblem(), s.params), plainLCS(s); got != want || a.Matches != want {
			t.Fatalf("%+v: got %d, aligned %d, want %d", s, got, a.Matches, want)
		}
	}
}

// TestMatchesWords checks matchesOf for sides whose length is near a multiple of 64. The
// reason is that matchesOf handles 64 columns in one machine word.
func TestMatchesWords(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 127, 128, 129, 1000} {
		p := randomProblem(n, 1, 1)
		if got := matchesOf(p, Params{}); got != n {
			t.Errorf("all equal: got %d, want %d", got, n)
		}
		p.Obs = p.Obs[:n/2]
		if got := matchesOf(p, Params{}); got != n/2 {
			t.Errorf("half: got %d, want %d", got, n/2)
		}
		p.Similarity = func(int, int) float64 { return 0 }
		if got := matchesOf(p, Params{}); got != 0 {
			t.Errorf("no pairs: got %d", got)
		}
	}
}
