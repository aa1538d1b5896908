package score

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/path"
	"github.com/boundcheck/boundcheck/core/math/align"
)

// mixedActions returns n random actions. Among them are calls with related and unrelated
// names, failed calls, calls with broken arguments, free texts, and steps with terms (see
// similarity.Terms).
func mixedActions(t *testing.T, r *rand.Rand, n int) []*boundary.Action {
	t.Helper()
	names := []string{"cancel_order", "cancelOrder", "order_cancel", "delete_item", "remove_from_cart", "remove_item", "get_order", "search", "find_item", "http"}
	keys := []string{"id", "order_id", "item_id", "cart_id", "ids", "note", "lines"}
	ignored, err := path.CompilePlaces("note")
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*boundary.Action, n)
	for i := range out {
		a := &boundary.Action{Failed: r.IntN(12) == 0}
		a.Mutation.Mutating = []mutation.Tri{mutation.Yes, mutation.No, mutation.Unknown}[r.IntN(3)]
		a.Mutation.Control = r.IntN(20) == 0
		text, broken, arguments := "", "", map[string]any{}
		switch r.IntN(12) {
		case 0:
			text = []string{"go to shelf 1", "go to  shelf 2", "open the shelf, open it", "", "…"}[r.IntN(5)]
		case 1:
			broken = fmt.Sprint("{", r.IntN(3))
		default:
			for range r.IntN(4) {
				var v any = fmt.Sprint("#", r.IntN(3))
				if r.IntN(4) == 0 {
					v = []any{r.IntN(2), r.IntN(2), map[string]any{"a.b": nil, "id": r.IntN(2)}}
				}
				arguments[keys[r.IntN(len(keys))]] = v
			}
		}
		raw, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonval.Parse(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		name := names[r.IntN(len(names))]
		if text != "" && r.IntN(2) == 0 {
			name = ""
		}
		a.Call = similarity.NewCall(name, v, broken, text)
		if r.IntN(8) == 0 {
			a.Terms = &similarity.Terms{Key: "note", Ignore: []*path.Path{ignored}}
		}
		out[i] = a
	}
	return out
}

// TestPairsAreTheEvaluators checks that the functions of pairs return the same bits as
// the functions of the evaluator, in any order of calls. Both must leave the evaluator in
// the same state.
func TestPairsAreTheEvaluators(t *testing.T) {
	agreed, related := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 21))
		obs, ref := mixedActions(t, r, 40), mixedActions(t, r, 40)
		plain, fast := &evaluator{}, &evaluator{}
		if seed%3 == 0 {
			vocabulary := &boundary.Vocabulary{Aliases: [][]string{{"search", "find_item"}}}
			plain.vocabulary, fast.vocabulary = vocabulary, vocabulary
		}
		plain.kinships, fast.kinships = plain.newKinships(plain.vocabulary), fast.newKinships(fast.vocabulary)
		p := fast.newPairs(obs, ref)
		ask := func(o, r int) {
			want, got := plain.actionSimilarity(obs[o], ref[r]), p.pairSimilarity(o, r)
			if got != want {
				t.Fatalf("seed %d: %q and %q are alike to %v, want %v", seed, obs[o].Key, ref[r].Key, got, want)
			}
			if want, got := plain.sameType(obs[o], ref[r]), p.sameType(o, r); got != want {
				t.Fatalf("seed %d: %q and %q are of one type: %v, want %v", seed, obs[o].Key, ref[r].Key, got, want)
			}
			if want > 0.85 {
				agreed++
				if obs[o].Name != ref[r].Name {
					related++
				}
			}
		}
		for i := range obs {
			ask(i, i)
		}
		for range 400 {
			ask(r.IntN(len(obs)), r.IntN(len(ref)))
		}
		for o := range obs {
			for r := range ref {
				ask(o, r)
			}
		}
		if !maps.Equal(plain.kinships.known, fast.kinships.known) {
			t.Fatalf("seed %d: kins %v, want %v", seed, fast.kinships.known, plain.kinships.known)
		}
	}
	if agreed < 1000 || related < 100 {
		t.Errorf("%d pairs agreed, %d of other names: too few to show anything", agreed, related)
	}
}

