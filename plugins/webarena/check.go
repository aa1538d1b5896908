package webarena

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/internal/beside"
	"github.com/boundcheck/boundcheck/plugins/sdk"
)

// Check replays both runs and gives a verdict on the rows of their alignment. If both
// runs set a field and its final values differ, Check blames the row that set it. If the
// task's own checks pass, it blames no row. Check excuses a row at one of three stages:
//
//   - state: the row changes nothing except the view, or sets only fields with the same final value, or both calls lead to the same page
//   - effect: both runs do the same in another form, in this row, in neighbouring rows, or a few rows apart without a common change between
//   - outcome: the task's own checks pass, and the row is not an extra action that may have changed something
func Check(t *task, r *abi.CheckRequest) (abi.Check, error) {
	if err := sdk.CheckRows(r.Alignment, len(r.Observed), len(r.Reference)); err != nil {
		return abi.Check{}, err
	}
	c := checker{rows: r.Alignment, replayed: replayRuns(t, &r.ReplayRequest), Check: abi.Check{Excused: []abi.Excuse{}, Blamed: []abi.Blame{}}}
	for i := range c.rows {
		c.equal = append(c.equal, c.isEqualRow(i))
	}
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
	equal    []bool         // for each row: both calls do the same
	away     map[int]int    // row that only one side has → the row where the other side does the same
	joined   map[int]string // rows of a group that has the same effect on both sides → that effect
}

// rowCalls returns the observed call and the reference's call of a row. A call is nil if
// its run has none in this row.
func (c *checker) rowCalls(i int) (obs, ref *move) {
	if at := c.rows[i].Obs; at >= 0 {
		obs = &c.replayed.obs.moves[at]
	}
	if at := c.rows[i].Ref; at >= 0 {
		ref = &c.replayed.ref.moves[at]
	}
	return obs, ref
}

// isEqualRow reports whether both calls of a row do the same.
func (c *checker) isEqualRow(i int) bool {
	obs, ref := c.rowCalls(i)
	return obs != nil && ref != nil && obs.err == nil && ref.err == nil && obs.failed == ref.failed && obs.normalEffect() == ref.normalEffect() && areComparable(obs, ref)
}

// areComparable reports whether the elements of two calls can be compared. Elements that
// are given by numbers can be compared only on the same page.
func areComparable(obs, ref *move) bool {
	numbered := func(m *move) bool {
		return slices.ContainsFunc(m.acts, func(a action) bool {
			return a.target.id != "" && (a.target.name == "" || strings.HasPrefix(a.target.name, "["))
		})
	}
	return !numbered(obs) && !numbered(ref) || obs.before.url != "" && stableURL(obs.before.url) == stableURL(ref.before.url)
}

// compositeEffect returns the common effect of both sides in the rows with index i, where
// from <= i < to. It returns "" in these cases:
//
//   - the sides have different effects or no effect
//   - one of the rows is already explained
//   - one of the calls cannot be read
func (c *checker) compositeEffect(from, to int, joined map[int]string) string {
	var obs, ref []action
	first := [2]*move{}
	for i := from; i < to; i++ {
		if _, taken := joined[i]; taken || c.equal[i] {
			return ""
		}
		for side, m := range [2]*move{c.obsOf(i), c.refOf(i)} {
			switch {
			case m == nil || m.failed:
				continue
			case m.err != nil:
				return ""
			case first[side] == nil:
				first[side] = m
			}
			if side == 0 {
				obs = append(obs, m.acts...)
			} else {
				ref = append(ref, m.acts...)
			}
		}
	}
	if first[0] == nil || first[1] == nil || !areComparable(first[0], first[1]) {
		return ""
	}
	effect := strings.Join(composeActions(obs), "; ")
	if effect != strings.Join(composeActions(ref), "; ") {
		return ""
	}
	return effect
}

// pairLoneCalls pairs each call of only the observed run with an equal call of only the
// reference. The result maps each paired row to the other row of its pair.
func (c *checker) pairLoneCalls() map[int]int {
	kinds := make([]beside.Kind, len(c.rows))
	for i, row := range c.rows {
		_, joined := c.joined[i]
		kinds[i] = beside.KindOf(row.Obs, row.Ref, c.equal[i], c.equal[i] && !c.obsOf(i).isViewOnly(), joined)
	}
	return beside.Apart(kinds, c.loneEffect, func(i, j int) bool { return areComparable(c.obsOf(i), c.refOf(j)) })
}

