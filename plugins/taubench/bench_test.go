package taubench

import (
	"path/filepath"
	"testing"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
)

// requests are the 200 airline runs as a host hands them over.
func requests(t testing.TB) []*abi.ReplayRequest {
	t.Helper()
	var runs []recorded
	read(t, "tau-bench/gpt-4o-airline.json", &runs)
	out := make([]*abi.ReplayRequest, len(runs))
	for i := range runs {
		out[i] = runs[i].request()
	}
	return out
}

// BenchmarkRun is one run of the airline on a database that is open.
func BenchmarkRun(b *testing.B) {
	w, all := world(b), requests(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Replay(w, all[i%len(all)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAirline is the 5 MB of databases opened and all 200 runs replayed.
func BenchmarkAirline(b *testing.B) {
	all, fs := requests(b), files(b, filepath.Join(shared, "tau-bench/env/airline"))
	for b.Loop() {
		w, err := env.Open(fs)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range all {
			if _, err := Replay(w, r); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkOpen is the same databases opened and nothing more.
func BenchmarkOpen(b *testing.B) {
	fs := files(b, filepath.Join(shared, "tau-bench/env/airline"))
	for b.Loop() {
		if _, err := env.Open(fs); err != nil {
			b.Fatal(err)
		}
	}
}