// TestNearLeavesOutNothing checks that each pair that near leaves out has similarity 0 and
// different types, and that Align returns the same alignment with near as without it.
func TestNearLeavesOutNothing(t *testing.T) {
	out := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 22))
		obs, ref := mixedActions(t, r, 1+r.IntN(30)), mixedActions(t, r, 1+r.IntN(30))
		e := &evaluator{}
		if seed%3 == 0 {
			e.vocabulary = &boundary.Vocabulary{Aliases: [][]string{{"search", "find_item"}, {"http", "search", "get_order"}}}
		}
		fresh := func() { e.kinships = e.newKinships(e.vocabulary) }
		fresh()
		p := e.newPairs(obs, ref)
		for o := range obs {
			near := slices.Clone(p.listNear(o))
			if !slices.IsSorted(near) {
				t.Fatalf("seed %d: not in order: %v", seed, near)
			}
			for r := range ref {
				if slices.Contains(near, int32(r)) {
					continue
				}
				out++
				fresh()
				if sim := e.actionSimilarity(obs[o], ref[r]); sim > 0 && sim > align.DefaultThreshold || e.sameType(obs[o], ref[r]) {
					t.Fatalf("seed %d: %q and %q: similarity %v, but left out", seed, obs[o].Key, ref[r].Key, sim)
				}
			}
		}
		if p.cut > 0 || p.leftOut() != "" {
			t.Fatalf("seed %d: %s", seed, p.leftOut())
		}
		problem := align.Problem{Obs: drawnSymbols(r, len(obs)), Ref: drawnSymbols(r, len(ref)),
			Similarity: func(o, r int) float64 { // the caches of names depend on the order of the calls
				fresh()
				return e.actionSimilarity(obs[o], ref[r])
			},
			SameType: func(o, r int) bool { return e.sameType(obs[o], ref[r]) }}
		want, err := align.Align(problem, align.Params{})
		if err != nil {
			t.Fatal(err)
		}
		problem.Near = p.listNear
		got, err := align.Align(problem, align.Params{})
		if err != nil {
			t.Fatal(err)
		}
		got.Stats, want.Stats = align.Stats{}, align.Stats{}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
		}
	}
	if out < 10_000 {
		t.Errorf("near left out %d pairs: too few to show anything", out)
	}
}

func drawnSymbols(r *rand.Rand, symbols int) []int {
	out := make([]int, r.IntN(60))
	for i := range out {
		out[i] = r.IntN(symbols)
	}
	return out
}

// TestNearestKeepsEqualCalls checks what near returns if it may not return all: the equal
// call, no more than it may, and only actions that it returns without a limit, too.
func TestNearestKeepsEqualCalls(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 23))
		all := mixedActions(t, r, 120)
		obs, ref := all[:60], slices.Concat(all[60:], all[:20])
		e := &evaluator{}
		e.kinships = e.newKinships(nil)
		p := e.newPairs(obs, ref)
		for o := range obs {
			p.most = 0
			full := slices.Clone(p.listNear(o))
			p.most = 4
			near := p.listNear(o)
			if slices.Equal(near, full) {
				continue
			}
			if len(near) > 4 {
				t.Fatalf("seed %d: %d actions, may be 4", seed, len(near))
			}
			equal := false
			for _, k := range near {
				if !slices.Contains(full, k) {
					t.Fatalf("seed %d: %q is not near %q", seed, ref[k].Key, obs[o].Key)
				}
				equal = equal || ref[k].Key == obs[o].Key
			}
			if o < 20 && !equal {
				t.Fatalf("seed %d: %q without its equal call", seed, obs[o].Key)
			}
		}
		if !strings.Contains(p.leftOut(), "too many") {
			t.Fatalf("seed %d: no warning: %q", seed, p.leftOut())
		}
	}
}
