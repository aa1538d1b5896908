package score

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/internal/drawn"
)

// TestEachFailedCheckIsTold draws failed runs with checks, of which some have a heading that says what they
// check, and demands that each failed check is told once, in the story or among the recorded facts, or is
// counted there.
func TestEachFailedCheckIsTold(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 83))
	for range drawn.Cases(300) {
		n := 1 + r.IntN(8)
		text, results, failed := "# Checkpoints", []string{}, []string{}
		for i := 1; i <= n; i++ {
			name, passed := fmt.Sprintf("checkpoint %d", i), r.IntN(3) == 0
			says := r.IntN(2) == 0
			if says {
				heading := fmt.Sprintf("## Checkpoint %d (1pt)", i)
				if i == n {
					heading = []string{heading, "## Final Checkpoint (1pt)", "## Checkpoint Final", "### last checkpoint: 2pts"}[r.IntN(4)]
				}
				text += "\\n" + heading + "\\n\\nThing " + fmt.Sprint(i) + " is there"
				name += fmt.Sprintf(": Thing %d is there", i)
			}
			if !passed {
				failed = append(failed, name)
			}
			results = append(results, fmt.Sprintf(`{"total":1,"result":%d}`, map[bool]int{true: 1}[passed]))
		}
		run := fmt.Sprintf(`{"task":"t","success":false,"task_md":"Do it.","checkpoints_md":"%s","score":{"checkpoints":[%s]},"events":[{"kind":"run","message":"Running command: ls"},{"kind":"observation","message":"Command ls executed with exit code 0."}]}`, text, strings.Join(results, ","))
		report, err := Evaluate(Request{Inputs: []Source{{Data: []byte(run)}}})
		if err != nil {
			t.Fatal(err)
		}
		one := &report.Trajectories[0]
		told := strings.Join(one.Recorded, "\n")
		for i := range one.Story {
			told += "\n" + strings.Join(one.Story[i].Text, "\n")
		}
		silent := 0
		for _, name := range failed {
			switch strings.Count(told, name+": 0 of 1") + strings.Count(told, name+"” (0 of 1)") {
			case 0:
				silent++
			case 1:
			default:
				t.Fatalf("%s is told twice:\n%s", name, told)
			}
		}
		counted := 0
		for _, mark := range []string{" more of the benchmark's", " and %d more"} {
			for k := range n + 1 {
				if strings.Contains(told, fmt.Sprint(k)+mark) || strings.Contains(told, fmt.Sprintf(mark, k)) {
					counted += k
				}
			}
		}
		if silent > counted {
			t.Fatalf("%d of the failed checks %q are not told, and only %d are counted:\n%s", silent, failed, counted, told)
		}
	}
}
