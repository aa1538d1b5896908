package stream

import (
	"fmt"
	"hash/maphash"

	"github.com/boundcheck/boundcheck/core"
)

// trials counts, of runs without a reference, how many of each task changed the same. It
// holds two numbers for each task and effect, and no run.
type trials struct {
	runs map[uint64]uint32    // by hash of file and task
	same map[[2]uint64]uint32 // by that hash and the hash of the effects
}

// add counts a run; one with a reference or without a task is left out.
func (c *trials) add(l *ledger, file int, t *core.Trajectory) {
	if t.Task == "" || t.Reference != nil {
		return
	}
	if c.runs == nil {
		c.runs, c.same = map[uint64]uint32{}, map[[2]uint64]uint32{}
	}
	task := l.hash(file, "\x00task\x00"+t.Task)
	c.runs[task]++
	c.same[[2]uint64{task, maphash.String(l.seed, core.Effects(t))}]++
}

// apart counts the runs that changed something else than more than half of the other runs
// of their task, of which there are two or more, and the tasks that have such runs.
func (c *trials) apart() (runs, tasks int) {
	most := map[uint64]uint32{}
	for key, n := range c.same {
		most[key[0]] = max(most[key[0]], n)
	}
	for task, n := range most {
		if all := c.runs[task]; all >= 3 && n < all && 2*n > all-1 {
			runs, tasks = runs+int(all-n), tasks+1
		}
	}
	return runs, tasks
}

// warning says how many runs stand apart; none where no run does.
func (c *trials) warning() []placedWarning {
	runs, tasks := c.apart()
	if runs == 0 {
		return nil
	}
	return []placedWarning{{Warning: core.Warning{Code: "stands-apart", Message: fmt.Sprintf(
		"%d runs of %d tasks changed something else than most other runs of their task, which the lines cannot say; boundcheck consensus names them", runs, tasks)}}}
}
