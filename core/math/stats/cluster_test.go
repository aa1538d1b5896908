package stats

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestClusteredCopies checks the errors if each observation is copied four times and its
// copies are in one group. The naive standard error must become half as large, and the
// robust error must stay the same, apart from its factor for few rows.
func TestClusteredCopies(t *testing.T) {
	x, y := randomObservations(4, 80)
	single := make([]string, len(x))
	for i := range single {
		single[i] = fmt.Sprint(i)
	}
	l := mustFit(t, x, y)
	want, err := l.Clustered(x, y, single)
	if err != nil {
		t.Fatal(err)
	}
	var xs [][]float64
	var ys []bool
	var groups []string
	for i := range x {
		for range 4 {
			xs, ys, groups = append(xs, x[i]), append(ys, y[i]), append(groups, single[i])
		}
	}
	copies := mustFit(t, xs, ys)
	got, err := copies.Clustered(xs, ys, groups)
	if err != nil {
		t.Fatal(err)
	}
	for j := range want {
		near6(t, "naive SE", copies.Terms[j].SE, l.Terms[j].SE/2)
		n := float64(len(x)) // the factor for few rows depends on their number
		near6(t, "robust SE", got[j].SE/math.Sqrt((4*n-1)/(4*n-3)), want[j].SE/math.Sqrt((n-1)/(n-3)))
	}
}

// TestClusteredTable checks a saturated table by hand: if each observation is its own
// group, the sandwich of one binary covariate is Woolf's variance times n/(n−1)·(n−1)/(n−2).
func TestClusteredTable(t *testing.T) {
	x, y := tableObservations(12, 5, 7, 20)
	groups := make([]string, len(x))
	for i := range groups {
		groups[i] = fmt.Sprint(i)
	}
	l := mustFit(t, x, y)
	got, err := l.Clustered(x, y, groups)
	if err != nil {
		t.Fatal(err)
	}
	n := float64(len(x))
	near6(t, "variance", got[1].SE*got[1].SE, l.Terms[1].SE*l.Terms[1].SE*n/(n-2))
}

func TestClusteredRefuses(t *testing.T) {
	check := func(l Logit, x [][]float64, y []bool, want string) {
		t.Helper()
		if _, err := l.Clustered(x, y, make([]string, len(x))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	x, y := randomObservations(4, 80)
	check(mustFit(t, x, y), x, y, "too few groups")
	sx, sy := tableObservations(5, 0, 3, 9)
	check(mustFit(t, sx, sy), sx, sy, "penalised")
	check(Logit{Method: ML}, nil, nil, "no observations")
}
