package words

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/report"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestHeadline draws alignments and counts their rows in a plain way: a headline counts no step
// that the agent did not make, names each step that was left out, and has no open part.
func TestHeadline(t *testing.T) {
	number := regexp.MustCompile(`\d+`)
	seen := map[string]int{}
	for seed := range drawn.Cases(2000) {
		d := rand.New(rand.NewPCG(uint64(seed), 4831))
		run := report.Trajectory{Reference: []report.Action{}, Violations: []report.Violation{{}}}
		kinds := ""
		for range d.IntN(7) {
			row, zero := report.Row{Verdict: "correct"}, 0
			switch kind := "mwxck"[d.IntN(5)]; kind {
			case 'm':
				row.Verdict, kinds = report.RowViolation, kinds+"m"
			case 'w':
				row.Verdict, row.Obs, kinds = report.RowViolation, &zero, kinds+"w"
			case 'x':
				row.Verdict, row.Obs, row.Hint, kinds = report.RowViolation, &zero, true, kinds+"c"
			case 'c':
				row.Verdict, row.Obs, kinds = report.RowExcused, &zero, kinds+"e"
			default:
				row.Obs, kinds = &zero, kinds+"c"
			}
			run.Alignment = append(run.Alignment, row)
		}
		missing, wrong := strings.Count(kinds, "m"), strings.Count(kinds, "w")
		run.Flagged = missing+wrong > 0 || d.IntN(5) == 0
		var want []int
		switch made := len(kinds) - missing; {
		case !run.Flagged && strings.Contains(kinds, "e"):
			want = []int{strings.Count(kinds, "e"), len(kinds)}
		case !run.Flagged && len(kinds) < 2: // in words
		case !run.Flagged:
			want = []int{len(kinds)}
		case missing+wrong == 0:
			want = []int{1}
		default:
			if wrong > 0 {
				want = append(want, wrong)
			}
			if made > 0 {
				want = append(want, made)
			}
			if missing > 0 {
				want = append(want, missing)
			}
		}
		got := Headline(&run)
		var found []int
		for _, n := range number.FindAllString(got, -1) {
			i, _ := strconv.Atoi(n)
			found = append(found, i)
		}
		if strings.ContainsAny(got, "{}") || len(found) != len(want) || strings.Contains(got, "1 steps") || !strings.HasSuffix(got, ".") {
			t.Fatalf("seed %d, %s: %q, want the numbers %v", seed, kinds, got, want)
		}
		for i := range want {
			if found[i] != want[i] {
				t.Fatalf("seed %d, %s: %q, want the numbers %v", seed, kinds, got, want)
			}
		}
		seen[number.ReplaceAllString(got, "n")]++
	}
	if len(seen) < 10 {
		t.Errorf("only %d sentences were drawn: %v", len(seen), seen)
	}
	if got := Headline(&report.Trajectory{Error: &report.Failure{}, Verdict: "x"}); got != "The run was not scored." {
		t.Error(got)
	}
}
