package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func TestBootstrapEdges(t *testing.T) {
	check := func(values []float64, low, high float64) {
		t.Helper()
		if l, h := Bootstrap(values, 0.95, 42); l != low || h != high {
			t.Errorf("%v: [%v, %v], want [%v, %v]", values, l, h, low, high)
		}
	}
	check(nil, 0, 0)
	check([]float64{0.25}, 0.25, 0.25)
	check([]float64{1, 1, 1}, 1, 1)
}

func TestBootstrapSeeded(t *testing.T) {
	values := []float64{0, 1, 0.513, 0.271, 0.939, 0.824, 0.077}
	l1, h1 := Bootstrap(values, 0.95, 42)
	if l2, h2 := Bootstrap(values, 0.95, 42); l1 != l2 || h1 != h2 {
		t.Error("the same seed gave another interval")
	}
	if l3, h3 := Bootstrap(values, 0.95, 43); l1 == l3 && h1 == h3 {
		t.Error("another seed gave the same interval")
	}
	if l, h := Bootstrap(values, 0.5, 42); l < l1 || h > h1 {
		t.Errorf("the 50 %% interval [%v, %v] is not inside the 95 %% one [%v, %v]", l, h, l1, h1)
	}
}

// TestBootstraps checks that each of several columns has the interval that it has alone,
// also if columns are equal, constant or not numbers.
func TestBootstraps(t *testing.T) {
	a, b, c := []float64{0, 1, 0.5, 0.25}, []float64{1, 1, 1, 1}, []float64{0, 0, 1, 1}
	columns := [][]float64{a, b, a, c, {0, 1, 0.5, 0.25}, b, {0, 1, 0.25, 0.5}, {0, 0, math.NaN(), 1}}
	got := Bootstraps(columns, 0.95, 42)
	for i, values := range columns[:7] {
		low, high := Bootstrap(values, 0.95, 42)
		if want := (Interval{low, high}); got[i] != want {
			t.Errorf("column %d: %v, want %v", i, got[i], want)
		}
	}
	if got[3] == got[0] || got[1].Low != 1 {
		t.Errorf("%v", got)
	}
}

// TestBootstrapKnownInterval checks the interval of a mean of n zeros and ones against
// the normal approximation p ± 1.96·√(p(1−p)/n), up to the error of a thousand resamples.
func TestBootstrapKnownInterval(t *testing.T) {
	values := make([]float64, 400)
	for i := range values {
		values[i] = float64(i % 2)
	}
	low, high := Bootstrap(values, 0.95, 42)
	for got, want := range map[float64]float64{low: 0.5 - 1.96*0.025, high: 0.5 + 1.96*0.025} {
		if math.Abs(got-want) > 0.006 {
			t.Errorf("[%v, %v]: %v, want about %v", low, high, got, want)
		}
	}
}

// TestPlaceAt compares a placed value and the least one behind it with a sorted copy, for drawn values of
// which many or none are equal.
func TestPlaceAt(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range drawn.Cases(2000) {
		values := make([]float64, 1+r.IntN(60))
		for i, kinds := range slices.Repeat([]int{1 + r.IntN(80)}, len(values)) {
			values[i] = float64(r.IntN(kinds)) / 8
		}
		sorted, k := slices.Sorted(slices.Values(values)), r.IntN(len(values))
		given := slices.Clone(values)
		placeAt(values, k)
		if values[k] != sorted[k] || k+1 < len(values) && slices.Min(values[k+1:]) != sorted[k+1] {
			t.Fatalf("%v: place %d of %v", given, k, values)
		}
		if slices.Sort(values); !slices.Equal(values, sorted) {
			t.Fatalf("%v became %v", given, values)
		}
	}
}

func TestQuantile(t *testing.T) {
	sorted := []float64{1, 2, 4}
	for q, want := range map[float64]float64{0: 1, 0.25: 1.5, 0.5: 2, 0.75: 3, 1: 4} {
		if got := quantile(sorted, q); got != want {
			t.Errorf("quantile %v = %v, want %v", q, got, want)
		}
	}
}

// TestDrawRows checks that rows are drawn as Uint32N draws them, and that the generator is
// then in the same state.
func TestDrawRows(t *testing.T) {
	for n := 1; n < 1<<17; n += n/3 + 1 {
		own, others := rand.NewPCG(7, uint64(n)), rand.NewPCG(7, uint64(n))
		rows, random := make([]uint32, n), rand.New(others)
		drawRows(rows, own)
		for k, got := range rows {
			if want := random.Uint32N(uint32(n)); got != want {
				t.Fatalf("draw %d below %d: %d, want %d", k, n, got, want)
			}
		}
		if own.Uint64() != others.Uint64() {
			t.Fatalf("the generator after %d draws", n)
		}
	}
}
