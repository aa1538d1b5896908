package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func near6(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %.9g, want %.9g", what, got, want)
	}
}

// tableObservations returns the observations of a two by two table with one binary
// covariate. For the covariate 1, the number of successes is a and the number of failures
// is b. For the covariate 0, these numbers are c and d.
func tableObservations(a, b, c, d int) (x [][]float64, y []bool) {
	add := func(n int, v float64, success bool) {
		for range n {
			x, y = append(x, []float64{v}), append(y, success)
		}
	}
	add(a, 1, true)
	add(b, 1, false)
	add(c, 0, true)
	add(d, 0, false)
	return x, y
}

func mustFit(t *testing.T, x [][]float64, y []bool) Logit {
	t.Helper()
	l, err := Logistic(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLogisticTable checks that the fit of a two by two table is its log odds ratio, with
// Woolf's standard error.
func TestLogisticTable(t *testing.T) {
	l := fit2(t, 12, 5, 7, 20)
	if l.Method != ML || l.Separated || l.N != 44 || l.Successes != 19 {
		t.Errorf("%+v", l)
	}
	near6(t, "intercept", l.Terms[0].Coef, math.Log(7.0/20))
	near6(t, "coefficient", l.Terms[1].Coef, math.Log(12.0*20/(5*7)))
	near6(t, "odds ratio", l.Terms[1].OR, 12.0*20/(5*7))
	near6(t, "standard error", l.Terms[1].SE, math.Sqrt(1.0/12+1.0/5+1.0/7+1.0/20))
	near6(t, "z", l.Terms[1].Z, l.Terms[1].Coef/l.Terms[1].SE)
	want := 12*math.Log(12.0/17) + 5*math.Log(5.0/17) + 7*math.Log(7.0/27) + 20*math.Log(20.0/27)
	near6(t, "log-likelihood", l.LogLik, want)
}

func fit2(t *testing.T, a, b, c, d int) Logit {
	t.Helper()
	x, y := tableObservations(a, b, c, d)
	return mustFit(t, x, y)
}

// TestLogisticTextbook checks a textbook's worked example: hours of study against passing
// an exam.
func TestLogisticTextbook(t *testing.T) {
	hours := []float64{0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 1.75, 2.00, 2.25, 2.50, 2.75, 3.00, 3.25, 3.50, 4.00, 4.25, 4.50, 4.75, 5.00, 5.50}
	passed := "00000010101010111111"
	var x [][]float64
	var y []bool
	for i, h := range hours {
		x, y = append(x, []float64{h}), append(y, passed[i] == '1')
	}
	l := mustFit(t, x, y)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"intercept", l.Terms[0].Coef, -4.0777}, {"its SE", l.Terms[0].SE, 1.7610}, {"its p", l.Terms[0].P, 0.0206},
		{"hours", l.Terms[1].Coef, 1.5046}, {"its SE", l.Terms[1].SE, 0.6287}, {"its p", l.Terms[1].P, 0.0167},
		{"log-likelihood", l.LogLik, -8.02988},
	} {
		if math.Abs(c.got-c.want) > 6e-5 {
			t.Errorf("%s = %.5f, want %.4f", c.what, c.got, c.want)
		}
	}
}

// randomObservations returns n observations with two seeded random counts as covariates.
// The counts have an effect on the outcome.
func randomObservations(seed uint64, n int) (x [][]float64, y []bool) {
	r := rand.New(rand.NewPCG(seed, 7))
	for range n {
		a, b := float64(r.Uint32N(4)), float64(r.Uint32N(6))
		x = append(x, []float64{a, b})
		y = append(y, r.Float64() < 1/(1+math.Exp(-(1-0.8*a+0.2*b))))
	}
	return x, y
}

// TestLogisticIsTheMaximum checks that the score equations Σ(y − p)·x = 0 hold at the
// estimate, and that no point of a grid around it is likelier.
func TestLogisticIsTheMaximum(t *testing.T) {
	for seed := range uint64(20) {
		x, y := randomObservations(seed, 60)
		l := mustFit(t, x, y)
		if l.Separated {
			continue
		}
		beta := []float64{l.Terms[0].Coef, l.Terms[1].Coef, l.Terms[2].Coef}
		d, _ := newDesign(x, y)
		p, _ := d.evaluateAt(beta)
		for j, g := range d.likelihoodScore(p) {
			if math.Abs(g) > 1e-9 {
				t.Errorf("seed %d: score %d is %g", seed, j, g)
			}
		}
		for _, other := range gridAround(beta, 0.01) {
			if q, _ := d.evaluateAt(other); q.logLik > p.logLik+1e-12 {
				t.Errorf("seed %d: %v is likelier than %v", seed, other, beta)
			}
		}
	}
}

