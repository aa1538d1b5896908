package equivalence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/core/stage/relation"
)

// drawnWrites returns n writes over few names, entities and other values.
func drawnWrites(t *testing.T, random *rand.Rand, n int) []boundary.Action {
	var calls []string
	for range n {
		id := func() string { return fmt.Sprintf(`"f%d.txt"`, random.IntN(5)) }
		args := []string{fmt.Sprintf(`"files":[%s,%s,%s]`, id(), id(), id()), fmt.Sprintf(`"files":[%s]`, id()), `"file":` + id(), `"names":["x","y"]`, fmt.Sprintf(`"name":"%c"`, 'x'+rune(random.IntN(2))), fmt.Sprintf(`"k":%d`, random.IntN(2)), fmt.Sprintf(`"rows":[{"q":%d},{"q":1}]`, random.IntN(2))}
		random.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
		calls = append(calls, []string{"delete_file", "delete_files", "drop"}[random.IntN(3)]+"{"+strings.Join(args[:random.IntN(3)], ",")+"}")
	}
	return writes(t, strings.Join(calls, " "))
}

// fitsSlowly is wholeAction.fitsPart without its tables.
func fitsSlowly(part, whole *boundary.Action, lists []string) bool {
	has := func(a *boundary.Action, l similarity.Leaf) bool {
		return slices.ContainsFunc(a.Leaves, func(m similarity.Leaf) bool { return m.Key == l.Key && m.Value == l.Value })
	}
	for _, l := range part.Leaves {
		if !boundary.Identifies(l.Key, l.Value) && !isListed(&l, lists) && !has(whole, l) {
			return false
		}
	}
	for _, w := range whole.Leaves {
		if !boundary.Identifies(w.Key, w.Value) && !strings.Contains(w.Path, "[") && !whole.Terms.Ignores(w.Path) && !has(part, w) {
			return false
		}
	}
	return true
}

// TestTheIndexFindsEachPart checks that openIndex lists each action that may be a part of
// another, in order, and that wholeAction judges like a comparison of all arguments.
func TestTheIndexFindsEachPart(t *testing.T) {
	parts, listed := 0, 0
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 31))
		side, wholes := drawnWrites(t, random, 12), drawnWrites(t, random, 3)
		open := make([]int, len(side))
		for i := range open {
			open[i] = i
		}
		var x openIndex
		x.indexEntities(side, open)
		x.indexLists(side, open)
		for i := range wholes {
			whole := &wholes[i]
			lists := listKeys(whole)
			scope := entitiesOf(whole, lists)
			w := newWholeAction(whole, scope, lists)
			within := x.findWithin(scope)
			fixed, all := similarity.SplitLists(whole.Leaves)
			left := map[string]int{}
			for _, e := range all {
				left[e]++
			}
			inLists := x.listParts(whole.Name, fixed, left)
			if !slices.IsSorted(within) || !slices.IsSorted(inLists) {
				t.Fatalf("seed %d: not in order: %v, %v", seed, within, inLists)
			}
			for o := range side {
				a := &side[o]
				own := entitiesOf(a, lists)
				subset := !slices.ContainsFunc(own, func(e string) bool { return !slices.Contains(scope, e) })
				if got := w.holdsAll(own); got != subset {
					t.Fatalf("seed %d: %q in %q: %v", seed, a.Key, whole.Key, got)
				}
				if want, got := fitsSlowly(a, whole, lists), w.fitsPart(a); got != want {
					t.Fatalf("seed %d: %q fits %q: %v, want %v", seed, a.Key, whole.Key, got, want)
				}
				if subset && len(own) > 0 {
					if parts++; !slices.Contains(within, o) {
						t.Fatalf("seed %d: %q is no part of %q", seed, a.Key, whole.Key)
					}
				}
				outside, elements := similarity.SplitLists(a.Leaves)
				if _, ok := similarity.WithoutElements(all, elements); ok && len(elements) > 0 && outside == fixed && a.Name == whole.Name {
					if listed++; !slices.Contains(inLists, o) {
						t.Fatalf("seed %d: %q has no elements of %q", seed, a.Key, whole.Key)
					}
				}
			}
		}
	}
	if parts < 500 || listed < 30 {
		t.Errorf("%d parts and %d lists: too few to show anything", parts, listed)
	}
}

