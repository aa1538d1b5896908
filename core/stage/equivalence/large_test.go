package equivalence

import (
	"fmt"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/math/align"
	"github.com/boundcheck/boundcheck/internal/pace"
)

// TestReversedRunIsJudgedSoon checks that the order of many writes that share a value is
// judged in bounded time.
func TestReversedRunIsJudgedSoon(t *testing.T) {
	const n = 1500
	var obs, ref []string
	for i := range n {
		ref = append(ref, fmt.Sprintf(`w{"order_id":"o1","n":%d}`, i))
	}
	for i := range ref {
		obs = append(obs, ref[n-1-i])
	}
	c := &boundary.Case{Obs: parseCalls(t, obs...), Ref: parseCalls(t, ref...)}
	for i := range n {
		c.Steps = append(c.Steps, align.Step{Op: align.Insertion, Obs: i, Ref: -1})
	}
	for i := range n {
		c.Steps = append(c.Steps, align.Step{Op: align.Deletion, Obs: -1, Ref: i})
	}
	var out []Ruling
	took := pace.Spent(func() { out = Judge(c) })
	if len(out) != 2*n {
		t.Fatalf("%d rulings", len(out))
	}
	if took > 10*time.Second {
		t.Errorf("%d writes took %v", n, took)
	}
}
