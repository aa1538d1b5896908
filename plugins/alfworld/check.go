package alfworld

import (
	"fmt"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Check follows the facts of the game on both sides and gives a verdict on each row of
// the alignment:
//
//   - A row is excused if it changed no fact, or if each fact that it changed ends as in
//     the reference.
//   - A row is excused as an effect if the run reached the goal, and the facts that end
//     differently do not count.
//   - A row is blamed if a fact that it changed ends differently, and this difference
//     counts.
//
// The method mayDiffer decides which differences do not count. These are the exceptions:
//
//   - If the reference's own commands do not reach a known goal, no row is blamed.
//   - If a command of the reference cannot be followed, only rows that changed no fact are
//     excused.
//   - A row of two equal commands is not blamed for a fact that a row of unequal commands
//     changed too.
func Check(r *abi.CheckRequest) (abi.Check, error) {
	if err := sdk.CheckRows(r.Alignment, len(r.Observed), len(r.Reference)); err != nil {
		return abi.Check{}, err
	}
	out, err := replayRuns(&r.ReplayRequest)
	if err != nil {
		return abi.Check{}, err
	}
	c := checker{request: r, replayed: out, Check: abi.Check{Excused: []abi.Excuse{}, Blamed: []abi.Blame{}}}
	c.markExplained()
	for i, row := range r.Alignment {
		c.judgeRow(i, row)
	}
	c.Check.Replay = out.Replay
	return c.Check, nil
}

type checker struct {
	abi.Check
	request   *abi.CheckRequest
	replayed  *replayed
	explained map[fact]bool // differences that a row of unequal commands takes part in
}

func (c *checker) markExplained() {
	c.explained = map[fact]bool{}
	for _, row := range c.request.Alignment {
		if !c.isEqualRow(row) {
			for _, x := range c.touchedFacts(row) {
				c.explained[x] = true
			}
		}
	}
}

// isEqualRow reports whether a row pairs two equal commands, and the game either carried
// out both or refused both.
func (c *checker) isEqualRow(row abi.Row) bool {
	if row.Obs < 0 || row.Ref < 0 {
		return false
	}
	obs, ok := parseCommand(commandText(&c.request.Observed[row.Obs]))
	ref, ok2 := parseCommand(commandText(&c.request.Reference[row.Ref]))
	return ok && ok2 && obs == ref && c.replayed.obs[row.Obs].refused == c.replayed.ref[row.Ref].refused
}

// touchedFacts returns the facts that the observed or the reference's command of a row
// changed.
func (c *checker) touchedFacts(row abi.Row) []fact {
	var out []fact
	seen := map[fact]bool{}
	add := func(o outcome) {
		for _, x := range o.touched {
			if !seen[x] {
				seen[x] = true
				out = append(out, x)
			}
		}
	}
	if row.Obs >= 0 {
		add(c.replayed.obs[row.Obs])
	}
	if row.Ref >= 0 {
		add(c.replayed.ref[row.Ref])
	}
	return out
}

func (c *checker) judgeRow(i int, row abi.Row) {
	same := c.isEqualRow(row)
	touched := c.touchedFacts(row)
	counts, free := c.findDifferences(touched, same)
	switch {
	case len(counts) > 0:
		c.blameRow(i, counts, same)
	case same || c.hasUnknownEffect(row):
	case len(touched) == 0:
		c.excuseRow(i, abi.StageState, "this row changes no fact")
	case !c.replayed.compared:
	case !free:
		c.excuseRow(i, abi.StageState, "the facts that this row changes have the same final state as in the reference")
	case c.replayed.Success && c.replayed.goal != nil:
		c.excuseRow(i, abi.StageEffect, "the goal is reached, so the differences that this row leaves do not count")
	}
}

// findDifferences finds the touched facts that end differently on the two sides. counts
// has the indices of the differences that count against the run. free is true if there
// are differences that do not count. If same is true, the row has two equal commands, and
// facts that a row of unequal commands changed are left out.
func (c *checker) findDifferences(touched []fact, same bool) (counts []int, free bool) {
	for _, x := range touched {
		d, ok := c.replayed.differing[x]
		switch {
		case !ok || same && c.explained[x]:
		case c.replayed.mayDiffer(x):
			free = true
		default:
			counts = append(counts, d)
		}
	}
	return counts, free
}

// hasUnknownEffect reports whether the effect of a row is not known. There are two cases:
//
//   - The known facts do not allow the reference's command.
//   - The run's observation has none of the sentences of the game.
func (c *checker) hasUnknownEffect(row abi.Row) bool {
	return row.Ref >= 0 && c.replayed.ref[row.Ref].refused || row.Obs >= 0 && c.replayed.obs[row.Obs].unread
}

func (c *checker) excuseRow(row int, stage, reason string) {
	c.Excused = append(c.Excused, abi.Excuse{Row: row, Stage: stage, Reason: reason})
}

func (c *checker) blameRow(row int, at []int, same bool) {
	if c.replayed.goal != nil && !c.replayed.reachedByRef {
		return
	}
	d := c.replayed.Differences[at[0]]
	where := fmt.Sprintf("%s %s", d.Key, d.Field)
	if n := len(at) - 1; n > 0 {
		where += fmt.Sprintf(" and %d more", n)
	}
	reason := "the facts that this row changes have a different final state than in the reference: " + where
	if same {
		reason = "the commands are equal, but the final facts differ: " + where
	}
	c.Blamed = append(c.Blamed, abi.Blame{Row: row, Differences: at, Reason: reason})
}
