package score

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/stage/violation"
	"github.com/boundcheck/boundcheck/internal/recordings"
)

// named counts where the annotated step and its agent are among those that are named.
type named struct{ n, step1, step3, agent1, agent3 int }

func (c *named) addLog(steps []int, agents []string, step int, agent string) {
	c.n++
	for i, s := range steps {
		if s == step && i < 3 {
			c.step3++
			if i == 0 {
				c.step1++
			}
			break
		}
	}
	seen, at := map[string]bool{}, 0
	for _, a := range agents {
		if seen[a] {
			continue
		}
		if a == agent && at < 3 {
			c.agent3++
			if at == 0 {
				c.agent1++
			}
			break
		}
		seen[a] = true
		at++
	}
}

func (c *named) String() string {
	p := func(n int) float64 { return 100 * fractionOf(n, c.n) }
	return fmt.Sprintf("%3d logs  step: top-1 %4.1f %%, top-3 %4.1f %%  agent: top-1 %4.1f %%, top-3 %4.1f %%", c.n, p(c.step1), p(c.step3), p(c.agent1), p(c.agent3))
}

// TestLintFidelityTalk uses logs of conversations between agents, in which people
// annotated the turn with the decisive mistake. It prints how often Suspects names this
// turn first or among the first three. For comparison, it prints the same for two simple
// programs: one always names the opening turn, and the other always names the turn after
// it.
//
// The best published method without the correct answer names the step in 14.2 % and the
// agent in 53.5 %. These numbers are from Who&When, over algorithm-generated and
// hand-crafted logs together. This test uses only the algorithm-generated logs.
func TestLintFidelityTalk(t *testing.T) {
	const file = "other/who_and_when/algorithm-generated.jsonl"
	data := recordings.Read(t, file)
	r, err := Evaluate(Request{Inputs: []Source{{Data: data}}, Options: Options{Unreferenced: true}})
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace([]byte(data)), []byte("\n"))
	if len(lines) != len(r.Trajectories) {
		t.Fatalf("%d runs, want %d", len(r.Trajectories), len(lines))
	}
	var tuned, aside, opening, second, all named
	readable, flagged := 0, 0
	for i, line := range lines {
		v, err := jsonval.Parse(string(line))
		if err != nil {
			t.Fatal(err)
		}
		step, _ := strconv.Atoi(v.Get("mistake_step").Text())
		agent := v.Get("mistake_agent").Text()
		speaker := func(i int) string { return v.Get("history").Elements()[i].Get("name").Text() }
		run := &r.Trajectories[i]
		var steps []int
		var agents []string
		for _, s := range run.Suspects {
			steps, agents = append(steps, s.Message), append(agents, s.Agent)
		}
		if len(run.Observed) > 0 {
			readable++
		}
		if run.Flagged {
			flagged++
		}
		if run.Verdict == "Probably fine." {
			t.Errorf("%s is called fine", run.ID)
		}
		if len(run.Suspects) > violation.MaxSuspects {
			t.Errorf("%d suspects", len(run.Suspects))
		}
		all.addLog(steps, agents, step, agent)
		if heldOut(file, v.Get("question_ID").Text()) {
			aside.addLog(steps, agents, step, agent)
		} else {
			tuned.addLog(steps, agents, step, agent)
		}
		opening.addLog([]int{0, 1, 2}, []string{speaker(0)}, step, agent)
		second.addLog([]int{1, 0, 2}, []string{speaker(1)}, step, agent)
	}
	t.Logf("%s: %d of %d runs readable as actions, %d flagged\n  tuned on        %s\n  held out        %s\n  all             %s\n  opening turn    %s\n  the next        %s",
		file, readable, len(lines), flagged, &tuned, &aside, &all, &opening, &second)
}
