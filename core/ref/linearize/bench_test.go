package linearize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkSolve solves processes of the size of real procedures, and larger ones for
// which enumerating all orders would be impossible.
func BenchmarkSolve(b *testing.B) {
	calls := func(k int) string {
		var out []string
		for i := range k {
			out = append(out, fmt.Sprintf(`"s%d"`, i))
		}
		return strings.Join(out, ",")
	}
	pairs := func(k int) string {
		var out []string
		for i := range k {
			out = append(out, fmt.Sprintf(`["s%d","s%d"]`, 2*i, 2*i+1))
		}
		return strings.Join(out, ",")
	}
	for _, c := range []struct {
		name, ref    string
		names, steps int
	}{
		{"list-10x20", `[` + calls(10) + `]`, 10, 20},
		{"any-order-5x20", `["s0",{"anyOrder":[` + calls(5) + `]},"s1"]`, 8, 20},
		{"any-order-30x100", `["s0",{"anyOrder":[` + calls(30) + `]},"s1"]`, 40, 100},
		{"any-order-200x400", `["s0",{"anyOrder":[` + calls(200) + `]},"s1"]`, 220, 400},
		{"one-of-10-paths", `[{"oneOf":[` + strings.Repeat(`[`+calls(10)+`],`, 9) + `[` + calls(9) + `]]}]`, 12, 20},
		{"interleaved-4-pairs-x30", `[{"anyOrder":[` + pairs(4) + `]}]`, 10, 30},
		{"interleaved-8-pairs-x30", `[{"anyOrder":[` + pairs(8) + `]}]`, 20, 30},
		{"list-1000x1000", `[` + calls(1000) + `]`, 1000, 1000},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(7, 7))
			run := make([]string, c.steps)
			for i := range run {
				run[i] = fmt.Sprint("s", r.IntN(c.names))
			}
			p := newExactProblem(parseProcess(b, c.ref), run)
			b.ReportAllocs()
			var last Result
			for b.Loop() {
				last = Solve(p, Limits{})
			}
			if !last.Exact {
				b.Errorf("bound hit: %+v", last.Warnings)
			}
			b.ReportMetric(float64(last.Stats.Work), "work")
			b.ReportMetric(float64(last.Stats.Cells), "cells")
		})
	}
}