// loneEffect returns the effect of a row in which only one side has a call. It returns ""
// if the call failed or changes only the view.
func (c *checker) loneEffect(i int) string {
	m := c.obsOf(i)
	if m == nil {
		m = c.refOf(i)
	}
	if m.failed || m.isViewOnly() {
		return ""
	}
	return m.normalEffect()
}

func (c *checker) obsOf(i int) *move { m, _ := c.rowCalls(i); return m }
func (c *checker) refOf(i int) *move { _, m := c.rowCalls(i); return m }

func (c *checker) judgeRow(i int) {
	obs, ref := c.rowCalls(i)
	effect, joined := c.joined[i]
	away, isAway := c.away[i]
	stage, reason := c.stateExcuse(obs, ref)
	switch same := c.equal[i]; {
	case c.blameRow(i, same):
	case same && c.rows[i].Op == "match":
	case same:
		c.excuseRow(i, abi.StageEffect, "the same effect in another form: "+obs.normalEffect())
	case joined:
		c.excuseRow(i, abi.StageEffect, "this row and its neighbour rows together have the same effect: "+effect)
	case isAway:
		c.excuseRow(i, abi.StageEffect, fmt.Sprintf("row %d has the same effect", away))
	case reason != "":
		c.excuseRow(i, stage, reason)
	case !c.replayed.checksPass():
	case obs == nil:
		c.excuseRow(i, abi.StageOutcome, "the task's own checks pass without this step")
	case ref != nil && ref.err == nil && obs.err == nil:
		c.excuseRow(i, abi.StageOutcome, "the task's own checks pass for this run")
	}
}

func (c *checker) excuseRow(row int, stage, reason string) {
	c.Excused = append(c.Excused, abi.Excuse{Row: row, Stage: stage, Reason: reason})
}

// stateExcuse returns a stage and a reason to excuse a row, from the pages before and
// after its two calls. It returns "" and "" if there is no reason, if a call cannot be
// read, or if the observed call failed.
func (c *checker) stateExcuse(obs, ref *move) (stage, reason string) {
	switch {
	case obs != nil && (obs.failed || obs.err != nil) || ref != nil && ref.err != nil:
		return "", ""
	case (obs == nil || obs.isViewOnly()) && (ref == nil || ref.isViewOnly()):
		return abi.StageState, "the step only changes the view"
	case obs == nil:
		return "", ""
	case ref == nil && obs.isIdle():
		return abi.StageState, "the step does not change the page, except for parts that are new at every visit"
	case ref == nil && c.setsOnlyEqualFields(obs):
		return abi.StageState, "the fields that the step sets have the same final values as in the reference"
	case ref != nil && samePage(&obs.after, &ref.after):
		return abi.StageState, "both steps lead to the same page, except for parts that are new at every visit"
	}
	return "", ""
}

func samePage(a, b *page) bool {
	return a.tree != nil && b.tree != nil && a.tree.sum == b.tree.sum && stableURL(a.url) == stableURL(b.url)
}

// setsOnlyEqualFields reports whether a call only sets fields whose final values are the
// same as in the reference.
func (c *checker) setsOnlyEqualFields(m *move) bool {
	for i := range m.acts {
		f, ok := m.findField(&m.acts[i])
		if !ok || m.acts[i].enter {
			return false
		}
		ref, both := c.replayed.ref.fields[f]
		if !both || ref != c.replayed.obs.fields[f] {
			return false
		}
	}
	return len(m.acts) > 0
}

// blameRow blames row i if it set a field whose final value differs, and reports whether
// it did so. The parameter same says that both calls of the row are equal. Such a row is
// never blamed, because a later call made the difference.
func (c *checker) blameRow(i int, same bool) bool {
	obs, ref := c.rowCalls(i)
	var at []int
	for _, m := range [2]*move{obs, ref} {
		if m == nil || m.failed || same {
			continue
		}
		for k := range m.acts {
			if f, ok := m.findField(&m.acts[k]); ok {
				if d, differs := c.replayed.written[f]; differs && c.replayed.differenceCounts(&c.replayed.Differences[d]) && !slices.Contains(at, d) {
					at = append(at, d)
				}
			}
		}
	}
	if len(at) == 0 {
		return false
	}
	d := &c.replayed.Differences[at[0]]
	c.Blamed = append(c.Blamed, abi.Blame{Row: i, Differences: at, Reason: fmt.Sprintf("field %s has the final value %s, but the reference has the value %s", d.Field, d.Observed, d.Reference)})
	return true
}
