package relation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/similarity"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestOneRecord is the law that another value is left to a judge only if one record of an earlier result names
// itself by both values. It draws records with an id and a mail address, and the values of two of them.
func TestOneRecord(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 25))
	for range drawn.Cases(300) {
		var records []string
		n := 2 + r.IntN(4)
		for i := range n {
			records = append(records, fmt.Sprintf(`{"id":"u-%d","team":{"name":"t%d"},"email":"p%d@x.example","manager_email":"p%d@x.example"}`, i, i%2, i, (i+1)%n))
		}
		x, y := r.IntN(n), r.IntN(n)
		j := Run{Case: &boundary.Case{Seen: func(int) string { return fmt.Sprint(records) }}}
		d := similarity.Difference{Changed: []similarity.Pair{{Path: "user", Key: "user", Observed: fmt.Sprintf(`"p%d@x.example"`, x), Reference: fmt.Sprintf(`"u-%d"`, y)}}}
		if got := j.AreOneRecord(0, &d); got != (x == y) {
			t.Fatalf("%v: %+v: %v", records, d.Changed, got)
		}
		d.Extra = []similarity.Leaf{{Path: "x"}}
		if j.AreOneRecord(0, &d) {
			t.Fatal("another difference is not settled by the record")
		}
	}
}

// TestScratch checks which files were made and removed by the run itself.
func TestScratch(t *testing.T) {
	call := func(name, path string) boundary.Action {
		return callOf(t, name, fmt.Sprintf(`{"path":%q}`, path))
	}
	for _, c := range []struct {
		calls []boundary.Action
		want  [2]int
	}{
		{[]boundary.Action{call("write_file", "/tmp/a"), call("delete_file", "/tmp/a")}, [2]int{1, 0}},
		{[]boundary.Action{call("delete_file", "/tmp/a"), call("write_file", "/tmp/a")}, [2]int{-1, -1}},
		{[]boundary.Action{call("write_file", "/srv/a"), call("delete_file", "/srv/a")}, [2]int{-1, -1}},
		{[]boundary.Action{call("write_file", "/tmp/a"), call("delete_file", "/tmp/b")}, [2]int{-1, -1}},
		{[]boundary.Action{call("write_file", "/tmp/../etc/a"), call("delete_file", "/tmp/../etc/a")}, [2]int{-1, -1}},
	} {
		j := Run{Case: &boundary.Case{Obs: c.calls, Profile: boundary.Outcome}}
		if got := [2]int{j.ScratchOf(0), j.ScratchOf(1)}; got != c.want {
			t.Errorf("%v and %v: %v, want %v", c.calls[0].Leaves, c.calls[1].Leaves, got, c.want)
		}
	}
}
