package align

import (
	"fmt"
	"slices"
)

// comparer fills in the relation of a task. On short runs the comparisons cost most of
// the time. So it first pairs the matches with which both sides begin (the lead). A
// symbol that occurs only in the lead is not compared with other symbols.
type comparer struct {
	*task
	Problem
	obsNames, refNames []int32 // the caller's symbols
	refIDs             []int32 // by the caller's symbol: the number of the symbol + 1, or 0
	near               []int32 // scratch of nearSymbols
	known              []int32 // similarity + 1 of the symbols with the same number on both sides; 0: not compared
	obsLate, refLate   []int32 // 1 if the symbol occurs after the lead
}

func (c *comparer) compareSymbols() error {
	if err := c.pairLead(); err != nil {
		return err
	}
	for _, sym := range c.obs[c.lead:] {
		c.obsLate[sym] = 1
	}
	for _, sym := range c.ref[c.lead:] {
		c.refLate[sym] = 1
	}
	c.rel.list = make([]entry, 0, c.obsSyms+c.refSyms)
	for obs := range c.obsNames {
		c.growList(obs)
		if err := c.compareOne(int32(obs)); err != nil {
			return err
		}
		c.rel.off[obs+1] = int32(len(c.rel.list))
	}
	return nil
}

// growList makes room in a long list of pairs for the pairs of one more symbol. obs is
// the number of symbols that were compared so far. The new capacity is an estimate of the
// final length, which needs less memory than doubling the list.
func (c *comparer) growList(obs int) {
	list := c.rel.list
	if obs == 0 || c.Near != nil || len(list) < 1<<20 || cap(list)-len(list) >= c.refSyms {
		return
	}
	room := int64(len(list)) * int64(c.obsSyms) / int64(obs)
	c.rel.list = slices.Grow(list, int(min(room, int64(c.obsSyms)*int64(c.refSyms)))-len(list)+c.refSyms)
}

// pairLead pairs the equal actions with which both sides begin (the lead). The lead ends at
// the first position where the two symbols have different numbers or a similarity below 1,
// because a later action may then be more similar. There is no lead if matchFirst returns
// false.
func (c *comparer) pairLead() error {
	if !c.matchFirst() {
		return nil
	}
	for i := range min(len(c.obs), len(c.ref)) {
		if c.obs[i] != c.ref[i] {
			break
		}
		sim, err := c.symbolSimilarity(c.obs[i], c.ref[i])
		if err != nil {
			return err
		}
		if sim < grid || sim <= c.threshold {
			break
		}
		c.mate[i] = int32(i)
		c.lead++
	}
	return nil
}

// compareOne adds all pairs of one observed symbol that a best alignment may contain.
// These are the matches, and the substitutions of two actions of the same type that score
// no worse than two gaps.
func (c *comparer) compareOne(obs int32) error {
	from, to := int32(0), int32(c.refSyms)
	if c.obsLate[obs] == 0 { // the symbol occurs only in the lead
		from, to = obs, obs+1
	}
	if c.Near != nil && from+1 < to {
		for _, ref := range c.nearSymbols(obs) {
			if err := c.comparePair(obs, ref); err != nil {
				return err
			}
		}
		return nil
	}
	for ref := from; ref < to; ref++ {
		if err := c.comparePair(obs, ref); err != nil {
			return err
		}
	}
	return nil
}

// nearSymbols returns the symbols that Near lists for obs, in ascending order of their
// numbers.
func (c *comparer) nearSymbols(obs int32) []int32 {
	c.near = c.near[:0]
	for _, name := range c.Near(int(c.obsNames[obs])) {
		if int(name) < len(c.refIDs) && c.refIDs[name] > 0 {
			c.near = append(c.near, c.refIDs[name]-1)
		}
	}
	if !slices.IsSorted(c.near) {
		slices.Sort(c.near)
	}
	return c.near
}

// comparePair adds the pair of two symbols, if a best alignment may contain it.
func (c *comparer) comparePair(obs, ref int32) error {
	if c.refLate[ref]&c.obsLate[obs] == 0 && (obs != ref || c.known[obs] == 0) {
		return nil
	}
	sim, err := c.symbolSimilarity(obs, ref)
	if err == nil && c.mayPair(sim, obs, ref) {
		c.rel.list = append(c.rel.list, entry{ref, sim})
	}
	return err
}

func (c *comparer) mayPair(sim, obs, ref int32) bool {
	if sim > c.threshold {
		return c.rule.match >= 0
	}
	return c.rule.sub >= 0 && c.SameType != nil && c.SameType(int(c.obsNames[obs]), int(c.refNames[ref]))
}

// symbolSimilarity returns the similarity of two symbols in units of 1e-9. For two
// symbols with the same number, the result is stored, so that Similarity is called only
// once.
func (c *comparer) symbolSimilarity(obs, ref int32) (int32, error) {
	if obs == ref && c.known[obs] > 0 {
		return c.known[obs] - 1, nil
	}
	a, b := int(c.obsNames[obs]), int(c.refNames[ref])
	x := c.Similarity(a, b)
	if x-x != 0 { // NaN or infinite
		return 0, fmt.Errorf("invalid similarity %v for observed symbol %d and reference symbol %d", x, a, b)
	}
	c.stats.Comparisons++
	steps := min(max(x, 0), 1) * grid
	sim := int32(steps)
	if steps-float64(sim) >= 0.5 { // exact; math.Round is slow under js/wasm
		sim++
	}
	if obs == ref {
		c.known[obs] = sim + 1
	}
	return sim, nil
}
