package osworld

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/beside"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Check replays both runs and rules on the rows of their alignment. It excuses a row at
// one of three stages:
//
//   - state: the row changes only the view, or leaves the screen unchanged, or both runs lead to screens that look alike.
//   - effect: both runs have the same effect with different calls. These calls are in one row, in neighbouring rows, or a few rows apart.
//   - outcome: the task cannot be done, and the run says so. An extra action that may have changed something is not excused.
//
// If the last screens are not alike, Check blames the row where the screens begin to
// differ. The result of an evaluator excuses no row.
func Check(t *task, r *abi.CheckRequest) (abi.Check, error) {
	if err := sdk.CheckRows(r.Alignment, len(r.Observed), len(r.Reference)); err != nil {
		return abi.Check{}, err
	}
	c := checker{rows: r.Alignment, replayed: replayRuns(t, &r.ReplayRequest), parted: -1, Check: abi.Check{Excused: []abi.Excuse{}, Blamed: []abi.Blame{}}}
	c.findParting()
	c.joined = beside.Together(len(c.rows), c.compositeEffect)
	c.away = c.pairLoneCalls()
	for i := range c.rows {
		c.judgeRow(i)
	}
	c.Check.Replay = c.replayed.Replay
	return c.Check, nil
}

type checker struct {
	abi.Check
	rows     []abi.Row
	replayed *replayed
	parted   int            // the first row after which the screens differ, or -1
	away     map[int]int    // row that only one side has → the row where the other side does the same
	joined   map[int]string // rows of a group that has the same effect on both sides → that effect
}

// rowCalls returns the observed call and the reference's call of a row. A call is nil if
// its run has no call in this row.
func (c *checker) rowCalls(i int) (obs, ref *step) {
	if at := c.rows[i].Obs; at >= 0 {
		obs = &c.replayed.obs.steps[at]
	}
	if at := c.rows[i].Ref; at >= 0 {
		ref = &c.replayed.ref.steps[at]
	}
	return obs, ref
}

// isEqualRow reports whether the two calls of a row have the same effect.
func (c *checker) isEqualRow(i int) bool {
	obs, ref := c.rowCalls(i)
	return obs != nil && ref != nil && obs.effect != "" && obs.effect == ref.effect && obs.failed == ref.failed
}

// findParting stores in c.parted the row where the screens of the two runs begin to
// differ. From this row to the end, the screens of the two runs are not alike. If the
// last screens are alike, findParting does nothing.
func (c *checker) findParting() {
	if !c.replayed.differs {
		return
	}
	for i := range c.rows {
		obs, ref := c.rowCalls(i)
		if obs == nil || ref == nil || obs.after == nil || ref.after == nil {
			continue
		}
		if obs.after.isSimilar(ref.after) {
			c.parted = -1
		} else if c.parted < 0 {
			c.parted = i
		}
	}
}

// compositeEffect returns the effect of the observed calls in the rows from ≤ i < to. The
// reference's calls in these rows must have the same effect. Failed calls do not count.
// The result is "" in these cases:
//
//   - The two effects differ, or an effect is empty.
//   - A call cannot be read.
//   - One of the rows is in joined.
//   - The two calls of one row have the same effect.
func (c *checker) compositeEffect(from, to int, joined map[int]string) string {
	var gestures [2][]gesture
	for i := from; i < to; i++ {
		if _, taken := joined[i]; taken || c.isEqualRow(i) {
			return ""
		}
		obs, ref := c.rowCalls(i)
		for k, s := range [2]*step{obs, ref} {
			switch {
			case s == nil || s.failed:
			case s.err != nil:
				return ""
			default:
				gestures[k] = append(gestures[k], s.gestures...)
			}
		}
	}
	if len(gestures[0]) == 0 || len(gestures[1]) == 0 {
		return ""
	}
	effect := strings.Join(composeGestures(gestures[0]), "; ")
	if effect != strings.Join(composeGestures(gestures[1]), "; ") {
		return ""
	}
	return effect
}

// pairLoneCalls pairs a call that only the observed run makes with an equal call that
// only the reference makes. The result maps each row of a pair to the other row.
func (c *checker) pairLoneCalls() map[int]int {
	kinds := make([]beside.Kind, len(c.rows))
	for i, row := range c.rows {
		_, joined := c.joined[i]
		same := c.isEqualRow(i)
		kinds[i] = beside.KindOf(row.Obs, row.Ref, same, same && !c.replayed.obs.steps[row.Obs].isViewOnly(), joined)
	}
	return beside.Apart(kinds, c.loneEffect, func(int, int) bool { return true })
}

// loneEffect returns the effect of a row in which only one side has a call. It returns ""
// if the call failed or changes only the view.
func (c *checker) loneEffect(i int) string {
	s, ref := c.rowCalls(i)
	if s == nil {
		s = ref
	}
	if s.failed || s.isViewOnly() {
		return ""
	}
	return s.effect
}

func (c *checker) judgeRow(i int) {
	obs, ref := c.rowCalls(i)
	same := c.isEqualRow(i)
	effect, joined := c.joined[i]
	away, isAway := c.away[i]
	reason := c.stateExcuse(obs, ref)
	switch {
	case i == c.parted:
		d := hashSimilarity(obs.after.hash, ref.after.hash)
		c.Blamed = append(c.Blamed, abi.Blame{Row: i, Differences: []int{0}, Reason: fmt.Sprintf("the screens differ from this row on, with a similarity of only %.3f. The last screens also differ", d)})
	case same && c.rows[i].Op == "match":
	case same:
		c.excuseRow(i, abi.StageEffect, "the same effect in another form: "+obs.effect)
	case joined:
		c.excuseRow(i, abi.StageEffect, "this row and its neighbour rows together have the same effect: "+effect)
	case isAway:
		c.excuseRow(i, abi.StageEffect, fmt.Sprintf("row %d has the same effect", away))
	case reason != "":
		c.excuseRow(i, abi.StageState, reason)
	case !c.replayed.decided || !c.replayed.Success:
	case obs == nil:
		c.excuseRow(i, abi.StageOutcome, "the task cannot be done, and the run reports this without this step")
	case ref != nil && ref.err == nil && obs.err == nil:
		c.excuseRow(i, abi.StageOutcome, "the task cannot be done, and the run reports this")
	}
}

func (c *checker) excuseRow(row int, stage, reason string) {
	c.Excused = append(c.Excused, abi.Excuse{Row: row, Stage: stage, Reason: reason})
}

// stateExcuse returns a reason to excuse a row, based on the screens before and after its
// two calls. The result is "" if there is no reason. The result is also "" if a call
// cannot be read, or if the observed call failed.
func (c *checker) stateExcuse(obs, ref *step) string {
	switch {
	case obs != nil && (obs.failed || obs.err != nil) || ref != nil && ref.err != nil:
		return ""
	case (obs == nil || obs.isViewOnly()) && (ref == nil || ref.isViewOnly()):
		return "the step only changes the view"
	case ref == nil && obs.isIdle():
		return "the step does not change any pixel of the screen"
	case obs != nil && ref != nil && obs.after != nil && ref.after != nil && obs.after.isSimilar(ref.after):
		return fmt.Sprintf("both steps lead to the same screen, with a similarity of %.3f", hashSimilarity(obs.after.hash, ref.after.hash))
	}
	return ""
}