// TestClearlyDifferentCallsDisagree checks that clearlyDiffer and countSame say the same
// as a comparison of all arguments.
func TestClearlyDifferentCallsDisagree(t *testing.T) {
	differ, agreed := 0, 0
	for seed := range uint64(600) {
		random := rand.New(rand.NewPCG(seed, 32))
		many, words := []string{}, []string{"cart_", "x"}[:1+random.IntN(2)]
		for i := range fewArguments + 1 + random.IntN(3) {
			many = append(many, fmt.Sprintf(`"%s%d":%d`, words[random.IntN(len(words))], i, i))
		}
		few := append([]string{}, many[:random.IntN(3)]...)
		if random.IntN(3) == 0 {
			few = append(few, fmt.Sprintf(`"id":%d`, random.IntN(9)))
		}
		a := writes(t, "remove_from_cart{"+strings.Join(many, ",")+"}")[0]
		b := writes(t, "delete_item{"+strings.Join(few, ",")+"}")[0]
		for _, pair := range [][2]*boundary.Action{{&a, &b}, {&b, &a}} {
			obs, ref := pair[0], pair[1]
			if clearlyDiffer(obs, ref) {
				differ++
				if agreeSlowly(obs, ref) {
					t.Fatalf("seed %d: %q and %q agree", seed, obs.Key, ref.Key)
				}
			} else if Agree(obs, ref) {
				agreed++
			}
			d := similarity.Compare(&obs.Call, &ref.Call, nil)
			if same := countSame(obs, ref, valuesByPath(ref)); same != d.Same {
				t.Fatalf("seed %d: %q and %q have %d equal arguments, want %d", seed, obs.Key, ref.Key, same, d.Same)
			}
		}
	}
	if differ < 100 || agreed < 20 {
		t.Errorf("%d pairs differ and %d agree: too few to show anything", differ, agreed)
	}
}

// agreeSlowly is Agree for calls of plain terms, by its definition.
func agreeSlowly(obs, ref *boundary.Action) bool {
	d := similarity.Compare(&obs.Call, &ref.Call, nil)
	if d.Equal() || len(d.Changed) > 0 || d.Same == 0 && len(d.Missing) == 0 {
		return d.Equal()
	}
	extra := slices.Clone(d.Extra)
	for _, m := range d.Missing {
		i := slices.IndexFunc(extra, func(l similarity.Leaf) bool { return l.Value == m.Value })
		switch {
		case i >= 0 && boundary.Identifies(m.Key, m.Value):
			extra = slices.Delete(extra, i, i+1)
		case !nameHasWord(m.Key, ref.Deed().Place):
			return false
		}
	}
	return !slices.ContainsFunc(extra, func(l similarity.Leaf) bool { return !nameHasWord(l.Key, obs.Deed().Place) })
}

// TestOneListOfWritesGuards checks guardsOther against a search of all later steps.
func TestOneListOfWritesGuards(t *testing.T) {
	guards := 0
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 33))
		c := drawnCase(t, random)
		j := &judge{Case: c, Run: relation.New(c)}
		for check := range c.Ref {
			for later := check + 1; later < len(c.Ref); later++ {
				want := false
				if scope := j.stepScope(check); !mayOverlap(scope, j.stepScope(later)) {
					for r := check + 1; r < len(c.Ref); r++ {
						want = want || c.Ref[r].Writes() && relation.HaveCommonEntity(scope, j.stepScope(r))
					}
				}
				if got := j.guardsOther(check, later); got != want {
					t.Fatalf("seed %d: steps %d and %d: %v, want %v", seed, check, later, got, want)
				}
				if want {
					guards++
				}
			}
		}
	}
	if guards < 50 {
		t.Errorf("%d steps guard others: too few to show anything", guards)
	}
}
