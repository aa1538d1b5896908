package linearize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// allLinearizations returns every linearisation of a process.
func allLinearizations(n *reference.Node) [][]*reference.Node {
	switch n.Kind {
	case reference.Action:
		return [][]*reference.Node{{n}}
	case reference.Optional:
		return append([][]*reference.Node{nil}, allLinearizations(&n.Children[0])...)
	case reference.OneOf:
		var all [][]*reference.Node
		for i := range n.Children {
			all = append(all, allLinearizations(&n.Children[i])...)
		}
		return all
	}
	all := [][]*reference.Node{nil}
	for i := range n.Children {
		var next [][]*reference.Node
		for _, a := range all {
			for _, b := range allLinearizations(&n.Children[i]) {
				if n.Kind == reference.Sequence {
					next = append(next, append(slices.Clone(a), b...))
				} else {
					next = append(next, allInterleavings(a, b)...)
				}
			}
		}
		all = next
	}
	return all
}

// allInterleavings returns every interleaving of two lists.
func allInterleavings(a, b []*reference.Node) [][]*reference.Node {
	if len(a) == 0 || len(b) == 0 {
		return [][]*reference.Node{append(slices.Clone(a), b...)}
	}
	var all [][]*reference.Node
	for _, s := range allInterleavings(a[1:], b) {
		all = append(all, append([]*reference.Node{a[0]}, s...))
	}
	for _, s := range allInterleavings(a, b[1:]) {
		all = append(all, append([]*reference.Node{b[0]}, s...))
	}
	return all
}

// bestAlignment tries every alignment of a list with the actions from index obs on. The
// result score is the greatest score in units of ½, minus the score of the alignment
// without pairs. The result subs is the greatest total similarity of the pairs among the
// alignments with this score.
func bestAlignment(p Problem, list []*reference.Node, obs int) (score int, subs float64) {
	if len(list) == 0 {
		return 0, 0
	}
	score, subs = bestAlignment(p, list[1:], obs)
	for o := obs; o < len(p.Obs); o++ {
		s, b := bestAlignment(p, list[1:], o+1)
		sim := p.Similarity(&list[0].Step, p.Obs[o])
		switch {
		case sim > 0.85:
			s, b = s+4, b+sim
		case p.SameType(&list[0].Step, p.Obs[o]):
			b += sim
		}
		if s > score || s == score && b > subs {
			score, subs = s, b
		}
	}
	return score, subs
}

// bruteForceOptimum returns the optimum over every linearisation.
func bruteForceOptimum(p Problem) (score float64, subs float64) {
	value := math.MinInt
	for _, list := range allLinearizations(p.Process) {
		s, b := bestAlignment(p, list, 0)
		if s -= len(list); s > value || s == value && b > subs {
			value, subs = s, b
		}
	}
	return float64(value-len(p.Obs)) / 2, subs
}

// randomProcess returns a process with at most the given number of calls. Names come from
// a small set, so they repeat.
func randomProcess(r *rand.Rand, calls *int, depth int) reference.Node {
	kind := reference.Kind(r.IntN(5))
	if depth == 0 || *calls <= 1 {
		kind = reference.Action
	}
	if kind == reference.Action {
		*calls--
		return reference.Node{Step: reference.Step{Name: fmt.Sprint("s", r.IntN(6)), Required: r.IntN(3) == 0}}
	}
	n := reference.Node{Kind: kind}
	most := 1
	if kind != reference.Optional {
		most = 2 + r.IntN(4)
	}
	for range most {
		if *calls > 0 {
			n.Children = append(n.Children, randomProcess(r, calls, depth-1))
		}
	}
	return n
}

var similarities = []float64{0, 0, 0.2, 0.3, 0.3, 0.5, 0.6, 0.85, 0.86, 1, 1}

