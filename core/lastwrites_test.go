package core_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestLastWritesCount draws two writes and runs them in the other order. The test keeps the places itself: if another value is
// left in the end, the order is said, and if the same is left, nothing is flagged.
func TestLastWritesCount(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 12))
	// each makes a call that sets a value at a place, both of two
	makers := []func(place, value int) [3]any{
		func(p, v int) [3]any { return [3]any{"set_temperature", obj{"room": pickWord(p), "value": 10 + v}, ok} },
		func(p, v int) [3]any { return [3]any{"put", obj{"key": pickWord(p), "value": pickWord(v)}, ok} },
		func(p, v int) [3]any { return [3]any{"set_env", obj{"name": pickWord(p), "value": pickWord(v)}, ok} },
		func(p, v int) [3]any {
			return [3]any{"update_ticket", obj{"ticket_id": fmt.Sprint("T", p), "status": pickWord(v)}, ok}
		},
		func(p, v int) [3]any {
			return [3]any{"set_power", obj{"device": pickWord(p), "on": v == 0}, ok}
		},
		func(p, v int) [3]any {
			return [3]any{"execute_sql", obj{"query": fmt.Sprintf("UPDATE users SET plan = '%s' WHERE id = %d", pickWord(v), p)}, ok}
		},
		func(p, v int) [3]any {
			return [3]any{"bash", obj{"command": fmt.Sprintf("echo %s > %s.txt", pickWord(v), pickWord(p))}, ok}
		},
		func(p, v int) [3]any {
			return [3]any{"bash", obj{"command": fmt.Sprintf("chmod %d /srv/%s.pem", 600+v, pickWord(p))}, ok}
		},
		func(p, v int) [3]any {
			return [3]any{[]string{"lock_door", "unlock_door"}[v], obj{"door": pickWord(p)}, ok}
		},
		func(p, v int) [3]any {
			return [3]any{"write_file", obj{"path": "/srv/" + pickWord(p), "content": pickWord(v)}, ok}
		},
	}
	alone := []func(v int) [3]any{
		func(v int) [3]any { return [3]any{"set_brightness", obj{"level": v}, ok} },
		func(v int) [3]any { return [3]any{"change_language", obj{"language": []string{"de", "fr"}[v]}, ok} },
		func(v int) [3]any { return [3]any{"set_mode", obj{"mode": pickWord(v)}, ok} },
	}
	said := 0
	for range 600 {
		var a, b [3]any
		place, value, place2, value2 := r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(2)
		if m := r.IntN(len(makers) + len(alone)); m < len(makers) {
			a, b = makers[m](place, value), makers[m](place2, value2)
		} else {
			m -= len(makers)
			place2 = place
			a, b = alone[m](value), alone[m](value2)
		}
		differs := place == place2 && value != value2
		got := scoreCalls(t, "outcome", [][3]any{b, a}, a, b)
		noted := false
		for _, row := range got.Alignment {
			noted = noted || row.Verdict == "note"
		}
		switch flagged := len(got.Violations) > 0; {
		case differs && !flagged && !noted:
			t.Fatalf("%v before %v is not said", b, a)
		case !differs && flagged:
			t.Fatalf("%v before %v: %s", b, a, got.Violations[0].Reason)
		case differs:
			said++
		}
	}
	if said < 100 {
		t.Error(said)
	}
}

var ok = obj{"ok": true}

func pickWord(n int) string { return []string{"kitchen", "garden"}[n] }
