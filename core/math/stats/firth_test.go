package stats

import (
	"math"
	"testing"
)

// TestFirthTable checks that Firth's estimate for a two by two table adds one half to
// every cell.
func TestFirthTable(t *testing.T) {
	check := func(a, b, c, d int) {
		t.Helper()
		l := fit2(t, a, b, c, d)
		if l.Method != Firth || !l.Separated {
			t.Fatalf("%d %d %d %d: method %s, separated %v", a, b, c, d, l.Method, l.Separated)
		}
		h := func(n int) float64 { return float64(n) + 0.5 }
		near6(t, "intercept", l.Terms[0].Coef, math.Log(h(c)/h(d)))
		near6(t, "coefficient", l.Terms[1].Coef, math.Log(h(a)*h(d)/(h(b)*h(c))))
	}
	check(5, 0, 3, 9) // quasi-complete
	check(5, 0, 0, 9) // complete
	check(0, 4, 6, 1)
	check(1, 0, 0, 1)
}

// TestFirthRatio compares the p of the penalised likelihood ratio with a p that the test
// computes from the definition: a grid search maximises both penalised likelihoods.
func TestFirthRatio(t *testing.T) {
	x, y := tableObservations(5, 0, 3, 9)
	d, _ := newDesign(x, y)
	star := func(b0, b1 float64) float64 {
		p, _ := d.evaluateAt([]float64{b0, b1})
		return p.penalizedLogLik()
	}
	full, null := math.Inf(-1), math.Inf(-1)
	for b0 := -4.0; b0 < 4; b0 += 0.004 {
		null = math.Max(null, star(b0, 0))
	}
	l := mustFit(t, x, y)
	for _, b0 := range []float64{-0.01, 0, 0.01} {
		for _, b1 := range []float64{-0.01, 0, 0.01} {
			full = math.Max(full, star(l.Terms[0].Coef+b0, l.Terms[1].Coef+b1))
		}
	}
	near6(t, "penalised likelihood", l.LogLik, full)
	if want := chiSquared1(2 * (full - null)); math.Abs(l.Terms[1].P-want) > 1e-5 {
		t.Errorf("p = %.7f, want %.7f", l.Terms[1].P, want)
	}
}

// TestFirthIsTheMaximum checks that, without separation, Firth's modified score is zero
// at its estimate, and no neighbouring point is higher.
func TestFirthIsTheMaximum(t *testing.T) {
	for seed := range uint64(10) {
		x, y := randomObservations(seed, 30)
		d, err := newDesign(x, y)
		if err != nil {
			continue
		}
		p, err := d.maximizePenalized(-1)
		if err != nil {
			t.Fatal(err)
		}
		for j, g := range d.modifiedScore(p) {
			if math.Abs(g) > 1e-7 {
				t.Errorf("seed %d: score %d is %g", seed, j, g)
			}
		}
		for _, other := range gridAround(p.beta, 0.01) {
			if q, _ := d.evaluateAt(other); q.penalizedLogLik() > p.penalizedLogLik()+1e-12 {
				t.Errorf("seed %d: %v is higher than %v", seed, other, p.beta)
			}
		}
	}
}

// TestFirthThreeCovariates checks that the fit itself detects separation if there are
// more covariates than the exact test supports.
func TestFirthThreeCovariates(t *testing.T) {
	x, y := randomObservations(1, 60)
	for i := range x {
		third := float64(i % 3)
		if y[i] {
			third = 5 + float64(i%2)
		}
		x[i] = append(x[i], third)
	}
	l := mustFit(t, x, y)
	if !l.Separated || l.Method != Firth {
		t.Errorf("separated %v, method %s", l.Separated, l.Method)
	}
	for _, term := range l.Terms {
		if math.IsNaN(term.Coef) || math.Abs(term.Coef) > 20 || math.IsNaN(term.P) {
			t.Errorf("not finite: %+v", term)
		}
	}
	if p := l.Terms[3].P; p > 1e-3 {
		t.Errorf("p of the separating covariate = %g", p)
	}
}

// TestLogisticThreeCovariates checks that three covariates without separation have a
// maximum likelihood fit.
func TestLogisticThreeCovariates(t *testing.T) {
	x, y := randomObservations(2, 200)
	for i := range x {
		x[i] = append(x[i], float64(i%5))
	}
	if l := mustFit(t, x, y); l.Separated || l.Method != ML {
		t.Errorf("separated %v, method %s", l.Separated, l.Method)
	}
}
