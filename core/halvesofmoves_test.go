package core_test

import (
	"math/rand/v2"
	"testing"
)

// TestHalvesOfMoves draws a move, and two calls that take from one place and put in another, or copy and delete. They are
// excused only if they leave each place as the move does; the test keeps the places itself.
func TestHalvesOfMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 7))
	excused := 0
	for range 400 {
		a, b, n := "A-1", "B-2", 5
		if r.IntN(2) == 0 {
			a, b = "/in/a.txt", "/out/b.txt"
		}
		pick := func(x, y string) string { return []string{x, y}[r.IntN(2)] }
		var calls [][3]any
		var step [3]any
		want, got := map[string]int{a: -n, b: n}, map[string]int{}
		if a == "A-1" {
			step = [3]any{"transfer_funds", obj{"from_account": a, "to_account": b, "amount": n}, obj{}}
			from, to, put := pick(a, b), pick(a, b), n+45*r.IntN(2)
			calls = [][3]any{{"withdraw_funds", obj{"account": from, "amount": n}, obj{"ok": true}}, {"deposit_funds", obj{"account": to, "amount": put}, obj{"ok": true}}}
			got[from] -= n
			got[to] += put
		} else {
			step = [3]any{"move_file", obj{"source": a, "destination": b}, obj{}}
			from, gone := pick(a, b), pick(a, b)
			to := map[string]string{a: b, b: a}[from]
			calls = [][3]any{{"copy_file", obj{"source": from, "destination": to}, obj{"ok": true}}, {"delete_file", obj{"path": gone}, obj{"ok": true}}}
			got[to] += n
			got[gone] -= n
		}
		same := got[a] == want[a] && got[b] == want[b]
		found := scoreCalls(t, "outcome", calls, step).Violations
		if same != (len(found) == 0) {
			t.Fatalf("%v for %v: %+v, the same places: %v", calls, step, found, same)
		}
		if same {
			excused++
		}
	}
	if excused < 50 {
		t.Error(excused)
	}
}
