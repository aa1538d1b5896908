package report

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestOneIntervalForOneQuantity draws tasks with equal and unequal numbers of trials. The
// success rate and pass^1 are one quantity, so they have one interval. Where pass^k is
// missing or ends early although some task has several trials, a note says so.
func TestOneIntervalForOneQuantity(t *testing.T) {
	for seed := range drawn.Cases(300) {
		d := rand.New(rand.NewPCG(uint64(seed), 11))
		var tally Tally
		fewest, most, even := 1<<30, 0, d.IntN(2) == 0
		n := 1 + d.IntN(4)
		for task := range 1 + d.IntN(9) {
			if !even {
				n = 1 + d.IntN(4)
			}
			fewest, most = min(fewest, n), max(most, n)
			for range n {
				won := d.IntN(2) == 0
				tally.Add(&Trajectory{Task: fmt.Sprint(task), Success: &won}, 1)
			}
		}
		c := tally.Corpus(0)
		if (c.TrialsNote != "") != (fewest != most) {
			t.Fatalf("seed %d: %d to %d trials, note %q", seed, fewest, most, c.TrialsNote)
		}
		if want := fewest; want > 1 && len(c.PassHatK) != want || want == 1 && c.PassHatK != nil {
			t.Fatalf("seed %d: %d figures for %d trials", seed, len(c.PassHatK), want)
		}
		if c.PassHatK == nil {
			continue
		}
		for _, s := range []Score{c.PassHatK[0].Score, c.PassHatK[0].Any} {
			if fmt.Sprint(*s.Value, s.Interval == nil) != fmt.Sprint(*c.Metrics.SR.Value, c.Metrics.SR.Interval == nil) || s.Interval != nil && *s.Interval != *c.Metrics.SR.Interval {
				t.Fatalf("seed %d: pass^1 is %+v, the success rate is %+v", seed, s, *c.Metrics.SR)
			}
		}
	}
}
