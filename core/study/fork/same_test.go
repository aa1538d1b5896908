package fork

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestSameRowsAreTheSame draws two runs of calls with nearly the same arguments, some refused. A
// row may be called the same exactly if the parsed calls are equal, and else must name a value
// of each side, or who was refused.
func TestSameRowsAreTheSame(t *testing.T) {
	same, differ := 0, 0
	for seed := range drawn.Cases(300) {
		d := rand.New(rand.NewPCG(uint64(seed), 48))
		a, b := drawNear(d, "a"), drawNear(d, "b")
		p, err := Align(a, b)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, row := range p.Rows {
			if row.Obs == nil || row.Ref == nil {
				continue
			}
			x, y := &a.Observed[*row.Obs], &b.Observed[*row.Ref]
			want := x.Name == y.Name && x.Error == y.Error && x.Proposed == y.Proposed && reflect.DeepEqual(parsed(t, x), parsed(t, y))
			if (row.Op == report.Match) != want || (row.Differs == "") != want {
				t.Fatalf("seed %d, row %d: %s, %q\n%+v\n%+v", seed, i, row.Op, row.Differs, *x, *y)
			}
			if want {
				same++
				continue
			}
			differ++
			if x.Name == y.Name && x.Error != y.Error && !strings.Contains(row.Differs, map[bool]string{true: "refused only left", false: "refused only right"}[x.Error]) {
				t.Fatalf("seed %d, row %d: %q does not say who was refused", seed, i, row.Differs)
			}
			var m, n struct{ Flights []struct{ Number string } }
			json.Unmarshal([]byte(x.Arguments), &m)
			json.Unmarshal([]byte(y.Arguments), &n)
			if x.Name == y.Name && m.Flights[0].Number != n.Flights[0].Number && !strings.Contains(row.Differs, fmt.Sprintf(`flights[0].number "%s", "%s"`, m.Flights[0].Number, n.Flights[0].Number)) {
				t.Fatalf("seed %d, row %d: %q does not name both flights", seed, i, row.Differs)
			}
		}
		if isAllSame := p.Text == "Both made the same calls."; isAllSame != (p.Fork == nil) {
			t.Fatalf("seed %d: %q", seed, p.Text)
		}
	}
	if drawn.Cases(300) >= 300 && (same < 50 || differ < 50) {
		t.Errorf("%d same rows and %d that differ were drawn", same, differ)
	}
}

func parsed(t *testing.T, a *report.Action) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.Arguments), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// drawNear draws a run of calls whose arguments differ in little: the order of members, the
// spelling of a number, one flight or a thought.
func drawNear(d *rand.Rand, id string) *report.Trajectory {
	t := &report.Trajectory{ID: id}
	for i := range 1 + d.IntN(4) {
		flights := fmt.Sprintf(`"flights":[{"number":"HAT1%d2","date":"2024-05-1%d"}]`, 3+4*(d.IntN(5)/4), i)
		bags := `"bags":` + []string{"1", "1.0", "1", "2"}[d.IntN(4)]
		members := []string{flights, bags}
		if d.IntN(2) == 0 {
			members = []string{bags, flights}
		}
		name := []string{"update_reservation_flights", "think"}[d.IntN(2)]
		t.Observed = append(t.Observed, report.Action{Name: name, Arguments: "{" + strings.Join(members, ", ") + "}", Error: d.IntN(8) == 0, Proposed: d.IntN(9) == 0})
	}
	return t
}

func TestLongValuesShowTheirDifference(t *testing.T) {
	long := strings.Repeat("a", 5000)
	x := &report.Action{Name: "send", Arguments: `{"text":"` + long + `55` + long + `"}`}
	y := &report.Action{Name: "send", Arguments: `{"text":"` + long + `5` + long + `"}`}
	got := whatDiffers(x, y)
	if len(got) > 200 || !strings.Contains(got, "55aaa") {
		t.Errorf("%q", got)
	}
	many := `{"a":1,"b":1,"c":1,"d":1,"e":1}`
	if got := whatDiffers(&report.Action{Arguments: many}, &report.Action{Arguments: strings.ReplaceAll(many, "1", "2")}); got != "a 1, 2; b 1, 2; c 1, 2; and more" {
		t.Errorf("%q", got)
	}
}
