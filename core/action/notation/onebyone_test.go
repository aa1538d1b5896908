package notation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestOneByOne checks that a statement about a list of values is split into those about each of them, and that
// no other statement is.
func TestOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 64))
	for range drawn.Cases(300) {
		n := 2 + r.IntN(4)
		head := []string{"DELETE FROM t WHERE a", "UPDATE t SET b = 3 WHERE c = 'x' AND a"}[r.IntN(2)]
		list, want := "", []string(nil)
		for i := range n {
			v := []string{fmt.Sprint(r.IntN(1000)), fmt.Sprintf("'v %d'", r.IntN(1000))}[r.IntN(2)]
			if i > 0 {
				list += ", "
			}
			list += v
			want = append(want, head+" = "+v)
		}
		got := OneByOne(head + " IN (" + list + ");")
		if len(got) != n {
			t.Fatalf("%s IN (%s): %v", head, list, got)
		}
		for i, w := range want {
			if one, _ := Statement(w); !slices.Equal(one, got[i]) {
				t.Fatalf("%v, want %v", got[i], one)
			}
		}
	}
	for _, s := range []string{"SELECT a FROM t WHERE a IN (1, 2)", "DELETE FROM t WHERE a NOT IN (1, 2)", "DELETE FROM t WHERE b = 1 OR a IN (1, 2)",
		"DELETE FROM t WHERE a IN (SELECT a FROM u)", "DELETE FROM t WHERE a IN (1, 2) AND b IN (3, 4)", "DELETE FROM t WHERE a IN (1, 2) LIMIT 1", "DELETE FROM t WHERE a IN (b, c)", "DELETE FROM t WHERE b = 1 AND a IN "} {
		if got := OneByOne(s); got != nil {
			t.Errorf("%s: %v", s, got)
		}
	}
	a, _ := Statement("SELECT COUNT( * ) FROM t")
	if b, _ := Statement("select count(*) from t"); !slices.Equal(a, b) {
		t.Errorf("%v, %v", a, b)
	}
}