// randomProblem returns a random problem with any relation between steps and symbols.
func randomProblem(r *rand.Rand, calls, actions int) Problem {
	root := randomProcess(r, &calls, 4)
	var sim [6][4]float64
	var same [6][4]bool
	for i := range sim {
		for j := range sim[i] {
			sim[i][j], same[i][j] = similarities[r.IntN(len(similarities))], r.IntN(2) == 0
		}
	}
	p := Problem{Process: &root, Obs: make([]int, r.IntN(actions+1))}
	for i := range p.Obs {
		p.Obs[i] = r.IntN(4)
	}
	p.Similarity = func(s *reference.Step, o int) float64 { return sim[s.Name[1]-'0'][o] }
	p.SameType = func(s *reference.Step, o int) bool { return same[s.Name[1]-'0'][o] }
	return p
}

func TestAgainstEveryLinearisation(t *testing.T) {
	seeds := 6000
	if testing.Short() {
		seeds = 500
	}
	kinds := map[reference.Kind]int{}
	for seed := range seeds {
		p := randomProblem(rand.New(rand.NewPCG(uint64(seed), 1)), 6, 5)
		kinds[p.Process.Kind]++
		checkOptimum(t, seed, p)
	}
	if len(kinds) != 5 {
		t.Errorf("only %v were tried", kinds)
	}
}

func checkOptimum(t *testing.T, seed int, p Problem) {
	t.Helper()
	r := Solve(p, Limits{})
	score, subs := bruteForceOptimum(p)
	if r.Score != score || !r.Exact || len(r.Warnings) > 0 {
		t.Fatalf("seed %d: score %v, want %v: %s", seed, r.Score, score, formatResult(r))
	}
	a := alignResult(t, p, r)
	if a.Score != score || math.Abs(totalSimilarity(a)-subs) > 1e-9 {
		t.Fatalf("seed %d: aligned %v with a total similarity of %v, want %v with %v: %s", seed, a.Score, totalSimilarity(a), score, subs, formatResult(r))
	}
	list := make([]*reference.Node, len(r.Steps))
	last := -1
	for i, s := range r.Steps {
		list[i] = s.Node
		if s.Obs >= 0 {
			if s.Obs <= last {
				t.Fatalf("seed %d: pairs cross: %s", seed, formatResult(r))
			}
			last = s.Obs
		}
	}
	if !slices.ContainsFunc(allLinearizations(p.Process), func(run []*reference.Node) bool { return slices.Equal(run, list) }) {
		t.Fatalf("seed %d: no linearisation: %s", seed, formatResult(r))
	}
	if again := Solve(p, Limits{}); !reflect.DeepEqual(r, again) {
		t.Fatalf("seed %d: %s, then %s", seed, formatResult(r), formatResult(again))
	}
}

// TestGroupsAgreeWithProducts checks that the two methods for an any-order group, windows
// and products, lead to the same score. To get the product, the test replaces the first
// call by a one-of with two equal alternatives.
func TestGroupsAgreeWithProducts(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		p := randomProblem(r, 1, 14)
		group := reference.Node{Kind: reference.AnyOrder}
		for range 2 + r.IntN(7) {
			n := reference.Node{Step: reference.Step{Name: fmt.Sprint("s", r.IntN(6))}}
			if r.IntN(3) == 0 {
				n = reference.Node{Kind: reference.Optional, Children: []reference.Node{n}}
			}
			group.Children = append(group.Children, n)
		}
		around := func(g reference.Node) *reference.Node {
			a := reference.Node{Step: reference.Step{Name: "s1"}}
			return &reference.Node{Kind: reference.Sequence, Children: []reference.Node{a, g, a}}
		}
		p.Process = around(group)
		grouped := Solve(p, Limits{})
		either := reference.Node{Kind: reference.OneOf, Children: []reference.Node{group.Children[0], group.Children[0]}}
		product := group
		product.Children = append([]reference.Node{either}, group.Children[1:]...)
		p.Process = around(product)
		multiplied := Solve(p, Limits{})
		if a, b := alignResult(t, p, grouped), alignResult(t, p, multiplied); a.Score != b.Score || grouped.Score != a.Score || multiplied.Score != b.Score || math.Abs(totalSimilarity(a)-totalSimilarity(b)) > 1e-9 {
			t.Fatalf("seed %d: %s (%v), but %s (%v)", seed, formatResult(grouped), a.Score, formatResult(multiplied), b.Score)
		}
	}
}
