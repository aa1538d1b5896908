package words

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
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

// TestHeadlineOfPage has the page name every combination of a few rows, with and without a reference, and
// compares its sentences with those of all other reports.
func TestHeadlineOfPage(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: the page's headlines; install Node.js 20 or newer")
	}
	zero := 0
	kinds := []report.Row{
		{Verdict: report.RowViolation}, {Verdict: report.RowViolation, Hint: true}, {Verdict: report.RowExcused}, {Verdict: "correct"},
		{Verdict: report.RowViolation, Obs: &zero}, {Verdict: report.RowViolation, Obs: &zero, Hint: true}, {Verdict: report.RowExcused, Obs: &zero}, {Verdict: "correct", Obs: &zero},
	}
	var runs []report.Trajectory
	for n := range 8 * 8 * 8 * 8 { // up to four rows; the kind "correct" without a step of either side stands for no row
		rows := []report.Row{}
		for ; n > 0; n /= 8 {
			if n%8 != 3 {
				rows = append(rows, kinds[n%8])
			}
		}
		for is := range 8 {
			run := report.Trajectory{Alignment: rows, Flagged: is&1 != 0, Violations: make([]report.Violation, is>>1&1), Reference: []report.Action{}}
			if is&4 != 0 {
				run.Reference, run.Alignment, run.Observed = nil, []report.Row{}, make([]report.Action, len(rows))
			}
			runs = append(runs, run)
		}
	}
	runs = append(runs, report.Trajectory{Error: &report.Failure{}, Verdict: "x"}, report.Trajectory{Verdict: "Its own."})
	in, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", `
		import { readFileSync } from "node:fs";
		const { verdictText } = await import(process.cwd() + "/run/run.js");
		process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(verdictText)));`)
	cmd.Dir, cmd.Stdin = "../../playground", bytes.NewReader(in)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failed.String())
	}
	var page []string
	if err := json.Unmarshal(out, &page); err != nil || len(page) != len(runs) {
		t.Fatalf("%d sentences of the page for %d runs: %v", len(page), len(runs), err)
	}
	seen := map[string]bool{}
	for i := range runs {
		want := Headline(&runs[i])
		seen[want] = true
		if page[i] != want {
			text, _ := json.Marshal(&runs[i])
			t.Fatalf("the page says %q, all other reports %q: %s", page[i], want, text)
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d sentences were seen", len(seen))
	}
}
