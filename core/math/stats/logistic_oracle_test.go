package stats

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"
)

// TestLogisticOracle compares logistic regressions and their cluster-robust standard
// errors with the results of statsmodels.
func TestLogisticOracle(t *testing.T) {
	var oracle struct {
		Fits []struct {
			X        [][]float64
			Y        []bool
			Tasks    []int
			Coef     []float64
			SE       []float64
			P        []float64
			LL       float64
			Robust   []float64 // without a correction for the number of groups
			Clusters int
		}
	}
	data, err := os.ReadFile("testdata/logistic.json")
	if err == nil {
		err = json.Unmarshal(data, &oracle)
	}
	if err != nil {
		t.Fatal(err)
	}
	robust := 0
	for _, o := range oracle.Fits {
		l, err := Logistic(o.X, o.Y)
		if err != nil || l.Method != ML || !agreesWithin(l.LogLik, o.LL, 1e-9) {
			t.Fatalf("%d rows: %v %+v", len(o.Y), err, l)
		}
		for i, term := range l.Terms {
			if !agreesWithin(term.Coef, o.Coef[i], 1e-6) || !agreesWithin(term.SE, o.SE[i], 1e-6) || !agreesWithin(term.P, o.P[i], 1e-6) {
				t.Errorf("%d rows, term %d: %+v, want %v %v %v", len(o.Y), i, term, o.Coef[i], o.SE[i], o.P[i])
			}
		}
		if o.Robust == nil {
			continue
		}
		groups := make([]string, len(o.Tasks))
		for i, task := range o.Tasks {
			groups[i] = strconv.Itoa(task)
		}
		r, err := l.Clustered(o.X, o.Y, groups)
		if err != nil {
			t.Fatal(err)
		}
		g, n, k := float64(o.Clusters), float64(len(o.Y)), float64(len(l.Terms))
		for i := range r {
			robust++
			if want := o.Robust[i] * math.Sqrt(g/(g-1)*(n-1)/(n-k)); !agreesWithin(r[i].SE, want, 1e-6) {
				t.Errorf("%d rows, term %d by group: %v, want %v", len(o.Y), i, r[i].SE, want)
			}
		}
	}
	if len(oracle.Fits) < 4 || robust < 8 {
		t.Errorf("%d fits, %d errors by group: the fixtures are cut short", len(oracle.Fits), robust)
	}
}
