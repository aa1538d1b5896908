package align

import (
	"runtime"
	"slices"
	"testing"
)

// TestStats compares the work on fixed problems with recorded numbers. If a change only
// makes these numbers smaller, record the new numbers here.
func TestStats(t *testing.T) {
	check := func(name string, p Problem, want Stats) {
		t.Helper()
		a, err := Align(p, Params{})
		if err != nil || a.Stats != want {
			t.Errorf("%s: got %+v (%v), want %+v", name, a.Stats, err, want)
		}
	}
	check("short", problemFromWords("get:X cancel:X get:X", "get:X cancel:Y"), Stats{Comparisons: 3, Cells: 2})
	check("equal", randomProblem(300, 1, 1), Stats{Comparisons: 1})
	check("no pairs", problemFromWords("a b c", "d e f"), Stats{Comparisons: 9})
	check("sparse", randomProblem(2000, 200, 1), Stats{Comparisons: 40000, Pairs: 20208, Words: 175144})
	check("some names", randomProblem(2000, 50, 4), Stats{Comparisons: 40000, Cells: 190368, Words: 128000})
	check("dense", randomProblem(200, 2, 4), Stats{Comparisons: 64, Cells: 40000})
	check("dense and long", randomProblem(1000, 2, 4), Stats{Comparisons: 64, Cells: 145672, Words: 32000})

	k := runMethod(t, randomProblem(1000, 50, 1), func(k *task, _ block) { k.lcsLength() })
	if k.stats.Words != 1000*16 {
		t.Errorf("lcs: got %d words", k.stats.Words)
	}
}

func TestAllocs(t *testing.T) {
	p := problemFromWords("get:X cancel:X get:X look look", "get:X cancel:Y get:Y look go")
	check := func(name string, most float64, f func()) {
		t.Helper()
		if got := testing.AllocsPerRun(100, f); got > most {
			t.Errorf("%s: %v allocations, more than %v", name, got, most)
		}
	}
	check("align", 5, func() { _, _ = Align(p, Params{}) })
	check("matches", 7, func() { matchesOf(p, Params{}) })
	check("score", 7, func() { _, _ = scoreOf(p, Params{}) })
}

// TestCells checks that no alphabet needs more than twice the cells of the full table, and
// that most need a small part.
func TestCells(t *testing.T) {
	const n = 1500
	for _, p := range hardProblems(n) {
		a, err := Align(p.Problem, Params{})
		if err != nil || a.Stats.Cells > 2*n*n {
			t.Errorf("%s: %d cells (%v)", p.name, a.Stats.Cells, err)
		}
		if want := runMethod(t, p.Problem, methods["plain"]).buildAlignment(); !slices.Equal(a.Steps, want.Steps) {
			t.Errorf("%s: not the alignment of the full table", p.name)
		}
		t.Logf("%-30s %.2f of the table", p.name, float64(a.Stats.Cells)/(n*n))
	}
}

// TestMemory checks that two sides of 10,000 actions need less than 40 MiB, with few
// pairs (the sparse method) and with many.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	for _, names := range []int{1000, 200, 50, 4} {
		p := randomProblem(10_000, names, 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = Align(p, Params{})
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got >= 40 {
			t.Errorf("%d names: %d MiB", names, got)
		}
	}
}
