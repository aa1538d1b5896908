package stats

import (
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func TestSeparated(t *testing.T) {
	check := func(name string, want bool, success, failure [][]float64) {
		t.Helper()
		y := append(make([]bool, 0), make([]bool, len(success)+len(failure))...)
		for i := range success {
			y[i] = true
		}
		d, err := newDesign(append(append([][]float64(nil), success...), failure...), y)
		if err != nil {
			t.Fatal(err)
		}
		if got := isSeparated(d); got != want {
			t.Errorf("%s: separated = %v", name, got)
		}
	}
	type r = [][]float64
	check("line, apart", true, r{{0}, {1}}, r{{2}, {3}})
	check("line, quasi: they share an end", true, r{{0}, {1}}, r{{1}, {3}})
	check("line, overlap", false, r{{0}, {2}}, r{{1}, {3}})
	check("line, the other way round", true, r{{5}, {9}}, r{{1}, {5}})
	check("plane, apart", true, r{{0, 0}, {1, 0}}, r{{3, 1}, {4, 2}})
	check("plane, apart only slantwise", true, r{{0, 0}, {2, 2}}, r{{1, 0}, {3, 2}})
	check("plane, quasi: one corner shared", true, r{{0, 0}, {1, 1}}, r{{1, 1}, {3, 0}, {3, 3}})
	check("plane, quasi: an edge shared", true, r{{0, 0}, {1, 0}, {0, 2}}, r{{0, 0}, {1, 0}, {0, -2}})
	check("plane, quasi along a line, one point aside", true, r{{0, 0}, {2, 0}}, r{{1, 0}, {3, 0}, {1, 4}})
	check("plane, crossing", false, r{{0, 0}, {2, 2}}, r{{0, 2}, {2, 0}})
	check("plane, inside", false, r{{0, 0}, {4, 0}, {0, 4}, {4, 4}}, r{{1, 1}, {2, 1}})
	check("plane, one point inside", false, r{{0, 0}, {4, 0}, {0, 4}}, r{{1, 1}})
	check("second covariate aliased", false, r{{0, 1}, {2, 1}}, r{{1, 1}, {3, 1}})
}

// partedSlowly reports whether a line weakly separates the two outcomes. It tries every
// direction at right angles to the line between two points of different outcome. Unlike
// isSeparated, it computes no convex hull.
func partedSlowly(d *design) bool {
	for i, p := range d.rows {
		for j, q := range d.rows {
			w := [2]float64{p[2] - q[2], q[1] - p[1]}
			if d.y[i] != d.y[j] && w != [2]float64{} && directionSplits(d, w) {
				return true
			}
		}
	}
	return false
}

func directionSplits(d *design, w [2]float64) bool {
	const far = 1e9
	low, high := [2]float64{far, far}, [2]float64{-far, -far}
	for i, r := range d.rows {
		v, c := w[0]*r[1]+w[1]*r[2], int(d.y[i])
		low[c], high[c] = min(low[c], v), max(high[c], v)
	}
	return high[0] <= low[1] || high[1] <= low[0]
}

// TestSeparatedAgainstFit compares isSeparated with partedSlowly and with the fit. The
// fit must converge exactly if no line separates the outcomes.
func TestSeparatedAgainstFit(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	seen := map[bool]int{}
	total := drawn.Cases(5000)
	for range total {
		n := 4 + int(r.Uint32N(8))
		x, y := make([][]float64, n), make([]bool, n)
		for i := range x {
			x[i] = []float64{float64(r.Uint32N(4)), float64(r.Uint32N(4))}
			y[i] = r.Uint32N(2) == 0
		}
		d, err := newDesign(x, y)
		if err != nil || len(d.column) != 3 {
			continue
		}
		got := isSeparated(d)
		seen[got]++
		if slow := partedSlowly(d); got != slow {
			t.Fatalf("separated = %v, slowly %v: %v %v", got, slow, x, y)
		}
		if _, ok := d.maximizeLikelihood(); ok == got {
			t.Fatalf("separated = %v, fit converges %v: %v %v", got, ok, x, y)
		}
	}
	if seen[true] < total/50 || seen[false] < total/50 {
		t.Errorf("too few of one kind: %v", seen)
	}
}
