package align

import "math/bits"

// maxMasks limits the words of the masks of a corridor (16 MiB).
const maxMasks = 1 << 21

// layersOf divides a block into layers of as many rows each. If rule 1 of the package
// documentation counts matches alone, a layer has only the columns that alignments with the
// most matches may use. These columns are the corridor.
func (t *task) layersOf(b block, rows int) []block {
	layers := divideRows(b, rows)
	c := corridor{task: t, block: b, words: (b.colCount() + 63) / 64}
	if !t.countsMatches() || !c.allocate(len(layers)+1) {
		return layers
	}
	c.loadMasks(false)
	for k, l := range layers {
		copy(c.rowAt(c.above, k+1), c.rowAt(c.above, k))
		for _, sym := range t.obs[l.i0:l.i1] {
			c.addRow(c.rowAt(c.above, k+1), sym)
		}
	}
	c.loadMasks(true)
	for k := len(layers) - 1; k >= 0; k-- {
		copy(c.rowAt(c.below, k), c.rowAt(c.below, k+1))
		for i := layers[k].i1 - 1; i >= layers[k].i0; i-- {
			c.addRow(c.rowAt(c.below, k), t.obs[i])
		}
	}
	most := countMatches(c.rowAt(c.below, 0))
	for k := range layers {
		layers[k].j0, _ = c.bounds(k, most)
		_, layers[k].j1 = c.bounds(k+1, most)
	}
	return layers
}

// countsMatches reports whether the number of matches decides, before everything else.
func (t *task) countsMatches() bool {
	if t.weights.match <= 0 || t.coarse > grid {
		return false
	}
	if t.weights.sub == 0 {
		return true
	}
	for _, e := range t.rel.list {
		if e.sim <= t.threshold {
			return false
		}
	}
	return true
}

// corridor finds where the alignments of a block with the most matches pass between its
// layers. They pass exactly where the most matches above and to the left, and the most
// matches below and to the right, add up to the most matches of all.
//
// These numbers are held in the bit vectors of Crochemore and Hyyrö. Bit j of a vector is 0
// if the number rises at column j. For the matches below, columns count from the last one.
type corridor struct {
	*task
	block
	words        int      // of a vector
	masks        []uint64 // the columns that an observed symbol matches
	first        []int    // for each observed symbol: its first word in masks, or -1
	above, below []uint64 // for each row between layers: its vector
}

// allocate returns false if there are too many masks. The vectors begin with no matches.
func (c *corridor) allocate(rows int) bool {
	c.first = make([]int, c.obsSyms)
	used := 0
	for sym := range c.first {
		c.first[sym] = -1
		for _, e := range c.rel.entriesOf(int32(sym)) {
			if e.sim > c.threshold {
				c.first[sym] = used
				used += c.words
				break
			}
		}
	}
	if used > maxMasks {
		return false
	}
	c.masks = make([]uint64, used)
	vectors := make([]uint64, 2*rows*c.words)
	for i := range vectors {
		vectors[i] = ^uint64(0)
	}
	c.above, c.below = vectors[:rows*c.words], vectors[rows*c.words:]
	return true
}

func (c *corridor) rowAt(vectors []uint64, k int) []uint64 {
	return vectors[k*c.words:][:c.words]
}

// loadMasks sets the masks. If last is true, columns count from the last one.
func (c *corridor) loadMasks(last bool) {
	clear(c.masks)
	by := c.rel.transpose(c.refSyms)
	for j, sym := range c.ref[c.j0:c.j1] {
		if last {
			j = c.colCount() - 1 - j
		}
		for _, e := range by.entriesOf(sym) {
			if e.sim > c.threshold {
				c.masks[c.first[e.sym]+j/64] |= 1 << (j % 64)
			}
		}
	}
}

// addRow changes a vector to the one after a further row.
func (c *corridor) addRow(vector []uint64, sym int32) {
	if c.first[sym] < 0 {
		return
	}
	c.stats.Words += int64(len(vector))
	masks, carry := c.masks[c.first[sym]:][:len(vector)], uint64(0)
	for k, v := range vector {
		hit := v & masks[k]
		sum, out := bits.Add64(v, hit, carry)
		vector[k], carry = sum|v&^hit, out
	}
}

// countMatches returns the number of matches in all columns of a vector.
func countMatches(vector []uint64) int {
	n := 0
	for _, v := range vector {
		n += bits.OnesCount64(^v)
	}
	return n
}

// bounds returns the first and the last column at which an alignment with the most matches
// may pass the row above layer k.
func (c *corridor) bounds(k, most int) (lo, hi int) {
	above, below := c.rowAt(c.above, k), c.rowAt(c.below, k)
	n, cols := countMatches(below), c.colCount()
	lo = -1
	for j := 0; ; j++ {
		if n == most {
			hi = j
			if lo < 0 {
				lo = j
			}
		}
		if j == cols {
			return c.j0 + lo, c.j0 + hi
		}
		last := cols - 1 - j
		n += int(^above[j/64]>>(j%64)&1) - int(^below[last/64]>>(last%64)&1)
	}
}
