package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// TestAssociationOracle compares correlations and contingency tables with scipy's
// results.
func TestAssociationOracle(t *testing.T) {
	var oracle struct {
		Pairs []struct {
			X, Y            []float64
			R, P, Rho, RhoP float64
			Low, High       *float64
		}
		Tables []struct {
			Table      [][]int
			Chi2, P, V float64
			Expected   float64
			DF         int
		}
		Tails []struct {
			X  float64
			DF int
			P  float64
		}
	}
	data, err := os.ReadFile("testdata/association.json")
	if err == nil {
		err = json.Unmarshal(data, &oracle)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range oracle.Pairs {
		p, ok := Pearson(o.X, o.Y)
		s, ok2 := Spearman(o.X, o.Y)
		if !ok || !ok2 || !agreesWithin(p.R, o.R, 1e-9) || !agreesWithin(p.P, o.P, 1e-9) || !agreesWithin(s.R, o.Rho, 1e-9) || !agreesWithin(s.P, o.RhoP, 1e-9) {
			t.Errorf("%d pairs: %+v %+v, want %v %v, %v %v", len(o.X), p, s, o.R, o.P, o.Rho, o.RhoP)
		}
		if o.Low != nil && (!agreesWithin(p.Low, *o.Low, 1e-9) || !agreesWithin(p.High, *o.High, 1e-9)) {
			t.Errorf("%d pairs: %v to %v, want %v to %v", len(o.X), p.Low, p.High, *o.Low, *o.High)
		}
	}
	for _, o := range oracle.Tables {
		c, ok := Independence(o.Table)
		if !ok || c.DF != o.DF || !agreesWithin(c.Chi2, o.Chi2, 1e-9) || !agreesWithin(c.P, o.P, 1e-9) || !agreesWithin(c.V, o.V, 1e-9) || !agreesWithin(c.Expected, o.Expected, 1e-9) {
			t.Errorf("%v: %+v, want %+v", o.Table, c, o)
		}
	}
	for _, o := range oracle.Tails {
		if p := chiSquared(o.X, o.DF); !agreesWithin(p, o.P, 1e-9) {
			t.Errorf("χ² %v with %d: %v, want %v", o.X, o.DF, p, o.P)
		}
	}
	if len(oracle.Pairs) < 7 || len(oracle.Tables) < 5 || len(oracle.Tails) < 30 {
		t.Error("the fixtures are cut short")
	}
}

// TestAssociationRefuses checks that data without variation have no correlation.
func TestAssociationRefuses(t *testing.T) {
	if _, ok := Pearson([]float64{1, 2}, []float64{1, 2}); ok {
		t.Error("two pairs")
	}
	if _, ok := Pearson([]float64{.1, .1, .1}, []float64{1, 2, 3}); ok {
		t.Error("a side that does not vary")
	}
	if c, ok := Pearson([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 8}); !ok || c.R != 1 || c.P != 0 {
		t.Errorf("a line: %+v", c)
	}
	if _, ok := Independence([][]int{{1, 2}, {0, 0}}); ok {
		t.Error("one row with counts")
	}
	if c, ok := Independence([][]int{{1, 2, 0}, {2, 1, 0}}); !ok || c.DF != 1 || !c.Sparse || math.Abs(c.V-1.0/3) > 1e-12 {
		t.Errorf("a column of noughts: %+v", c)
	}
}
