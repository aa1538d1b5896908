package notation

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestReach is the law of Reach: on each table, a statement that is said to reach further takes all rows of the other one. A
// second, simple reader takes the rows.
func TestReach(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 46))
	values := []string{"'a'", "'b'", "'c'"}
	type condition struct {
		text  string
		takes func(row [2]string) bool
	}
	var draw func(depth int) condition
	draw = func(depth int) condition {
		if depth == 0 || r.IntN(3) == 0 {
			k, v := r.IntN(2), values[r.IntN(3)]
			column := []string{"p", "q"}[k]
			switch r.IntN(3) {
			case 0:
				return condition{column + " = " + v, func(row [2]string) bool { return row[k] == v }}
			case 1:
				return condition{column + " <> " + v, func(row [2]string) bool { return row[k] != v }}
			}
			w := values[r.IntN(3)]
			return condition{fmt.Sprintf("%s IN (%s, %s)", column, v, w), func(row [2]string) bool { return row[k] == v || row[k] == w }}
		}
		a, b := draw(depth-1), draw(depth-1)
		if r.IntN(2) == 0 {
			return condition{"(" + a.text + " AND " + b.text + ")", func(row [2]string) bool { return a.takes(row) && b.takes(row) }}
		}
		return condition{"(" + a.text + " OR " + b.text + ")", func(row [2]string) bool { return a.takes(row) || b.takes(row) }}
	}
	said := 0
	for range 20000 {
		a, b := draw(2), draw(2)
		if r.IntN(4) == 0 { // one more condition
			c := b
			b = condition{"(" + a.text + " AND " + c.text + ")", func(row [2]string) bool { return a.takes(row) && c.takes(row) }}
		}
		x, y := "DELETE FROM t WHERE "+a.text, "DELETE FROM t WHERE "+b.text
		reach := Reach(x, y)
		if Reach(y, x) != -reach {
			t.Fatalf("%s and %s: %d and %d", a.text, b.text, reach, Reach(y, x))
		}
		if reach != 1 {
			continue
		}
		said++
		for _, p := range values {
			for _, q := range values {
				if row := [2]string{p, q}; b.takes(row) && !a.takes(row) {
					t.Fatalf("%s reaches further than %s, and lacks %v", a.text, b.text, row)
				}
			}
		}
	}
	if said < 1000 {
		t.Errorf("only %d of 20000 are said", said)
	}
	const some = "DELETE FROM t WHERE p = 'a'"
	if Reach("DELETE FROM t", some) != 1 || Reach(some, "DELETE FROM u WHERE p = 'a' AND q = 'b'") != 0 {
		t.Error("all rows, or another table")
	}
}
