package align

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range drawn.Cases(6000) {
		s := randomSample(r, 7)
		a, err := Align(s.toProblem(), s.params)
		if err != nil {
			t.Fatal(err)
		}
		verifyAlignment(t, s, a)
		b := bruteForce(s)
		if !slices.Equal(alignedCouples(a), b.best) || a.Score != float64(b.score)/1e9 {
			t.Fatalf("%+v: got %s (%v), want %v (%d, %d)", s, formatAlignment(a), a.Score, b.best, b.score, b.subs)
		}
	}
}

// methods holds all ways to solve a whole problem, with limits low enough to divide it.
var methods = map[string]func(*task, block){
	"plain": func(k *task, b block) {
		w, table := k.newProfile((b.rowCount() + 1) * (b.colCount() + 1))
		k.solvePlain(b, w, table, nil)
	},
	"linear": func(k *task, b block) { k.solveLinear(b, limits{1, 40}) },
	"layers": func(k *task, b block) { k.solveLinear(b, limits{200, 2000}) },
	"halves": func(k *task, b block) { k.solveHalves(b, 1) },
	"sparse": func(k *task, b block) {
		pairs, _ := k.countEntries(b)
		k.newSparse(b).solveSegments(pairs, 5)
	},
}

func (s sample) solveByMethod(t testing.TB, method string) *task {
	return s.solveBy(t, methods[method])
}

// solveBy solves a whole problem, also what Align pairs before it chooses a method.
func (s sample) solveBy(t testing.TB, method func(*task, block)) *task {
	r, err := s.params.toRule()
	if err != nil {
		t.Fatal(err)
	}
	k, err := newTask(s.toProblem(), r)
	if err != nil {
		t.Fatal(err)
	}
	method(k, block{0, len(k.obs), 0, len(k.ref)})
	return k
}

// assertMethodsAgree checks that Align, scoreOf and all methods return the same answer.
func assertMethodsAgree(t testing.TB, s sample) {
	t.Helper()
	a, err := Align(s.toProblem(), s.params)
	if err != nil {
		t.Fatal(err)
	}
	score, err := scoreOf(s.toProblem(), s.params)
	if err != nil || score != a.Score {
		t.Fatalf("%+v: Score %v %v, Align %v", s, score, err, a.Score)
	}
	plain := s.solveByMethod(t, "plain")
	if got := plain.buildAlignment(); !slices.Equal(got.Steps, a.Steps) {
		t.Fatalf("%+v: Align %s, plain %s", s, formatAlignment(a), formatAlignment(got))
	}
	for _, method := range []string{"linear", "layers", "halves", "sparse"} {
		if got := s.solveByMethod(t, method); !slices.Equal(got.mate, plain.mate) {
			t.Fatalf("%+v: %s %v, plain %v", s, method, got.mate, plain.mate)
		}
	}
}

func TestMethodsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range drawn.Cases(20_000) {
		assertMethodsAgree(t, randomSample(r, 12))
	}
	for range drawn.Cases(200) {
		assertMethodsAgree(t, randomSample(r, 150))
	}
}

func TestSwap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range drawn.Cases(5000) {
		s := randomSample(r, 20)
		a, _ := Align(s.toProblem(), s.params)
		b, err := Align(s.swapSides().toProblem(), s.params)
		if err != nil || a.Score != b.Score {
			t.Fatalf("%+v: score %v, sides swapped %v (%v)", s, a.Score, b.Score, err)
		}
	}
}
