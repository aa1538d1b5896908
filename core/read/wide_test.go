package read

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestWideTables draws tables with a column for each call that was made, and for each that was expected: a row
// is one run, also one without a call, with its calls and its reference in the order of the columns.
func TestWideTables(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 27))
	for range drawn.Cases(100) {
		did, side := []string{"tool_", "call_", "Tool ", "action", "called_tool_"}[r.IntN(5)], []string{"expected_", "expected_tool_", "reference_call_"}[r.IntN(3)]
		heads, rows, want, made := []string{"id", "question"}, []string{}, []string{}, 0
		for k := range 3 {
			heads = append(heads, fmt.Sprint(did, k+1))
		}
		for k := range 2 {
			heads = append(heads, fmt.Sprint(side, k+1))
		}
		for i := range 2 + r.IntN(4) {
			cells := []string{fmt.Sprint("c", i), "Please do it"}
			sides := [2][]string{}
			for s, most := range []int{3, 2} {
				n := r.IntN(most + 1)
				made += n * (1 - s)
				for k := range most {
					if k < n {
						sides[s] = append(sides[s], fmt.Sprint("do_", r.IntN(5)))
						cells = append(cells, sides[s][k])
						continue
					}
					cells = append(cells, "")
				}
			}
			rows, want = append(rows, strings.Join(cells, ",")), append(want, fmt.Sprint(cells[0], sides))
		}
		if made == 0 {
			continue
		}
		text := strings.Join(heads, ",") + "\n" + strings.Join(rows, "\n") + "\n"
		doc, err := Decode([]byte(text))
		var got []string
		for i := range doc.Trajectories {
			run, sides := &doc.Trajectories[i], [2][]string{}
			for _, a := range run.Actions {
				sides[0] = append(sides[0], a.Name)
			}
			if run.Reference != nil {
				for _, s := range run.Reference.Steps {
					sides[1] = append(sides[1], s.Name)
				}
			}
			got = append(got, fmt.Sprint(run.ID, sides))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v\n got %q\nwant %q\n%s", err, got, want, text)
		}
	}
}
