package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 6000 {
		s := random(r, 7)
		a, err := Align(s.problem(), s.params)
		if err != nil {
			t.Fatal(err)
		}
		verify(t, s, a)
		b := bruteForce(s)
		if !slices.Equal(couples(a), b.best) || a.Score != float64(b.score)/1e9 {
			t.Fatalf("%+v: got %s (%v), want %v (%d, %d)", s, show(a), a.Score, b.best, b.score, b.subs)
		}
	}
}

// methods holds all ways to solve a whole problem, with limits low enough to divide it.
var methods = map[string]func(*task, block){
	"plain": func(k *task, b block) {
		w, table := k.newProfile((b.rows() + 1) * (b.cols() + 1))
		k.plain(b, w, table)
	},
	"linear": func(k *task, b block) { k.linear(b, 1) },
	"sparse": func(k *task, b block) {
		pairs, _ := k.density(b)
		k.newSparse(b).solve(pairs, 5)
	},
}

func (s sample) by(t testing.TB, method string) *task {
	r, err := s.params.resolve()
	if err != nil {
		t.Fatal(err)
	}
	k, err := prepare(s.problem(), r)
	if err != nil {
		t.Fatal(err)
	}
	methods[method](k, block{0, len(k.obs), 0, len(k.ref)})
	return k
}

// agree checks that Align, scoreOf and all methods return the same answer.
func agree(t testing.TB, s sample) {
	t.Helper()
	a, err := Align(s.problem(), s.params)
	if err != nil {
		t.Fatal(err)
	}
	score, err := scoreOf(s.problem(), s.params)
	if err != nil || score != a.Score {
		t.Fatalf("%+v: Score %v %v, Align %v", s, score, err, a.Score)
	}
	plain := s.by(t, "plain")
	if got := plain.alignment(); !slices.Equal(got.Steps, a.Steps) {
		t.Fatalf("%+v: Align %s, plain %s", s, show(a), show(got))
	}
	for _, method := range []string{"linear", "sparse"} {
		if got := s.by(t, method); !slices.Equal(got.mate, plain.mate) {
			t.Fatalf("%+v: %s %v, plain %v", s, method, got.mate, plain.mate)
		}
	}
}

func TestMethodsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := 100_000
	if testing.Short() {
		n = 5_000
	}
	for range n {
		agree(t, random(r, 12))
	}
	for range 200 {
		agree(t, random(r, 150))
	}
}

func TestSwap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		s := random(r, 20)
		a, _ := Align(s.problem(), s.params)
		b, err := Align(s.swapped().problem(), s.params)
		if err != nil || a.Score != b.Score {
			t.Fatalf("%+v: score %v, sides swapped %v (%v)", s, a.Score, b.Score, err)
		}
	}
}
