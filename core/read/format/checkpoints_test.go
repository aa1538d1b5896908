package format

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestPointsDecide attacks the law that a check of a record has the words of a text only if the
// points decide which check it is: the text and the record list the same points in the same
// order, or no other check has these. Where the text has others, the check is told by its points.
func TestPointsDecide(t *testing.T) {
	named, nameless := 0, 0
	for seed := range drawn.Cases(500) {
		d := rand.New(rand.NewPCG(uint64(seed), 93))
		var points []int
		for range 1 + d.IntN(4) {
			points = append(points, 1+d.IntN(4))
		}
		order := d.Perm(len(points)) // by place in the record: the check of the text
		var text strings.Builder
		for i, n := range points {
			fmt.Fprintf(&text, "## Checkpoint %d (%dpts)\n\nWords of %d\n", i+1, n, i)
		}
		var totals []int
		var checks []string
		for _, of := range order {
			totals = append(totals, points[of])
			checks = append(checks, fmt.Sprintf(`{"total":%d,"result":0}`, points[of]))
		}
		score, err := jsonval.Parse(`{"checkpoints":[` + strings.Join(checks, ",") + `]}`)
		if err != nil {
			t.Fatal(err)
		}
		var run trajectory.Trajectory
		readCheckpoints(&run, shape.OpenObject(score), text.String())
		for i, a := range run.Assertions {
			alone := len(slices.DeleteFunc(slices.Clone(points), func(n int) bool { return n != totals[i] })) == 1
			want := fmt.Sprintf("a check worth %d points", totals[i])
			if totals[i] == 1 {
				want = "a check worth 1 point"
			}
			switch {
			case slices.Equal(totals, points):
				want = fmt.Sprintf("checkpoint %d: Words of %d", i+1, i)
			case alone:
				want += fmt.Sprintf(": Words of %d", order[i])
			}
			if a.Name != want {
				t.Fatalf("seed %d: %v in the text, %v in the record: check %d is %q, want %q", seed, points, totals, i+1, a.Name, want)
			}
			if alone {
				named++
			} else {
				nameless++
			}
		}
	}
	if named < 50 || nameless < 50 {
		t.Errorf("%d are named and %d are not: too few to show anything", named, nameless)
	}
}
