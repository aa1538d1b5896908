package fork

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestForkIsWhereTheyPart draws pairs of runs. A plain comparison of call with call says where
// they part first: every row before the fork must have the same call on both sides, in order,
// and the fork must be the first place at which the calls differ.
func TestForkIsWhereTheyPart(t *testing.T) {
	for seed := range drawn.Cases(200) {
		d := rand.New(rand.NewPCG(uint64(seed), 5))
		a, b := drawRun(d, "a"), drawRun(d, "b")
		if d.IntN(3) == 0 { // the same beginning
			n := min(len(a.Observed), len(b.Observed), d.IntN(6))
			copy(b.Observed[:n], a.Observed[:n])
		}
		if d.IntN(10) == 0 {
			b.Observed = a.Observed
		}
		p, err := Align(a, b)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		same := 0
		for same < min(len(a.Observed), len(b.Observed)) && sameCall(a.Observed[same], b.Observed[same]) {
			same++
		}
		end := len(p.Rows)
		if p.Fork != nil {
			end = *p.Fork
		}
		if want := wantText(p.Fork); p.Text != want {
			t.Fatalf("seed %d: %q, want %q", seed, p.Text, want)
		}
		if end != same || p.Fork == nil && same != max(len(a.Observed), len(b.Observed)) {
			t.Fatalf("seed %d: they part at row %d of %d; the first %d calls are the same", seed, end, len(p.Rows), same)
		}
		nextA, nextB := 0, 0
		for i, row := range p.Rows {
			if row.Obs != nil {
				if *row.Obs != nextA {
					t.Fatalf("seed %d, row %d: call %d of a after %d", seed, i, *row.Obs, nextA)
				}
				nextA++
			}
			if row.Ref != nil {
				nextB++
			}
			if i < end && (row.Obs == nil || row.Ref == nil || !sameCall(a.Observed[*row.Obs], b.Observed[*row.Ref])) {
				t.Fatalf("seed %d: row %d before the fork differs", seed, i)
			}
		}
		if nextA != len(a.Observed) || nextB != len(b.Observed) {
			t.Fatalf("seed %d: the rows have %d and %d calls", seed, nextA, nextB)
		}
		body, _ := json.Marshal(map[string]any{"a": a, "b": b})
		if again, err := Read(body); err != nil || !reflect.DeepEqual(again.Fork, p.Fork) {
			t.Fatalf("seed %d: from JSON: %v", seed, err)
		}
	}
}

// sameCall compares names and arguments. The drawn arguments are spelled in one way.
func sameCall(a, b report.Action) bool {
	return a.Name == b.Name && a.Text == b.Text && a.Arguments == b.Arguments
}

// drawRun draws a run of calls whose names and values have nothing in common.
func drawRun(d *rand.Rand, id string) *report.Trajectory {
	t := &report.Trajectory{ID: id}
	for range d.IntN(8) {
		a := report.Action{Name: []string{"get_weather", "cancel_order", "send_mail", "list_files"}[d.IntN(4)], Arguments: fmt.Sprintf(`{"id":"%c%d7"}`, 'A'+d.IntN(3), d.IntN(3))}
		switch d.IntN(12) {
		case 0:
			a = report.Action{Text: []string{"open the door", "take the red apple"}[d.IntN(2)]}
		case 1:
			a.Arguments = ""
		case 2:
			a.Arguments = "{broken"
		}
		t.Observed = append(t.Observed, a)
	}
	return t
}

func TestReadRefuses(t *testing.T) {
	for _, body := range []string{"", "[]", `{"a":{}}`, `{"a":1,"b":2}`} {
		if _, err := Read([]byte(body)); err == nil {
			t.Errorf("%q: no error", body)
		}
	}
	if p, err := Read([]byte(`{"a":{"id":"x"},"b":{"id":"y"}}`)); err != nil || p.Fork != nil || len(p.Rows) != 0 {
		t.Errorf("two empty runs: %+v, %v", p, err)
	}
}

// wantText says where two runs part.
func wantText(fork *int) string {
	if fork == nil {
		return "Both made the same calls."
	}
	return [...]string{"They differ from the first call on.", "They made the same call, and then they part.", fmt.Sprintf("They made the same %d calls, and then they part.", *fork)}[min(*fork, 2)]
}
