package align

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// randomProblem returns a problem of two random runs with n actions each. There are names
// × args different symbols, and each name has args of them. The similarity of two symbols
// is:
//
//   - 1 if they are equal;
//   - 0.5 to 0.8 if they are different but have the same name;
//   - 0 if they have different names.
func randomProblem(n, names, args int) Problem {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	k := names * args
	p := Problem{Obs: make([]int, n), Ref: make([]int, n)}
	for i := range n {
		p.Obs[i], p.Ref[i] = r.IntN(k), r.IntN(k)
	}
	p.SameType = func(a, b int) bool { return a%names == b%names }
	p.Similarity = func(a, b int) float64 {
		switch {
		case a == b:
			return 1
		case a%names == b%names:
			return 0.5 + float64((a+3*b)%7)/20
		}
		return 0
	}
	return p
}

// twoRows returns the best score of p. It uses the textbook dynamic programme with two
// rows of floats, and the benchmarks compare Align with it. k is the number of symbols.
func twoRows(p Problem, k int) float64 {
	match := make([]bool, k*k)
	for a := range k {
		for b := range k {
			match[a*k+b] = p.Similarity(a, b) > DefaultThreshold
		}
	}
	above, row := make([]float64, len(p.Ref)+1), make([]float64, len(p.Ref)+1)
	for j := range above {
		above[j] = DefaultGap * float64(j)
	}
	for i, a := range p.Obs {
		row[0] = DefaultGap * float64(i+1)
		matches := match[a*k : (a+1)*k]
		for j, b := range p.Ref {
			pair := above[j] + DefaultMismatch
			if matches[b] {
				pair = above[j] + DefaultMatch
			}
			row[j+1] = max(pair, above[j+1]+DefaultGap, row[j]+DefaultGap)
		}
		above, row = row, above
	}
	return above[len(p.Ref)]
}

// twoRowsInt computes the same score as twoRows, but with integers. We know no faster
// dynamic programme for this score.
func twoRowsInt(p Problem, k int) float64 {
	match := make([]int32, k*k)
	for a := range k {
		for b := range k {
			match[a*k+b] = -2
			if p.Similarity(a, b) > DefaultThreshold {
				match[a*k+b] = 2
			}
		}
	}
	row := make([]int32, len(p.Ref)+1)
	for j := range row {
		row[j] = -int32(j)
	}
	for _, a := range p.Obs {
		diag, left := row[0], row[0]-1
		row[0] = left
		matches, cells := match[a*k:(a+1)*k], row[1:]
		for j, b := range p.Ref {
			up := cells[j]
			left = max(diag+matches[b], up-1, left-1)
			diag, cells[j] = up, left
		}
	}
	return float64(row[len(p.Ref)]) / 2
}

func BenchmarkLong(b *testing.B) {
	for _, args := range []int{1, 4} {
		p := randomProblem(10_000, 50, args)
		var base time.Duration
		measure := func(name string, f func() float64) {
			b.Run(fmt.Sprintf("args=%d/%s", args, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
				per := b.Elapsed() / time.Duration(b.N)
				if base == 0 {
					base = per
				}
				b.ReportMetric(float64(base)/float64(per), "x-two-rows")
			})
		}
		measure("two-rows", func() float64 { return twoRowsInt(p, 50*args) })
		measure("two-rows-float", func() float64 { return twoRows(p, 50*args) })
		measure("matches", func() float64 { return float64(matchesOf(p, Params{})) })
		measure("score", func() float64 { s, _ := scoreOf(p, Params{}); return s })
		measure("align", func() float64 { a, _ := Align(p, Params{}); return a.Score })
	}
}

// graded is a similarity below the threshold, or 1 for equal symbols.
func graded(a, b int) float64 {
	if a == b {
		return 1
	}
	return float64((7*a+13*b)%84) / 100
}

// hardProblem is a problem with many pairs.
type hardProblem struct {
	name string
	Problem
}

// hardProblems returns problems of n actions a side of which few symbols, or many similar
// ones, make many pairs.
func hardProblems(n int) []hardProblem {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	var list []hardProblem
	add := func(name string, obs, ref func(i int) int, sim func(a, b int) float64) {
		p := Problem{Obs: make([]int, n), Ref: make([]int, n), Similarity: sim, SameType: func(int, int) bool { return true }}
		for i := range n {
			p.Obs[i], p.Ref[i] = obs(i), ref(i)
		}
		list = append(list, hardProblem{name, p})
	}
	random := func(k int) func(int) int { return func(int) int { return r.IntN(k) } }
	halves := func(first, second int) func(int) int {
		return func(i int) int {
			if i < n/2 {
				return first
			}
			return second
		}
	}
	process := func(i int) int { return (i*i/7 + i/13) % 20 }
	for _, names := range []int{2, 4, 20, 50} {
		for _, args := range []int{1, 4} {
			list = append(list, hardProblem{fmt.Sprintf("%d names, %d arguments", names, args), randomProblem(n, names, args)})
		}
	}
	add("related, 20 symbols", process, func(i int) int {
		if r.IntN(5) == 0 {
			return r.IntN(20)
		}
		return process(i)
	}, graded)
	add("1,000 symbols, one type", random(1000), random(1000), graded)
	add("halves swapped", halves(0, 1), halves(1, 0), graded)
	add("equal at the end", halves(2, 0), halves(1, 0), graded)
	add("all pairs match", random(20), random(20), func(a, b int) float64 { return 0.9 })
	add("one similarity, no match", random(10), random(10), func(a, b int) float64 { return 0.5 })
	add("many similarities, no match", random(10), random(10), func(a, b int) float64 { return min(graded(a, b), 0.84) })
	add("rare matches", random(8), func(int) int { return 8 * min(1, r.IntN(100)) }, graded)
	return list
}

// BenchmarkAlphabets measures Align for problems with many pairs, and compares it with the
// division in halves. Each metric is the best time of all rounds.
func BenchmarkAlphabets(b *testing.B) {
	r, _ := Params{}.toRule()
	for _, p := range hardProblems(10_000) {
		b.Run(p.name, func(b *testing.B) {
			best := map[string]time.Duration{}
			measure := func(name string, f func(k *task)) {
				k, _ := newTask(p.Problem, r)
				start := time.Now()
				f(k)
				if d := time.Since(start); best[name] == 0 || d < best[name] {
					best[name] = d
				}
			}
			for b.Loop() {
				measure("halves", func(k *task) { k.solveHalves(k.blockAfterLead(), plainCells) })
				for range 5 {
					measure("align", func(k *task) { k.findPairs() })
				}
			}
			b.ReportMetric(float64(best["align"].Microseconds())/1e3, "align-ms")
			b.ReportMetric(float64(best["halves"].Microseconds())/1e3, "halves-ms")
			b.ReportMetric(float64(best["halves"])/float64(best["align"]), "x-halves")
		})
	}
}

// BenchmarkNames measures Align for several numbers of names. Align goes through layers if
// there are few names, and uses the sparse method if there are many.
func BenchmarkNames(b *testing.B) {
	for _, names := range []int{2, 4, 8, 16, 32, 500} {
		p := randomProblem(4_000, names, 4)
		b.Run(fmt.Sprint(names), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Align(p, Params{})
			}
		})
	}
}

func BenchmarkShort(b *testing.B) {
	for _, n := range []int{5, 20, 100} {
		p := randomProblem(n, 8, 2)
		b.Run(fmt.Sprint("align/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Align(p, Params{})
			}
		})
		b.Run(fmt.Sprint("matches/", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				matchesOf(p, Params{})
			}
		})
	}
}