// gridAround returns the 27 points of a grid around a centre. In each of the three
// dimensions, a point differs from the centre by −h, 0 or h.
func gridAround(center []float64, h float64) (out [][]float64) {
	for i := range 27 {
		out = append(out, []float64{center[0] + h*float64(i%3-1), center[1] + h*float64(i/3%3-1), center[2] + h*float64(i/9-1)})
	}
	return out
}

func TestLogisticScaling(t *testing.T) {
	x, y := randomObservations(3, 80)
	l := mustFit(t, x, y)
	for _, unit := range []float64{1e-3, 1024, 1e6} {
		scaled := make([][]float64, len(x))
		for i := range x {
			scaled[i] = []float64{x[i][0] * unit, x[i][1]}
		}
		s := mustFit(t, scaled, y)
		near6(t, "scaled coefficient", s.Terms[1].Coef*unit, l.Terms[1].Coef)
		near6(t, "scaled SE", s.Terms[1].SE*unit, l.Terms[1].SE)
		near6(t, "p", s.Terms[1].P, l.Terms[1].P)
		near6(t, "the other", s.Terms[2].Coef, l.Terms[2].Coef)
		near6(t, "log-likelihood", s.LogLik, l.LogLik)
	}
}

// TestLogisticSymmetry checks that swapping the two outcomes changes the sign of every
// coefficient, and that the order of rows does not matter.
func TestLogisticSymmetry(t *testing.T) {
	x, y := randomObservations(5, 80)
	l := mustFit(t, x, y)
	not, rx, ry := make([]bool, len(y)), make([][]float64, len(y)), make([]bool, len(y))
	for i := range y {
		not[i], rx[i], ry[i] = !y[i], x[len(x)-1-i], y[len(y)-1-i]
	}
	turned, reversed := mustFit(t, x, not), mustFit(t, rx, ry)
	for j := range l.Terms {
		near6(t, "turned", turned.Terms[j].Coef, -l.Terms[j].Coef)
		near6(t, "reversed", reversed.Terms[j].Coef, l.Terms[j].Coef)
	}
}

func TestLogisticAliased(t *testing.T) {
	x, y := randomObservations(9, 50)
	for i := range x {
		x[i] = []float64{4, x[i][0], 2 * x[i][0], x[i][1]} // a constant, and the double of another column
	}
	l := mustFit(t, x, y)
	plain, py := randomObservations(9, 50)
	want := mustFit(t, plain, py)
	if !l.Terms[1].Aliased || !l.Terms[3].Aliased || l.Terms[2].Aliased || l.Terms[4].Aliased {
		t.Fatalf("aliased wrongly: %+v", l.Terms)
	}
	near6(t, "first", l.Terms[2].Coef, want.Terms[1].Coef)
	near6(t, "second", l.Terms[4].Coef, want.Terms[2].Coef)
}

func TestLogisticRefuses(t *testing.T) {
	check := func(x [][]float64, y []bool, want string) {
		t.Helper()
		if _, err := Logistic(x, y); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	check(nil, nil, "no observations")
	check([][]float64{{1}}, nil, "1 rows for 0 outcomes")
	check([][]float64{{1}, {2}}, []bool{true, true}, "all 2 outcomes are the same")
	check([][]float64{{1}, {2, 3}}, []bool{true, false}, "row 1 has 2 covariates")
	check([][]float64{{1}, {math.NaN()}}, []bool{true, false}, "row 1 contains a number that is not finite")
}

func TestTails(t *testing.T) {
	near6(t, "1.96", twoSided(-1.959963984540054), 0.05)
	near6(t, "chi-squared", chiSquared1(3.841458820694124), 0.05)
	near6(t, "nought", chiSquared1(-1e-12), 1)
	for _, z := range []float64{0, 0.3, 2, 6} {
		near6(t, "z² is chi-squared", chiSquared1(z*z), twoSided(z))
	}
}
