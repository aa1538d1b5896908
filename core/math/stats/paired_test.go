package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// agreesWithin reports whether two numbers agree to a relative error.
func agreesWithin(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*math.Max(math.Abs(want), 1e-300)
}

// TestOracle compares the tests with the results of scipy and statsmodels on the same
// samples.
func TestOracle(t *testing.T) {
	var oracle struct {
		Paired []struct {
			D     []float64
			T, P  float64
			W, WP *float64
		}
		Student  []struct{ T, DF, P float64 }
		Quantile []struct{ Q, DF, T float64 }
		McNemar  []struct {
			Gained, Lost int
			P            float64
		}
		Holm  []struct{ P, Adjusted []float64 }
		Power []struct {
			N      int
			Effect float64
		}
		Fleiss []struct {
			Table [][]int
			Kappa float64
		}
	}
	data, err := os.ReadFile("testdata/paired.json")
	if err == nil {
		err = json.Unmarshal(data, &oracle)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range oracle.Paired {
		n := len(o.D)
		r, ok := PairedT(o.D)
		if !ok || !agreesWithin(r.T, o.T, 1e-9) || !agreesWithin(r.P, o.P, 1e-9) {
			t.Errorf("%d differences: t %v p %v, want %v %v", n, r.T, r.P, o.T, o.P)
		}
		if o.W == nil {
			continue
		}
		if w, p, ok := Wilcoxon(o.D); !ok || w != *o.W || !agreesWithin(p, *o.WP, 1e-9) {
			t.Errorf("%d differences: w %v p %v, want %v %v", n, w, p, *o.W, *o.WP)
		}
	}
	for _, o := range oracle.Student {
		if p := studentP(o.T, o.DF); !agreesWithin(p, o.P, 1e-9) {
			t.Errorf("t %v, df %v: %v, want %v", o.T, o.DF, p, o.P)
		}
	}
	for _, o := range oracle.Quantile {
		if x := studentQuantile(o.Q, o.DF); math.Abs(x-o.T) > 1e-9*math.Max(1, math.Abs(o.T)) {
			t.Errorf("q %v, df %v: %v, want %v", o.Q, o.DF, x, o.T)
		}
	}
	for _, o := range oracle.McNemar {
		if p := McNemar(o.Gained, o.Lost); !agreesWithin(p, o.P, 1e-9) {
			t.Errorf("%d gained, %d lost: %v, want %v", o.Gained, o.Lost, p, o.P)
		}
	}
	for _, o := range oracle.Holm {
		for i, p := range Holm(o.P) {
			if !agreesWithin(p, o.Adjusted[i], 1e-9) {
				t.Errorf("%v: %v, want %v", o.P, p, o.Adjusted[i])
			}
		}
	}
	for _, o := range oracle.Power { // the formula with quantiles stays within 3 % of the noncentral t
		if d := Detectable(1, o.N, 0.05, 0.8); !agreesWithin(d, o.Effect, 0.03) {
			t.Errorf("n %d: detectable %v, want about %v", o.N, d, o.Effect)
		}
	}
	for _, o := range oracle.Fleiss {
		if k, ok := Fleiss(o.Table); !ok || !agreesWithin(k.Value, o.Kappa, 1e-9) {
			t.Errorf("κ %v, want %v", k, o.Kappa)
		}
	}
	if len(oracle.Paired) < 8 || len(oracle.Student) < 30 || len(oracle.Fleiss) < 3 {
		t.Error("the oracle's file is not whole")
	}
}

// TestWilcoxonTies checks the exact p for samples with ties and zeros. p must be the
// share of all patterns of signs whose w is at most the w of the sample.
func TestWilcoxonTies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + random.IntN(10)
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(random.IntN(7) - 3)
		}
		w, p, ok := Wilcoxon(d)
		var all []float64
		for _, x := range d {
			if x != 0 {
				all = append(all, x)
			}
		}
		if !ok {
			if len(all) > 0 {
				t.Fatalf("%v: no test", d)
			}
			continue
		}
		below := 0
		for signs := range 1 << len(all) {
			flipped := make([]float64, len(all))
			for i := range all {
				flipped[i] = math.Abs(all[i])
				if signs&(1<<i) != 0 {
					flipped[i] = -flipped[i]
				}
			}
			if v, _, _ := Wilcoxon(flipped); v <= w {
				below++
			}
		}
		if want := math.Min(1, float64(below)/float64(int(1)<<len(all))); below < 1<<len(all) && math.Abs(p-want) > 1e-12 {
			t.Fatalf("%v: p %v, want %v", d, p, want)
		}
	}
}

func TestPairedEdges(t *testing.T) {
	for _, d := range [][]float64{nil, {1}, {0.1, 0.1, 0.1}, {0, 0}} {
		if _, ok := PairedT(d); ok {
			t.Errorf("%v: a t test of what does not vary", d)
		}
	}
	if _, p, ok := Wilcoxon([]float64{0, 0}); ok || p != 1 {
		t.Error("zeros have a signed rank")
	}
	if p := McNemar(0, 0); p != 1 {
		t.Errorf("no change: p %v", p)
	}
	if studentP(math.Inf(1), 3) != 0 || studentP(0, 3) != 1 {
		t.Error("the ends of Student's t")
	}
}
