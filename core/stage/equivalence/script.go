package equivalence

import (
	"slices"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/stage/motion"
)

// findScripts finds a free-text action whose motions are the motions of several adjacent
// steps on the other side.
func (c *composer) findScripts() {
	obs, ref := c.motionsByAction(c.Obs, c.obs), c.motionsByAction(c.Ref, c.ref)
	if len(obs) == 0 || len(ref) == 0 {
		return
	}
	for _, o := range c.obs {
		if parts := inARow(obs[o], ref, c.ref, c.openRef); parts != nil && c.isOpen[o] {
			c.addGroup(Group{Obs: []int{o}, Ref: parts, Rule: "gesture", Same: true})
		}
	}
	for _, r := range c.ref {
		if parts := inARow(ref[r], obs, c.obs, c.isOpen); parts != nil && c.openRef[r] {
			c.addGroup(Group{Split: true, Obs: parts, Ref: []int{r}, Rule: "gesture", Same: true})
		}
	}
}

func (c *composer) motionsByAction(side []boundary.Action, open []int) map[int][]motion.Move {
	var out map[int][]motion.Move
	for _, i := range open {
		if m := motion.Of(&side[i]); len(m) > 0 {
			if out == nil {
				out = map[int][]motion.Move{}
			}
			out[i] = m
		}
	}
	return out
}

// inARow looks for adjacent open actions with one motion each. Together they must have
// exactly the given motions, in the same order. It returns the indices of the first such
// actions, or nil.
func inARow(whole []motion.Move, of map[int][]motion.Move, open []int, isOpen map[int]bool) []int {
	if len(whole) < 2 || !slices.ContainsFunc(whole, func(m motion.Move) bool { return m.Kind == "type" && m.Value != "" }) {
		return nil
	}
	for at := range open {
		if at+len(whole) > len(open) {
			return nil
		}
		for k, m := range whole {
			i := open[at+k]
			if i != open[at]+k || !isOpen[i] || len(of[i]) != 1 || of[i][0] != m {
				break
			}
			if k == len(whole)-1 {
				return slices.Clone(open[at : at+len(whole)])
			}
		}
	}
	return nil
}
