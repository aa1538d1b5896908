package taubench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/plugins/abi"
	"github.com/boundcheck/boundcheck/plugins/sdk"
	"github.com/boundcheck/boundcheck/plugins/taubench/env"
	"github.com/boundcheck/boundcheck/plugins/taubench/py"
)

// Check replays a run and rules on the rows of its alignment in which a call writes:
//
//   - A row is excused if the final states are equal.
//   - A row is excused if the final states differ, but not in the data that this row wrote.
//   - A row is blamed if it wrote data that differ. A row of two equal calls is blamed only if no other row explains the difference.
//
// A row that only reads gets no ruling. world may be nil, as for Replay.
func Check(world *env.World, r *abi.CheckRequest) (abi.Check, error) {
	c := checker{request: r, Check: abi.Check{Excused: []abi.Excuse{}, Blamed: []abi.Blame{}}}
	if err := sdk.CheckRows(r.Alignment, len(r.Observed), len(r.Reference)); err != nil {
		return abi.Check{}, err
	}
	var err error
	if c.replayed, err = replayCalls(world, &r.ReplayRequest); err != nil {
		return abi.Check{}, err
	}
	c.explainDifferences()
	for i, row := range r.Alignment {
		if c.replayed.Basis == abi.BasisDatabase {
			c.byState(i, row)
		} else {
			c.byWrites(i, row)
		}
	}
	c.Check.Replay = c.replayed.Replay
	return c.Check, nil
}

type checker struct {
	abi.Check
	request   *abi.CheckRequest
	replayed  *replayed
	equal     []bool       // for each row of the alignment: its two calls are equal by value
	explained map[int]bool // differences that a row of unequal calls takes part in
}

// explainDifferences records the differences that rows with unequal calls explain. A row
// with two equal calls is not blamed for such a difference.
func (c *checker) explainDifferences() {
	c.equal = make([]bool, len(c.request.Alignment))
	c.explained = map[int]bool{}
	for i, row := range c.request.Alignment {
		obs, ref := c.rowActions(row)
		if c.equal[i] = obs != nil && ref != nil && equalCalls(obs, ref); c.equal[i] || c.replayed.Basis != abi.BasisDatabase {
			continue
		}
		for _, d := range c.differencesIn(c.touchedRows(row)) {
			c.explained[d] = true
		}
	}
}

// rowActions returns the actions of a row. An action is nil if its side has no action in
// this row.
func (c *checker) rowActions(row abi.Row) (obs, ref *abi.Action) {
	if row.Obs >= 0 {
		obs = &c.request.Observed[row.Obs]
	}
	if row.Ref >= 0 {
		ref = &c.request.Reference[row.Ref]
	}
	return obs, ref
}

func (c *checker) byState(i int, row abi.Row) {
	obs, ref := c.rowActions(row)
	if !mayWrite(obs) && !mayWrite(ref) {
		return
	}
	same := c.equal[i]
	touched := c.touchedRows(row)
	at := c.differencesIn(touched)
	if same {
		at = slices.DeleteFunc(at, func(d int) bool { return c.explained[d] })
	}
	switch {
	case len(at) > 0:
		c.addBlame(i, at, same)
	case same:
	case len(touched) == 0:
		c.addExcuse(i, abi.StageState, "the call changes nothing when it is repeated on the database")
	case c.replayed.StateEqual:
		c.addExcuse(i, abi.StageState, "the final states are equal")
	default:
		c.addExcuse(i, abi.StageState, "the changed data has the same final state as in the reference: "+rowNames(touched))
	}
}

// mayWrite reports whether a call can change a database, even if the call was refused.
func mayWrite(a *abi.Action) bool {
	if a == nil {
		return false
	}
	writes, _ := env.Writes(a.Name)
	return writes
}

// equalCalls reports whether two calls have the same name and arguments with equal
// values. It returns false if the arguments of a call are not an object.
func equalCalls(a, b *abi.Action) bool {
	if a.Name != b.Name {
		return false
	}
	x, err := parseArguments(a, "", 0)
	y, err2 := parseArguments(b, "", 0)
	return err == nil && err2 == nil && x != nil && y != nil && py.Canonical(x) == py.Canonical(y)
}

// touchedRows returns the rows of tables that either side of an aligned row changed.
func (c *checker) touchedRows(row abi.Row) []env.Row {
	var out []env.Row
	if row.Obs >= 0 {
		out = append(out, c.replayed.observed[row.Obs].Rows...)
	}
	if row.Ref >= 0 {
		for _, r := range c.replayed.reference[row.Ref].Rows {
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

func (c *checker) differencesIn(rows []env.Row) []int {
	var out []int
	for _, r := range rows {
		out = append(out, c.replayed.differing[r]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// rowNames returns the names of at most four rows as one text, for people. If there are
// more rows, the text says how many.
func rowNames(rows []env.Row) string {
	const few = 4
	var out []string
	for _, r := range rows[:min(len(rows), few)] {
		out = append(out, r.Table+" "+r.Key)
	}
	if n := len(rows) - few; n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, ", ")
}

func (c *checker) addExcuse(row int, stage, reason string) {
	c.Excused = append(c.Excused, abi.Excuse{Row: row, Stage: stage, Reason: reason})
}

func (c *checker) addBlame(row int, at []int, same bool) {
	d := c.replayed.Differences[at[0]]
	where := fmt.Sprintf("%s %s %s", d.Table, d.Key, d.Field)
	if n := len(at) - 1; n > 0 {
		where += fmt.Sprintf(" and %d more", n)
	}
	reason := "the changed data has a different final state than in the reference: " + where
	if same {
		reason = "the calls are equal, but the final states differ: " + where
	}
	c.Blamed = append(c.Blamed, abi.Blame{Row: row, Differences: at, Reason: reason})
}

// byWrites rules on a row of the alignment if there is no database. It excuses a write if
// the other side makes the same write in any row. It also excuses an observed write that
// failed, if the reference has no call in this row. It does not rule on a row of equal
// calls.
func (c *checker) byWrites(i int, row abi.Row) {
	obs, ref := c.rowActions(row)
	switch {
	case !mayWrite(obs) && !mayWrite(ref), c.equal[i]:
	case obs != nil && c.replayed.alone.obs[row.Obs], ref != nil && c.replayed.alone.ref[row.Ref]:
	case obs != nil && obs.Failed && ref == nil:
		c.addExcuse(i, abi.StageEffect, "the call returned an error, so it wrote nothing")
	default:
		c.addExcuse(i, abi.StageEffect, "both the run and the reference contain this write")
	}
}
